/*
 * Instances side by side: a register holds one word of LANES instances (32-bit words) or of
 * LANES / 2 (64-bit words). This is what the generators are made of that are compiled once for
 * each width of registers: 4 lanes are 128 bits, 8 are 256, 16 are 512. LANES is set by the file
 * that is compiled; where the machine lacks such registers the compiler takes smaller ones.
 *
 * A generator evaluates its instances into columns: word 0 of A0's values of all of them, word 1,
 * ..; the same for B0. place() transposes the columns and writes every word of z, a and b once.
 * As for single instances, z needs no columns: row r states that z[r] = a[r] b[r].
 */
#ifndef FLOCK_CIRCUIT_LANES_H
#define FLOCK_CIRCUIT_LANES_H

#include <stdbool.h>
#include <string.h>

#include "circuit/circuit.h"

#define INLINE static inline __attribute__((always_inline))

/* A register to memory past the caches, and the fence behind the last; undefined where impossible.
 */
#if LANES == 16 && defined(__AVX512F__)
#include <immintrin.h>
#define STREAM_REGISTER(to, v) _mm512_stream_si512((void *)(to), (__m512i)(v))
#define STREAM_END()           _mm_sfence()
#elif LANES == 8 && defined(__AVX2__)
#include <immintrin.h>
#define STREAM_REGISTER(to, v) _mm256_stream_si256((__m256i *)(to), (__m256i)(v))
#define STREAM_END()           _mm_sfence()
#endif

typedef uint32_t vec32 __attribute__((vector_size(4 * LANES)));
typedef uint64_t vec64 __attribute__((vector_size(4 * LANES)));

/*
 * A register has PARTS parts of 128 bits; shuffles within them are cheap. Instances are dealt out
 * to the lanes so that a transposition within the parts sorts them: lane j of part p has instance
 * PARTS j + p.
 */
enum { PARTS = LANES / 4 };

/* Groups of instances that are evaluated before they are placed, at most. */
enum { MAX_GROUPS = 32 / LANES };

/* The 32-bit words of x and y with these LANES numbers; y's follow after x's. */
#if defined(__clang__)
#define SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define SHUFFLE(x, y, ...) __builtin_shuffle(x, y, (vec32){__VA_ARGS__})
#endif

/*
 * MIX(x, y, i, j, k, l): in every part these words of x (0..3) and y (4..7).
 * JOIN(x, y, i, ..): these PARTS parts of x and y; y's follow after x's.
 */
#define MIX_WORD(p, i)          ((i) + 4 * (p) + ((i) < 4 ? 0 : LANES - 4))
#define MIX_PART(p, i, j, k, l) MIX_WORD(p, i), MIX_WORD(p, j), MIX_WORD(p, k), MIX_WORD(p, l)
#define JOIN_PART(i)            4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3

#if LANES == 4
#define MIX(x, y, ...) SHUFFLE(x, y, MIX_PART(0, __VA_ARGS__))
#elif LANES == 8
#define MIX(x, y, ...)   SHUFFLE(x, y, MIX_PART(0, __VA_ARGS__), MIX_PART(1, __VA_ARGS__))
#define JOIN(x, y, i, j) SHUFFLE(x, y, JOIN_PART(i), JOIN_PART(j))
#elif LANES == 16
#define MIX(x, y, ...)                                                                          \
    SHUFFLE(x, y, MIX_PART(0, __VA_ARGS__), MIX_PART(1, __VA_ARGS__), MIX_PART(2, __VA_ARGS__), \
            MIX_PART(3, __VA_ARGS__))
#define JOIN(x, y, i, j, k, l) SHUFFLE(x, y, JOIN_PART(i), JOIN_PART(j), JOIN_PART(k), JOIN_PART(l))
#endif

INLINE vec32 all32(uint32_t x)
{
    return (vec32){0} + x;
}

/* ---- inputs ---- */

/* The 32-bit word of LANES instances at `input` and every input_bytes further on. */
INLINE vec32 gather32(const uint8_t *input, size_t input_bytes)
{
    vec32 v = {0};
    for (size_t lane = 0; lane < LANES; lane++) {
        uint32_t word;
        memcpy(&word, input + (PARTS * (lane % 4) + lane / 4) * input_bytes, sizeof word);
        v[lane] = word;
    }
    return v;
}

/* The same of 64 bits, of LANES / 2 instances. */
INLINE vec64 gather64(const uint8_t *input, size_t input_bytes)
{
    vec64 v = {0};
    for (size_t lane = 0; lane < LANES / 2; lane++) {
        uint64_t word;
        memcpy(&word, input + (PARTS * (lane % 2) + lane / 2) * input_bytes, sizeof word);
        v[lane] = word;
    }
    return v;
}

/* ---- columns to witness ---- */

/* How many columns make a chunk of 128 bits: columns of 32-bit or of 64-bit words. */
enum words { WORDS_OF_32 = 4, WORDS_OF_64 = 2 };

/*
 * Values of A0 and of B0 of some groups of PARTS * words instances, one group after the other:
 * words * n_chunks columns each. Chunks from n_chunks on are zero.
 */
