/*
 * Slots: aligned windows of a block that a relation looks at (spec 08, 2), folded to one element
 * each, and claims about them.
 *
 *     slot s of an instance: packed elements s 2^q .. (s+1) 2^q - 1,  q = region_log - 7
 *     BLAKE3, Keccak: input | output        SHA-256: H_in | H_out | words 0..7 | words 8..15
 */
#ifndef FLOCK_RELATION_SLOTS_H
#define FLOCK_RELATION_SLOTS_H

#include "relation/relation.h"

enum { MAX_SLOT_LOG = 4 /* largest q: 1, or 4 for Keccak */ };

static inline unsigned slot_log(const struct circuit *circuit)
{
    return circuit->region_log - 7;
}

/* fold_p(v) = sum_c Eq(p)[c] v_c of a public slot value of region_bits / 8 bytes, physical order.
 */
gf128 slot_fold(const struct circuit *circuit, const gf128 *p, const uint8_t *value);

/*
 * Adds a direct claim: the first n coordinates of the packed element within the instance are
 * `chunk`, the others 0.
 */
void add_direct_claim(const struct setup *setup, const gf128 *chunk, unsigned n,
                      const gf128 *instance, gf128 value, struct claims *claims);

/* The n bits of a number as coordinates, lowest first. */
void bit_coordinates(gf128 *out, uint64_t number, unsigned n);

/* prod_j (v_j + offset); 1 for n = 0. */
gf128 offset_product(const gf128 *v, unsigned n, gf128 offset);

/* 32-bit words from SHA-256's byte order to physical order, and back: the same map. */
void swap_words(uint8_t *out, const uint8_t *in, size_t n_words);

/* The SHA-256 initial value in physical order. */
void physical_initial_value(uint8_t out[32]);

/* ---- prover ---- */

/* folded[s 2^n_log + i] = fold_p(slot s of instance i), s < n_slots. */
struct prover_context;
void fold_slots(struct prover_context *context, const struct setup *setup, const gf128 *p,
                const gf128 *packed_witness, size_t n_slots, gf128 *folded);

#endif
