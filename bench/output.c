#include "output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER __VERSION__ /* names itself */
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *processor_name(void)
{
    static char name[128] = "";
    char line[256];
    FILE *file = name[0] == '\0' ? fopen("/proc/cpuinfo", "r") : NULL;
    if (file != NULL) {
        while (name[0] == '\0' && fgets(line, sizeof line, file)) {
            (void)sscanf(line, "model name : %127[^\n,\"]", name);
        }
        fclose(file);
    }
    return name[0] != '\0' ? name : "unknown processor";
}

/* ---- columns: one list for all forms ---- */

/* A result, with what it is compared with. */
struct row {
    const struct measurement *m;
    const struct measurement *one; /* the same with one thread, or NULL */
    const struct results *results;
};

static bool same_setting(const struct setting *a, const struct setting *b)
{
    return a->circuit == b->circuit && a->relation == b->relation && a->layout == b->layout &&
           a->fresh == b->fresh && a->profile == b->profile && a->count == b->count;
}

static struct row row_of(const struct results *results, size_t i)
{
    const struct measurement *m = &results->m[i];
    struct row row = {m, NULL, results};
    for (size_t j = 0; j < results->n; j++) {
        const struct measurement *other = &results->m[j];
        if (other->threads == 1 && strcmp(other->backend, m->backend) == 0 &&
            same_setting(&other->setting, &m->setting)) {
            row.one = other;
        }
    }
    return row;
}

static const char *text_hash(const struct row *row)
{
    return flock_circuit_name(row->m->setting.circuit);
}

static const char *text_relation(const struct row *row)
{
    return row->m->setting.relation == FLOCK_CHAIN ? "chain" : "batch";
}

static const char *text_buffers(const struct row *row)
{
    return row->m->setting.fresh ? "fresh" : "kept";
}

static const char *text_layout(const struct row *row)
{
    return row->m->setting.layout == FLOCK_ROW_MAJOR ? "row" : "batch";
}

static const char *text_mode(const struct row *row)
{
    return flock_profile_name(row->m->setting.profile);
}

static const char *text_backend(const struct row *row)
{
    return row->m->backend;
}

static const char *text_processor(const struct row *row)
{
    (void)row;
    return processor_name();
}

static const char *text_compiler(const struct row *row)
{
    (void)row;
    return COMPILER;
}

static double number_evaluations(const struct row *row)
{
    return (double)row->m->setting.count;
}

static double number_m(const struct row *row)
{
    return row->m->log_bits;
}

static double number_threads(const struct row *row)
{
    return row->m->threads;
}

static double number_runs(const struct row *row)
{
    return row->results->runs;
}

static double number_best(const struct row *row)
{
    return 1e3 * row->m->prove.best;
}

static double number_median(const struct row *row)
{
    return 1e3 * row->m->prove.median;
}

static double number_cycles(const struct row *row)
{
    return cycles_per_element(row->m, row->m->prove.best);
}

static double number_proved(const struct row *row)
{
    return proved_per_second(row->m);
}

static double number_native(const struct row *row)
{
    return row->m->native.best;
}

static double number_native_median(const struct row *row)
{
    return row->m->native.median;
}

static double number_native_peak(const struct row *row)
{
    return row->m->native_peak;
}

static double number_native_slow(const struct row *row)
{
    return native_is_slow(row->m);
}

static double number_native_per_proved(const struct row *row)
{
    return native_per_proved(row->m);
}

static double number_native_per_proved_median(const struct row *row)
{
    return native_per_proved_median(row->m);
}

static double number_efficiency(const struct row *row)
{
    return row->one != NULL && row->one != row->m ? 100 * parallel_efficiency(row->one, row->m)
                                                  : NAN;
}

static double number_serial(const struct row *row)
{
    return 100 * serial_share(row->m);
}

static double number_predict(const struct row *row)
{
    unsigned threads = row->results->predict;
    return threads != 0 ? threads : NAN;
}

static double number_predicted(const struct row *row)
{
    unsigned threads = row->results->predict;
    return threads != 0 ? 100 * predicted_efficiency(row->m, threads) : NAN;
}

static double number_memory(const struct row *row)
{
    return memory_per_witness(row->m);
}

