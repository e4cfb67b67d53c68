/*
 * GF(2)-linear maps from 64 bits to GF(2^128) as 8 x 8 bit matrices (GFNI). A map is 128 of them,
 * 1 KiB: matrix[b][c] says what byte b of the argument contributes to byte c of the image. Eight
 * arguments are taken at a time, their bytes of equal index side by side:
 *
 *     byte[b], b < 8     byte b of words 0 .. 7, which goes to all words of a register
 *     low                word c: byte c of the images of words 0 .. 7         (c = 0 .. 7)
 *     high               word c: byte c + 8
 *
 * so that one multiplication by eight matrices side by side makes eight bytes of eight images: 16
 * multiplications for eight words, 32 for eight elements (in registers of 512 bits; of 256 bits it
 * is twice as many), and no table larger than L1.
 *
 * VGF2P8AFFINEQB multiplies each byte by the matrix in its word: bit i of the product is the parity
 * of the byte AND byte 7-i of the matrix.
 */
#ifndef FLOCK_BACKEND_X86_BIT_MATRIX_H
#define FLOCK_BACKEND_X86_BIT_MATRIX_H

#include "backend/kernels.h"
#include "backend/x86/byte_registers.h"

/* ---- eight words, in PARTS registers ---- */

struct eight {
    vec part[PARTS];
};

/* Eight elements or rows of two words. */
struct eight_pairs {
    struct eight low, high;
};

/*
 * transposed(): byte i of word j <-> byte j of word i. In registers of 256 bits the words of the
 * argument are expected crossed, 0 1 4 5 | 2 3 6 7, and those of the result are in order.
 */
#if CLMUL_LANES == 4

/* Word b: bytes b of the words at i + b, i in `order`. */
INLINE vec bytes_at(vec words, uint64_t order)
{
    vec number = _mm512_setr_epi64(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303,
                                   0x0404040404040404, 0x0505050505050505, 0x0606060606060606,
                                   0x0707070707070707);
    return _mm512_permutexvar_epi8(add(number, _mm512_set1_epi64((long long)order)), words);
}

INLINE struct eight transposed(struct eight a)
{
    return (struct eight){{bytes_at(a.part[0], 0x3830282018100800)}};
}

INLINE struct eight crossed(struct eight a)
{
    return a;
}

INLINE struct eight transposed_words(const uint64_t words[8])
{
    return transposed((struct eight){{load_bytes(words)}});
}

/* Unpacking leaves the words of rows in the order 0 4 1 5 2 6 3 7. */
INLINE struct eight_pairs transposed_registers(vec first, vec second)
{
    const uint64_t order = 0x3828180830201000;
    return (struct eight_pairs){{{bytes_at(UNPACK(lo, 64, first, second), order)}},
                                {{bytes_at(UNPACK(hi, 64, first, second), order)}}};
}

INLINE struct eight_pairs transposed_rows(const uint64_t *rows, ptrdiff_t stride)
{
    vec v[2];
    UNROLLED
    for (int i = 0; i < 2; i++) {
        const uint64_t *p = rows + 4 * i * stride;
        v[i] = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
        v[i] = _mm512_inserti64x2(v[i], _mm_loadu_si128((const __m128i *)(p + stride)), 1);
        v[i] = _mm512_inserti64x2(v[i], _mm_loadu_si128((const __m128i *)(p + 2 * stride)), 2);
        v[i] = _mm512_inserti64x2(v[i], _mm_loadu_si128((const __m128i *)(p + 3 * stride)), 3);
    }
    return transposed_registers(v[0], v[1]);
}

INLINE struct eight_pairs transposed_elements(const gf128 elements[8])
{
    return transposed_registers(load_bytes(elements), load_bytes(elements + 4));
}

/* Even and odd elements -> as memory has them. */
INLINE void zip(vec *first, vec *second, vec even, vec odd)
{
    *first = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), odd);
    *second = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), odd);
}

#else

INLINE struct eight transposed(struct eight a)
{
    /* Bytes b of two words side by side; of four; of eight. */
    vec two = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2,
                               10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    vec eight = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    vec first = _mm256_shuffle_epi8(a.part[0], two), second = _mm256_shuffle_epi8(a.part[1], two);
    return (struct eight){
        {_mm256_permutevar8x32_epi32(UNPACK(lo, 16, first, second), eight),
         _mm256_permutevar8x32_epi32(UNPACK(hi, 16, first, second), eight)},
    };
}

