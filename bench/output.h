/* output.h - results of measurements as Markdown, CSV or JSON. */
#ifndef FLOCK_BENCH_OUTPUT_H
#define FLOCK_BENCH_OUTPUT_H

#include "measure.h"

struct results {
    const struct measurement *m;
    size_t n;
    unsigned runs;
    unsigned predict; /* threads to predict the efficiency of, or 0 */
    bool phases;      /* Markdown: a table of phases for each result as well */
};

void print_markdown(const struct results *results);
/* A line of names and one for each result. */
void print_csv(const struct results *results);
void print_json(const struct program *program, const struct results *results);

/* What the machine calls its processor. */
const char *processor_name(void);

#endif