static double number_peak(const struct row *row)
{
    return (double)row->m->report.peak_bytes;
}

static double number_witness(const struct row *row)
{
    return (double)row->m->report.witness_bytes;
}

static double number_proof(const struct row *row)
{
    return (double)row->m->proof_bytes;
}

static double number_verify(const struct row *row)
{
    return 1e3 * row->m->verify.best;
}

static double number_verify_median(const struct row *row)
{
    return 1e3 * row->m->verify.median;
}

static double number_clock(const struct row *row)
{
    return 1e-9 / row->m->cycle;
}

static const struct column {
    const char *key;   /* in CSV and JSON */
    const char *title; /* in the Markdown table, or NULL; # is the number of threads predicted */
    const char *usual; /* left out of the table if all its cells are this */
    const char *(*text)(const struct row *row);
    double (*number)(const struct row *row); /* instead of text */
    int decimals;
} columns[] = {
    {"hash", "hash", NULL, text_hash, NULL, 0},
    {"relation", "relation", "batch", text_relation, NULL, 0},
    {"layout", "layout", "row", text_layout, NULL, 0},
    {"mode", "mode", "fast", text_mode, NULL, 0},
    {"buffers", "buffers", "kept", text_buffers, NULL, 0},
    {"evaluations", "evaluations", NULL, NULL, number_evaluations, 0},
    {"m", "m", NULL, NULL, number_m, 0},
    {"backend", "backend", NULL, text_backend, NULL, 0},
    {"threads", "threads", NULL, NULL, number_threads, 0},
    {"runs", NULL, NULL, NULL, number_runs, 0},
    {"best_ms", "best ms", NULL, NULL, number_best, 1},
    {"median_ms", "median ms", NULL, NULL, number_median, 1},
    {"cycles_per_element", "cycles per element", NULL, NULL, number_cycles, 1},
    {"proved_per_second", "proved per second", NULL, NULL, number_proved, 0},
    {"native_per_second", "native per second", NULL, NULL, number_native, 0},
    {"native_per_second_median", NULL, NULL, NULL, number_native_median, 0},
    {"native_per_second_peak", NULL, NULL, NULL, number_native_peak, 0},
    {"native_is_slow", NULL, NULL, NULL, number_native_slow, 0},
    {"native_per_proved", "native per proved", NULL, NULL, number_native_per_proved, 1},
    {"native_per_proved_median", NULL, NULL, NULL, number_native_per_proved_median, 1},
    {"efficiency_percent", "efficiency %", "–", NULL, number_efficiency, 1},
    {"serial_percent", "serial %", "–", NULL, number_serial, 2},
    {"predicted_threads", NULL, NULL, NULL, number_predict, 0},
    {"predicted_efficiency_percent", "# threads, efficiency %", "–", NULL, number_predicted, 1},
    {"memory_per_witness", "memory / witness", NULL, NULL, number_memory, 2},
    {"peak_bytes", NULL, NULL, NULL, number_peak, 0},
    {"witness_bytes", NULL, NULL, NULL, number_witness, 0},
    {"proof_bytes", "proof bytes", NULL, NULL, number_proof, 0},
    {"verify_ms", "verify ms", NULL, NULL, number_verify, 2},
    {"verify_median_ms", NULL, NULL, NULL, number_verify_median, 2},
    {"clock_ghz", NULL, NULL, NULL, number_clock, 3},
    {"processor", NULL, NULL, text_processor, NULL, 0},
    {"compiler", NULL, NULL, text_compiler, NULL, 0},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns, CELL = 160 };

/* `missing` stands for a number that there is not. */
static void write_cell(char cell[CELL], const struct column *column, const struct row *row,
                       const char *missing)
{
    double number = column->text == NULL ? column->number(row) : 0;
    if (column->text != NULL) {
        snprintf(cell, CELL, "%s", column->text(row));
    } else if (isfinite(number)) {
        snprintf(cell, CELL, "%.*f", column->decimals, number);
    } else {
        snprintf(cell, CELL, "%s", missing);
    }
}

/* ---- Markdown ---- */

