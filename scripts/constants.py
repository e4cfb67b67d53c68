#!/usr/bin/env python3
"""Derive every table and constant of the sources again, from the definitions alone, and compare.

    scripts/constants.py FOLDER      FOLDER has flock_chain, for example build/release

Nothing is copied from the sources: fields, hashes, circuits and parameter formulas are written out
here once more, from the specification's definitions (the numbers in parentheses) and the hash
functions' standards. A table of the sources that no check below knows is an error, so that none can
be added without a derivation. What takes too long in Python is derived in C: the chaining values of
src/circuit/reference_digest.c by tests/test_circuit.c, the identifiers of the Keccak circuits by
tests/slow_keccak_id.c.
"""

import hashlib
import json
import math
import re
import subprocess
import sys
from array import array
from itertools import accumulate, count, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DERIVED_IN_C = {"blake3_spine", "sha256_spine", "keccak_spine", "keccak3_spine"}

failures = 0
checks = 0
reviewed = set()


def same(what, found, expected):
    global failures, checks
    checks += 1
    if found != expected:
        failures += 1
        print(f"FAILED: {what}\n  in the sources: {found}\n  derived:        {expected}")


# ---- reading the sources ----


def source(path):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", (ROOT / path).read_text(), flags=re.S)


def integers(text):
    return [int(number, 0) for number in re.findall(r"\b(?:0x[0-9a-fA-F]+|\d+)", text)]


def table(path, name):
    """All numbers of the initialiser of an array, in order."""
    reviewed.add((path, name))
    match = re.search(rf"\b{name}(?:\[[^\]]*\])+ = \{{(.*?)\}};", source(path), flags=re.S)
    return integers(match.group(1)) if match else None


def enumerator(path, name):
    match = re.search(rf"\b{name} = (0x[0-9a-f]+|\d+)\b", source(path))
    return int(match.group(1), 0) if match else None


def pairs(numbers):
    """Elements of GF(2^128) written {lo, hi}."""
    return [lo | hi << 64 for lo, hi in zip(numbers[::2], numbers[1::2])]


def check_nothing_is_left_out():
    for path in sorted((ROOT / "src").rglob("*.[chi]*")):
        relative = str(path.relative_to(ROOT))
        for name, body in re.findall(r"\bconst (?:struct )?\w+ \*?(\w+)(?:\[[^\]]*\])+ = \{(.*?)\};",
                                     source(relative), flags=re.S):
            if len(integers(body)) >= 4 and name not in DERIVED_IN_C:
                same(f"{relative}: table {name} is derived here", (relative, name) in reviewed, True)


# ---- fields (01) ----


def carryless(a, b):
    product = 0
    while b:
        low = b & -b
        product ^= a * low
        b ^= low
    return product


def reduce(a, modulus):
    while a.bit_length() >= modulus.bit_length():
        a ^= modulus << (a.bit_length() - modulus.bit_length())
    return a


class Field:
    def __init__(self, modulus):
        self.modulus = modulus
        self.log_size = modulus.bit_length() - 1

    def mul(self, a, b):
        return reduce(carryless(a, b), self.modulus)

    def power(self, a, n):
        result = 1
        while n:
            if n & 1:
                result = self.mul(result, a)
            a = self.mul(a, a)
            n >>= 1
        return result

    def inverse(self, a):
        return self.power(a, (1 << self.log_size) - 2)

    def product(self, values):
        result = 1
        for value in values:
            result = self.mul(result, value)
        return result


F8 = Field(0x11B)
F = Field(1 << 128 | 0x87)

# The root of Y^8 + Y^4 + Y^3 + Y + 1 that the protocol chose among eight (1.4).
PHI_ALPHA = 0x0DCB364640A222FE << 64 | 0x6B8330483C2E9849


def phi(byte):
    return xor(F.power(PHI_ALPHA, i) for i in range(8) if byte >> i & 1)


def xor(values):
    result = 0
    for value in values:
        result ^= value
    return result


def check_embedding():
    a = PHI_ALPHA
    same("phi: the image of x is a root", xor(F.power(a, i) for i in (8, 4, 3, 1, 0)), 0)
    same("phi8_basis", pairs(table("src/field/gf8.c", "phi8_basis")),
         [F.power(a, i) for i in range(8)])
    for x, y in ((0x57, 0x13), (0x02, 0x8D), (0xFF, 0xF1)):
        same("phi is multiplicative", F.mul(phi(x), phi(y)), phi(F8.mul(x, y)))


