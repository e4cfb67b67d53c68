#include <stdatomic.h>
#include <string.h>

#include "backend/kernels.h"
#include "backend/prefetch.h"
#include "base/prover_context.h"
#include "code/additive_ntt.h"

/*
 * How a transform visits memory. The array of 2^n elements (n = lanes + positions, in bits) is
 * swept by a few passes of several layers each:
 *
 *     strips: layers l .. l+h-1, whose butterflies are far apart. A block of layer l is seen as a
 *             matrix of 2^h rows; a task brings a strip of 2^w columns into a contiguous buffer,
 *             runs the h layers there and puts it back:
 *
 *                         strip
 *                         |   |
 *                 row 0   [...................]      a butterfly joins rows, so the strip is
 *                 row 1   [...................]      itself a transform of 2^h positions
 *                 ...                                with 2^w lanes
 *
 *             (Working in place would not do: rows are a power of two apart and fall into the
 *             same few sets of the cache.)
 *     tiles:  the last layers, in place on contiguous parts of the array.
 *
 * Tiles and strip buffers have at most 2^LOG_TILE elements and stay in the second-level cache;
 * within one, the order is depth-first, down to parts of 2^LOG_SMALL elements.
 *
 * Arrays of more than 2^LOG_CACHED elements come from main memory in each pass, which takes as long
 * as the butterflies. So what is read next is asked for: of a strip a piece of its rows, of tiles
 * the next one, while the sink is at work. Strips are put back past the caches, which need not read
 * what is overwritten, but for those that are put back where they came from.
 */
enum {
    LOG_TILE = 15,      /* 512 KiB */
    LOG_SMALL = 10,     /* 16 KiB */
    LOG_MIN_TILE = 9,   /* smallest tile worth a task */
    LOG_MIN_ROWS = 5,   /* rows of a tile: enough to hash them side by side */
    LOG_MIN_STRIP = 6,  /* smallest row of a strip, 1 KiB, or of two copies of it 512 bytes */
    LOG_MIN_ROW = 4,    /* the same for sums of generator rows, of which there are fewer */
    LOG_SERIAL = 12,    /* transforms up to this size are not worth two threads */
    LOG_CACHED = 18,    /* 4 MiB */
    LOG_HUGE_PAGE = 17, /* 2 MiB */
    LOG_PIECE = 6,      /* elements of a row that are fetched at a time, 1 KiB */
    LOG_MOST_COPIES = 1,
    MOST_COPIES = 1 << LOG_MOST_COPIES, /* of a strip that are in the buffer together */
};

