/* GF(2)-linear maps for the x86 backends: nibble_map.h, 64 arguments at a time. */
#include "backend/masked_rows.h"
#include "backend/prefetch.h"
#include "backend/x86/nibble_map.h"
#include "backend/x86/x86.h"

void avx2_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    nibble_map_prepare(nibble_map(map), weights);
}

/*
 * Elements 2 i and 2 i + 1 of a half are in register i, so bytes and images are those of the even
 * elements and then of the odd ones. About 38 operations an element.
 */
static inline void linear128_block(gf128 dst[64], const gf128 src[64], const struct nibble_map *low,
                                   const struct nibble_map *high, bool add)
{
    struct bytes64 nibbles[32], image[16];
    __m256i v[16];

    for (int h = 0; h < 2; h++) {
        UNROLLED
        for (int i = 0; i < 16; i++) {
            v[i] = _mm256_loadu_si256((const __m256i *)(src + 32 * h) + i);
        }
        transpose_bytes(v);
        UNROLLED
        for (int k = 0; k < 16; k++) {
            nibbles[2 * k].half[h] = low_nibbles(v[k]);
            nibbles[2 * k + 1].half[h] = high_nibbles(v[k]);
        }
    }
    for (int c = 0; c < 16; c += 4) {
        const struct bytes64 none = {{_mm256_setzero_si256(), _mm256_setzero_si256()}};
        struct bytes64 sums[4] = {none, none, none, none};
        add_nibbles(sums, nibbles, 16, &low->table[0][c], 16);
        add_nibbles(sums, nibbles + 16, 16, &high->table[0][c], 16);
        memcpy(image + c, sums, sizeof sums);
    }
    for (int h = 0; h < 2; h++) {
        join_bytes(v, image, h);
        UNROLLED
        for (int i = 0; i < 16; i++) {
            __m256i *to = (__m256i *)(dst + 32 * h) + i;
            _mm256_storeu_si256(to, add ? _mm256_xor_si256(_mm256_loadu_si256(to), v[i]) : v[i]);
        }
    }
}

static inline void linear128(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                             const struct linear64 *high, bool add)
{
    const struct nibble_map *low_map = const_nibble_map(low), *high_map = const_nibble_map(high);
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        linear128_block(dst + i, src + i, low_map, high_map, add);
    }
    if (i < n) {
        gf128 rest[64] = {{0, 0}};
        memcpy(rest, src + i, (n - i) * sizeof *src);
        linear128_block(rest, rest, low_map, high_map, false);
        for (size_t j = 0; i + j < n; j++) {
            dst[i + j] = add ? gf128_add(dst[i + j], rest[j]) : rest[j];
        }
    }
}

void avx2_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high)
{
    linear128(dst, src, n, low, high, false);
}

void avx2_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high)
{
    linear128(dst, src, n, low, high, true);
}

/* ---- sums over bit columns ---- */

/*
 * A block is up to 64 rows of up to eight words, a line of each. Four rows at a time, bits change
 * places until every nibble has those of one column, and nibbles become bytes:
 *
 *     rows 4 n .. 4 n + 3                                          nibbles[n][j], j < 8
 *     byte p: a7 .. a0 | b7 .. b0 | c7 .. c0 | d7 .. d0       ->   byte p: 0 0 0 0 dj cj bj aj
 *
 * They are the nibbles n of the map's arguments. Bytes 2 i and 2 i + 1 of its images are side by
 * side in the table, so the halves of a register look up one of them each, for the 16 bytes of two
 * words:
 *
 *     nibbles[n][j].pair[w], twice   table[n] + 2 i                planes w: byte[j][i]
 *     [byte p | byte p]              [byte 2 i | byte 2 i + 1]     [byte 2 i | byte 2 i + 1]
 *                                    of the images of 0 .. 15      of the sums of columns 8 p + j
 *
 * For 64 columns of 64 rows 1168 operations of 256 bits, 512 of them shuffles and 512 additions;
 * 144 make nibbles (288 of a single pair of words). In the end, once for all rows, 224 make
 * elements of bytes.
 */
enum { BLOCK_ROWS = 64, BLOCK_QUADS = BLOCK_ROWS / 4, BLOCK_WORDS = 8, BLOCK_PAIRS = 4 };

