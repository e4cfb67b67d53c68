/*
 * What is chosen on AArch64 processors that lack instructions: the link option --wrap gives
 * getauxval() to this file.
 */
#include "support/support.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

#include <flock/flock.h>

#include "backend/arm64/arm64.h"
#include "backend/portable/sha256_kernels.h"

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

static unsigned long hwcap;

unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_HWCAP ? hwcap : __real_getauxval(type);
}

static void test_neither(void **state)
{
    (void)state;
    hwcap = ~0UL & ~(HWCAP_PMULL | HWCAP_SHA2);
    assert_int_equal(flock_backend_select("neon"), FLOCK_ERR_UNSUPPORTED);
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    assert_string_equal(flock_backend_name(), "portable");
}

static void test_sha2_alone(void **state)
{
    (void)state;
    hwcap = HWCAP_SHA2;
    assert_int_equal(flock_backend_select("neon"), FLOCK_ERR_UNSUPPORTED);
}

static void test_pmull_alone(void **state)
{
    (void)state;
    hwcap = HWCAP_PMULL;
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    assert_string_equal(flock_backend_name(), "neon");
    assert_ptr_equal(kernels()->sha256_compress, portable_sha256_compress);
    assert_ptr_equal(kernels()->sha256_many, portable_sha256_many);
    assert_ptr_equal(prover_kernels()->pow_search, portable_pow_search);
}

static void test_both(void **state)
{
    (void)state;
    hwcap = HWCAP_PMULL | HWCAP_SHA2;
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    assert_string_equal(flock_backend_name(), "neon");
    assert_ptr_equal(kernels()->sha256_compress, sha2_sha256_compress);
    assert_ptr_equal(kernels()->sha256_many, sha2_sha256_many);
    assert_ptr_equal(prover_kernels()->pow_search, sha2_pow_search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neither),
        cmocka_unit_test(test_sha2_alone),
        cmocka_unit_test(test_pmull_alone),
        cmocka_unit_test(test_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
