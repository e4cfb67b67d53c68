#include "backend/arm64/cpu.h"

#if defined(__linux__)

#include <asm/hwcap.h>
#include <sys/auxv.h>

bool cpu_has_pmull(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_PMULL) != 0;
}

bool cpu_has_sha2(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
}

#else

/* What every machine has that the compiler makes code for. */
bool cpu_has_pmull(void)
{
#if defined(__ARM_FEATURE_AES)
    return true;
#else
    return false;
#endif
}

bool cpu_has_sha2(void)
{
#if defined(__ARM_FEATURE_SHA2)
    return true;
#else
    return false;
#endif
}

#endif
