#include "support/statements.h"

struct buffer {
    uint8_t *bytes;
    size_t len;
};

static void append(void *context, const void *bytes, size_t len)
{
    struct buffer *buffer = context;
    buffer->bytes = realloc(buffer->bytes, buffer->len + len + 1);
    assert_non_null(buffer->bytes);
    if (len > 0) {
        memcpy(buffer->bytes + buffer->len, bytes, len);
    }
    buffer->len += len;
}

uint8_t *statement_bytes(const flock_statement *statement, const struct setup *setup, size_t *len)
{
    struct buffer buffer = {.len = 0};
    statement_encode(statement, setup, append, &buffer);
    *len = buffer.len;
    return buffer.bytes;
}
