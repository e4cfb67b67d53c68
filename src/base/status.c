#include <flock/flock.h>

const char *flock_status_text(flock_status status)
{
    switch (status) {
    case FLOCK_OK:
        return "ok";
    case FLOCK_ERR_ARGUMENT:
        return "a parameter is out of range";
    case FLOCK_ERR_MEMORY:
        return "out of memory";
    case FLOCK_ERR_TOO_LARGE:
        return "the statement needs more than 2^35 witness bits";
    case FLOCK_ERR_UNSUPPORTED:
        return "not supported";
    case FLOCK_ERR_CANCELLED:
        return "cancelled";
    case FLOCK_ERR_INPUT:
        return "the inputs do not give what is to be proved";
    case FLOCK_ERR_MAGIC:
        return "not a Flock proof file";
    case FLOCK_ERR_VERSION:
        return "unknown version or flavour of proof file";
    case FLOCK_ERR_TRUNCATED:
        return "the proof file ends too early";
    case FLOCK_ERR_TRAILING:
        return "bytes follow the proof";
    case FLOCK_ERR_STATEMENT:
        return "the statement is malformed, or not the expected one";
    case FLOCK_ERR_SHAPE:
        return "a count or parameter in the proof does not fit its statement";
    case FLOCK_REJECT_ZEROCHECK:
        return "invalid proof: zerocheck fails";
    case FLOCK_REJECT_LINCHECK:
        return "invalid proof: lincheck fails";
    case FLOCK_REJECT_GLUE:
        return "invalid proof: the links between instances fail";
    case FLOCK_REJECT_RING_SWITCH:
        return "invalid proof: ring switching fails";
    case FLOCK_REJECT_NONCE:
        return "invalid proof: a proof-of-work nonce is wrong";
    case FLOCK_REJECT_MERKLE:
        return "invalid proof: opened rows do not match a commitment";
    case FLOCK_REJECT_OPENING:
        return "invalid proof: the polynomial opening fails";
    }
    return "unknown status";
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const char *flock_version(void)
{
    return STRING(FLOCK_VERSION_MAJOR) "." STRING(FLOCK_VERSION_MINOR) "." STRING(
        FLOCK_VERSION_PATCH);
}
