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
 * `group` instances, batch-major: the same chunk of neighbouring instances is contiguous.
 *
 *     a, b   [ block of instance 0 | block of instance 1 | .. ]
 *     out    chunk 0: 16 bytes of each instance; chunk 1: 2^n_log elements further on; ..
 *
 * Inlined for the usual group sizes: the inner loops are then straight-line vector code.
 */
static inline void place_group(const struct witness *witness, size_t first, size_t group,
                               const uint64_t *a, const uint64_t *b)
{
    const struct shape *shape = &witness->shape;
    size_t n_chunks = (size_t)1 << (shape->k_log - 7);
    size_t stride = 2 * n_chunks + FILL_GAP_WORDS;
    for (size_t c = 0; c < n_chunks; c++) {
        size_t at = 2 * element_index(shape, first, c);
        uint64_t *restrict z_run = witness->z + at;
        uint64_t *restrict a_run = witness->a + at;
        uint64_t *restrict b_run = witness->b + at;
        for (size_t i = 0; i < group; i++) {
            const uint64_t *left = a + i * stride + 2 * c;
            const uint64_t *right = b + i * stride + 2 * c;
            for (size_t half = 0; half < 2; half++) {
                a_run[2 * i + half] = left[half];
                b_run[2 * i + half] = right[half];
                z_run[2 * i + half] = left[half] & right[half];
            }
        }
    }
}

void fill_instances(const struct witness *witness, const void *inputs, size_t input_bytes,
                    size_t first, size_t count, evaluate_instance *evaluate, uint64_t *scratch,
                    size_t group)
{
    size_t stride = ((size_t)1 << (witness->shape.k_log - 6)) + FILL_GAP_WORDS;
    const uint8_t *input = inputs;
    uint64_t *a = scratch, *b = scratch + group * stride;

    if (witness->shape.layout == FLOCK_ROW_MAJOR) {
        for (size_t i = 0; i < count; i++) {
            evaluate(input + i * input_bytes, a, b);
            place_row(witness, first + i, a, b);
        }
        return;
    }
    for (size_t i = 0; i < count; i += group) {
        for (size_t j = 0; j < group; j++) {
            evaluate(input + (i + j) * input_bytes, a + j * stride, b + j * stride);
        }
        switch (group) {
        case 8:
            place_group(witness, first + i, 8, a, b);
            break;
        case 4:
            place_group(witness, first + i, 4, a, b);
            break;
        default:
            place_group(witness, first + i, group, a, b);
        }
    }
}