static unsigned min_unsigned(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned max_unsigned(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- twiddles ---- */

/*
 * Layer l of a transform of 2^log_n positions: flipping the bits 0..i of the block number adds
 * flip[l][i] to the twiddle, so that t(l, b+1) = t(l, b) + flip[l][trailing zeros of b+1].
 */
struct twiddles {
    gf128 flip[NTT_MAX_LOG][NTT_MAX_LOG];
};

static void twiddles_init(struct twiddles *tw, const struct subspace_images *images, unsigned log_n)
{
    for (unsigned layer = 1; layer < log_n; layer++) {
        /* t(l, block) = W^_b(block 2^(b+1)), b = log_n - 1 - l (1.9.3) */
        unsigned b = log_n - 1 - layer;
        gf128 sum = GF128_ZERO;
        for (unsigned i = 0; i < layer; i++) {
            sum = gf128_add(sum, images->of_bit[b + 1 + i][b]);
            tw->flip[layer][i] = sum;
        }
    }
}

/* t(layer, block): bit i is set in exactly one of the runs 0..k, k >= i, that end where the bits
 * of the block number change. */
static gf128 twiddle(const struct twiddles *tw, unsigned layer, uint64_t block)
{
    gf128 t = GF128_ZERO;
    for (uint64_t ends = block ^ block >> 1; ends != 0; ends &= ends - 1) {
        t = gf128_add(t, tw->flip[layer][__builtin_ctzll(ends)]);
    }
    return t;
}

/* The twiddles of two fused layers: t[0] of block `block`, t[1] and t[2] of its halves. */
static void twiddles_of_two(const struct twiddles *tw, unsigned layer, uint64_t block, gf128 t[3])
{
    t[0] = twiddle(tw, layer, block);
    t[1] = twiddle(tw, layer + 1, 2 * block);
    t[2] = gf128_add(t[1], tw->flip[layer + 1][0]);
}

/* The same, given those of block `block` - 1. */
static void next_twiddles_of_two(const struct twiddles *tw, unsigned layer, uint64_t block,
                                 gf128 t[3])
{
    unsigned zeros = (unsigned)__builtin_ctzll(block);
    t[0] = gf128_add(t[0], tw->flip[layer][zeros]);
    t[1] = gf128_add(t[2], tw->flip[layer + 1][zeros + 1]);
    t[2] = gf128_add(t[1], tw->flip[layer + 1][0]);
}

/* ---- transforms in cache ---- */

/* 2^log_rows rows of `row` elements: block number `block` of layer `layer`. */
struct part {
    gf128 *x;
    size_t row;
    unsigned log_rows;
    unsigned layer;
    uint64_t block;
    struct known_zeros zeros; /* also in later rows */
};

/* The elements of 2^log_n rows. */
static size_t rows_size(const struct part *p, unsigned log_n)
{
    return p->row << log_n;
}

/* Two layers on four runs of n elements in a row. Where all four are zero, they stay so. */
static void four_runs(const struct part *p, gf128 *x, const gf128 t[3], size_t n)
{
    size_t period = n, used = n;
    if (p->zeros.used != 0 && n >> p->zeros.log_period != 0) {
        period = (size_t)1 << p->zeros.log_period;
        used = p->zeros.used;
    }
    for (size_t i = 0; i < n; i += period) {
        prover_kernels()->butterfly4(x + i, n, x + i, n, t, used);
    }
}

/* Layers `depth` and `depth` + 1 of a part. */
static void two_layers(const struct twiddles *tw, const struct part *p, unsigned depth)
{
    unsigned layer = p->layer + depth;
    size_t quarter = rows_size(p, p->log_rows - depth - 2);
    uint64_t first = p->block << depth;
    gf128 *x = p->x;
    gf128 t[3];
    twiddles_of_two(tw, layer, first, t);
    four_runs(p, x, t, quarter);
    for (uint64_t b = first + 1; b < first + ((uint64_t)1 << depth); b++) {
        x += 4 * quarter;
        next_twiddles_of_two(tw, layer, b, t);
        four_runs(p, x, t, quarter);
    }
}

/* All layers of a part: an odd one first, then two by two. */
static void transform(const struct twiddles *tw, const struct part *p)
{
    if (p->log_rows == 0) {
        return;
    }
    unsigned n_layers = p->log_rows % 2 != 0 ? 1 : 2;
    if (n_layers == 1) {
        size_t half = rows_size(p, p->log_rows - 1);
        prover_kernels()->butterfly(p->x, p->x + half, twiddle(tw, p->layer, p->block), half);
    } else if (rows_size(p, p->log_rows) > (size_t)1 << LOG_SMALL) {
        two_layers(tw, p, 0);
    } else {
        for (unsigned depth = 0; depth < p->log_rows; depth += 2) {
            two_layers(tw, p, depth);
        }
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)1 << n_layers; i++) {
        struct part child = {
            .x = p->x + i * rows_size(p, p->log_rows - n_layers),
            .row = p->row,
            .log_rows = p->log_rows - n_layers,
            .layer = p->layer + n_layers,
            .block = (p->block << n_layers) + i,
            .zeros = p->zeros,
        };
        transform(tw, &child);
    }
}

/* Layer `depth` of a part, transposed (1.9.5). */
static void transposed_layer(const struct twiddles *tw, const struct part *p, unsigned depth)
{
    unsigned layer = p->layer + depth;
    size_t half = rows_size(p, p->log_rows - depth - 1);
    gf128 *x = p->x;
    gf128 t = twiddle(tw, layer, p->block << depth);
    prover_kernels()->butterfly_transposed(x, x + half, t, half);
    for (uint64_t b = 1; b < (uint64_t)1 << depth; b++) {
        x += 2 * half;
        t = gf128_add(t, tw->flip[layer][__builtin_ctzll(b)]);
        prover_kernels()->butterfly_transposed(x, x + half, t, half);
    }
}

/* The layers of a part in reverse order, transposed. */
static void transform_transposed(const struct twiddles *tw, const struct part *p)
{
    if (p->log_rows == 0) {
        return;
    }
    if (rows_size(p, p->log_rows) <= (size_t)1 << LOG_SMALL) {
        for (unsigned depth = p->log_rows; depth-- > 0;) {
            transposed_layer(tw, p, depth);
        }
        return;
    }
    for (uint64_t i = 0; i < 2; i++) {
        struct part half = {
            .x = p->x + i * rows_size(p, p->log_rows - 1),
            .row = p->row,
            .log_rows = p->log_rows - 1,
            .layer = p->layer + 1,
            .block = 2 * p->block + i,
        };
        transform_transposed(tw, &half);
    }
    transposed_layer(tw, p, 0);
}

/* ---- tasks ---- */

/*
 * n_tasks calls of run(job, i, buffer); each thread has a buffer of its own. There are no more
 * threads than tasks, so that all buffers together are no longer than what the tasks work on. The
 * caller fills in the rest.
 */
struct job {
    void (*run)(const struct job *job, size_t i, gf128 *buffer);
    size_t n_tasks;
    unsigned threads;
    gf128 *buffers;
    unsigned log_buffer;
    atomic_size_t next;

    const struct twiddles *tw;
    const gf128 *source;
    gf128 *target;
    unsigned log_block; /* elements of a block of layer `layer` */
    unsigned log_rows;  /* layers of this pass */
    unsigned log_row;   /* elements of a row of a tile, or of a strip */
    unsigned layer;     /* first layer of this pass */
    unsigned log_copies;
    bool large; /* not in the caches from one pass to the next */
    struct known_zeros zeros;
    struct encode_sink *sink;

    /* row sums only */
    const struct subspace_images *images;
    const uint32_t *positions;
    const gf128 *weights;
    size_t n;
    unsigned split;
};

static void run_worker(void *context, size_t worker)
{
    struct job *job = context;
    gf128 *buffer = job->buffers == NULL ? NULL : job->buffers + (worker << job->log_buffer);
    size_t i;
    while ((i = atomic_fetch_add(&job->next, 1)) < job->n_tasks) {
        job->run(job, i, buffer);
    }
}

static void run_job(struct job *job)
{
    atomic_init(&job->next, 0);
    parallel_for(job->threads, parallel_team(job->threads, job->n_tasks), run_worker, job);
}

/* Elements between the rows of a block. */
static size_t row_stride(const struct job *job)
{
    return (size_t)1 << (job->log_block - job->log_rows);
}

/* The task that this thread gets next if all threads take turns, or n_tasks. */
static size_t task_after(const struct job *job, size_t i)
{
    return job->n_tasks - i > job->threads ? i + job->threads : job->n_tasks;
}

/* Four pieces of rows that will be read next. */
static void fetch_piece(const gf128 *rows, size_t stride)
{
    enum { LINE = 64 / sizeof(gf128) };
    for (size_t row = 0; row < 4; row++) {
        for (size_t i = 0; i < (size_t)1 << LOG_PIECE; i += LINE) {
            prefetch_for_later(rows + row * stride + i, 0);
        }
    }
}

/*
 * The columns of a strip that are not known to be zero: runs of n, `period` apart, each 64 bytes
 * or more. In the buffer they are all of a row.
 */
struct columns {
    size_t n_runs, period, n;
};

static struct columns used_columns(const struct job *job, size_t first)
{
    size_t row = (size_t)1 << job->log_row, period = (size_t)1 << job->zeros.log_period;
    size_t before = first & (period - 1), used = job->zeros.used;
    if (used == 0) {
        return (struct columns){1, row, row};
    }
    if (period < row) {
        return (struct columns){row / period, period, used};
    }
    return (struct columns){1, row, used > before ? min_size(used - before, row) : 0};
}

/* What is read next after n columns of a run of a strip's row at x. */
static const gf128 *next_piece(const struct columns *columns, size_t run, size_t done,
                               const gf128 *x, size_t stride)
{
    if (done < columns->n) {
        return x + run * columns->period + done;
    }
    return run + 1 < columns->n_runs ? x + (run + 1) * columns->period : x + stride;
}

/*
 * The first two layers of a strip, from where it is to the buffer, for n_copies blocks from number
 * `block` on, one after the other in the buffer.
 */
static void first_layers(const struct job *job, const struct columns *columns, const gf128 *from,
                         uint64_t block, size_t n_copies, gf128 *buffer)
{
    size_t stride = row_stride(job), row = columns->n_runs * columns->n;
    size_t quarter = (size_t)1 << (job->log_rows - 2);
    gf128 t[MOST_COPIES][3];
    for (size_t copy = 0; copy < n_copies; copy++) {
        twiddles_of_two(job->tw, job->layer, block + copy, t[copy]);
    }
    for (size_t i = 0; i < quarter * columns->n_runs; i++) {
        size_t r = i / columns->n_runs, run = i % columns->n_runs, piece;
        const gf128 *x = from + r * stride;
        for (size_t done = 0; done < columns->n; done += piece) {
            piece = min_size(columns->n - done, (size_t)1 << LOG_PIECE);
            if (job->large) {
                fetch_piece(next_piece(columns, run, done + piece, x, stride), quarter * stride);
            }
            for (size_t copy = 0; copy < n_copies; copy++) {
                gf128 *to = buffer + (copy << (job->log_rows + job->log_row)) + i * columns->n;
                prover_kernels()->butterfly4(to + done, quarter * row,
                                             x + run * columns->period + done, quarter * stride,
                                             t[copy], piece);
            }
        }
    }
}

/* The layers between the first two and the last two, in the buffer. */
static void middle_layers(const struct job *job, size_t row, uint64_t block, gf128 *buffer)
{
    size_t quarter = row << (job->log_rows - 2);
    for (uint64_t i = 0; i < 4; i++) {
        struct part part = {
            .x = buffer + i * quarter,
            .row = 4 * row,
            .log_rows = job->log_rows - 4,
            .layer = job->layer + 2,
            .block = 4 * block + i,
        };
        transform(job->tw, &part);
    }
}

/*
 * The last two layers of a strip, to where it goes. Rows are read `row` elements apart and their
 * runs `period`. Where the strip came from, its lines may be in the caches: a store past them would
 * first have to drive them out.
 */
static void last_layers(const struct job *job, const struct columns *columns, gf128 *to,
                        const gf128 *rows, size_t row, size_t period, uint64_t block,
                        bool came_from_there)
{
    const struct prover_kernels *k = prover_kernels();
    size_t stride = row_stride(job), quarter = (size_t)1 << (job->log_rows - 2);
    unsigned layer = job->layer + job->log_rows - 2;
    gf128 t[3];
    twiddles_of_two(job->tw, layer, block * quarter, t);
    for (size_t r = 0; r < quarter; r++) {
        if (r > 0) {
            next_twiddles_of_two(job->tw, layer, block * quarter + r, t);
        }
        for (size_t run = 0; run < columns->n_runs; run++) {
            (job->large && !came_from_there ? k->butterfly4_stream : k->butterfly4)(
                to + 4 * r * stride + run * columns->period, stride,
                rows + 4 * r * row + run * period, row, t, columns->n);
        }
    }
}

/*
 * Strip i goes to 2^log_copies blocks, to the last one last: it may be where the strip comes from.
 * Its rows fall into the same few sets of the cache and would have to be read again for each copy:
 * they are read once for MOST_COPIES of them. An even number of layers.
 */
static void run_strip(const struct job *job, size_t i, gf128 *buffer)
{
    /* The block and the first column, counted over all blocks of the source. */
    unsigned log_strips = job->log_block - job->log_rows - job->log_row;
    size_t source_block = i >> log_strips;
    size_t column = (i & (((size_t)1 << log_strips) - 1)) << job->log_row;
    const gf128 *from = job->source + (source_block << job->log_block) + column;
    size_t n_copies = (size_t)1 << job->log_copies;
    struct columns columns = used_columns(job, column);
    size_t row = columns.n_runs * columns.n;
    for (size_t copy = 0; columns.n > 0 && copy < n_copies; copy++) {
        uint64_t block = (source_block << job->log_copies) + copy;
        gf128 *to = job->target + (block << job->log_block) + column;
        if (job->log_rows == 2) {
            last_layers(job, &columns, to, from, row_stride(job), columns.period, block,
                        to == from);
            continue;
        }
        gf128 *strip = buffer + (copy % MOST_COPIES << (job->log_rows + job->log_row));
        if (copy % MOST_COPIES == 0) {
            first_layers(job, &columns, from, block, min_size(n_copies, MOST_COPIES), buffer);
        }
        middle_layers(job, row, block, strip);
        last_layers(job, &columns, to, strip, row, columns.n, block, to == from);
    }
    prover_kernels()->end_of_stream();
}

/* Strips do not write what is known to be zero. */
static void clear_zeros(const struct job *job, gf128 *x)
{
    size_t period = (size_t)1 << job->zeros.log_period, used = job->zeros.used;
    for (size_t i = 0; used != 0 && i < (size_t)1 << job->log_block; i += period) {
        memset(x + i + used, 0, (period - used) * sizeof *x);
    }
}

/*
 * Tile i of the target. In the layers where zeros stay zeros they are left out, if that is worth
 * the shorter runs. While the sink has the tile, the next one is fetched.
 */
static void run_tile(const struct job *job, size_t i, gf128 *buffer)
{
    (void)buffer;
    bool worthwhile = job->zeros.used <= (size_t)3 << job->zeros.log_period >> 2;
    struct part part = {
        .x = job->target + (i << job->log_block),
        .row = (size_t)1 << job->log_row,
        .log_rows = job->log_rows,
        .layer = job->layer,
        .block = i,
        .zeros = worthwhile ? job->zeros : no_known_zeros,
    };
    clear_zeros(job, part.x);
    transform(job->tw, &part);
    if (job->sink != NULL) {
        size_t after = task_after(job, i), next = job->large && after < job->n_tasks ? after : i;
        job->sink->take(job->sink->context, i << job->log_rows, job->log_rows,
                        next << job->log_rows);
    }
}

/* Without strips: the message to all tiles, of which the last may be the message. */
static void copy_to_tiles(const struct job *job)
{
    for (size_t i = 0; i < job->n_tasks; i++) {
        gf128 *tile = job->target + (i << job->log_block);
        if (tile != job->source) {
            memcpy(tile, job->source, sizeof(gf128) << job->log_block);
        }
    }
}

static unsigned threads_for(const struct prover_context *context, unsigned log_size)
{
    return log_size <= LOG_SERIAL ? 1 : max_unsigned(context->threads, 1);
}

/* Eight tasks a thread, so that none waits long for the others. */
static unsigned log_enough_tasks(unsigned threads)
{
    unsigned log_tasks = 0;
    while (threads > 1 && ((size_t)1 << log_tasks) < 8 * (size_t)threads) {
        log_tasks++;
    }
    return log_tasks;
}

/* Tiles small enough for all threads. */
static unsigned tile_size(unsigned threads, unsigned log_size)
{
    unsigned log_tasks = log_enough_tasks(threads);
    unsigned log_tile = log_size > log_tasks ? log_size - log_tasks : 0;
    return min_unsigned(LOG_TILE, max_unsigned(LOG_MIN_TILE, log_tile));
}

/*
 * Threads for strips: with many, tiles can't be as small as tile_size() would like, and the buffers
 * would be longer than the codeword. An eighth of it, as for larger ones, or 4 MiB.
 */
static unsigned strip_threads(unsigned threads, unsigned log_size, unsigned log_tile)
{
    unsigned log_most = max_unsigned(LOG_CACHED + 3, log_size) - 3;
    return (unsigned)parallel_team(threads, (size_t)1 << (log_most - log_tile));
}

/* ---- encoding ---- */

/*
 * Zeros are left alone as long as the elements that are joined are a multiple of the period apart,
 * which strips have to be to the last one. Runs that are not zero begin and end with cache lines.
 */
static struct known_zeros usable_zeros(struct known_zeros zeros, unsigned log_tile)
{
    enum { LINE = 64 / sizeof(gf128) };
    zeros.used = (zeros.used + LINE - 1) / LINE * LINE;
    bool some = zeros.log_period <= log_tile && zeros.used < (size_t)1 << zeros.log_period;
    return some ? zeros : no_known_zeros;
}

static void touch_page(void *memory, size_t i)
{
    ((gf128 *)memory)[i << LOG_HUGE_PAGE] = GF128_ZERO;
}

/*
 * Strips go through all of the codeword from the beginning, all threads at once. In fresh memory
 * they would come to each huge page together, and the system would zero it for each of them. The
 * last part may be the message and is left alone.
 */
static void touch_pages(gf128 *codeword, size_t size, size_t message_size, unsigned threads)
{
    size_t page = (size_t)1 << LOG_HUGE_PAGE;
    parallel_for(threads, (size - message_size + page - 1) / page, touch_page, codeword);
}

flock_status encode_interleaved(struct prover_context *context, gf128 *codeword,
                                const gf128 *message, unsigned log_lanes, unsigned log_message,
                                unsigned log_inv_rate, struct known_zeros zeros,
                                struct encode_sink *sink)
{
    unsigned log_n = log_message + log_inv_rate;
    unsigned threads = threads_for(context, log_lanes + log_n);
    unsigned log_tile =
        max_unsigned(tile_size(threads, log_lanes + log_n), log_lanes + LOG_MIN_ROWS);
    unsigned tile_layers = min_unsigned(log_message, log_tile - log_lanes);
    tile_layers -= (log_message - tile_layers) % 2; /* strips take layers in pairs */
    unsigned pairs = (log_message - tile_layers) / 2;
    unsigned pairs_per_pass = (log_tile - LOG_MIN_STRIP) / 2;
    unsigned n_passes = (pairs + pairs_per_pass - 1) / pairs_per_pass;

    struct subspace_images images;
    struct twiddles tw;
    subspace_images_init(&images, log_n);
    twiddles_init(&tw, &images, log_n);
    struct job job = {
        .run = run_strip,
        .threads = strip_threads(threads, log_lanes + log_n, log_tile),
        .log_buffer = log_tile,
        .tw = &tw,
        .source = message,
        .target = codeword,
        .layer = log_inv_rate, /* the layers before only copy */
        .log_copies = log_inv_rate,
        .large = log_lanes + log_n > LOG_CACHED,
        .zeros = usable_zeros(zeros, log_lanes + tile_layers),
        .sink = sink,
    };
    if (n_passes > 0) {
        job.buffers = memory_take(&context->memory, "encoding strips",
                                  (size_t)job.threads << log_tile, sizeof(gf128));
        if (job.buffers == NULL) {
            return FLOCK_ERR_MEMORY;
        }
    }
    if (job.large) {
        touch_pages(codeword, (size_t)1 << (log_lanes + log_n),
                    (size_t)1 << (log_lanes + log_message), threads);
    }
    for (; n_passes > 0; n_passes--) {
        job.log_rows = 2 * ((pairs + n_passes - 1) / n_passes);
        job.log_row = log_tile - job.log_rows - (job.log_copies > 0 ? LOG_MOST_COPIES : 0);
        job.log_block = log_lanes + log_n - job.layer;
        job.n_tasks =
            (size_t)1 << (log_lanes + log_n - job.log_copies - job.log_rows - job.log_row);
        run_job(&job);
        job.layer += job.log_rows;
        pairs -= job.log_rows / 2;
        job.source = codeword;
        job.log_copies = 0;
    }
    memory_give(&context->memory, job.buffers);

    if (sink != NULL) {
        prover_part(context, "encode and hash");
        sink->log_part = tile_layers;
    }
    job.run = run_tile;
    job.threads = threads;
    job.log_rows = tile_layers;
    job.log_row = log_lanes;
    job.log_block = log_lanes + tile_layers;
    job.n_tasks = (size_t)1 << job.layer;
    if (job.layer == log_inv_rate) {
        copy_to_tiles(&job);
    }
    run_job(&job);
    return FLOCK_OK;
}

/* ---- weighted sums of generator rows ---- */

/* out[c] = weight * X_c(j), c < 2^n */
static void tensor(gf128 *out, gf128 weight, unsigned n, const struct subspace_images *images,
                   uint64_t j)
{
    gf128 factors[NTT_MAX_LOG];
    generator_factors(factors, n, images, j);
    out[0] = weight;
    for (unsigned b = 0; b < n; b++) {
        kernels()->scale(out + ((size_t)1 << b), out, factors[b], (size_t)1 << b);
    }
}

static void add_to(gf128 *sums, const gf128 *terms, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sums[i] = gf128_add(sums[i], terms[i]);
    }
}

