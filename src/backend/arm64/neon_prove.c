/* The backend "neon", the prover's part. */
#include "backend/arm64/arm64.h"
#include "backend/arm64/cpu.h"
#include "backend/portable/portable.h"
#include "backend/portable/sha256_kernels.h"

#include "backend/clmul/prover.inc"
#include "backend/arm64/bit_rounds.inc"

#define NEON_ENTRIES                                                                              \
    PROVER_ENTRIES, .linear64_prepare = neon_linear64_prepare,                                    \
                    .linear128_apply = neon_linear128_apply, .linear128_add = neon_linear128_add, \
                    .linear64_columns = neon_linear64_columns, .skip_round = neon_skip_round,     \
                    .skip_values = portable_skip_values

static const struct prover_kernels tables[2] = {
    {NEON_ENTRIES, .pow_search = portable_pow_search},
    {NEON_ENTRIES, .pow_search = sha2_pow_search},
};

const struct prover_kernels *neon_prover_table(void)
{
    return &tables[cpu_has_sha2()];
}
