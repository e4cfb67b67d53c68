/* The memory of a proof: sizes, failures, accounting, order of release. */
#include "support/support.h"

#include "base/memory.h"

#if defined(__has_feature)
#define HAS_SANITIZER                                                       \
    (__has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
     __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

static void assert_empty(const struct memory *memory)
{
    assert_null(memory->blocks);
    assert_int_equal(memory->live_bytes, 0);
}

static void test_alignment_and_contents(void **unused)
{
    (void)unused;
    struct memory memory;
    memory_init(&memory);
    uint8_t *blocks[200];
    for (size_t n = 0; n < 200; n++) {
        blocks[n] = memory_take(&memory, "block", n, 1);
        assert_non_null(blocks[n]);
        assert_int_equal((uintptr_t)blocks[n] % 64, 0);
        memset(blocks[n], (int)n, n);
    }
    for (size_t n = 0; n < 200; n++) {
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(blocks[n][i], n);
        }
    }
    memory_release(&memory);
    assert_empty(&memory);
}

static void test_zeroed(void **unused)
{
    (void)unused;
    struct memory memory;
    memory_init(&memory);
    for (size_t n = 0; n < 3000; n += 97) {
        uint8_t *dirty = memory_take(&memory, "dirty", n, 3);
        assert_non_null(dirty);
        memset(dirty, 0xFF, 3 * n);
        memory_give(&memory, dirty);
        uint8_t *clean = memory_take_zeroed(&memory, "clean", n, 3);
        assert_non_null(clean);
        for (size_t i = 0; i < 3 * n; i++) {
            assert_int_equal(clean[i], 0);
        }
        memory_give(&memory, clean);
    }
    assert_empty(&memory);
}

