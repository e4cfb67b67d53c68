/* machine.h - how much memory a program may hope for, and sizes for people. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/*
 * Bytes that this process could still get: the least of what the system says is available, the
 * control group's limit, and the address space limit. UINT64_MAX if unknown. (Linux grants more
 * than there is and then ends the process, so asking malloc is not enough.)
 */
uint64_t memory_available(void);

/* "1.5 GiB": one decimal in the largest fitting unit. */
struct size_text {
    char text[32];
};
struct size_text size_for_people(uint64_t bytes);

#endif
