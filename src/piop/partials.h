/*
 * Partial evaluations of the packed witness: s[v] = sum_y eq_table(point)[y] * bit v of q[y],
 * v < 128, y < 2^n (spec 04, step 2). Prover only.
 */
#ifndef FLOCK_PIOP_PARTIALS_H
#define FLOCK_PIOP_PARTIALS_H

#include <flock/flock.h>

#include "piop/claims.h"

struct prover_context;

flock_status partial_evaluate(struct prover_context *context, struct partial_evaluations *out,
                              const gf128 *q, const gf128 *point, unsigned n);

/* The same of q = a AND b. */
flock_status partial_evaluate_and(struct prover_context *context, struct partial_evaluations *out,
                                  const gf128 *a, const gf128 *b, const gf128 *point, unsigned n);

#endif
