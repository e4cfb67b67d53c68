#include "backend/x86/sha256_x86.h"

#include "backend/portable/sha256_kernels.h"
#include "backend/x86/avx512_sha256_rounds.h"
#include "backend/pow_halves.h"
#include "base/bytes.h"

/*
 * What is the same for all nonces with the same upper half. W[8] is the lower half of the nonce;
 * the words W[16..22] do not depend on it, and W[23..38] are sums of which some terms do not:
 *
 *     W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]
 *     t = 23                           W[8]
 *     t = 24                                             W[8]
 *     t = 25 .. 29  W[23..27]
 *     t = 30 .. 37  W[28..35]  W[23..30]
 *     t = 38        W[36]      W[31]   W[23]
 *
 * A nonce costs 56 rounds and the terms above, then 25 words: about 1300 instructions for 16.
 */
struct fixed_part {
    u32x16 midstate[8]; /* after rounds 0..7 */
    u32x16 wk[15];      /* W + K of rounds 8..22 where W[8] = 0 */
    u32x16 known[16];   /* of W[23..38]: the sum of the terms that do not depend on W[8] */
};

static void prepare(struct fixed_part *fixed, const uint8_t digest[32], uint32_t high)
{
    u32x16 w[39];
    uint8_t high_bytes[4];
    store_le32(high_bytes, high);
    for (int i = 0; i < 8; i++) {
        w[i] = u32x16_all(load_be32(digest + 4 * i));
        w[8 + i] = u32x16_all(0);
        fixed->midstate[i] = u32x16_all(sha256_initial[i]);
    }
    w[9] = u32x16_all(load_be32(high_bytes));
    w[10] = u32x16_all(0x80000000);
    w[15] = u32x16_all(8 * 40);
    avx512_rounds8_words(fixed->midstate, w, 0);
    for (int t = 16; t < 39; t++) {
        u32x16 early = u32x16_add(avx512_sigma1(w[t - 2]), w[t - 7]);
        w[t] = u32x16_add(early, u32x16_add(avx512_sigma0(w[t - 15]), w[t - 16]));
        if (t >= 23) {
            fixed->known[t - 23] = w[t];
            w[t] = u32x16_all(0); /* so that it adds nothing to the later ones */
        }
    }
    for (int t = 8; t < 23; t++) {
        fixed->wk[t - 8] = u32x16_add(w[t], u32x16_all(sha256_round_constants[t]));
    }
}

/* First words of the hashes of sixteen nonces, whose lower halves are in message order in w8. */
static inline u32x16 first_words(const struct fixed_part *fixed, u32x16 w8)
{
    const u32x16 *known = fixed->known;
    u32x16 w[16], s[8], wk[16];
    for (int i = 0; i < 8; i++) {
        s[i] = fixed->midstate[i];
    }
    for (int i = 0; i < 15; i++) {
        wk[i] = fixed->wk[i];
    }
    wk[0] = u32x16_add(wk[0], w8);
    avx512_rounds8(s, wk);

    w[7] = u32x16_add(known[0], avx512_sigma0(w8));
    wk[15] = u32x16_add(w[7], u32x16_all(sha256_round_constants[23]));
    avx512_rounds8(s, wk + 8);

    w[8] = u32x16_add(known[1], w8);
    for (int t = 25; t < 30; t++) {
        w[t & 15] = u32x16_add(known[t - 23], avx512_sigma1(w[(t - 2) & 15]));
    }
    for (int t = 30; t < 38; t++) {
        u32x16 early = u32x16_add(known[t - 23], w[(t - 7) & 15]);
        w[t & 15] = u32x16_add(early, avx512_sigma1(w[(t - 2) & 15]));
    }
    w[6] = known[15];
    avx512_extend(w, 6);
    avx512_extend(w, 7);

    avx512_rounds8_extend(s, w, 8, 24);
    avx512_rounds8_extend(s, w, 0, 32);
    avx512_rounds8_extend(s, w, 8, 40);
    avx512_rounds8_words(s, w, 48);
    avx512_rounds8_words(s, w + 8, 56);
    return u32x16_add(s[0], u32x16_all(sha256_initial[0]));
}

/* count nonces from first on, all with the upper half of first. */
static bool search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                   uint64_t count)
{
    struct fixed_part fixed;
    prepare(&fixed, digest, (uint32_t)(first >> 32));
    const u32x16 lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const u32x16 top_bits = u32x16_all(bits < 32 ? UINT32_MAX << (32 - bits) : UINT32_MAX);
    for (uint64_t i = 0; i < count; i += 16) {
        u32x16 low = u32x16_add(u32x16_all((uint32_t)(first + i)), lanes);
        u32x16 word = first_words(&fixed, u32x16_swap_bytes(low));
        unsigned hits = _mm512_testn_epi32_mask(word, top_bits);
        for (; hits != 0; hits &= hits - 1) {
            uint64_t hit = i + (unsigned)__builtin_ctz(hits);
            if (hit < count && portable_pow_search(nonce, digest, bits, first + hit, 1)) {
                return true;
            }
        }
    }
    return false;
}

bool avx512_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                       uint64_t count)
{
    return pow_search_by_halves(search, nonce, digest, bits, first, count);
}
