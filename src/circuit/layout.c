#include "circuit/layout.h"

/*
 * Inner coordinates that precede those of the instance: all of them in row-major; in batch-major
 * as many as address bits lie below bit 7, the first of which is bit `lowest`.
 */
static size_t inner_before(const struct shape *shape, unsigned lowest)
{
    return shape->layout == FLOCK_ROW_MAJOR ? shape->k_log - lowest : 7 - lowest;
}

static void copy(gf128 *dst, const gf128 *src, size_t n)
{
    memcpy(dst, src, n * sizeof *dst);
}

static void join(const struct shape *shape, gf128 *point, const gf128 *inner, const gf128 *instance,
                 unsigned lowest)
{
    size_t before = inner_before(shape, lowest);
    copy(point, inner, before);
    copy(point + before, instance, shape->n_log);
    copy(point + before + shape->n_log, inner + before, shape->k_log - lowest - before);
}

void split_point(const struct shape *shape, const gf128 *point, gf128 *inner, gf128 *instance)
{
    size_t before = inner_before(shape, 6);
    copy(inner, point, before);
    copy(instance, point + before, shape->n_log);
    copy(inner + before, point + before + shape->n_log, shape->k_log - 6 - before);
}

void join_point(const struct shape *shape, gf128 *point, const gf128 *inner, const gf128 *instance)
{
    join(shape, point, inner, instance, 6);
}

void join_packed_point(const struct shape *shape, gf128 *point, const gf128 *chunk,
                       const gf128 *instance)
{
    join(shape, point, chunk, instance, 7);
}
