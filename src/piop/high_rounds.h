/*
 * Rounds of small sumchecks that bind the highest variable first: an index below `half` and the
 * same plus `half` belong together. On all threads where that is worth it. Prover only.
 */
#ifndef FLOCK_PIOP_HIGH_ROUNDS_H
#define FLOCK_PIOP_HIGH_ROUNDS_H

#include <stddef.h>

#include "field/gf128.h"

struct prover_context;

/*
 * Calls body(argument, part, begin, end) for ranges that make up 0 .. half-1; the parts are
 * numbered from 0 on, below HIGH_MAX_PARTS. Returns their number. half and least, below which one
 * thread is faster, are powers of two, least >= 8.
 */
enum { HIGH_MAX_PARTS = 256 };
size_t high_parts(struct prover_context *context, size_t half, size_t least,
                  void (*body)(const void *argument, size_t part, size_t begin, size_t end),
                  const void *argument);

/* The message of sum_j f[j] w[j] (kernels.h: product_message_high). */
void high_message(struct prover_context *context, gf128 message[2], const gf128 *f, const gf128 *w,
                  size_t half);

/* Bind the highest variable of each array to r. */
void high_fold(struct prover_context *context, gf128 *const *arrays, size_t n_arrays, size_t half,
               gf128 r);

#endif
