#include "seeds.h"

#include <flock/verify.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static struct seed read_seed(const char *path)
{
    struct seed seed = {.len = 0};
    FILE *file = fopen(path, "rb");
    require(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    seed.len = (size_t)ftell(file);
    rewind(file);
    seed.bytes = malloc(seed.len);
    require(seed.bytes != NULL && fread(seed.bytes, 1, seed.len, file) == seed.len, path);
    fclose(file);
    return seed;
}

const struct seed *seeds(size_t *n)
{
    enum { MAX_SEEDS = 64 };
    static struct seed list[MAX_SEEDS];
    static size_t n_list;
    if (n_list == 0) {
        glob_t found = {.gl_pathc = 0};
        require(glob(FLOCK_VECTORS "/native/*.flock", 0, NULL, &found) == 0, "no native vectors");
        require(glob(FLOCK_VECTORS "/*/*.bin", GLOB_APPEND, NULL, &found) == 0, "no vectors");
        for (size_t i = 0; i < found.gl_pathc && n_list < MAX_SEEDS; i++) {
            struct seed seed = read_seed(found.gl_pathv[i]);
            flock_statement statement;
            if (flock_verify(seed.bytes, seed.len, &statement) == FLOCK_OK) {
                list[n_list++] = seed;
            } else {
                free(seed.bytes);
            }
        }
        globfree(&found);
    }
    *n = n_list;
    return list;
}

bool is_seed(const uint8_t *bytes, size_t len, size_t bound)
{
    size_t n, rest = len - bound;
    const struct seed *list = seeds(&n);
    bool begins = false, ends = rest == 0;
    for (size_t i = 0; i < n; i++) {
        begins |= list[i].len == len && memcmp(list[i].bytes, bytes, bound) == 0;
        ends |= list[i].len > rest &&
                memcmp(list[i].bytes + list[i].len - rest, bytes + bound, rest) == 0;
    }
    return begins && ends;
}