/* The transposed transform of the positions in tile i, its last `split` layers as tensors. */
static void run_row_tile(const struct job *job, size_t i, gf128 *buffer)
{
    unsigned log_size = job->log_row + job->log_rows;
    struct part part = {
        .x = job->target + (i << log_size),
        .row = (size_t)1 << job->log_row,
        .log_rows = job->log_rows,
        .layer = job->layer,
        .block = i,
    };
    memset(part.x, 0, sizeof(gf128) << log_size);
    for (size_t t = 0; t < job->n; t++) {
        size_t position = job->positions[t];
        if (position >> log_size == i) {
            size_t window = (position & (((size_t)1 << log_size) - 1)) >> job->split << job->split;
            tensor(buffer, job->weights[t], job->split, job->images, position);
            add_to(part.x + window, buffer, (size_t)1 << job->split);
        }
    }
    transform_transposed(job->tw, &part);
}

/* The strip `from` of one block, transformed: where it is if it is a single row. */
static const gf128 *transposed_strip(const struct job *job, const gf128 *from, size_t block,
                                     gf128 *buffer)
{
    if (job->log_rows == 0) {
        return from;
    }
    size_t row = (size_t)1 << job->log_row;
    for (size_t r = 0; r < (size_t)1 << job->log_rows; r++) {
        memcpy(buffer + r * row, from + r * row_stride(job), row * sizeof(gf128));
    }
    struct part part = {
        .x = buffer,
        .row = row,
        .log_rows = job->log_rows,
        .layer = job->layer,
        .block = block,
    };
    transform_transposed(job->tw, &part);
    return buffer;
}

