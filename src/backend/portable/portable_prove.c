/* The table of the portable prover kernels. */
#include "backend/portable/portable.h"
#include "backend/portable/sha256_kernels.h"

const struct prover_kernels portable_prover_kernels = {
    .linear64_prepare = portable_linear64_prepare,
    .linear128_apply = portable_linear128_apply,
    .linear128_add = portable_linear128_add,
    .linear64_columns = portable_linear64_columns,
    .skip_round = portable_skip_round,
    .skip_values = portable_skip_values,
    .zerocheck_cubes_prepare = portable_zerocheck_cubes_prepare,
    .zerocheck_cubes = portable_zerocheck_cubes,
    .zerocheck_fold_bits_prepare = portable_zerocheck_fold_bits_prepare,
    .zerocheck_fold_bits = portable_zerocheck_fold_bits,
    .zerocheck_fold_message = portable_zerocheck_fold_message,
    .fold_low8 = portable_fold_low8,
    .product_message_low = portable_product_message_low,
    .product_fold_message_low = portable_product_fold_message_low,
    .product_message_high = portable_product_message_high,
    .butterfly = portable_butterfly,
    .butterfly4 = portable_butterfly4,
    .butterfly4_stream = portable_butterfly4,
    .end_of_stream = portable_end_of_stream,
    .butterfly_transposed = portable_butterfly_transposed,
    .pow_search = portable_pow_search,
};
