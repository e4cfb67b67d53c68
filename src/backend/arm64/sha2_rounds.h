/*
 * SHA-256 with the SHA-2 instructions: the eight words of the state in two registers, a in lane 0
 * of the first and e in lane 0 of the second; four rounds an instruction for each of them, and four
 * words of the schedule in a register.
 */
#ifndef FLOCK_BACKEND_ARM64_SHA2_ROUNDS_H
#define FLOCK_BACKEND_ARM64_SHA2_ROUNDS_H

#include <arm_neon.h>

#include "hash/sha256.h"

struct sha2_state {
    uint32x4_t abcd, efgh;
};

static inline struct sha2_state sha2_load_state(const uint32_t words[8])
{
    return (struct sha2_state){vld1q_u32(words), vld1q_u32(words + 4)};
}

static inline struct sha2_state sha2_add(struct sha2_state a, struct sha2_state b)
{
    return (struct sha2_state){vaddq_u32(a.abcd, b.abcd), vaddq_u32(a.efgh, b.efgh)};
}

/* Rounds t .. t+3; wk: W[t+i] + K[t+i]. */
static inline void sha2_rounds4(struct sha2_state *s, uint32x4_t wk)
{
    uint32x4_t abcd = s->abcd;
    s->abcd = vsha256hq_u32(abcd, s->efgh, wk);
    s->efgh = vsha256h2q_u32(s->efgh, abcd, wk);
}

/* W[t+16 ..] from W[t ..], W[t+4 ..], W[t+8 ..], W[t+12 ..]. */
static inline uint32x4_t sha2_schedule(uint32x4_t w0, uint32x4_t w4, uint32x4_t w8, uint32x4_t w12)
{
    return vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12);
}

static inline uint32x4_t sha2_add_constants(uint32x4_t w, int t)
{
    return vaddq_u32(w, vld1q_u32(sha256_round_constants + t));
}

static inline void sha2_load_block(uint32x4_t w[4], const uint8_t block[64])
{
    for (int i = 0; i < 4; i++) {
        w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * i)));
    }
}

#endif