static void test_zero_count(void **unused)
{
    (void)unused;
    struct memory memory;
    memory_init(&memory);
    void *a = memory_take(&memory, "no items", 0, 16);
    void *b = memory_take(&memory, "items of no size", 16, 0);
    void *c = memory_take_zeroed(&memory, "nothing", 0, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_ptr_not_equal(a, b);
    assert_int_equal(memory.live_bytes, 0);
    assert_null(memory.failed_name);
    memory_give(&memory, b);
    memory_give(&memory, NULL);
    memory_release(&memory);
    assert_empty(&memory);
}

/* A size that overflows is refused and recorded, and nothing else changes. */
static void test_overflow(void **unused)
{
    (void)unused;
    struct memory memory;
    memory_init(&memory);
    void *kept = memory_take(&memory, "kept", 10, 10);
    assert_non_null(kept);
    size_t live = memory.live_bytes;
    const size_t wrong[][2] = {
        {SIZE_MAX, 1},
        {1, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX},
        {SIZE_MAX / 2 + 1, 2}, /* the product is 0 modulo 2^64 */
        {SIZE_MAX / 16 + 2, 16},
        {SIZE_MAX / 2, 1},
        {SIZE_MAX - 63, 1}, /* rounding up would wrap */
        {SIZE_MAX - 127, 1},
        {(size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memory.failed_name = NULL;
        memory.failed_bytes = 0;
        assert_null(memory_take(&memory, "too large", wrong[i][0], wrong[i][1]));
        assert_string_equal(memory.failed_name, "too large");
        assert_true(memory.failed_bytes > live);
        memory.failed_name = NULL;
        assert_null(memory_take_zeroed(&memory, "zeroed", wrong[i][0], wrong[i][1]));
        assert_string_equal(memory.failed_name, "zeroed");
        assert_int_equal(memory.live_bytes, live);
        assert_int_equal(memory.peak_bytes, live);
    }
    memory_release(&memory);
    assert_empty(&memory);
}

/* Sizes that the system refuses. A sanitizer's allocator aborts on them instead. */
static void test_refused(void **unused)
{
    (void)unused;
#if !HAS_SANITIZER
    struct memory memory;
    memory_init(&memory);
    assert_null(memory_take(&memory, "huge", SIZE_MAX / 8, 2));
    assert_string_equal(memory.failed_name, "huge");
    assert_in_range(memory.failed_bytes, SIZE_MAX / 8 * 2, SIZE_MAX / 8 * 2 + 64);
    assert_int_equal(memory.peak_bytes, 0);
    assert_empty(&memory);
#endif
}

static void test_peak(void **unused)
{
    (void)unused;
    struct memory memory;
    memory_init(&memory);
    void *a = memory_take(&memory, "a", 1000, 64);
    void *b = memory_take(&memory, "b", 500, 64);
    assert_int_equal(memory.live_bytes, 1500 * 64);
    memory_give(&memory, a);
    assert_int_equal(memory.live_bytes, 500 * 64);
    void *c = memory_take(&memory, "c", 900, 64);
    assert_int_equal(memory.live_bytes, 1400 * 64);
    assert_int_equal(memory.peak_bytes, 1500 * 64);
    void *d = memory_take(&memory, "d", 101 * 64 - 63, 1); /* counted in whole units of 64 */
    assert_int_equal(memory.live_bytes, 1501 * 64);
    assert_int_equal(memory.peak_bytes, 1501 * 64);
    memory_give(&memory, c);
    memory_give(&memory, b);
    memory_give(&memory, d);
    assert_empty(&memory);
    assert_int_equal(memory.peak_bytes, 1501 * 64);
}

/* Around the size from which blocks are made of huge pages: usable to the last byte, and counted.
 */
static void test_large(void **unused)
{
    (void)unused;
    const size_t page = (size_t)1 << 21;
    struct memory memory;
    memory_init(&memory);
    for (size_t pages = 1; pages <= 4; pages++) {
        for (int more = -1; more <= 1; more++) {
            size_t n = pages * page + (size_t)(100 * more);
            uint8_t *block = memory_take(&memory, "large", n, 1);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            assert_int_equal(memory.live_bytes, (n + 63) / 64 * 64);
            memset(block, 0x77, n);
            assert_int_equal(block[0] + block[n / 2] + block[n - 1], 3 * 0x77);
            memory_give(&memory, block);
            assert_empty(&memory);
        }
    }
}

/* Blocks are kept, within what was once live and a little more, for takers of about their size. */
static void test_kept(void **unused)
{
    (void)unused;
    const size_t large = (size_t)8 << 20;
    struct memory memory;
    memory_init(&memory);
    memory.keeps = true;
    uint8_t *a = memory_take(&memory, "a", large, 1), *b = memory_take(&memory, "b", 2 * large, 1);
    memory_give(&memory, memory_take(&memory, "small", 1000, 1));
    memory_give(&memory, a);
    memory_give(&memory, b);
    assert_empty(&memory);
    assert_int_equal(memory.kept_bytes, 3 * large);
    uint8_t *c = memory_take(&memory, "slightly smaller", large - large / 16, 1);
    assert_ptr_equal(c, a);
    assert_int_equal(memory.live_bytes, large - large / 16);
    assert_int_equal(memory.kept_bytes, 2 * large);
    memset(c, 0x33, large - large / 16);
    /* For a new block the one that is kept would have to go: it is taken, large as it is. */
    uint8_t *d = memory_take(&memory, "half", large, 1);
    assert_ptr_equal(d, b);
    assert_int_equal(memory.live_bytes, 2 * large - large / 16);
    assert_int_equal(memory.kept_bytes, 0);
    uint8_t *e = memory_take(&memory, "the other half", large / 2, 1);
    memory_reset(&memory);
    assert_empty(&memory);
    assert_int_equal(memory.peak_bytes, 0);
    assert_int_equal(memory.kept_bytes, 7 * large / 2);
    assert_ptr_equal(memory_take(&memory, "half a half", large / 2, 1), e);
    assert_int_equal(memory.peak_bytes, large / 2);
    /* Larger than all before: hardly anything may be kept beside it. */
    assert_non_null(memory_take(&memory, "larger", 4 * large, 1));
    assert_int_equal(memory.kept_bytes, 0);
    memory_release(&memory);
    assert_empty(&memory);
    assert_null(memory.kept);
}

/* A small block takes up to twice its size; to make room the smallest that is enough has to go, if
 * there is one. */
static void test_kept_small(void **unused)
{
    (void)unused;
    const size_t unit = (size_t)1 << 20, sizes[] = {1, 3, 7, 32, 16};
    enum { N = sizeof sizes / sizeof *sizes };
    struct memory memory;
    uint8_t *blocks[N];
    memory_init(&memory);
    memory.keeps = true;
    for (size_t i = 0; i < N; i++) {
        blocks[i] = memory_take(&memory, "block", sizes[i], unit);
        assert_non_null(blocks[i]);
    }
    memory_reset(&memory);
    assert_int_equal(memory.kept_bytes, 59 * unit);
    uint8_t *half = memory_take(&memory, "half of three", 3 * unit / 2, 1);
    assert_ptr_equal(half, blocks[1]);
    memset(half, 0x44, 3 * unit / 2);
    assert_int_equal(memory.live_bytes, 3 * unit / 2);
    memory_give(&memory, half);
    assert_int_equal(memory.kept_bytes, 59 * unit);
    assert_ptr_not_equal(memory_take(&memory, "less than half of one", unit / 2 - 64, 1),
                         blocks[0]);
    /* Not what sixteen are for, but 59.5 + 9 are more than 59 + 4. */
    uint8_t *nine = memory_take(&memory, "nine", 9, unit);
    assert_ptr_equal(nine, blocks[4]);
    assert_int_equal(memory.kept_bytes, 43 * unit);
    /* 59.5 + 36 are 32.5 too much, for what is not used of the 16 counts, too: all but 1 and 7. */
    assert_non_null(memory_take(&memory, "thirty-six", 36, unit));
    assert_int_equal(memory.kept_bytes, 8 * unit);
    assert_non_null(memory_take(&memory, "eighty", 80, unit));
    assert_int_equal(memory.kept_bytes, 0);
    memory_release(&memory);
    assert_empty(&memory);
    assert_int_equal(memory.kept_bytes, 0);
}

/* A large block that is kept is not for whoever takes much less, as long as both have room. */
static void test_kept_large(void **unused)
{
    (void)unused;
    const size_t unit = (size_t)1 << 20;
    struct memory memory;
    memory_init(&memory);
    memory.keeps = true;
    uint8_t *a = memory_take(&memory, "six", 6 * unit, 1);
    assert_non_null(memory_take(&memory, "four", 4 * unit, 1));
    memory_give(&memory, a);
    assert_ptr_not_equal(memory_take(&memory, "two thirds", 4 * unit, 1), a);
    assert_int_equal(memory.kept_bytes, 6 * unit);
    assert_ptr_equal(memory_take(&memory, "most", 6 * unit - unit / 2, 1), a);
    assert_int_equal(memory.kept_bytes, 0);
    memory_release(&memory);
    assert_empty(&memory);
    assert_int_equal(memory.held_bytes, 0);
}

/* Blocks given back in any order leave the others alone; a leak or double free shows in ASan. */
static void test_any_order(void **unused)
{
    (void)unused;
    struct splitmix random = {9};
    for (int round = 0; round < 50; round++) {
        enum { N = 24 };
        struct memory memory;
        uint32_t *blocks[N];
        size_t left = N, expected = 0;
        memory_init(&memory);
        for (uint32_t i = 0; i < N; i++) {
            size_t n = 16 * (1 + splitmix_next(&random) % 20);
            blocks[i] = memory_take(&memory, "numbered", n, sizeof **blocks);
            assert_non_null(blocks[i]);
            blocks[i][0] = i;
            blocks[i][1] = (uint32_t)n;
            expected += n * sizeof **blocks;
        }
        while (left > (size_t)round % 5) {
            assert_int_equal(memory.live_bytes, expected);
            size_t i = splitmix_next(&random) % N;
            if (blocks[i] == NULL) {
                continue;
            }
            assert_int_equal(blocks[i][0], i);
            expected -= blocks[i][1] * sizeof **blocks;
            memory_give(&memory, blocks[i]);
            blocks[i] = NULL;
            left--;
        }
        memory_release(&memory);
        assert_empty(&memory);
        memory_release(&memory);
        assert_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment_and_contents),
        cmocka_unit_test(test_zeroed),
        cmocka_unit_test(test_zero_count),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_kept_small),
        cmocka_unit_test(test_kept_large),
        cmocka_unit_test(test_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
