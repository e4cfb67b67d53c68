#include "backend/x86/sha256_x86.h"

#include "backend/portable/sha256_kernels.h"
#include "backend/x86/avx2_sha256_rounds.h"
#include "backend/pow_halves.h"
#include "base/bytes.h"

/* What is the same for all nonces with the same upper half. */
struct fixed_part {
    u32x8 words[16];   /* W[0..15]; W[8] is the lower half of the nonce */
    u32x8 later[7];    /* W[16..22] do not depend on W[8] */
    u32x8 midstate[8]; /* after rounds 0..7 */
};

static void prepare(struct fixed_part *fixed, const uint8_t digest[32], uint32_t high)
{
    u32x8 w[16];
    uint8_t high_bytes[4];
    store_le32(high_bytes, high);
    for (int i = 0; i < 8; i++) {
        w[i] = u32x8_all(load_be32(digest + 4 * i));
        w[8 + i] = u32x8_all(0);
        fixed->midstate[i] = u32x8_all(sha256_initial[i]);
    }
    w[9] = u32x8_all(load_be32(high_bytes));
    w[10] = u32x8_all(0x80000000);
    w[15] = u32x8_all(8 * 40);
    avx2_rounds8_words(fixed->midstate, w, 0);
    for (int i = 0; i < 16; i++) {
        fixed->words[i] = w[i];
    }
    avx2_extend(w, 0);
    for (int i = 0; i < 7; i++) {
        fixed->later[i] = w[i];
    }
}

/* First words of the hashes of eight nonces, whose lower halves are in message order in w8. */
static inline u32x8 first_words(const struct fixed_part *fixed, u32x8 w8)
{
    u32x8 w[16], s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = fixed->midstate[i];
    }
    for (int i = 0; i < 16; i++) {
        w[i] = fixed->words[i];
    }
    w[8] = w8;
    avx2_rounds8_words(s, w + 8, 8);
    for (int i = 0; i < 7; i++) {
        w[i] = fixed->later[i];
    }
    avx2_extend(w, 7);
    avx2_rounds8_words(s, w, 16);
    avx2_rounds8_words(s, w + 8, 24);
    for (int t = 32; t < 64; t += 16) {
        avx2_extend(w, 0);
        avx2_rounds8_words(s, w, t);
        avx2_rounds8_words(s, w + 8, t + 8);
    }
    return u32x8_add(s[0], u32x8_all(sha256_initial[0]));
}

/* count nonces from first on, all with the upper half of first. */
static bool search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                   uint64_t count)
{
    struct fixed_part fixed;
    prepare(&fixed, digest, (uint32_t)(first >> 32));
    const u32x8 lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const u32x8 swap =
        _mm256_broadcastsi128_si256(_mm_set_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203));
    const __m128i spare_bits = _mm_cvtsi32_si128(bits < 32 ? (int)(32 - bits) : 0);
    for (uint64_t i = 0; i < count; i += 8) {
        u32x8 low = u32x8_add(u32x8_all((uint32_t)(first + i)), lanes);
        u32x8 word = first_words(&fixed, _mm256_shuffle_epi8(low, swap));
        u32x8 zero = _mm256_cmpeq_epi32(_mm256_srl_epi32(word, spare_bits), u32x8_all(0));
        unsigned hits = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
        for (; hits != 0; hits &= hits - 1) {
            uint64_t hit = i + (unsigned)__builtin_ctz(hits);
            if (hit < count && portable_pow_search(nonce, digest, bits, first + hit, 1)) {
                return true;
            }
        }
    }
    return false;
}

bool avx2_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                     uint64_t count)
{
    return pow_search_by_halves(search, nonce, digest, bits, first, count);
}
