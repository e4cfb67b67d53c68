/* Rows of words as linear64_columns() takes them: those of an array, or of two, combined by AND. */
#ifndef FLOCK_BACKEND_MASKED_ROWS_H
#define FLOCK_BACKEND_MASKED_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct masked_rows {
    const uint64_t *words;
    const uint64_t *mask; /* laid out likewise, or NULL */
    size_t stride_words;
};

/* Those from row y and word c on. */
static inline struct masked_rows rows_from(struct masked_rows rows, size_t y, size_t c)
{
    size_t offset = y * rows.stride_words + c;
    return (struct masked_rows){rows.words + offset, rows.mask != NULL ? rows.mask + offset : NULL,
                                rows.stride_words};
}

/* Word c of row y. */
static inline uint64_t row_word(struct masked_rows rows, size_t y, size_t c)
{
    size_t i = y * rows.stride_words + c;
    return rows.mask != NULL ? rows.words[i] & rows.mask[i] : rows.words[i];
}

/* The first n_words of n_rows rows, side by side. */
static inline void copy_rows(uint64_t *out, struct masked_rows rows, size_t n_words, size_t n_rows)
{
    for (size_t y = 0; y < n_rows; y++) {
        for (size_t c = 0; c < n_words; c++) {
            out[y * n_words + c] = row_word(rows, y, c);
        }
    }
}

#endif