def check_skip_domain():
    path = "src/field/skip_domain.c"
    nodes = range(64)
    shift = enumerator(path, "LAMBDA_SHIFT")
    same("LAMBDA_SHIFT", shift, 64)
    d = F8.product(nodes[1:])
    mu = F8.product(shift ^ s for s in nodes)
    same("INVERSE_D", enumerator(path, "INVERSE_D"), F8.inverse(d))
    same("MU", enumerator(path, "MU"), mu)
    same("INVERSE_MU", enumerator(path, "INVERSE_MU"), F8.inverse(mu))
    # prod (X + s) over S, coefficients from the lowest.
    polynomial = [1]
    for s in nodes:
        polynomial = [F8.mul(s, low) ^ high for low, high in
                      zip(polynomial + [0], [0] + polynomial)]
    same("Z_S is linearized", {i for i, c in enumerate(polynomial) if c}, {1 << i for i in range(7)})
    same("vanishing", table(path, "vanishing"), [polynomial[1 << i] for i in range(7)])
    # Lagrange polynomial of node k on S at the node shift + i: what maps bits on S to Lambda (1.8).
    for i, k in ((0, 0), (1, 0), (5, 37), (63, 1)):
        numerator = F8.product(shift ^ i ^ s for s in nodes if s != k)
        denominator = F8.product(k ^ s for s in nodes if s != k)
        same("skip_extension", table("src/field/gf8.c", "skip_extension")[i ^ k],
             F8.mul(numerator, F8.inverse(denominator)))
    kappa = F8.mul(mu, F8.inverse(d))
    same("skip_extension", table("src/field/gf8.c", "skip_extension"),
         [F8.mul(kappa, F8.inverse(shift ^ x)) for x in nodes])


def check_skip_matrices():
    # x^16 + sum_j x^j phi(c_j) = 0: the polynomial of the conjugates of x over phi(GF(2^8)).
    path = "src/backend/x86/skip_basis.h"
    minimal = [1]
    conjugate = 2
    for _ in range(16):
        minimal = [xor(pair) for pair in zip([0] + minimal,
                                             [F.mul(conjugate, c) for c in minimal] + [0])]
        conjugate = F.power(conjugate, 256)
    same("x^256^16 is x", conjugate, 2)
    same("x_to_16", [phi(c) for c in table(path, "x_to_16")], minimal[:16])
    # Two different sets of three bits without a common one.
    disjoint = [(a, c) for a in range(8) for c in range(a + 1, 8) if a & c == 0]
    found = table("src/backend/x86/skip_matrices.h", "skip_pairs")
    same("skip_pairs", list(zip(found[::2], found[1::2])), disjoint)


def check_friendly_point():
    small = [phi(F8.mul(x, F8.inverse(1 ^ x))) for x in (F8.power(2, 1 << i) for i in range(3))]
    medium = [F.mul(x, F.inverse(1 ^ x)) for x in (F.power(2, 1 << i) for i in range(4))]
    same("friendly_point", pairs(table("src/field/skip_domain.c", "friendly_point")),
         small + medium)
    # Why these: their eq tables are powers of phi(x) and gamma up to a factor, and the 128 products
    # are a basis of the field (1.10).
    eq = [1]
    for r in small + medium:
        eq = [F.mul(1 ^ r, e) for e in eq] + [F.mul(r, e) for e in eq]
    same("eq of the small part", eq[1], F.mul(eq[0], PHI_ALPHA))
    same("eq of the medium part", eq[8], F.mul(eq[0], 2))
    basis = []
    for value in eq:
        for b in basis:
            value = min(value, value ^ b)
        if value:
            basis.append(value)
    same("rank of the eq table", len(basis), 128)


