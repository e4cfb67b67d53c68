/* Which kernels are used: chosen once, by name or for the machine. */
#include <flock/flock.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kernels.h"
#if defined(__x86_64__)
#include "backend/x86/cpu.h"
#include "backend/x86/x86.h"
#elif defined(__AARCH64EL__)
#include "backend/arm64/arm64.h"
#include "backend/arm64/cpu.h"
#endif

static bool always(void)
{
    return true;
}

static const struct kernels *portable_table(void)
{
    return &portable_kernels;
}

const struct backend backends[] = {
    {"portable", always, portable_table},
#if defined(__x86_64__)
    {"avx2", cpu_has_avx2, avx2_table},
    {"vpclmul", cpu_has_vpclmul, vpclmul_table},
    {"gfni", cpu_has_gfni, gfni_table},
    {"avx512", cpu_has_avx512, avx512_table},
#elif defined(__AARCH64EL__)
    {"neon", cpu_has_pmull, neon_table},
#endif
    {NULL, NULL, NULL},
};

/* NULL until the first use. Threads that choose at the same time choose the same. */
static const struct kernels *_Atomic chosen;

/* NULL: this build or machine has no such backend. */
static const struct kernels *find(const char *name)
{
    const struct kernels *found = NULL;
    bool best = strcmp(name, "auto") == 0;
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if ((best || strcmp(name, b->name) == 0) && b->available()) {
            found = b->table();
        }
    }
    return found;
}

static const struct kernels *choose_default(void)
{
    const char *name = getenv("FLOCK_BACKEND");
    const struct kernels *table = name != NULL ? find(name) : NULL;
    if (table == NULL) {
        table = find("auto");
    }
    const struct kernels *expected = NULL;
    return atomic_compare_exchange_strong(&chosen, &expected, table) ? table : expected;
}

static inline const struct kernels *current(void)
{
    const struct kernels *table = atomic_load_explicit(&chosen, memory_order_acquire);
    return table != NULL ? table : choose_default();
}

const struct kernels *kernels(void)
{
    return current();
}

gf128 gf128_mul(gf128 a, gf128 b)
{
    return current()->mul(a, b);
}

flock_status flock_backend_select(const char *name)
{
    if (name == NULL) {
        return FLOCK_ERR_ARGUMENT;
    }
    const struct kernels *table = find(name);
    if (table == NULL) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    atomic_store_explicit(&chosen, table, memory_order_release);
    return FLOCK_OK;
}

const char *flock_backend_name(void)
{
    return current()->name;
}

const char *flock_backend_available(size_t index)
{
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if (b->available() && index-- == 0) {
            return b->name;
        }
    }
    return NULL;
}