static bool is_shown(const struct results *results, const struct column *column)
{
    bool shown = column->title != NULL && column->usual == NULL;
    for (size_t i = 0; i < results->n && column->title != NULL && !shown; i++) {
        struct row row = row_of(results, i);
        char cell[CELL];
        write_cell(cell, column, &row, "–");
        shown = strcmp(cell, column->usual) != 0;
    }
    return shown;
}

static void print_title(const char *title, unsigned predict)
{
    if (title[0] == '#') {
        printf("| %u%s ", predict, title + 1);
    } else {
        printf("| %s ", title);
    }
}

static void print_table(const struct results *results)
{
    bool shown[N_COLUMNS];
    for (int c = 0; c < N_COLUMNS; c++) {
        shown[c] = is_shown(results, &columns[c]);
        if (shown[c]) {
            print_title(columns[c].title, results->predict);
        }
    }
    printf("|\n");
    for (int c = 0; c < N_COLUMNS; c++) {
        if (shown[c]) {
            printf("|---");
        }
    }
    printf("|\n");
    for (size_t i = 0; i < results->n; i++) {
        struct row row = row_of(results, i);
        for (int c = 0; c < N_COLUMNS; c++) {
            if (shown[c]) {
                char cell[CELL];
                write_cell(cell, &columns[c], &row, "–");
                printf("| %s ", cell);
            }
        }
        printf("|\n");
    }
}

/* busy: how much of the time of all threads is work. */
static void print_phase_row(const struct measurement *m, const char *before, const char *name,
                            double seconds, double serial, double busy)
{
    printf("| %s%s | %.2f | %.1f | %.1f |", before, name, 1e3 * seconds,
           100 * seconds / m->report.total_seconds, cycles_per_element(m, seconds));
    if (m->threads > 1) {
        printf(" %.2f | %.0f |", 1e3 * serial, 100 * busy / (m->threads * seconds));
    }
    printf("\n");
}

static void print_phases(const struct row *row)
{
    const struct measurement *m = row->m;
    const flock_report *report = &m->report;
    double serial = 0, busy = 0;
    printf("\n%s %s of %llu (m = %u), %s, %s-major, backend %s, %u thread%s, the best proof:\n\n",
           text_hash(row), text_relation(row), (unsigned long long)m->setting.count, m->log_bits,
           text_mode(row), text_layout(row), m->backend, m->threads, m->threads == 1 ? "" : "s");
    printf("| phase | ms | %% | cycles per element |%s\n|---|---|---|---|%s\n",
           m->threads > 1 ? " serial ms | busy % |" : "", m->threads > 1 ? "---|---|" : "");
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        print_phase_row(m, "", flock_phase_name((flock_phase)phase), report->seconds[phase],
                        report->serial_seconds[phase], report->busy_seconds[phase]);
        serial += report->serial_seconds[phase];
        busy += report->busy_seconds[phase];
        for (unsigned i = 0; i < report->n_parts && phase != FLOCK_PHASE_GRIND; i++) {
            const flock_part *part = &report->parts[i];
            if ((int)part->phase == phase) {
                print_phase_row(m, "– ", part->name, part->seconds, part->serial_seconds,
                                part->busy_seconds);
            }
        }
    }
    print_phase_row(m, "", "**total**", report->total_seconds, serial, busy);
}

static void print_warnings(const struct results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct row row = row_of(results, i);
        const struct measurement *m = row.m;
        if (!native_is_slow(m) && !machine_is_busy(m)) {
            continue;
        }
        printf("\nWarning: line %zu of the table: native %s reached %.1f million per second", i + 1,
               text_hash(&row), 1e-6 * m->native.best);
        if (native_is_slow(m)) {
            printf(", %.1f in the best millisecond: *native per proved* is flattered.\n",
                   1e-6 * m->native_peak);
        } else {
            printf(" beside the proofs, %.1f alone: other work shares the core.\n",
                   1e-6 * m->native_peak);
        }
    }
}

void print_markdown(const struct results *results)
{
    print_table(results);
    for (size_t i = 0; i < results->n && results->phases; i++) {
        struct row row = row_of(results, i);
        print_phases(&row);
    }
    print_warnings(results);
    printf("\nBest of %u, also of native hashing; %s at %.2f GHz; %s.\n", results->runs,
           processor_name(), 1e-9 / results->m[results->n - 1].cycle, COMPILER);
}

