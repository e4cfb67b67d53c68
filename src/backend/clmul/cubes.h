/*
 * Rounds 0, 1 and 2 of the zerocheck in one: products of A and B at the points of {0, 1, inf}^3,
 * for many cubes of 8 values at the same time. A cube's value at inf is the sum of those at 0 and
 * at 1:
 *
 *     p0 p1 p2      0 1 inf  0 1 inf  0 1 inf | ...
 *                   0 0 0    1 1 1    inf ..  | ...        point p0 + 3 p1 + 9 p2, with inf = 2
 *
 * The halves of 64 bits of A and of B are in registers of their own, so Karatsuba's third factor
 * costs no shuffle. Two sets of cubes are multiplied before the products are added to their sums,
 * which live in the first-level cache: 12 multiplications and 6 additions of three terms for a
 * point of two sets, 26 points, and 2 x 4 x 19 additions for the values at inf.
 */
#ifndef FLOCK_BACKEND_CLMUL_CUBES_H
#define FLOCK_BACKEND_CLMUL_CUBES_H

#include "backend/clmul/products.h"
#include "backend/kernels.h"

/* 2 LANES elements: the lower and the upper halves of each. */
struct halves {
    vec low, high;
};

/* One value of each cube, of two sets of 2 LANES cubes. */
struct cube_values {
    struct halves A[2], B[2];
};

/* The sums of products, of cubes with an even index in their set and of those with an odd one. */
struct cube_sums {
    struct products even[27], odd[27];
};

INLINE void add_point(struct cube_sums *sums, size_t point, const struct cube_values *v)
{
    const struct halves *A = v->A, *B = v->B;
    struct products *even = &sums->even[point], *odd = &sums->odd[point];
    vec A0_both = add(A[0].low, A[0].high), A1_both = add(A[1].low, A[1].high);
    vec B0_both = add(B[0].low, B[0].high), B1_both = add(B[1].low, B[1].high);

    even->low = add3(even->low, CLMUL(A[0].low, B[0].low, 0x00), CLMUL(A[1].low, B[1].low, 0x00));
    odd->low = add3(odd->low, CLMUL(A[0].low, B[0].low, 0x11), CLMUL(A[1].low, B[1].low, 0x11));
    even->mid = add3(even->mid, CLMUL(A0_both, B0_both, 0x00), CLMUL(A1_both, B1_both, 0x00));
    odd->mid = add3(odd->mid, CLMUL(A0_both, B0_both, 0x11), CLMUL(A1_both, B1_both, 0x11));
    even->high =
        add3(even->high, CLMUL(A[0].high, B[0].high, 0x00), CLMUL(A[1].high, B[1].high, 0x00));
    odd->high =
        add3(odd->high, CLMUL(A[0].high, B[0].high, 0x11), CLMUL(A[1].high, B[1].high, 0x11));
}

INLINE struct halves add_halves(struct halves x, struct halves y)
{
    return (struct halves){add(x.low, y.low), add(x.high, y.high)};
}

INLINE struct cube_values add_values(const struct cube_values *x, const struct cube_values *y)
{
    return (struct cube_values){
        {add_halves(x->A[0], y->A[0]), add_halves(x->A[1], y->A[1])},
        {add_halves(x->B[0], y->B[0]), add_halves(x->B[1], y->B[1])},
    };
}

/* What follows reads its values from memory: to keep some of them, compilers would store others. */
#define END_OF_LINE() __asm__ volatile("" ::: "memory")

/* Three points that differ in p0, the first one unless it is that of all zeros. */
INLINE void add_line(struct cube_sums *sums, size_t point, const struct cube_values *at_0,
                     const struct cube_values *at_1)
{
    struct cube_values at_inf = add_values(at_0, at_1);
    if (point > 0) {
        add_point(sums, point, at_0);
    }
    add_point(sums, point + 1, at_1);
    add_point(sums, point + 2, &at_inf);
    END_OF_LINE();
}

/* The line of p1 = inf, from the four values with p0, p1 < 2. */
INLINE void add_line_at_inf(struct cube_sums *sums, size_t point, const struct cube_values value[4])
{
    struct cube_values at_0 = add_values(&value[0], &value[2]);
    struct cube_values at_1 = add_values(&value[1], &value[3]);
    add_line(sums, point, &at_0, &at_1);
}

INLINE void set_sum(struct cube_values *sum, const struct cube_values *x,
                    const struct cube_values *y)
{
    *sum = add_values(x, y);
    END_OF_LINE();
}

/* The planes p2 = 0, 1 and inf one after the other, 10 KiB of code; or in a loop, 4 KiB. */
#ifndef FOR_PLANES
#define FOR_PLANES _Pragma("GCC unroll 3") for (size_t p2 = 0; p2 < 3; p2++)
#endif

/*
 * All points but the first of two sets of cubes; value[x0 + 2 x1 + 4 x2]. The values of p2 = inf
 * are made one by one between the lines; all together they would keep the multiplications waiting.
 */
static void add_cubes(struct cube_sums *sums, const struct cube_values value[8])
{
    struct cube_values at_inf[4];

    FOR_PLANES
    {
        const struct cube_values *at = p2 < 2 ? value + 4 * p2 : at_inf;
        add_line(sums, 9 * p2, &at[0], &at[1]);
        if (p2 < 2) {
            set_sum(&at_inf[2 * p2], &value[2 * p2], &value[2 * p2 + 4]);
        }
        add_line(sums, 9 * p2 + 3, &at[2], &at[3]);
        if (p2 < 2) {
            set_sum(&at_inf[2 * p2 + 1], &value[2 * p2 + 1], &value[2 * p2 + 5]);
        }
        add_line_at_inf(sums, 9 * p2 + 6, at);
    }
}

#endif
