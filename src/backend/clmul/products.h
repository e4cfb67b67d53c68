/*
 * GF(2^128) in vector registers by carry-less multiplication, LANES elements in a register. The
 * registers are the machine's (its clmul.h); what is made of them is here.
 *
 * A product of two variables is kept unreduced in three registers (3 or 4 multiplications). So sums
 * of products cost no reduction, which takes 2.
 *
 * A product by a value t that is used more than once, with t' = t x^64 mod p known, is
 * x t = x_0 t + x_1 t' (4 multiplications) of 192 bits only: 1 to reduce, and sums of such products
 * are reduced once as well.
 */
#ifndef FLOCK_BACKEND_CLMUL_PRODUCTS_H
#define FLOCK_BACKEND_CLMUL_PRODUCTS_H

#if defined(__x86_64__)
#include "backend/x86/clmul.h"
#elif defined(__AARCH64EL__)
#include "backend/arm64/clmul.h"
#endif

/* How many of n <= 2 LANES elements are in the first register. */
INLINE size_t in_first(size_t n)
{
    return n < LANES ? n : LANES;
}

/* The first k <= LANES pairs of neighbours. */
INLINE void load_pairs(vec *even, vec *odd, const gf128 *p, size_t k)
{
    vec second = 2 * k > LANES ? load(p + LANES, 2 * k - LANES) : zero();
    unzip(even, odd, load(p, in_first(2 * k)), second);
}

/* x^128 mod p */
INLINE vec x128(void)
{
    return all(gf128_from_u64(0x87));
}

/* A factor that is used more than once: t and t x^64 mod p. */
struct factor {
    vec t, t_x64;
};

INLINE struct factor factor(vec t)
{
    return (struct factor){t, add(half_up(t), CLMUL(t, x128(), 0x01))};
}

/* low + high x^64: a sum of elements and of products by factors, not reduced. */
struct unreduced {
    vec low, high;
};

/* x t */
INLINE struct unreduced multiply(vec x, struct factor f)
{
    return (struct unreduced){add(CLMUL(x, f.t, 0x00), CLMUL(x, f.t_x64, 0x01)),
                              add(CLMUL(x, f.t, 0x10), CLMUL(x, f.t_x64, 0x11))};
}

/* c + x t */
INLINE struct unreduced multiply_plus(vec c, vec x, struct factor f)
{
    return (struct unreduced){add3(c, CLMUL(x, f.t, 0x00), CLMUL(x, f.t_x64, 0x01)),
                              add(CLMUL(x, f.t, 0x10), CLMUL(x, f.t_x64, 0x11))};
}

/* sum + x t */
INLINE struct unreduced multiply_add(struct unreduced sum, vec x, struct factor f)
{
    return (struct unreduced){add3(sum.low, CLMUL(x, f.t, 0x00), CLMUL(x, f.t_x64, 0x01)),
                              add3(sum.high, CLMUL(x, f.t, 0x10), CLMUL(x, f.t_x64, 0x11))};
}

/* The same if t is a polynomial of degree < 64: 2 multiplications. */
INLINE struct unreduced multiply_plus_short(vec c, vec x, struct factor f)
{
    return (struct unreduced){add(c, CLMUL(x, f.t, 0x00)), CLMUL(x, f.t, 0x01)};
}

INLINE struct unreduced multiply_add_short(struct unreduced sum, vec x, struct factor f)
{
    return (struct unreduced){add(sum.low, CLMUL(x, f.t, 0x00)),
                              add(sum.high, CLMUL(x, f.t, 0x01))};
}

INLINE vec reduce_192(struct unreduced sum)
{
    return add3(sum.low, half_up(sum.high), CLMUL(sum.high, x128(), 0x01));
}

/*
 * The same without a multiplication. hi x^128 is hi (1 + x + x^2 + x^7), of 71 bits; so where units
 * other than the multipliers have nothing to do, 14 of their operations take no time.
 */
INLINE vec reduce_192_by_shifts(struct unreduced sum)
{
#if defined(__x86_64__) && CLMUL_LANES < 4
    vec hi_lo = swap_halves(sum.high);
    vec once = add3(sum.low, hi_lo, shift_left(hi_lo, (gf128){1, 64}));
    vec twice = add(shift_left(hi_lo, (gf128){2, 64}), shift_left(hi_lo, (gf128){7, 64}));
    vec over = add3(shift_right(sum.high, (gf128){64, 63}), shift_right(sum.high, (gf128){64, 62}),
                    shift_right(sum.high, (gf128){64, 57}));
    return add3(once, twice, over);
#else
    return reduce_192(sum);
#endif
}

INLINE vec times(vec x, struct factor f)
{
    return reduce_192(multiply(x, f));
}

/* c + x t */
INLINE vec times_plus(vec c, vec x, struct factor f)
{
    return reduce_192(multiply_plus(c, x, f));
}

/*
 * A sum of products, not reduced: low + mid x^64 + high x^128. Registers of four elements multiply
 * as fast as they shuffle, so there a product is 4 multiplications; elsewhere it is 3 and two
 * shuffles (Karatsuba), and mid is what has to be added to low + high.
 */
struct products {
    vec low, mid, high;
};

INLINE struct products no_products(void)
{
    return (struct products){zero(), zero(), zero()};
}

INLINE void add_product(struct products *sum, vec a, vec b)
{
#if CLMUL_LANES == 4
    sum->mid = add3(sum->mid, CLMUL(a, b, 0x01), CLMUL(a, b, 0x10));
#else
    sum->mid = add(sum->mid, CLMUL(add(a, swap_halves(a)), add(b, swap_halves(b)), 0x00));
#endif
    sum->low = add(sum->low, CLMUL(a, b, 0x00));
    sum->high = add(sum->high, CLMUL(a, b, 0x11));
}

/* Sums of which mid was made by Karatsuba in any case: of (a_0 + a_1) (b_0 + b_1). */
INLINE struct products karatsuba_products(struct products sum)
{
#if CLMUL_LANES == 4
    sum.mid = add3(sum.mid, sum.low, sum.high);
#endif
    return sum;
}

/* The coefficient of x^192 goes to x^64, then what stands at x^128 goes to 1. */
INLINE vec reduce(struct products sum)
{
#if CLMUL_LANES == 4
    vec mid = sum.mid;
#else
    vec mid = add(sum.mid, add(sum.low, sum.high));
#endif
    mid = add(mid, CLMUL(sum.high, x128(), 0x01));
    vec at_x128 = add(sum.high, half_down(mid));
    return add3(sum.low, half_up(mid), CLMUL(at_x128, x128(), 0x00));
}

#endif
