#include "json.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at `text`, or 0 if it is not one (RFC 3629). */
static size_t utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char low, high;           /* first byte */
        unsigned char next_low, next_high; /* second byte */
        size_t length;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    if (text[0] < 0x80) {
        return 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].low || text[0] > forms[i].high) {
            continue;
        }
        if (text[1] < forms[i].next_low || text[1] > forms[i].next_high) {
            return 0;
        }
        for (size_t j = 2; j < forms[i].length; j++) {
            if ((text[j] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

static void write_quoted(const char *value)
{
    const unsigned char *text = (const unsigned char *)value;

    putchar('"');
    while (*text) {
        size_t length = utf8_length(text);
        if (length == 0) {
            fputs("\\ufffd", stdout);
            text++;
        } else if (*text == '"' || *text == '\\') {
            printf("\\%c", *text++);
        } else if (*text < 0x20 || *text == 0x7f) {
            printf("\\u%04x", *text++);
        } else {
            fwrite(text, 1, length, stdout);
            text += length;
        }
    }
    putchar('"');
}

static void new_line(const struct json *json)
{
    putchar('\n');
    for (unsigned i = 0; i < json->depth; i++) {
        fputs("  ", stdout);
    }
}

static void begin_value(struct json *json, const char *key)
{
    if (json->depth > 0) {
        if (json->has_members) {
            putchar(',');
        }
        new_line(json);
    }
    json->has_members = true;
    if (key) {
        write_quoted(key);
        fputs(": ", stdout);
    }
}

static void open_with(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    putchar(bracket);
    json->depth++;
    json->has_members = false;
}

static void close_with(struct json *json, char bracket)
{
    json->depth--;
    if (json->has_members) {
        new_line(json);
    }
    putchar(bracket);
    json->has_members = true;
    if (json->depth == 0) {
        putchar('\n');
    }
}

void json_open_object(struct json *json, const char *key)
{
    open_with(json, key, '{');
}

void json_open_array(struct json *json, const char *key)
{
    open_with(json, key, '[');
}

void json_close_object(struct json *json)
{
    close_with(json, '}');
}

void json_close_array(struct json *json)
{
    close_with(json, ']');
}

void json_string(struct json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value) {
        write_quoted(value);
    } else {
        fputs("null", stdout);
    }
}

void json_number(struct json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    printf("%llu", (unsigned long long)value);
}

void json_real(struct json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value)) {
        printf("%.6f", value);
    } else {
        fputs("null", stdout);
    }
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", stdout);
}
