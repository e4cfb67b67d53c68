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
    HUGE_PAGE = 1 << 21,   /* of x86-64 and of AArch64 with 4 KiB pages */
    LARGE = 2 * HUGE_PAGE, /* blocks from here on ask for huge pages */
    KEPT = 1 << 16,        /* blocks from here on are kept; the system's allocator keeps others */
    SLACK = 1 << 22,       /* what may be kept in any case */
    LOG_SLACK = 4
};

/* Stands in the 64 bytes before what the caller sees. */
struct memory_block {
    struct memory_block *next;
    struct memory_block **previous_link;
    const char *name;
    size_t bytes; /* of the caller's part, rounded up */
    size_t room;  /* for it: more than `bytes` if the block was kept */
};

/* Kept blocks are linked by `next` alone, so that struct memory may move without live blocks. */

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

/* ---- kept blocks ---- */

static void keep(struct memory *memory, struct memory_block *block)
{
    block->next = memory->kept;
    memory->kept = block;
    memory->kept_bytes += block->room;
}

static struct memory_block *unlink_kept(struct memory *memory, struct memory_block **link)
{
    struct memory_block *block = *link;
    *link = block->next;
    memory->kept_bytes -= block->room;
    return block;
}

/* The smallest kept block with room for `bytes`, or NULL. */
static struct memory_block **smallest_kept(struct memory *memory, size_t bytes)
{
    struct memory_block **best = NULL;
    for (struct memory_block **link = &memory->kept; *link != NULL; link = &(*link)->next) {
        if ((*link)->room >= bytes && (best == NULL || (*link)->room < (*best)->room)) {
            best = link;
        }
    }
    return best;
}

static void free_block(struct memory *memory, struct memory_block *block)
{
    memory->held_bytes -= block->room;
    free(block);
}

/* By how much kept blocks would be too much if `bytes` more were taken from the system. */
static size_t excess(const struct memory *memory, size_t bytes)
{
    size_t slack = memory->most_bytes >> LOG_SLACK;
    size_t limit = memory->most_bytes + (slack > SLACK ? slack : SLACK);
    size_t held = memory->held_bytes + bytes;
    return memory->kept != NULL && held > limit ? held - limit : 0;
}

/*
 * A kept block for `bytes`, or NULL: a large one wastes an eighth at most, a small one half, unless
 * kept blocks would have to go to make room for a new one.
 */
static struct memory_block *take_kept(struct memory *memory, size_t bytes)
{
    struct memory_block **link = smallest_kept(memory, bytes);
    size_t waste = bytes < LARGE ? bytes : bytes / 8;
    if (link == NULL || ((*link)->room - bytes > waste && excess(memory, bytes) == 0)) {
        return NULL;
    }
    return unlink_kept(memory, link);
}

/*
 * Before `bytes` more are taken from the system, give it kept blocks that would be too much: one as
 * small as is enough if there is one, so that larger ones, which take longest to clear, stay.
 */
static void make_room(struct memory *memory, size_t bytes)
{
    size_t more;
    while ((more = excess(memory, bytes)) > 0) {
        struct memory_block **link = smallest_kept(memory, more);
        free_block(memory, unlink_kept(memory, link != NULL ? link : &memory->kept));
    }
}

static void release_kept(struct memory *memory)
{
    while (memory->kept != NULL) {
        free_block(memory, unlink_kept(memory, &memory->kept));
    }
}

/* ---- blocks ---- */

/* A block with its `room` set, or NULL. */
static struct memory_block *get_block(struct memory *memory, size_t bytes)
{
    struct memory_block *block = take_kept(memory, bytes);
    if (block != NULL) {
        return block;
    }
    make_room(memory, bytes);
    block = get_bytes(bytes + ALIGNMENT);
    if (block == NULL && memory->kept != NULL) {
        release_kept(memory);
        block = get_bytes(bytes + ALIGNMENT);
    }
    if (block != NULL) {
        block->room = bytes;
        memory->held_bytes += bytes;
    }
    return block;
}

void *memory_take(struct memory *memory, const char *name, size_t count, size_t item_bytes)
{
    if (item_bytes != 0 && count > (SIZE_MAX / 2 - 2 * ALIGNMENT) / item_bytes) {
        return fail(memory, name, SIZE_MAX);
    }
    size_t bytes = (count * item_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct memory_block *block = get_block(memory, bytes);
    if (block == NULL) {
        return fail(memory, name, bytes);
    }
    block->next = memory->blocks;
    block->previous_link = &memory->blocks;
    block->name = name;
    block->bytes = bytes;
    if (block->next != NULL) {
        block->next->previous_link = &block->next;
    }
    memory->blocks = block;
    memory->live_bytes += block->bytes;
    if (memory->live_bytes > memory->peak_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
    if (memory->live_bytes > memory->most_bytes) {
        memory->most_bytes = memory->live_bytes;
    }
    return (uint8_t *)block + ALIGNMENT;
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
    if (memory->keeps && block->room + ALIGNMENT >= KEPT) {
        keep(memory, block);
    } else {
        free_block(memory, block);
    }
}

void memory_reset(struct memory *memory)
{
    while (memory->blocks != NULL) {
        memory_give(memory, (uint8_t *)memory->blocks + ALIGNMENT);
    }
    memory->peak_bytes = 0;
    memory->failed_name = NULL;
}

void memory_release(struct memory *memory)
{
    while (memory->blocks != NULL) {
        memory_give(memory, (uint8_t *)memory->blocks + ALIGNMENT);
    }
    release_kept(memory);
}
