# Shortcuts; the build itself is CMakeLists.txt (see also CMakePresets.json).

PREFIX ?= /usr/local
BUILD  := build/release
DEMO   := $(BUILD)/demo.flock

# Seconds for each fuzzer.
FUZZ_SECONDS ?= 60

.PHONY: build demo check bench format fuzz manual docs debian install clean deps deps-check

build:
	@cmake --preset release
	@cmake --build --preset release

# Prove 1024 steps of BLAKE3 and verify the proof.
demo: deps
	@cmake --preset release >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset release --target flock_chain
	$(BUILD)/flock_chain prove --hash blake3 --steps 1024 --seed 0x2a --out $(DEMO)
	$(BUILD)/flock_chain verify --in $(DEMO) --expect-hash blake3 --expect-steps 1024

# All that continuous integration checks.
check: deps-check
	@scripts/check.sh

# The tables of README.md and docs/performance.md.
bench: build
	@scripts/bench.sh

format:
	scripts/format.sh

# Run every fuzzer for a while on proofs of the test vectors; ends with an error at a finding.
fuzz: deps
	@scripts/fuzz.sh $(FUZZ_SECONDS)

# Write man/*.1 and completions/* again from the help texts of the programs.
manual: build
	scripts/manual.py $(BUILD)

# The manual of the library, from its headers.
docs:
	scripts/api_manual.py build/docs
	@echo "build/docs/index.html"

# Debian packages in build/debian/.
debian: deps-check
	@scripts/debian.sh

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build

deps:
	@scripts/install-deps.sh
	@mkdir -p build

deps-check:
	@scripts/install-deps.sh --check
	@mkdir -p build
