// A user of C++: all headers, a proof made and verified.
#include <flock/merkle.h>
#include <flock/params.h>
#include <flock/prove.h>
#include <flock/verify.h>

#include <memory>

int main()
{
    flock_chain chain{};
    chain.circuit = FLOCK_SHA256;
    chain.steps = 3;

    flock_statement proved, verified;
    uint8_t *bytes = nullptr;
    size_t len = 0;
    if (flock_prove_chain(&chain, nullptr, &bytes, &len, &proved) != FLOCK_OK) {
        return 1;
    }
    std::unique_ptr<uint8_t, decltype(&flock_free)> proof(bytes, flock_free);
    if (flock_verify(proof.get(), len, &verified) != FLOCK_OK || verified.count != chain.steps) {
        return 1;
    }
    return flock_verify_expect(proof.get(), len, &proved) == FLOCK_OK ? 0 : 1;
}
