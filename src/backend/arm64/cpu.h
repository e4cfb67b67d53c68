/* What this AArch64 processor and operating system offer. */
#ifndef FLOCK_BACKEND_ARM64_CPU_H
#define FLOCK_BACKEND_ARM64_CPU_H

#include <stdbool.h>

/* PMULL and PMULL2 of 64 bits. */
bool cpu_has_pmull(void);
/* SHA256H, SHA256H2, SHA256SU0, SHA256SU1. */
bool cpu_has_sha2(void);

#endif