/* ---- CSV ---- */

static const flock_part *find_part(const flock_report *report, const flock_part *part)
{
    for (unsigned i = 0; i < report->n_parts; i++) {
        const flock_part *other = &report->parts[i];
        if (other->phase == part->phase && strcmp(other->name, part->name) == 0) {
            return other;
        }
    }
    return NULL;
}

/* Whether no result before `r` has this part. */
static bool is_first(const struct results *results, size_t r, const flock_part *part)
{
    for (size_t before = 0; before < r; before++) {
        if (find_part(&results->m[before].report, part) != NULL) {
            return false;
        }
    }
    return true;
}

/*
 * The parts of all results, each once (not every proof has every part): the times of a report, or
 * their names.
 */
static void print_parts(const struct results *results, const flock_report *times)
{
    for (size_t r = 0; r < results->n; r++) {
        const flock_report *report = &results->m[r].report;
        for (unsigned i = 0; i < report->n_parts; i++) {
            const flock_part *part = &report->parts[i];
            if (!is_first(results, r, part)) {
                continue;
            }
            if (times != NULL) {
                const flock_part *found = find_part(times, part);
                printf(",%.4f", found != NULL ? 1e3 * found->seconds : 0);
            } else {
                printf(",%s: %s ms", flock_phase_name(part->phase), part->name);
            }
        }
    }
    printf("\n");
}

void print_csv(const struct results *results)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        printf("%s%s", c == 0 ? "" : ",", columns[c].key);
    }
    print_parts(results, NULL);
    for (size_t r = 0; r < results->n; r++) {
        struct row row = row_of(results, r);
        for (int c = 0; c < N_COLUMNS; c++) {
            char cell[CELL];
            write_cell(cell, &columns[c], &row, "");
            printf("%s%s", c == 0 ? "" : ",", cell);
        }
        print_parts(results, &row.m->report);
    }
}

/* ---- JSON ---- */

static void json_times(struct json *json, const struct measurement *m, double seconds,
                       double serial, double busy)
{
    json_real(json, "ms", 1e3 * seconds);
    json_real(json, "percent", 100 * seconds / m->report.total_seconds);
    json_real(json, "cycles_per_element", cycles_per_element(m, seconds));
    json_real(json, "serial_ms", m->threads > 1 ? 1e3 * serial : NAN);
    json_real(json, "busy_percent", m->threads > 1 ? 100 * busy / (m->threads * seconds) : NAN);
}

static void json_phases(struct json *json, const struct measurement *m)
{
    const flock_report *report = &m->report;
    json_open_array(json, "phases");
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        json_open_object(json, NULL);
        json_string(json, "phase", flock_phase_name((flock_phase)phase));
        json_times(json, m, report->seconds[phase], report->serial_seconds[phase],
                   report->busy_seconds[phase]);
        json_open_array(json, "parts");
        for (unsigned i = 0; i < report->n_parts; i++) {
            const flock_part *part = &report->parts[i];
            if ((int)part->phase == phase) {
                json_open_object(json, NULL);
                json_string(json, "part", part->name);
                json_times(json, m, part->seconds, part->serial_seconds, part->busy_seconds);
                json_close_object(json);
            }
        }
        json_close_array(json);
        json_close_object(json);
    }
    json_close_array(json);
}

void print_json(const struct program *program, const struct results *results)
{
    struct json json;
    result_open(&json, program, OUTCOME_OK, NULL);
    json_open_array(&json, "results");
    for (size_t i = 0; i < results->n; i++) {
        struct row row = row_of(results, i);
        json_open_object(&json, NULL);
        for (int c = 0; c < N_COLUMNS; c++) {
            const struct column *column = &columns[c];
            if (column->text != NULL) {
                json_string(&json, column->key, column->text(&row));
            } else if (column->decimals == 0 && isfinite(column->number(&row))) {
                json_number(&json, column->key, (uint64_t)(column->number(&row) + 0.5));
            } else {
                json_real(&json, column->key, column->number(&row));
            }
        }
        json_phases(&json, row.m);
        json_close_object(&json);
    }
    json_close_array(&json);
    json_close_object(&json);
}