/* Strip i of all blocks, summed: the last r layers of the transposed transform, as far as they
 * matter. */
static void run_row_strip(const struct job *job, size_t i, gf128 *buffer)
{
    size_t row = (size_t)1 << job->log_row, column = i * row;
    for (size_t block = 0; block < (size_t)1 << job->layer; block++) {
        const gf128 *from = job->source + (block << job->log_block) + column;
        const gf128 *terms = transposed_strip(job, from, block, buffer);
        for (size_t r = 0; r < (size_t)1 << job->log_rows; r++) {
            gf128 *sums = job->target + column + r * row_stride(job);
            if (block == 0) {
                memcpy(sums, terms + r * row, row * sizeof(gf128));
            } else {
                add_to(sums, terms + r * row, row);
            }
        }
    }
}

/* Tiles of row sums: with several threads there are as many strips as tiles, or more. */
static unsigned row_tile_size(unsigned threads, unsigned log_n, unsigned log_message,
                              unsigned split)
{
    unsigned log_tile = threads == 1 ? LOG_TILE : (log_n + LOG_MIN_ROW) / 2;
    return min_unsigned(log_message, max_unsigned(split, min_unsigned(LOG_TILE, log_tile)));
}

static unsigned row_strip_size(unsigned threads, unsigned log_tile, unsigned strip_layers)
{
    unsigned log_strip = strip_layers < LOG_TILE ? LOG_TILE - strip_layers : 0;
    unsigned log_tasks = log_enough_tasks(threads);
    unsigned log_most = log_tile > log_tasks ? log_tile - log_tasks : 0;
    return min_unsigned(log_tile, min_unsigned(log_strip, max_unsigned(LOG_MIN_ROW, log_most)));
}

