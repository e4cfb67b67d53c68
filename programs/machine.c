#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* MemAvailable + SwapFree of Linux. */
static uint64_t system_limit(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long long kib;
    uint64_t total = 0;
    char line[256];

    if (!file) {
        return UINT64_MAX;
    }
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1 ||
            sscanf(line, "SwapFree: %llu kB", &kib) == 1) {
            total += (uint64_t)kib * 1024;
        }
    }
    fclose(file);
    return total ? total : UINT64_MAX;
}

/* memory.max of the process's control group, as seen from inside a container; "max": none. */
static uint64_t control_group_limit(void)
{
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    unsigned long long bytes;
    int n;

    if (!file) {
        return UINT64_MAX;
    }
    n = fscanf(file, "%llu", &bytes);
    fclose(file);
    return n == 1 ? (uint64_t)bytes : UINT64_MAX;
}

static uint64_t address_space_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return UINT64_MAX;
    }
    return (uint64_t)limit.rlim_cur;
}

uint64_t memory_available(void)
{
    return least(least(system_limit(), control_group_limit()), address_space_limit());
}

struct size_text size_for_people(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    struct size_text result;
    double value = (double)bytes / 1024;
    size_t unit = 0;

    if (bytes < 1024) {
        snprintf(result.text, sizeof result.text, "%u bytes", (unsigned)bytes);
        return result;
    }
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    snprintf(result.text, sizeof result.text, "%.1f %s", value, units[unit]);
    return result;
}