struct columns {
    enum words words;
    size_t n_chunks;
    vec32 *a, *b;
};

/* The columns of a chunk to rows: rows[k] has the chunk of instances PARTS k, PARTS k + 1, .. */
INLINE void transpose_chunk(vec32 rows[4], const vec32 *columns, enum words words)
{
    if (words == WORDS_OF_64) {
        rows[0] = MIX(columns[0], columns[1], 0, 1, 4, 5);
        rows[1] = MIX(columns[0], columns[1], 2, 3, 6, 7);
        return;
    }
    vec32 low_01 = MIX(columns[0], columns[1], 0, 4, 1, 5);
    vec32 low_23 = MIX(columns[2], columns[3], 0, 4, 1, 5);
    vec32 high_01 = MIX(columns[0], columns[1], 2, 6, 3, 7);
    vec32 high_23 = MIX(columns[2], columns[3], 2, 6, 3, 7);
    rows[0] = MIX(low_01, low_23, 0, 1, 4, 5);
    rows[1] = MIX(low_01, low_23, 2, 3, 6, 7);
    rows[2] = MIX(high_01, high_23, 0, 1, 4, 5);
    rows[3] = MIX(high_01, high_23, 2, 3, 6, 7);
}

/* PARTS registers: part i of register j to part j of register i. */
INLINE void transpose_parts(vec32 v[PARTS])
{
#if LANES == 8
    vec32 low = JOIN(v[0], v[1], 0, 2);
    v[1] = JOIN(v[0], v[1], 1, 3);
    v[0] = low;
#elif LANES == 16
    vec32 low_01 = JOIN(v[0], v[1], 0, 1, 4, 5), high_01 = JOIN(v[0], v[1], 2, 3, 6, 7);
    vec32 low_23 = JOIN(v[2], v[3], 0, 1, 4, 5), high_23 = JOIN(v[2], v[3], 2, 3, 6, 7);
    v[0] = JOIN(low_01, low_23, 0, 2, 4, 6);
    v[1] = JOIN(low_01, low_23, 1, 3, 5, 7);
    v[2] = JOIN(high_01, high_23, 0, 2, 4, 6);
    v[3] = JOIN(high_01, high_23, 1, 3, 5, 7);
#else
    (void)v;
#endif
}

/* Chunk c of a group, transposed, on both sides. */
INLINE void load_chunk(vec32 left[4], vec32 right[4], const struct columns *columns, size_t group,
                       size_t c)
{
    size_t at = columns->words * (group * columns->n_chunks + c);
    if (c < columns->n_chunks) {
        transpose_chunk(left, columns->a + at, columns->words);
        transpose_chunk(right, columns->b + at, columns->words);
        return;
    }
    for (size_t k = 0; k < columns->words; k++) {
        left[k] = right[k] = all32(0);
    }
}

/*
 * How the vectors are written. What fits into the caches goes there, where the next stage reads it.
 * Larger vectors go past them: a line that is written through a cache is read from memory first,
 * and to wait for that takes longer than to evaluate it.
 */
enum writing { THROUGH_CACHES, PAST_CACHES };

enum { PAST_CACHES_LOG_BITS = 26 }; /* from here on: 24 MiB in all */

INLINE enum writing writing_of(const struct witness *witness)
{
#if defined(STREAM_REGISTER)
    uintptr_t addresses = (uintptr_t)witness->z | (uintptr_t)witness->a | (uintptr_t)witness->b;
    if (shape_log_bits(&witness->shape) >= PAST_CACHES_LOG_BITS && addresses % sizeof(vec32) == 0) {
        return PAST_CACHES;
    }
#else
    (void)witness;
#endif
    return THROUGH_CACHES;
}

INLINE void write_register(uint64_t *to, vec32 v, enum writing writing)
{
#if defined(STREAM_REGISTER)
    if (writing == PAST_CACHES) {
        STREAM_REGISTER(to, v);
        return;
    }
#else
    (void)writing;
#endif
    memcpy(to, &v, sizeof v);
}

/* Stores past the caches are seen in order with all others from here on. */
INLINE void end_writing(enum writing writing)
{
#if defined(STREAM_END)
    if (writing == PAST_CACHES) {
        STREAM_END();
    }
#else
    (void)writing;
#endif
}

/*
 * A run of n elements of all three vectors, one vector after the other: register i of a and of b is
 * at i * stride.
 *
 * Past the caches a line is collected in one of a few buffers, and if it has to go to memory before
 * it is complete, that costs many times as much. Zen 3 gives half lines up when registers of half a
 * line are written to several lines in turn, with loads in between; in long runs it hardly does.
 */
INLINE void write_run(const struct witness *witness, size_t element, size_t n, const vec32 *a,
                      const vec32 *b, size_t stride, enum writing writing)
{
    uint64_t *to_a = witness->a + 2 * element, *to_b = witness->b + 2 * element;
    uint64_t *to_z = witness->z + 2 * element;
    for (size_t i = 0; i < n / PARTS; i++) {
        write_register(to_a + 2 * PARTS * i, a[i * stride], writing);
    }
    for (size_t i = 0; i < n / PARTS; i++) {
        write_register(to_b + 2 * PARTS * i, b[i * stride], writing);
    }
    for (size_t i = 0; i < n / PARTS; i++) {
        write_register(to_z + 2 * PARTS * i, a[i * stride] & b[i * stride], writing);
    }
}

