/*
 * The memory of one proof: every large buffer is taken from here by name, so that the peak is
 * known, an out-of-memory message can state what was needed, and one call frees everything on any
 * way out.
 */
#ifndef FLOCK_BASE_MEMORY_H
#define FLOCK_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct memory_block;

struct memory {
    struct memory_block *blocks; /* live blocks, newest first */
    size_t live_bytes;
    size_t peak_bytes; /* most live_bytes since memory_init() or memory_reset() */
    /*
     * If set, blocks from 64 KiB on that are given back are kept for whoever takes about as much:
     * pages that the system has cleared once are not cleared again. Blocks are kept beside those
     * that are live up to a sixteenth, or 4 MiB, more than was once live; at this limit whoever
     * takes less gets a larger one, too, instead of a new one for which it would have to go.
     */
    bool keeps;
    struct memory_block *kept;
    size_t kept_bytes;
    size_t held_bytes;       /* of all blocks, with the room that live ones do not use */
    size_t most_bytes;       /* most live_bytes since memory_init() */
    const char *failed_name; /* the buffer that could not be had, or NULL */
    size_t failed_bytes;
};

void memory_init(struct memory *memory);

/*
 * Room for `count` items of `item_bytes`, aligned to 64 bytes, contents undefined. `name` must
 * outlive the block (a literal). Returns NULL on overflow or when the system has no memory; the
 * failure is recorded in *memory. count = 0 gives a valid pointer. On Linux large blocks are in
 * huge pages where the system has them. Not thread-safe.
 */
void *memory_take(struct memory *memory, const char *name, size_t count, size_t item_bytes);

/* The same, zero-filled. */
void *memory_take_zeroed(struct memory *memory, const char *name, size_t count, size_t item_bytes);

/* Give one block back. NULL is ignored. */
void memory_give(struct memory *memory, void *block);

/* Give all live blocks back, and begin anew with those that are kept. */
void memory_reset(struct memory *memory);

/* Give everything back, to the system. */
void memory_release(struct memory *memory);

#endif
