/* Partial evaluations of the packed witness (piop/claims.h). Prover only. */
#ifndef FLOCK_PIOP_PARTIALS_H
#define FLOCK_PIOP_PARTIALS_H

#include <flock/flock.h>

#include "piop/claims.h"

struct prover_context;

/*
 * Those of q, 2^n elements, n >= LOG_COLUMNS, by columns: point[j] belongs to bit j of an index, as
 * in a quirky claim's point + 1; the first LOG_COLUMNS coordinates are not used.
 */
flock_status partial_evaluate(struct prover_context *context, struct column_partials *out,
                              const gf128 *q, const gf128 *point, unsigned n);

/* The same of q = a AND b. */
flock_status partial_evaluate_and(struct prover_context *context, struct column_partials *out,
                                  const gf128 *a, const gf128 *b, const gf128 *point, unsigned n);

/* The columns added up, with the first LOG_COLUMNS coordinates of the same point. */
void partial_sum(struct partial_evaluations *out, const struct column_partials *columns,
                 const gf128 *point);

#endif
