#include "circuit/fill.h"

#include <string.h>

/* One instance: its chunks are contiguous. */
static void place_row(const struct witness *witness, size_t instance, const uint64_t *a,
                      const uint64_t *b)
{
    size_t n_words = (size_t)1 << (witness->shape.k_log - 6);
    size_t at = 2 * element_index(&witness->shape, instance, 0);
    memcpy(witness->a + at, a, n_words * sizeof *a);
    memcpy(witness->b + at, b, n_words * sizeof *b);
    uint64_t *z = witness->z + at;
    for (size_t w = 0; w < n_words; w++) {
        z[w] = a[w] & b[w];
    }
}

/*
 * FILL_GROUP instances, batch-major: the same chunk of neighbouring instances is contiguous.
 *
 *     a, b   [ block of instance 0 | block of instance 1 | .. ]
 *     out    chunk 0: 16 bytes of each instance; chunk 1: 2^n_log elements further on; ..
 */
static void place_group(const struct witness *witness, size_t first, const uint64_t *a,
                        const uint64_t *b)
{
    const struct shape *shape = &witness->shape;
    size_t n_chunks = (size_t)1 << (shape->k_log - 7);
    for (size_t c = 0; c < n_chunks; c++) {
        size_t at = 2 * element_index(shape, first, c);
        for (size_t i = 0; i < FILL_GROUP; i++) {
            for (size_t half = 0; half < 2; half++) {
                uint64_t left = a[2 * (i * n_chunks + c) + half];
                uint64_t right = b[2 * (i * n_chunks + c) + half];
                witness->a[at + 2 * i + half] = left;
                witness->b[at + 2 * i + half] = right;
                witness->z[at + 2 * i + half] = left & right;
            }
        }
    }
}

void fill_instances(const struct witness *witness, const void *inputs, size_t input_bytes,
                    size_t first, size_t count, evaluate_instance *evaluate, uint64_t *scratch)
{
    size_t n_words = (size_t)1 << (witness->shape.k_log - 6);
    const uint8_t *input = inputs;
    uint64_t *a = scratch, *b = scratch + FILL_GROUP * n_words;

    if (witness->shape.layout == FLOCK_ROW_MAJOR) {
        for (size_t i = 0; i < count; i++) {
            evaluate(input + i * input_bytes, a, b);
            place_row(witness, first + i, a, b);
        }
        return;
    }
    for (size_t i = 0; i < count; i += FILL_GROUP) {
        for (size_t j = 0; j < FILL_GROUP; j++) {
            evaluate(input + (i + j) * input_bytes, a + j * n_words, b + j * n_words);
        }
        place_group(witness, first + i, a, b);
    }
}