union line {
    __m256i half[2];
    __m128i pair[BLOCK_PAIRS];
};

struct block {
    union line nibbles[BLOCK_QUADS][8];
};

/* Sums over the columns of two words. */
struct planes {
    __m256i byte[8][8];
};

/* Half a line of four rows. 36 operations. */
static inline void store_nibbles(union line nibbles[8], int half, __m256i v[4])
{
    transpose_nibbles(v);
    UNROLLED
    for (int j = 0; j < 4; j++) {
        nibbles[j].half[half] = low_nibbles(v[j]);
        nibbles[j + 4].half[half] = high_nibbles(v[j]);
    }
}

/* Of four words the first n; n may be any number, also negative. */
static inline __m256i first_words(ptrdiff_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

/* Four words, or those of them that `which` says. */
static inline __m256i load_words(const uint64_t *words, bool all, __m256i which)
{
    return all ? _mm256_loadu_si256((const __m256i *)words)
               : _mm256_maskload_epi64((const long long *)words, which);
}

static inline void load_quad(__m256i v[4], struct masked_rows rows, bool all, __m256i which)
{
    UNROLLED
    for (size_t y = 0; y < 4; y++) {
        v[y] = load_words(rows.words + y * rows.stride_words, all, which);
        if (rows.mask != NULL) {
            __m256i mask = load_words(rows.mask + y * rows.stride_words, all, which);
            v[y] = _mm256_and_si256(v[y], mask);
        }
    }
}

/*
 * Returns how many of the n_quads <= 16 are left without those at the end that are zero, which is a
 * third of them where 64 rows of 1024 columns are an instance of Keccak.
 */
static inline __attribute__((always_inline)) size_t
gather_words(struct block *block, struct masked_rows rows, size_t n_words, size_t n_quads)
{
    const __m256i which[2] = {first_words((ptrdiff_t)n_words), first_words((ptrdiff_t)n_words - 4)};
    const bool all = n_words == BLOCK_WORDS;
    const int n_halves = n_words > BLOCK_WORDS / 2 ? 2 : 1;
    __m256i v[4];

    for (; n_quads > 0; n_quads--) {
        __m256i any = _mm256_setzero_si256();
        for (int h = 0; h < n_halves; h++) {
            load_quad(v, rows_from(rows, 4 * (n_quads - 1), 4 * (size_t)h), all, which[h]);
            any = _mm256_or_si256(
                any, _mm256_or_si256(_mm256_or_si256(v[0], v[1]), _mm256_or_si256(v[2], v[3])));
        }
        if (!_mm256_testz_si256(any, any)) {
            break;
        }
    }
    for (size_t q = 0; q < n_quads; q++) {
        for (int h = 0; h < n_halves; h++) {
            load_quad(v, rows_from(rows, 4 * q, 4 * (size_t)h), all, which[h]);
            store_nibbles(block->nibbles[q], h, v);
        }
    }
    return n_quads;
}

static inline size_t gather_block(struct block *block, struct masked_rows rows, size_t n_words,
                                  size_t n_quads)
{
    return n_words == BLOCK_WORDS ? gather_words(block, rows, BLOCK_WORDS, n_quads)
                                  : gather_words(block, rows, n_words, n_quads);
}

/* planes += map(columns of a pair of words), eight bytes of the images for two j at a time. */
static inline void add_columns(struct planes *planes, const struct block *block, size_t pair,
                               size_t n_quads, const struct nibble_map *map)
{
    for (int j = 0; j < 8; j += 2) {
        for (int i = 0; i < 8; i += 4) {
            __m256i *to0 = &planes->byte[j][i], *to1 = &planes->byte[j + 1][i];
            __m256i sum0[4], sum1[4];
            UNROLLED
            for (int k = 0; k < 4; k++) {
                sum0[k] = to0[k];
                sum1[k] = to1[k];
            }
            for (size_t n = 0; n < n_quads; n++) {
                const __m128i *table = map->table[n] + 2 * i;
                const __m256i x0 = _mm256_broadcastsi128_si256(block->nibbles[n][j].pair[pair]);
                const __m256i x1 = _mm256_broadcastsi128_si256(block->nibbles[n][j + 1].pair[pair]);
                UNROLLED
                for (int k = 0; k < 4; k++) {
                    __m256i t = _mm256_load_si256((const __m256i *)(table + 2 * k));
                    __asm__("" : "+x"(t)); /* or it would be loaded twice */
                    sum0[k] = _mm256_xor_si256(sum0[k], _mm256_shuffle_epi8(t, x0));
                    sum1[k] = _mm256_xor_si256(sum1[k], _mm256_shuffle_epi8(t, x1));
                }
            }
            UNROLLED
            for (int k = 0; k < 4; k++) {
                to0[k] = sum0[k];
                to1[k] = sum1[k];
            }
        }
    }
}

/* Of a pair of words, or of one. */
static inline void add_planes(gf128 *sums, const struct planes *planes, size_t n_words)
{
    for (int j = 0; j < 8; j += 2) {
        __m256i v[16]; /* in the end the sums of columns 8 p + j and 8 p + j + 1 */
        UNROLLED
        for (int i = 0; i < 8; i++) {
            __m256i x0 = planes->byte[j][i], x1 = planes->byte[j + 1][i];
            v[2 * i] = _mm256_permute2x128_si256(x0, x1, 0x20);
            v[2 * i + 1] = _mm256_permute2x128_si256(x0, x1, 0x31);
        }
        transpose_bytes(v);
        UNROLLED
        for (size_t p = 0; p < 16; p++) {
            if (p < 8 * n_words) {
                __m256i *to = (__m256i *)(sums + 8 * p + j);
                _mm256_storeu_si256(to, _mm256_xor_si256(_mm256_loadu_si256(to), v[p]));
            }
        }
    }
}

/*
 * What is read after the lines of rows y .. end-1: those `ahead` words behind them, or, if rows are
 * shorter than a line, the rows that follow. Rows of a few lines need no help.
 */
static inline void prefetch_behind(const uint64_t *rows, size_t stride_words, ptrdiff_t ahead,
                                   size_t y, size_t end)
{
    const size_t stride = stride_words * sizeof *rows;
    if (stride < CACHE_LINE) {
        prefetch_ahead(rows + y * stride_words, (end - y) * stride);
    } else if (stride >= AHEAD) {
        for (; y < end; y++) {
            prefetch_for_later(rows + y * stride_words, (size_t)ahead * sizeof *rows);
        }
    }
}

static inline size_t at_most(size_t n, size_t bound)
{
    return n < bound ? n : bound;
}

/*
 * All rows of a line, then of the next one: so their sums stay in the first-level cache as bytes,
 * and of rows that are far apart no other line has to stay in any. The lines of the next block are
 * fetched meanwhile.
 */
void avx2_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps)
{
    const struct masked_rows all = {rows, mask, stride_words};
    struct block block;
    struct planes planes[BLOCK_PAIRS];
    for (size_t c = 0; c < n_words; c += BLOCK_WORDS) {
        const size_t width = at_most(n_words - c, BLOCK_WORDS), n_pairs = (width + 1) / 2;
        const size_t behind = c + width < n_words ? c + width : n_rows * stride_words;
        memset(planes, 0, sizeof planes);
        for (size_t y = 0; y < n_rows; y += BLOCK_ROWS) {
            const struct masked_rows here = rows_from(all, y, c);
            const size_t n = at_most(n_rows - y, BLOCK_ROWS);
            const size_t next = y + n < n_rows ? (y + n) * stride_words + c : behind;
            const ptrdiff_t ahead = (ptrdiff_t)next - (ptrdiff_t)(y * stride_words + c);
            const size_t n_quads = gather_block(&block, here, width, n / 4);
            for (size_t w = 0; w < n_pairs; w++) {
                size_t first = n * w / n_pairs, end = n * (w + 1) / n_pairs;
                prefetch_behind(here.words, stride_words, ahead, first, end);
                if (mask != NULL) {
                    prefetch_behind(here.mask, stride_words, ahead, first, end);
                }
                add_columns(&planes[w], &block, w, n_quads,
                            const_nibble_map(&maps[y / BLOCK_ROWS]));
            }
        }
        for (size_t w = 0; w < n_pairs; w++) {
            add_planes(sums + 64 * (c + 2 * w), &planes[w], at_most(width - 2 * w, 2));
        }
    }
}
