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

void portable_butterfly4(gf128 *dst, size_t dst_stride, const gf128 *src, size_t src_stride,
                         const gf128 t[3], size_t n)
{
    gf128 *x[4];
    for (size_t k = 0; k < 4; k++) {
        x[k] = dst + k * dst_stride;
        if (dst != src) {
            memcpy(x[k], src + k * src_stride, n * sizeof *src);
        }
    }
    portable_butterfly(x[0], x[2], t[0], n);
    portable_butterfly(x[1], x[3], t[0], n);
    portable_butterfly(x[0], x[1], t[1], n);
    portable_butterfly(x[2], x[3], t[2], n);
}

/* Its stores are ordinary ones. */
void portable_end_of_stream(void)
{
}

void portable_butterfly_transposed(gf128 *lo, gf128 *hi, gf128 t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lo[i] = gf128_add(lo[i], hi[i]);
        hi[i] = gf128_add(hi[i], gf128_product(t, lo[i]));
    }
}