def check_subspaces():
    """subspace_step[b] = W_b(beta_b)^2 / W_{b+1}(beta_{b+1}), beta_i = gamma^i (1.9.1)."""
    found = pairs(table("src/code/additive_ntt.c", "subspace_step"))
    log = len(found) + 1
    values = [1 << i for i in range(log)]  # W_b(beta_i), at first b = 0
    normalisers = []
    for b in range(log):
        n = values[b]
        normalisers.append(n)
        values = [F.mul(v, v ^ n) for v in values]
    same("first normalisers", normalisers[:4], [1, 0x6, 0x168, 0x1166880])
    same("subspace_step", found,
         [F.mul(F.mul(n, n), F.inverse(after)) for n, after in zip(normalisers, normalisers[1:])])


# ---- hash functions (FIPS 180-4, FIPS 202, BLAKE3) ----


def primes():
    return (n for n in count(2) if all(n % d for d in range(2, math.isqrt(n) + 1)))


def root_fraction(n, degree):
    """The first 32 bits of the fractional part of a root of n."""
    scaled = n << (32 * degree)
    low, high = 0, 1 << 64
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= scaled else (low, middle)
    return low & 0xFFFFFFFF


SHA256_IV = [root_fraction(p, 2) for p in islice(primes(), 8)]
SHA256_K = [root_fraction(p, 3) for p in islice(primes(), 64)]
BLAKE3_PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]


def keccak_round_constants():
    lfsr = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if lfsr & 1:
                constant |= 1 << ((1 << j) - 1)
            lfsr = reduce(lfsr << 1, 0x171)
        yield constant