/* In order -> crossed; its own inverse. */
INLINE struct eight crossed(struct eight a)
{
    return (struct eight){{_mm256_permute2x128_si256(a.part[0], a.part[1], 0x20),
                           _mm256_permute2x128_si256(a.part[0], a.part[1], 0x31)}};
}

/* The lanes of 16 bytes at p and q. */
INLINE vec two_lanes(const uint64_t *p, const uint64_t *q)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                   _mm_loadu_si128((const __m128i *)q), 1);
}

INLINE struct eight transposed_words(const uint64_t words[8])
{
    return transposed(
        (struct eight){{two_lanes(words, words + 4), two_lanes(words + 2, words + 6)}});
}

INLINE struct eight_pairs transposed_rows(const uint64_t *rows, ptrdiff_t stride)
{
    vec v[4];
    UNROLLED
    for (int i = 0; i < 4; i++, rows += stride) {
        v[i] = two_lanes(rows, rows + 4 * stride);
    }
    return (struct eight_pairs){
        transposed((struct eight){{UNPACK(lo, 64, v[0], v[1]), UNPACK(lo, 64, v[2], v[3])}}),
        transposed((struct eight){{UNPACK(hi, 64, v[0], v[1]), UNPACK(hi, 64, v[2], v[3])}}),
    };
}

INLINE struct eight_pairs transposed_elements(const gf128 elements[8])
{
    return transposed_rows((const uint64_t *)elements, 2);
}

INLINE void zip(vec *first, vec *second, vec even, vec odd)
{
    *first = _mm256_permute2x128_si256(even, odd, 0x20);
    *second = _mm256_permute2x128_si256(even, odd, 0x31);
}

#endif

INLINE void store_eight(uint64_t words[8], struct eight a)
{
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        store_bytes(words + WORDS * i, a.part[i]);
    }
}

/* ---- maps ---- */

/* A form of struct linear64. The matrices of a byte are crossed, as transposed() wants the images.
 */
struct bit_map {
    struct eight_pairs matrix[8];
};

INLINE const struct bit_map *const_bit_map(const struct linear64 *map)
{
    return (const struct bit_map *)map->words;
}

/*
 * Bytes are broadcast from memory, which is free; from a register it takes the port of all
 * shuffles. This keeps a compiler from doing so, after it has written them.
 */
#define READ_BACK(array) __asm__("" : "+m"(array))

INLINE struct eight_pairs no_images(void)
{
    struct eight_pairs y;
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        y.low.part[i] = y.high.part[i] = zero();
    }
    return y;
}

/* sum += m0 x0 + m1 x1, *x0 in all words */
INLINE void add_two(struct eight *sum, const struct eight *m0, vec x0, const struct eight *m1,
                    vec x1)
{
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        sum->part[i] = add3(sum->part[i], affine(x0, m0->part[i]), affine(x1, m1->part[i]));
    }
}

/* A loop over the bytes. With 16 registers it stays one: unrolled, compilers make all products
 * before they add any. */
#if CLMUL_LANES == 4
#define FOR_BYTES UNROLLED
#else
#define FOR_BYTES _Pragma("GCC unroll 1")
#endif

/* 64 words in sets of eight: word[x % 2][b / 2][x / 2 * 2 + b % 2] has the bytes b of set x, */
struct block_bytes {
    alignas(64) uint64_t word[2][4][8];
};

/* and for even b, bytes b and b + 1 are 4b words behind this. */
INLINE const uint64_t *bytes_of_set(const struct block_bytes *words, size_t x)
{
    return words->word[x % 2][0] + x / 2 * 2;
}

/* Adds the images of set x; crossed. */
INLINE void add_images_of_words(struct eight_pairs *y, const struct block_bytes *words, size_t x,
                                const struct bit_map *map)
{
    const struct eight_pairs *m = map->matrix;
    const uint64_t *bytes = bytes_of_set(words, x);
    FOR_BYTES
    for (int b = 0; b < 8; b += 2) {
        vec x0 = all_words(bytes + 4 * b), x1 = all_words(bytes + 4 * b + 1);
        add_two(&y->low, &m[b].low, x0, &m[b + 1].low, x1);
        add_two(&y->high, &m[b].high, x0, &m[b + 1].high, x1);
    }
}

