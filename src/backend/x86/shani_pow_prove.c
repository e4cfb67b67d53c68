#include "backend/x86/sha256_x86.h"

#include <string.h>

#include "backend/portable/sha256_kernels.h"
#include "backend/pow_halves.h"
#include "backend/x86/shani_rounds.h"
#include "base/bytes.h"

/* What is the same for all nonces with the same upper half. */
struct fixed_part {
    shani_state midstate; /* after rounds 0..7 */
    __m128i w4, w8, w12;  /* W[4..7], W[8..11] with W[8] = 0, W[12..15] */
    __m128i w16;          /* W[16..19], which do not depend on W[8] */
    __m128i wk12, wk16;   /* W + K of rounds 12..19 */
};

static void prepare(struct fixed_part *fixed, const uint8_t digest[32], uint32_t high)
{
    uint8_t block[64] = {0};
    __m128i w[4];
    memcpy(block, digest, 32);
    store_le32(block + 36, high);
    block[40] = 0x80;
    store_be64(block + 56, 8 * 40);
    shani_load_block(w, block);
    fixed->midstate = shani_load_state(sha256_initial);
    shani_rounds4(&fixed->midstate, shani_add_constants(w[0], 0));
    shani_rounds4(&fixed->midstate, shani_add_constants(w[1], 4));
    fixed->w4 = w[1];
    fixed->w8 = w[2];
    fixed->w12 = w[3];
    fixed->w16 = shani_schedule(w[0], w[1], w[2], w[3]);
    fixed->wk12 = shani_add_constants(fixed->w12, 12);
    fixed->wk16 = shani_add_constants(fixed->w16, 16);
}

/* Four rounds by words that the schedule provides in place of *w0. */
static inline void schedule_rounds4(shani_state *s, __m128i *w0, __m128i w4, __m128i w8,
                                    __m128i w12, int t)
{
    *w0 = shani_schedule(*w0, w4, w8, w12);
    shani_rounds4(s, shani_add_constants(*w0, t));
}

/*
 * First words of the hashes of two nonces, given by the words W[8]. Two chains of instructions, as
 * in shani_sha256.c.
 */
static inline void first_words(uint32_t out[2], const struct fixed_part *fixed,
                               const uint32_t w8[2])
{
    shani_state s[2];
    __m128i w[2][4];
    for (int i = 0; i < 2; i++) {
        s[i] = fixed->midstate;
        w[i][0] = fixed->w16;
        w[i][1] = fixed->w4;
        w[i][2] = _mm_or_si128(fixed->w8, _mm_cvtsi32_si128((int)w8[i]));
        w[i][3] = fixed->w12;
        shani_rounds4(&s[i], shani_add_constants(w[i][2], 8));
        shani_rounds4(&s[i], fixed->wk12);
        shani_rounds4(&s[i], fixed->wk16);
    }
    for (int t = 20; t < 52; t += 16) {
        for (int i = 0; i < 2; i++) {
            schedule_rounds4(&s[i], &w[i][1], w[i][2], w[i][3], w[i][0], t);
        }
        for (int i = 0; i < 2; i++) {
            schedule_rounds4(&s[i], &w[i][2], w[i][3], w[i][0], w[i][1], t + 4);
        }
        for (int i = 0; i < 2; i++) {
            schedule_rounds4(&s[i], &w[i][3], w[i][0], w[i][1], w[i][2], t + 8);
        }
        for (int i = 0; i < 2; i++) {
            schedule_rounds4(&s[i], &w[i][0], w[i][1], w[i][2], w[i][3], t + 12);
        }
    }
    for (int i = 0; i < 2; i++) {
        schedule_rounds4(&s[i], &w[i][1], w[i][2], w[i][3], w[i][0], 52);
        schedule_rounds4(&s[i], &w[i][2], w[i][3], w[i][0], w[i][1], 56);
        schedule_rounds4(&s[i], &w[i][3], w[i][0], w[i][1], w[i][2], 60);
        out[i] = (uint32_t)_mm_extract_epi32(s[i].abef, 3) + sha256_initial[0];
    }
}

/* count nonces from first on, all with the upper half of first. */
static bool search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                   uint64_t count)
{
    struct fixed_part fixed;
    prepare(&fixed, digest, (uint32_t)(first >> 32));
    const unsigned spare_bits = bits < 32 ? 32 - bits : 0;
    for (uint64_t i = 0; i < count; i += 2) {
        uint32_t words[2], w8[2];
        for (unsigned j = 0; j < 2; j++) {
            uint8_t low[4];
            store_le32(low, (uint32_t)(first + i + j));
            w8[j] = load_be32(low);
        }
        first_words(words, &fixed, w8);
        for (unsigned j = 0; j < 2; j++) {
            if (words[j] >> spare_bits == 0 && i + j < count &&
                portable_pow_search(nonce, digest, bits, first + i + j, 1)) {
                return true;
            }
        }
    }
    return false;
}

bool shani_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                      uint64_t count)
{
    return pow_search_by_halves(search, nonce, digest, bits, first, count);
}
