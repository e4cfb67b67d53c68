/* Layers of the additive NTT (spec 01, 1.9.3) and of its transpose (1.9.5). */
#include "backend/portable/portable.h"
#include "backend/portable/wide.h"

void portable_butterfly(gf128 *lo, gf128 *hi, gf128 t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lo[i] = gf128_add(lo[i], gf128_product(t, hi[i]));
        hi[i] = gf128_add(hi[i], lo[i]);
    }
}

void portable_butterfly4(gf128 *x0, gf128 *x1, gf128 *x2, gf128 *x3, gf128 t0, gf128 t1, gf128 t2,
                         size_t n)
{
    portable_butterfly(x0, x2, t0, n);
    portable_butterfly(x1, x3, t0, n);
    portable_butterfly(x0, x1, t1, n);
    portable_butterfly(x2, x3, t2, n);
}

void portable_butterfly_transposed(gf128 *lo, gf128 *hi, gf128 t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lo[i] = gf128_add(lo[i], hi[i]);
        hi[i] = gf128_add(hi[i], gf128_product(t, lo[i]));
    }
}