/*
 * Batch-major: the same chunk of neighbouring instances is contiguous, 16 bytes each. The memory
 * behind likes long runs, so all groups of a chunk are written before the next chunk. Where
 * registers are half a line they are one run. A chunk takes 16 shuffles of registers (words of 64
 * bits: 4) and 3 stores for every PARTS instances, or 5 through a buffer.
 */
INLINE void place_batch(const struct witness *witness, size_t first, const struct columns *columns,
                        size_t n_groups, enum writing writing)
{
    enum { TOGETHER = LANES == 8 ? MAX_GROUPS : 1 };
    const struct shape *shape = &witness->shape;
    const size_t words = columns->words;
    for (size_t c = 0; c < (size_t)1 << (shape->k_log - 7); c++) {
        size_t element = element_index(shape, first, c);
        for (size_t group = 0; group < n_groups; group += TOGETHER) {
            size_t n = n_groups - group < TOGETHER ? n_groups - group : TOGETHER;
            vec32 left[4 * TOGETHER], right[4 * TOGETHER];
            for (size_t i = 0; i < n; i++) {
                load_chunk(left + words * i, right + words * i, columns, group + i, c);
            }
            write_run(witness, element, PARTS * words * n, left, right, 1, writing);
            element += PARTS * words * n;
        }
    }
}

/*
 * PARTS chunks of a group to rows: rows[words * p + k] has all of them of instance PARTS k + p. As
 * many shuffles as for a chunk by itself, and up to two more for each register.
 */
INLINE void load_chunks(vec32 *left, vec32 *right, const struct columns *columns, size_t c)
{
    vec32 a[PARTS][4], b[PARTS][4];
    for (size_t p = 0; p < PARTS; p++) {
        load_chunk(a[p], b[p], columns, 0, c + p);
    }
    for (size_t k = 0; k < columns->words; k++) {
        vec32 x[PARTS], y[PARTS];
        for (size_t p = 0; p < PARTS; p++) {
            x[p] = a[p][k];
            y[p] = b[p][k];
        }
        transpose_parts(x);
        transpose_parts(y);
        for (size_t p = 0; p < PARTS; p++) {
            left[columns->words * p + k] = x[p];
            right[columns->words * p + k] = y[p];
        }
    }
}

/*
 * Row-major: the chunks of an instance are contiguous. RUN of them, where registers are half a line
 * 512 bytes and otherwise 128, are transposed into a buffer of up to 8 KiB and then written, one
 * instance after the other. An instance has 128 chunks or more (k_log >= 14).
 */
INLINE void place_rows(const struct witness *witness, size_t first, const struct columns *columns,
                       enum writing writing)
{
    enum { RUN = LANES == 8 ? 32 : 8 };
    const struct shape *shape = &witness->shape;
    const size_t words = columns->words;
    for (size_t c = 0; c < (size_t)1 << (shape->k_log - 7); c += RUN) {
        vec32 left[4 * RUN], right[4 * RUN];
        for (size_t i = 0; i < RUN; i += PARTS) {
            load_chunks(left + words * i, right + words * i, columns, c + i);
        }
        for (size_t k = 0; k < words; k++) {
            for (size_t p = 0; p < PARTS; p++) {
                write_run(witness, element_index(shape, first + PARTS * k + p, c), RUN,
                          left + words * p + k, right + words * p + k, words * PARTS, writing);
            }
        }
    }
}

/* Writes all columns of a group, zeros up to the end of its last chunk included. */
typedef void evaluate_group(const uint8_t *inputs, vec32 *a, vec32 *b);

/*
 * The body of circuit_prover.fill. The columns have room for n_groups groups. What is less than a
 * group (8 instances where LANES is 16) is left to `rest`.
 */
INLINE void fill_groups(const struct circuit_prover *rest, const uint8_t *inputs, size_t first,
                        size_t count, const struct witness *witness, evaluate_group *evaluate,
                        const struct columns *columns, size_t n_groups)
{
    const size_t input_bytes = rest->circuit->copies * rest->input_bytes;
    const size_t group = PARTS * columns->words, block = columns->words * columns->n_chunks;
    const bool rows = witness->shape.layout == FLOCK_ROW_MAJOR;
    const enum writing writing = writing_of(witness);
    size_t i = 0;
    while (i + group <= count) {
        size_t n = 0;
        do {
            evaluate(inputs + (i + n * group) * input_bytes, columns->a + n * block,
                     columns->b + n * block);
            n++;
        } while (!rows && n < n_groups && i + (n + 1) * group <= count);
        if (rows) {
            place_rows(witness, first + i, columns, writing);
        } else {
            place_batch(witness, first + i, columns, n, writing);
        }
        i += n * group;
    }
    end_writing(writing);
    if (i < count) {
        rest->fill(inputs + i * input_bytes, first + i, count - i, witness);
    }
}

#endif