flock_status generator_row_sums_split(struct prover_context *context, gf128 *sums,
                                      const uint32_t *positions, const gf128 *weights, size_t n,
                                      unsigned log_message, unsigned log_inv_rate, unsigned split)
{
    unsigned log_n = log_message + log_inv_rate;
    unsigned threads = threads_for(context, log_n);
    unsigned log_tile = row_tile_size(threads, log_n, log_message, split);
    unsigned strip_layers = log_message - log_tile;
    unsigned log_strip = row_strip_size(threads, log_tile, strip_layers);

    unsigned log_strip_buffer = strip_layers + log_strip;
    size_t n_tiles = (size_t)1 << (log_n - log_tile),
           n_strips = (size_t)1 << (log_tile - log_strip);
    size_t tile_buffers = parallel_team(threads, n_tiles) << split;
    size_t strip_buffers = parallel_team(threads, n_strips) << log_strip_buffer;

    struct subspace_images images;
    struct twiddles tw;
    subspace_images_init(&images, log_n);
    twiddles_init(&tw, &images, log_n);
    struct job job = {
        .threads = threads,
        .tw = &tw,
        .images = &images,
        .positions = positions,
        .weights = weights,
        .n = n,
        .split = split,
    };
    job.buffers =
        memory_take(&context->memory, "row sum strips",
                    tile_buffers > strip_buffers ? tile_buffers : strip_buffers, sizeof(gf128));
    job.target = memory_take(&context->memory, "row sums", (size_t)1 << log_n, sizeof(gf128));
    if (job.buffers == NULL || job.target == NULL) {
        memory_give(&context->memory, job.buffers);
        memory_give(&context->memory, job.target);
        return FLOCK_ERR_MEMORY;
    }
    gf128 *array = job.target;

    job.run = run_row_tile;
    job.log_buffer = split;
    job.log_row = split;
    job.log_rows = log_tile - split;
    job.layer = log_n - log_tile;
    job.n_tasks = n_tiles;
    run_job(&job);

    job.run = run_row_strip;
    job.log_buffer = log_strip_buffer;
    job.source = array;
    job.target = sums;
    job.log_block = log_message;
    job.log_row = log_strip;
    job.log_rows = strip_layers;
    job.layer = log_inv_rate;
    job.n_tasks = n_strips;
    run_job(&job);

    memory_give(&context->memory, job.buffers);
    memory_give(&context->memory, array);
    return FLOCK_OK;
}

flock_status generator_row_sums(struct prover_context *context, gf128 *sums,
                                const uint32_t *positions, const gf128 *weights, size_t n,
                                unsigned log_message, unsigned log_inv_rate)
{
    /* One more factor costs n * 2^split products, one more layer half a product a position. */
    size_t half = (size_t)1 << (log_message + log_inv_rate - 1);
    unsigned split = 0;
    while (split < log_message && n <= half >> split) {
        split++;
    }
    return generator_row_sums_split(context, sums, positions, weights, n, log_message, log_inv_rate,
                                    split);
}
