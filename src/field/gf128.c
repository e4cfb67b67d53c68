#include "field/gf128.h"

gf128 gf128_inverse(gf128 a)
{
    /* power = a^(2^k - 1), k = 1, 3, 7, .., 127 (Itoh and Tsujii). */
    gf128 power = a;
    for (int k = 1; k < 127; k = 2 * k + 1) {
        gf128 shifted = power;
        for (int i = 0; i < k; i++) {
            shifted = gf128_square(shifted);
        }
        power = gf128_mul(shifted, power);
        power = gf128_mul(gf128_square(power), a);
    }
    return gf128_square(power);
}
