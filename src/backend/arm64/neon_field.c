/* The backend "neon", both sides' part. */
#include "backend/arm64/arm64.h"
#include "backend/arm64/cpu.h"
#include "backend/clmul/field.inc"
#include "backend/portable/sha256_kernels.h"

static const struct kernels tables[2] = {
    {.name = "neon",
     FIELD_ENTRIES,
     .sha256_compress = portable_sha256_compress,
     .sha256_many = portable_sha256_many},
    {.name = "neon",
     FIELD_ENTRIES,
     .sha256_compress = sha2_sha256_compress,
     .sha256_many = sha2_sha256_many},
};

const struct kernels *neon_table(void)
{
    return &tables[cpu_has_sha2()];
}
