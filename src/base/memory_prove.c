#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64,
    HUGE_PAGE = 1 << 21,  /* of x86-64 and of AArch64 with 4 KiB pages */
    LARGE = 2 * HUGE_PAGE /* blocks from here on ask for huge pages */
};

/* Stands in the 64 bytes before what the caller sees. */
struct memory_block {
    struct memory_block *next;
    struct memory_block **previous_link;
    const char *name;
    size_t bytes; /* of the caller's part, rounded up */
};

_Static_assert(sizeof(struct memory_block) <= ALIGNMENT, "the header fits before the block");

void memory_init(struct memory *memory)
{
    memset(memory, 0, sizeof *memory);
}

static void *fail(struct memory *memory, const char *name, size_t bytes)
{
    memory->failed_name = name;
    memory->failed_bytes = bytes;
    return NULL;
}

/*
 * A proof touches most of its memory for the first time, and with a page fault for every 4 KiB the
 * witness alone costs more than filling it. Large blocks ask for huge pages; only as many as they
 * fill.
 */
static void *get_bytes(size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= LARGE) {
        void *block;
        if (posix_memalign(&block, HUGE_PAGE, bytes) != 0) {
            return NULL;
        }
        (void)madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
        return block;
    }
#endif
    return aligned_alloc(ALIGNMENT, bytes);
}

void *memory_take(struct memory *memory, const char *name, size_t count, size_t item_bytes)
{
    if (item_bytes != 0 && count > (SIZE_MAX / 2 - 2 * ALIGNMENT) / item_bytes) {
        return fail(memory, name, SIZE_MAX);
    }
    size_t bytes = (count * item_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint8_t *base = get_bytes(bytes + ALIGNMENT);
    if (base == NULL) {
        return fail(memory, name, bytes);
    }
    struct memory_block *block = (struct memory_block *)base;
    block->next = memory->blocks;
    block->previous_link = &memory->blocks;
    block->name = name;
    block->bytes = bytes;
    if (block->next != NULL) {
        block->next->previous_link = &block->next;
    }
    memory->blocks = block;
    memory->live_bytes += bytes;
    if (memory->live_bytes > memory->peak_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
    return base + ALIGNMENT;
}

void *memory_take_zeroed(struct memory *memory, const char *name, size_t count, size_t item_bytes)
{
    void *block = memory_take(memory, name, count, item_bytes);
    if (block != NULL) {
        memset(block, 0, count * item_bytes);
    }
    return block;
}

void memory_give(struct memory *memory, void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    struct memory_block *block = (struct memory_block *)((uint8_t *)pointer - ALIGNMENT);
    *block->previous_link = block->next;
    if (block->next != NULL) {
        block->next->previous_link = block->previous_link;
    }
    memory->live_bytes -= block->bytes;
    free(block);
}

void memory_release(struct memory *memory)
{
    while (memory->blocks != NULL) {
        memory_give(memory, (uint8_t *)memory->blocks + ALIGNMENT);
    }
}