/* y += m0 y0 + m1 y1, z += m0 z0 + m1 z1 */
INLINE void add_two_twice(struct eight *y, struct eight *z, const struct eight *m0, vec y0, vec z0,
                          const struct eight *m1, vec y1, vec z1)
{
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        vec first = m0->part[i], second = m1->part[i];
        IN_REGISTER(first);
        IN_REGISTER(second);
        y->part[i] = add3(y->part[i], affine(y0, first), affine(y1, second));
        z->part[i] = add3(z->part[i], affine(z0, first), affine(z1, second));
    }
}

/*
 * The same for two blocks. Matrices are read once for both: where a register is read in two halves,
 * that takes as long as a multiplication.
 */
INLINE void add_images_of_both(struct eight_pairs *y, struct eight_pairs *z,
                               const struct block_bytes *y_words, const struct block_bytes *z_words,
                               size_t x, const struct bit_map *map)
{
    const struct eight_pairs *m = map->matrix;
    const uint64_t *y_bytes = bytes_of_set(y_words, x), *z_bytes = bytes_of_set(z_words, x);
    FOR_BYTES
    for (int b = 0; b < 8; b += 2) {
        vec y0 = all_words(y_bytes + 4 * b), y1 = all_words(y_bytes + 4 * b + 1);
        vec z0 = all_words(z_bytes + 4 * b), z1 = all_words(z_bytes + 4 * b + 1);
        add_two_twice(&y->low, &z->low, &m[b].low, y0, z0, &m[b + 1].low, y1, z1);
        add_two_twice(&y->high, &z->high, &m[b].high, y0, z0, &m[b + 1].high, y1, z1);
    }
}

/* The bytes of eight elements: bytes b of the lower halves, then those of the others. */
INLINE void store_bytes_of_elements(uint64_t byte[16], const gf128 elements[8])
{
    struct eight_pairs x = transposed_elements(elements);
    store_eight(byte, x.low);
    store_eight(byte + 8, x.high);
}

/* Images as elements; part i: elements 2 LANES i .. of even and of odd index. */
INLINE void even_and_odd(vec even[PARTS], vec odd[PARTS], struct eight_pairs images)
{
    struct eight low = transposed(images.low), high = transposed(images.high);
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        even[i] = UNPACK(lo, 64, low.part[i], high.part[i]);
        odd[i] = UNPACK(hi, 64, low.part[i], high.part[i]);
    }
}

/* Images as elements, as memory has them. Two operations (20 in registers of 256 bits). */
#if CLMUL_LANES == 4

INLINE void elements_of_images(vec elements[2], struct eight_pairs images)
{
    const uint64_t order = 0x3830282018100800, four = 0x0404040404040404;
    vec number = _mm512_setr_epi64(0, 0x4040404040404040, 0x0101010101010101, 0x4141414141414141,
                                   0x0202020202020202, 0x4242424242424242, 0x0303030303030303,
                                   0x4343434343434343);
    vec first = add(number, _mm512_set1_epi64((long long)order));
    vec second = add(number, _mm512_set1_epi64((long long)(order + four)));
    elements[0] = _mm512_permutex2var_epi8(images.low.part[0], first, images.high.part[0]);
    elements[1] = _mm512_permutex2var_epi8(images.low.part[0], second, images.high.part[0]);
}

#else

INLINE void elements_of_images(vec elements[2 * PARTS], struct eight_pairs images)
{
    vec even[PARTS], odd[PARTS];
    even_and_odd(even, odd, images);
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        zip(&elements[2 * i], &elements[2 * i + 1], even[i], odd[i]);
    }
}

#endif

/*
 * Bytes of eight elements, the last first, in words c -> matrices whose column i is byte c of
 * element i, crossed.
 */
INLINE struct eight matrices(struct eight last_first)
{
    const uint64_t antidiagonal = 0x0102040810204080;
    struct eight m;
    UNROLLED
    for (int i = 0; i < PARTS; i++) {
        m.part[i] = affine(all_words(&antidiagonal), last_first.part[i]);
    }
    return crossed(m);
}

/* The map with these images of the unit vectors. */
INLINE void bit_map_prepare(struct bit_map *map, const gf128 weights[64])
{
    for (int b = 0; b < 8; b++) {
        struct eight_pairs x = transposed_rows((const uint64_t *)(weights + 8 * b + 7), -2);
        map->matrix[b] = (struct eight_pairs){matrices(x.low), matrices(x.high)};
    }
}

#endif