def keccak_rotations():
    rotations = [0] * 25
    x, y = 1, 0
    for t in range(24):
        rotations[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return rotations


def blake3_schedule():
    order = list(range(16))
    for _ in range(7):
        yield order
        order = [order[p] for p in BLAKE3_PERMUTATION]


def check_hashes():
    same("sha256_initial", table("src/hash/sha256.c", "sha256_initial"), SHA256_IV)
    same("sha256_round_constants", table("src/hash/sha256.c", "sha256_round_constants"), SHA256_K)
    same("blake3_iv", table("src/hash/blake3.c", "blake3_iv"), SHA256_IV)
    same("blake3_message_schedule", table("src/hash/blake3.c", "blake3_message_schedule"),
         [i for order in blake3_schedule() for i in order])
    same("keccak_round_constants", table("src/hash/keccak.c", "keccak_round_constants"),
         list(keccak_round_constants()))
    same("keccak_rotations", table("src/hash/keccak.c", "keccak_rotations"), keccak_rotations())


# ---- circuits (06): rows are sets of columns, here the bits of an integer ----


class Rows:
    def __init__(self, k_log, one):
        self.k_log, self.one = k_log, one
        self.a, self.b = [0] * (1 << k_log), [0] * (1 << k_log)
        self.set(one, 1 << one, 1 << one)

    def set(self, row, a, b):
        self.a[row], self.b[row] = a, b

    def column(self, base):
        return [1 << (base + i) for i in range(32)]

    def constant(self, value):
        return [(value >> i & 1) << self.one for i in range(32)]

    def free(self, base, n):
        for row in range(base, base + n):
            self.set(row, 1 << row, 1 << self.one)

    def store(self, base, word):
        for i, form in enumerate(word):
            self.set(base + i, form, 1 << self.one)
        return self.column(base)

    def add(self, x, y, base):
        carry, total = 0, []
        for i in range(32):
            total.append(x[i] ^ y[i] ^ carry)
            if i < 31:
                self.set(base + i, x[i] ^ carry, y[i] ^ carry)
                carry ^= 1 << (base + i)
        return total

    def identifier(self, useful):
        """(9.3): hash of the shape and of both matrices, row by row."""
        header = [self.k_log, 6, useful, self.one + 1]
        digest = hashlib.sha256(b"flock-c-circuit-v1" + array("Q", header).tobytes())
        for matrix in (self.a, self.b):
            digest.update(array("Q", [1 << self.k_log] * 2).tobytes())
            for row in matrix:
                # The distances between the set bits of the row, summed up.
                gaps = bin(row)[:1:-1].split("1")[:-1]
                columns = list(accumulate(gaps, lambda at, gap: at + len(gap) + 1, initial=-1))[1:]
                digest.update(array("Q", [len(columns), *columns]).tobytes())
        return digest.hexdigest()


def add_words(*words):
    return [xor(forms) for forms in zip(*words)]


def rotate(word, n):
    return word[n:] + word[:n]


def shift(word, n):
    return word[n:] + [0] * n


def sha256_circuit():
    r = Rows(15, 31400)
    r.free(0, 256)
    r.free(512, 512)
    w = [r.column(512 + 32 * i) for i in range(16)]
    for t in range(16, 64):
        p = 20544 + 93 * (t - 16)
        s1 = add_words(rotate(w[t - 2], 17), rotate(w[t - 2], 19), shift(w[t - 2], 10))
        s0 = add_words(rotate(w[t - 15], 7), rotate(w[t - 15], 18), shift(w[t - 15], 3))
        u = r.add(r.add(r.add(s1, w[t - 7], p), s0, p + 31), w[t - 16], p + 62)
        w.append(r.store(19008 + 32 * (t - 16), u))
    a, b, c, d, e, f, g, h = (r.column(32 * i) for i in range(8))
    for i in range(64):
        p, ch, mj = 5120 + 217 * i, 1024 + 32 * i, 3072 + 32 * i
        for j in range(32):
            r.set(ch + j, e[j], f[j] ^ g[j])
            r.set(mj + j, a[j] ^ b[j], a[j] ^ c[j])
        u = r.add(h, add_words(rotate(e, 6), rotate(e, 11), rotate(e, 25)), p)
        u = r.add(u, add_words(r.column(ch), g), p + 31)
        u = r.add(u, r.constant(SHA256_K[i]), p + 62)
        t1 = r.store(25008 + 32 * i, r.add(u, w[i], p + 93))
        t2 = r.add(add_words(rotate(a, 2), rotate(a, 13), rotate(a, 22)),
                   add_words(r.column(mj), a), p + 124)
        new_e = r.store(27056 + 32 * i, r.add(d, t1, p + 155))
        new_a = r.store(29104 + 32 * i, r.add(t1, t2, p + 186))
        a, b, c, d, e, f, g, h = new_a, a, b, c, new_e, e, f, g
    for i, word in enumerate((a, b, c, d, e, f, g, h)):
        r.store(256 + 32 * i, r.add(word, r.column(32 * i), 31152 + 31 * i))
    return r


def blake3_lanes():
    columns = [[i, 4 + i, 8 + i, 12 + i] for i in range(4)]
    diagonals = [[i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4] for i in range(4)]
    return columns + diagonals


def blake3_circuit():
    r = Rows(14, 512)
    r.free(0, 256)
    r.free(513, 640)
    v = [r.column(32 * i) for i in range(8)]
    v += [r.constant(SHA256_IV[i]) for i in range(4)]
    v += [r.column(1025 + 32 * i) for i in range(4)]
    for number, order in enumerate(blake3_schedule()):
        for q, (a, b, c, d) in enumerate(blake3_lanes()):
            p = 1153 + 250 * (8 * number + q)
            mx, my = (r.column(513 + 32 * order[2 * q + i]) for i in (0, 1))
            a1 = r.add(r.add(v[a], v[b], p), mx, p + 31)
            d1 = rotate(add_words(v[d], a1), 16)
            c1 = r.add(v[c], d1, p + 62)
            b1 = rotate(add_words(v[b], c1), 12)
            v[a] = r.add(r.add(a1, b1, p + 93), my, p + 124)
            d2 = rotate(add_words(d1, v[a]), 8)
            v[c] = r.add(c1, d2, p + 155)
            v[b] = r.store(p + 186, rotate(add_words(b1, v[c]), 7))
            v[d] = r.store(p + 218, d2)
    for i in range(8):
        r.store(256 + 32 * i, add_words(v[i], v[i + 8]))
        r.store(15153 + 32 * i, add_words(v[i + 8], r.column(32 * i)))
    return r


def stored_identifier(path):
    match = re.search(r"\.id = \{(.*?)\}", source(path), flags=re.S)
    return bytes(integers(match.group(1))).hex()


def check_circuits():
    same("blake3_lanes", table("src/circuit/blake3_columns.h", "blake3_lanes"),
         [i for lane in blake3_lanes() for i in lane])
    for name, rows, useful in (("sha256", sha256_circuit(), 31401),
                               ("blake3", blake3_circuit(), 15409)):
        header, prefix = f"src/circuit/{name}_columns.h", name.upper()
        same(f"{name}: no row behind the useful ones", max(i for i, a in enumerate(rows.a) if a),
             useful - 1)
        same(f"{name}: k_log", enumerator(header, f"{prefix}_K_LOG"), rows.k_log)
        same(f"{name}: constant wire", enumerator(header, f"{prefix}_ONE"), rows.one)
        same(f"{name}: useful bits", enumerator(header, f"{prefix}_USEFUL_BITS"), useful)
        same(f"{name}: identifier", stored_identifier(f"src/circuit/{name}_circuit.c"),
             rows.identifier(useful))


# ---- parameters of the opening (03, 3.9; 09, 9.8) ----

ETA = 0.02
TARGET = {"fast": 100, "slim": 100, "secure": 120}
QUERY_GRINDING = {"fast": 0, "slim": 16, "secure": 0}


class Level:
    """One level: log2 of inverse rate, message length, lanes; the rest follows."""

    def __init__(self, profile, r, c, k):
        self.profile, self.r, self.c, self.k = profile, r, c, k
        self.unique = profile == "secure"
        self.rate, self.n = 2.0**-r, 2.0 ** (c + r)
        self.g, self.target = QUERY_GRINDING[profile], TARGET[profile]
        if self.unique:
            delta = 1 - self.rate
            self.gamma = delta / 2 - 3 / (delta * self.n)
            self.list_size = 1.0
        else:
            self.gamma = 1 - math.sqrt(self.rate) - ETA
            self.list_size = 1 / (2 * ETA * math.sqrt(self.rate))
        self.per_query = -math.log2(1 - self.gamma)
        self.queries = math.ceil(max(self.target - self.g, 1) / self.per_query)
        self.samples = 0
        self.h = 0

    def exceptional(self, rate=None):
        """How many points of a line the proximity gap has to leave out."""
        if self.unique:
            return self.gamma * self.n + 1
        rate = self.rate if rate is None else rate
        distance = 1 - math.sqrt(rate) - self.gamma
        mu = max(math.ceil(math.sqrt(rate) / (2 * distance)), 3) + 0.5
        return ((2 * mu**5 + 3 * mu * self.gamma * rate) / (3 * rate**1.5) * self.n
                + mu / math.sqrt(rate))

    def fold_grinding(self, row_union, reduced_rate):
        bits = 128 - math.log2(self.exceptional())
        if reduced_rate:
            reduced = (2.0**self.c - 1) / self.n
            bits = min(bits, 128 - math.log2(self.exceptional(reduced)))
        if row_union or not self.unique:
            bits -= self.k - 1
        return max(0, math.ceil(self.target - bits))

    def sample_bits(self, s):
        log_list, log_d = math.log2(self.list_size), math.log2(self.c + self.k)
        return 128 - log_list - log_d if s == 0 else s * (128 - log_d) - (2 * log_list - 1)


def enough_positions(profile, r, c):
    delta = 1 - 2.0**-r
    gamma = delta / 2 if profile == "secure" else 1 - math.sqrt(2.0**-r) - ETA
    needed = max(TARGET[profile] + 5 - QUERY_GRINDING[profile], 1) / -math.log2(1 - gamma)
    return 2 ** (c + r) >= math.ceil(needed)


def derive(fmt, m, profile):
    small = m < 22
    k = 3 if small else 6
    r = {"fast": 4, "slim": 4, "secure": 3}[profile] if small else {"fast": 1, "slim": 2,
                                                                    "secure": 1}[profile]
    c = m - 7 - k
    while small and not enough_positions(profile, r, c):
        r += 1
    levels = []
    while True:
        level = Level(profile, r, c, k)
        level.samples = 0 if not levels or level.unique else next(
            s for s in range(1, 9) if level.sample_bits(s) >= level.target)
        level.h = level.fold_grinding(row_union=small or fmt == "native",
                                      reduced_rate=not level.unique and not small
                                      and fmt == "native")
        levels.append(level)
        if c <= 5:
            return levels
        k = 3
        c -= 3
        r = next(x for x in range(r + 1, 21) if enough_positions(profile, x, c))


def witness_terms(m, list_size):
    """(9.9), with the largest value over circuits and relations of this m."""
    n = max(m - 14, 3)
    return [
        ("zerocheck r", 1, (list_size + 1) * max(m - 13, 1)),
        ("zerocheck z", 1, 126 * list_size),
        ("zerocheck rho", m - 6, 2 * list_size),
        ("pin", 1, n * list_size),
        ("lincheck alpha, beta", 2, list_size),
        ("lincheck tau", 11, 2 * list_size),
        ("lincheck s", 1, 63 * list_size),
        ("glue tau_pos", 1, 4 * list_size),
        ("glue tau", 1, n * list_size),
        ("glue alpha", 1, list_size),
        ("glue round", n + 2, 3 * list_size),
        ("tail tau_msg", 1, 2 * list_size),
        ("initial value r_iv", 1, n * list_size),
        ("ring switching r''", 2, 7 * list_size),
        ("claim batching gamma", 6, list_size),
    ]


def level_terms(levels):
    for i, level in enumerate(levels):
        for j in range(level.k):
            error = 2 * level.list_size + 2 ** (level.k - 1 - j) * level.exceptional()
            yield "proximity gap", i, j, 128 - math.log2(error) + max(0, level.h - j)
        if level.samples:
            yield "out-of-domain sample", i, None, level.sample_bits(level.samples)
        yield "queries", i, None, level.queries * level.per_query + level.g
        after = levels[i + 1].list_size if i + 1 < len(levels) else 1
        batching = math.ceil(math.log2(level.queries)) * after
        yield "query batching alpha", i, None, 128 - math.log2(batching)
        yield "query batching beta", i, None, 128 - math.log2(after)


def check_parameters(program):
    table("src/pcs/params.c", "table")
    table("src/pcs/params.c", "native_secure_h")
    for fmt in ("native", "reference"):
        for m in range(13 if fmt == "native" else 22, 36):
            for profile in TARGET:
                words = [program, "params", "--m", str(m), "--mode", profile, "--format", fmt]
                output = subprocess.run([*words, "--json"], check=True, capture_output=True)
                check_profile(fmt, m, profile, json.loads(output.stdout))


def check_profile(fmt, m, profile, found):
    what = f"{fmt} {profile} m={m}"
    levels = derive(fmt, m, profile)
    names = ("log_inv_rate", "log_message", "log_lanes", "queries", "query_pow", "fold_pow",
             "ood_samples")
    same(f"{what}: levels", found["parameters"]["levels"],
         [dict(zip(names, (x.r, x.c, x.k, x.queries, x.g, x.h, x.samples))) for x in levels])
    same(f"{what}: residual", found["parameters"]["log_residual"], levels[-1].c)
    same(f"{what}: elements", found["parameters"]["log_elements"], m - 7)
    terms = [(name, None, None, times, 128 - math.log2(error))
             for name, times, error in witness_terms(m, levels[0].list_size)]
    terms += [(name, level, fold, 1, bits) for name, level, fold, bits in level_terms(levels)]
    security = found["security"]
    shown = [(t["name"], t["level"], t["fold"], t["count"], round(t["bits"], 2))
             for t in security["terms"]]
    same(f"{what}: error terms", [t[:4] for t in shown], [t[:4] for t in terms])
    same(f"{what}: error bits",
         [t[:4] for t, e in zip(shown, terms) if abs(t[4] - e[4]) > 0.0051], [])
    weakest = min(t[4] for t in terms)
    union = -math.log2(sum(t[3] * 2 ** -t[4] for t in terms))
    same(f"{what}: weakest", abs(security["minimum_bits"] - weakest) < 0.001, True)
    same(f"{what}: union", abs(security["union_bits"] - union) < 0.001, True)
    promised = 115 if fmt == "reference" and profile == "secure" else TARGET[profile]
    same(f"{what}: reaches its target", weakest >= promised - 0.01, True)


def check_shuffles():
    """Indices of bytes 0, then 1, of eight 64-bit words."""
    same("first_bytes", table("src/backend/arm64/neon_linear_prove.c", "first_bytes"),
         [8 * word + byte for byte in (0, 1) for word in range(8)])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check_embedding()
    check_skip_domain()
    check_skip_matrices()
    check_friendly_point()
    check_subspaces()
    check_hashes()
    check_circuits()
    check_parameters(f"{sys.argv[1]}/flock_chain")
    check_shuffles()
    check_nothing_is_left_out()
    print(f"constants: {checks} comparisons, {failures} failed; {len(reviewed)} tables")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
