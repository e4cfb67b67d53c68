/*
 * Where the bits of an instance stand (spec 02, 2.4 and 05, 5.2.2), and what that does to points.
 * Nothing else in the code knows about layouts.
 *
 * A packed element of instance i, chunk c (128 columns) has index
 *     row-major    i * 2^(k_log-7) + c        variables [chunk | instance]
 *     batch-major  c * 2^n_log + i            variables [instance | chunk]
 */
#ifndef FLOCK_CIRCUIT_LAYOUT_H
#define FLOCK_CIRCUIT_LAYOUT_H

#include <flock/flock.h>

#include "field/gf128.h"

/* The size of a batch: 2^n_log instances of 2^k_log bits, m = k_log + n_log. */
struct shape {
    flock_layout layout;
    unsigned k_log;
    unsigned n_log;
};

static inline unsigned shape_log_bits(const struct shape *shape)
{
    return shape->k_log + shape->n_log;
}

/* Index of the packed element of `instance`, chunk `chunk`. */
static inline size_t element_index(const struct shape *shape, size_t instance, size_t chunk)
{
    return shape->layout == FLOCK_ROW_MAJOR ? (instance << (shape->k_log - 7)) + chunk
                                            : (chunk << shape->n_log) + instance;
}

/*
 * Split coordinates of address bits 6.. (m-6 of them) into those of inner bits 6.. (k_log-6) and of
 * the instance bits (n_log).
 */
void split_point(const struct shape *shape, const gf128 *point, gf128 *inner, gf128 *instance);

/* The inverse: inner (k_log-6) and instance (n_log) coordinates to address-bit order (m-6). */
void join_point(const struct shape *shape, gf128 *point, const gf128 *inner, const gf128 *instance);

/* Coordinates of a packed element: chunk (k_log-7) and instance (n_log) to index order (m-7). */
void join_packed_point(const struct shape *shape, gf128 *point, const gf128 *chunk,
                       const gf128 *instance);

#endif
