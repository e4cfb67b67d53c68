/* What the PIOP and the relations leave for the opening: two kinds of claims about the witness. */
#ifndef FLOCK_PIOP_CLAIMS_H
#define FLOCK_PIOP_CLAIMS_H

#include "field/gf128.h"

enum {
    MAX_LOG_BITS = 35, /* largest m */
    MAX_DIRECT_CLAIMS = 4
};

/*
 * value = sum_addr z[addr] * L_{addr mod 64}(skip) * eq_table(point)[addr div 64] on the bits
 * (spec 05, 5.4.3); point has m-6 coordinates, point[j] for address bit 6+j.
 */
struct quirky_claim {
    gf128 skip;
    gf128 point[MAX_LOG_BITS - 6];
    gf128 value;
};

/* value = sum_y eq_table(point)[y] * q[y] on the packed elements; m-7 coordinates. */
struct direct_claim {
    gf128 point[MAX_LOG_BITS - 7];
    gf128 value;
};

/* In the order of the opening: ab, c, then the direct claims. */
struct claims {
    struct quirky_claim quirky[2];
    unsigned n_quirky;
    struct direct_claim direct[MAX_DIRECT_CLAIMS];
    unsigned n_direct;
};

enum { CLAIM_AB = 0, CLAIM_C = 1 };

/*
 * Partial evaluations of a quirky claim (spec 04, 4, step 2):
 * s[v] = sum_{y: bit v of q[y]} eq_table(point[1..])[y], v < 128.
 */
struct partial_evaluations {
    gf128 s[128];
};

/*
 * The prover has them column by column, the packed witness q seen as rows of eight elements:
 *
 *     row y     q[8y]  q[8y+1]  ..  q[8y+7]
 *     column     [0]     [1]    ..    [7]
 *
 * s[x][v] = sum_{y: bit v of q[8y+x]} eq_table(point[1 + LOG_COLUMNS ..])[y]. With the weights
 * eq_table(point[1 .. LOG_COLUMNS])[x] the columns add up to the partial evaluations, and by
 * themselves they give the messages of the first folds of the opening (pcs/opening_prove.c).
 */
enum { LOG_COLUMNS = 3, N_COLUMNS = 1 << LOG_COLUMNS };

struct column_partials {
    gf128 s[N_COLUMNS][128];
};

#endif
