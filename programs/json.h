/* json.h - write one JSON value to stdout: indented, members in the order of the calls. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>

struct json {
    unsigned depth;
    bool has_members; /* of the innermost open object or array */
};

/* In an object `key` names the member; in an array and for the outermost value it is NULL. */
void json_open_object(struct json *json, const char *key);
void json_open_array(struct json *json, const char *key);
/* Closing the outermost object ends the output with a line feed. */
void json_close_object(struct json *json);
void json_close_array(struct json *json);

/* Bytes that are not UTF-8 (file names can have them) become U+FFFD. NULL is written as null. */
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, uint64_t value);
/* Not-finite values have no JSON form and become null. */
void json_real(struct json *json, const char *key, double value);
void json_bool(struct json *json, const char *key, bool value);

#endif
