/* Keccak-f[1600] (FIPS 202; spec 07, 1). Lane (x, y) of a state is number x + 5y. */
#ifndef FLOCK_HASH_KECCAK_H
#define FLOCK_HASH_KECCAK_H

#include <stdint.h>

enum { KECCAK_LANES = 25, KECCAK_ROUNDS = 24 };

/* iota: what round r adds to lane 0. */
extern const uint64_t keccak_round_constants[KECCAK_ROUNDS];
/* rho: by how much lane number l is rotated left. */
extern const uint8_t keccak_rotations[KECCAK_LANES];

/* Where pi takes the lane (x, y) of its result from. */
static inline int keccak_source(int x, int y)
{
    return (x + 3 * y) % 5 + 5 * x;
}

/* The linear part of a round, pi after rho after theta. */
void keccak_linear(uint64_t out[KECCAK_LANES], const uint64_t in[KECCAK_LANES]);

/* The permutation, in place. */
void keccak_f1600(uint64_t lanes[KECCAK_LANES]);

#endif
