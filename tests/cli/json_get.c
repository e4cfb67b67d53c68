/*
 * json_get FILE [PATH] - check that FILE is one valid JSON value and print the part at PATH: keys
 * and array indices separated by dots; ".#" at the end gives the number of items. Ends with 1 if
 * the text is not JSON or has no such part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const json_t *step(const json_t *value, const char *key)
{
    return json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                : json_object_get(value, key);
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc < 2 || argc > 3) {
        return 2;
    }
    json_t *root = json_load_file(argv[1], JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (root == NULL) {
        fprintf(stderr, "json_get: %s:%d: %s\n", argv[1], error.line, error.text);
        return 1;
    }
    const json_t *value = root;
    int result = 0;
    for (char *key = argc == 3 ? strtok(argv[2], ".") : NULL; key != NULL && value != NULL;
         key = strtok(NULL, ".")) {
        if (strcmp(key, "#") == 0) {
            printf("%zu\n",
                   json_is_array(value) ? json_array_size(value) : json_object_size(value));
            json_decref(root);
            return 0;
        }
        value = step(value, key);
    }
    if (value == NULL) {
        fprintf(stderr, "json_get: %s: no such part\n", argv[1]);
        result = 1;
    } else if (json_is_string(value)) {
        puts(json_string_value(value));
    } else if (argc == 3) {
        json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT);
        putchar('\n');
    }
    json_decref(root);
    return result;
}
