/*
 * A program of a user who only verifies: nothing but verify.h and libflock-verify, no libm, no
 * OpenMP. Usage: consumer_verify FILE. Ends with 0 if the proof is accepted, a changed copy is
 * rejected, and a statement with other endpoints is refused.
 */
#include <flock/verify.h>

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_proof(const char *path, size_t *len)
{
    enum { ROOM = 1 << 20 };
    uint8_t *bytes = malloc(ROOM);
    FILE *file = fopen(path, "rb");
    if (bytes == NULL || file == NULL) {
        exit(2);
    }
    *len = fread(bytes, 1, ROOM, file);
    fclose(file);
    return bytes;
}

static int check(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "consumer_verify: %s\n", what);
    }
    return condition ? 0 : 1;
}

int main(int argc, char **argv)
{
    flock_statement statement, claimed, other;
    size_t len;
    int failures = 0;

    if (argc != 2) {
        return 2;
    }
    uint8_t *proof = read_proof(argv[1], &len);
    flock_status status = flock_verify(proof, len, &statement);
    failures += check(status == FLOCK_OK, flock_status_text(status));
    failures += check(flock_read_statement(proof, len, &claimed) == FLOCK_OK &&
                          claimed.count == statement.count,
                      "the statement cannot be read");
    failures += check(flock_verify_expect(proof, len, &statement) == FLOCK_OK,
                      "its own statement is not the expected one");
    other = statement;
    other.end[0] ^= 1;
    failures += check(flock_verify_expect(proof, len, &other) == FLOCK_ERR_STATEMENT,
                      "another end of the chain is accepted");
    proof[len - 1] ^= 1;
    failures += check(flock_verify(proof, len, &statement) != FLOCK_OK, "a changed proof is valid");
    failures += check(flock_verify(proof, len - 1, &statement) == FLOCK_ERR_TRUNCATED,
                      "a shorter file is not noticed");
    free(proof);
    return failures == 0 ? 0 : 1;
}
