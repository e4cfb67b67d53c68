/* GF(2)-linear maps by look-up tables of subset sums. */
#include "backend/masked_rows.h"
#include "backend/portable/linear.h"
#include "backend/portable/portable.h"

void portable_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    for (unsigned b = 0; b < 8; b++) {
        uint64_t(*table)[2] = (uint64_t(*)[2])(map->words + 2 * 256 * b);
        table[0][0] = table[0][1] = 0;
        for (unsigned bit = 0; bit < 8; bit++) {
            for (unsigned v = 0; v < 1u << bit; v++) {
                table[v + (1u << bit)][0] = table[v][0] ^ weights[8 * b + bit].lo;
                table[v + (1u << bit)][1] = table[v][1] ^ weights[8 * b + bit].hi;
            }
        }
    }
}

void portable_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                              const struct linear64 *high)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = gf128_add(linear64_image(low, src[i].lo, 8), linear64_image(high, src[i].hi, 8));
    }
}

void portable_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                            const struct linear64 *high)
{
    for (size_t i = 0; i < n; i++) {
        gf128 image =
            gf128_add(linear64_image(low, src[i].lo, 8), linear64_image(high, src[i].hi, 8));
        dst[i] = gf128_add(dst[i], image);
    }
}

/* Transposes a 64 x 64 bit matrix in place: blocks of 32, 16, ... 1 bits change sides. */
static void transpose64(uint64_t m[64])
{
    uint64_t mask = 0x00000000ffffffff;
    for (unsigned d = 32; d != 0; d >>= 1, mask ^= mask << d) {
        for (unsigned i = 0; i < 64; i = (i + d + 1) & ~d) {
            uint64_t swap = (m[i] >> d ^ m[i + d]) & mask;
            m[i] ^= swap << d;
            m[i + d] ^= swap;
        }
    }
}

/* n_rows <= 64 */
static void add_columns(gf128 *sums, struct masked_rows rows, size_t n_words, size_t n_rows,
                        const struct linear64 *map)
{
    for (size_t c = 0; c < n_words; c++) {
        uint64_t bits[64] = {0};
        for (size_t y = 0; y < n_rows; y++) {
            bits[y] = row_word(rows, y, c);
        }
        transpose64(bits);
        for (size_t s = 0; s < 64; s++) {
            gf128 *sum = &sums[64 * c + s];
            *sum = gf128_add(*sum, linear64_image(map, bits[s], (unsigned)(n_rows / 8)));
        }
    }
}

void portable_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                               size_t stride_words, size_t n_words, size_t n_rows,
                               const struct linear64 *maps)
{
    struct masked_rows all = {rows, mask, stride_words};
    for (size_t y = 0; y < n_rows; y += 64) {
        add_columns(sums, rows_from(all, y, 0), n_words, n_rows - y < 64 ? n_rows - y : 64,
                    &maps[y / 64]);
    }
}
