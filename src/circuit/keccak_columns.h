/*
 * Columns of the Keccak blocks (spec 07, 2) of n = 1 or 3 permutations. Slots have 2048 bits, of
 * which a state uses 1600 in physical order (lane x + 5y, bit z at 64 (x + 5y) + z).
 *
 *     0                              4096 n       4096 n + 64
 *     [ in 0 | out 0 | in 1 | .. ]   [ 1 | zero ] [ t of permutation 0: 24 rounds of 1600 | .. |
 * zero ]
 */
#ifndef FLOCK_CIRCUIT_KECCAK_COLUMNS_H
#define FLOCK_CIRCUIT_KECCAK_COLUMNS_H

#include <stdint.h>

enum {
    KECCAK_K_LOG = 16,
    KECCAK3_K_LOG = 17,
    KECCAK_SLOT_LOG = 11,
    KECCAK_SLOT = 1 << KECCAK_SLOT_LOG,
    KECCAK_STATE_BITS = 1600,
    KECCAK_T_BITS = 24 * KECCAK_STATE_BITS, /* of one permutation */
};

static inline uint32_t keccak_in(uint32_t i)
{
    return 2 * i * KECCAK_SLOT;
}

static inline uint32_t keccak_out(uint32_t i)
{
    return keccak_in(i) + KECCAK_SLOT;
}

/* The constant-one wire. */
static inline uint32_t keccak_one(uint32_t n)
{
    return keccak_in(n);
}

/* First AND of permutation i; for i = n, the end of the useful columns. */
static inline uint32_t keccak_t(uint32_t n, uint32_t i)
{
    return keccak_one(n) + 64 + i * KECCAK_T_BITS;
}

#endif
