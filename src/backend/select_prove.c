/* The prover's kernels of the backend that select.c chose. */
#include <stdatomic.h>
#include <string.h>

#include "backend/kernels.h"
#if defined(__x86_64__)
#include "backend/x86/x86.h"
#elif defined(__AARCH64EL__)
#include "backend/arm64/arm64.h"
#endif

static const struct prover_kernels *portable_table(void)
{
    return &portable_prover_kernels;
}

const struct prover_backend prover_backends[] = {
    {"portable", portable_table},
#if defined(__x86_64__)
    {"avx2", avx2_prover_table},
    {"vpclmul", vpclmul_prover_table},
    {"gfni", gfni_prover_table},
    {"avx512", avx512_prover_table},
#elif defined(__AARCH64EL__)
    {"neon", neon_prover_table},
#endif
    {NULL, NULL},
};

static const struct prover_kernels *find(const char *name)
{
    const struct prover_kernels *found = &portable_prover_kernels;
    for (const struct prover_backend *b = prover_backends; b->name != NULL; b++) {
        if (strcmp(name, b->name) == 0) {
            found = b->table();
        }
    }
    return found;
}

const struct prover_kernels *prover_kernels(void)
{
    /* What was found last, and for which choice: `found` is written before `found_for`. */
    static const struct prover_kernels *_Atomic found;
    static const struct kernels *_Atomic found_for;

    const struct kernels *chosen = kernels();
    if (atomic_load_explicit(&found_for, memory_order_acquire) == chosen) {
        return atomic_load_explicit(&found, memory_order_relaxed);
    }
    const struct prover_kernels *table = find(chosen->name);
    atomic_store_explicit(&found, table, memory_order_relaxed);
    atomic_store_explicit(&found_for, chosen, memory_order_release);
    return table;
}
