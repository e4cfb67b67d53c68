/* Partial evaluations of the packed witness (piop/claims.h). Prover only. */
#ifndef FLOCK_PIOP_PARTIALS_H
#define FLOCK_PIOP_PARTIALS_H

#include <flock/flock.h>

#include "backend/kernels.h"
#include "piop/claims.h"

struct prover_context;

/*
 * Those of q, 2^n elements, n >= LOG_COLUMNS, by columns: point[j] belongs to bit j of an index, as
 * in a quirky claim's point + 1; the first LOG_COLUMNS coordinates are not used.
 */
flock_status partial_evaluate(struct prover_context *context, struct column_partials *out,
                              const gf128 *q, const gf128 *point, unsigned n);

/*
 * The same in pieces, for a pass that has a and b in the caches anyway: blocks of up to 2^9 rows of
 * eight elements, the low index bits in a block.
 */
enum { LOG_PARTIAL_ROWS = 9 };

struct partial_rows {
    size_t n_rows;
    struct linear64 maps[1 << (LOG_PARTIAL_ROWS - 6)]; /* of 64 rows each */
};

/* point: coordinates of the rows of a block. */
void partial_rows_prepare(struct partial_rows *rows, const gf128 *point, unsigned log_rows);

/* sums += weight * those of a block of q, or of q AND mask, where mask is not NULL */
void partial_rows_add(const struct partial_rows *rows, struct column_partials *sums, const gf128 *q,
                      const gf128 *mask, gf128 weight);

/* out = sums[0] + .. + sums[n-1] */
void partial_total(struct column_partials *out, const struct column_partials *sums, size_t n);

/* The columns added up, with the first LOG_COLUMNS coordinates of the same point. */
void partial_sum(struct partial_evaluations *out, const struct column_partials *columns,
                 const gf128 *point);

#endif
