# Two commands from nothing: `make demo` solves an instance, `make test` checks everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := src/warptour/kernels
SOURCES := $(shell find $(KERNELS) -name "*.[ch]") $(KERNELS)/build.py
# Tests run side by side, one worker a core; neighbours share fixtures, and who is done takes from the others.
JOBS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# Tests start hundreds of processes: what Python compiles is kept, beside the environment, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode

# What tests may not skip for want of: make test REQUIRE="opencl nvrtc data".
REQUIRE ?=
# What `make test` leaves out: long sweeps, most cases of tests with many, and what needs large libraries.
CHOSEN := not long
HEAVY := ray yosys
# Random problems that each fuzzer solves under a sanitizer.
EXAMPLES ?= 100
SANITIZE := sanitize-undefined sanitize-address sanitize-thread

.PHONY: demo test test-all test-long test-heavy builds faults native docs wheels release sanitize $(SANITIZE) lint types suite clean

demo: $(VENV)/.installed
	$(BIN)/warptour demo

# mypy beside pytest.
test: lint
	$(MAKE) --no-print-directory --jobs 2 types suite

suite: $(VENV)/.dev
	$(PYTEST) -m "$(CHOSEN)" $(addprefix --require ,$(REQUIRE))

# Everything that this machine can run: with long sweeps, Ray and Yosys, and no golden run left out.
test-all: lint $(VENV)/.heavy
	$(MAKE) --no-print-directory --jobs 2 types suite CHOSEN= REQUIRE="$(REQUIRE) $(HEAVY) golden"

# Only what `make test` leaves out for its length.
test-long:
	$(MAKE) --no-print-directory suite CHOSEN=long

# Only what needs the large libraries, with them; one after the other, as each uses all cores.
test-heavy: $(VENV)/.heavy
	$(BIN)/python -m pytest -m heavy --durations=0 $(addprefix --require ,$(REQUIRE) $(HEAVY))

# Compile every set of options that engines choose for CUDA, for three architectures: 20 minutes of one core, no GPU.
builds: $(VENV)/.dev
	$(PYTEST) --every-build --require nvrtc tests/kernels/test_cuda.py

# Plant faults in copies of the tree and see that tests notice them: half an hour. FAULTS="cools islands" chooses by
# words of their names.
FAULTS ?=
faults: $(VENV)/.dev
	$(BIN)/python tests/planted/plant.py $(FAULTS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

# Build the library in place; needs a C compiler, but no environment and no installation.
native:
	$(PYTHON) $(KERNELS)/build.py

# The documentation as a site, in site/; any link that leads nowhere is an error. To read it, search included:
# python3 -m http.server --directory site
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# One wheel per platform in dist/, cross-compiled and checked; PLATFORMS chooses some.
wheels: $(VENV)/.release
	$(BIN)/python release/wheels.py $(PLATFORMS)

# Everything to publish, in dist/: source distribution, wheels, checksums.
release: $(VENV)/.release
	rm -rf dist
	$(BIN)/python -m hatchling build --target sdist --directory dist
	$(BIN)/python release/wheels.py
	$(BIN)/twine check --strict dist/*
	cd dist && sha256sum warptour* > SHA256SUMS

# Tests of the native library under sanitizers. All three run, whichever fails; make's exit status tells.
sanitize: $(VENV)/.dev
	$(MAKE) --keep-going $(SANITIZE)

sanitize-undefined: $(VENV)/.dev
	$(BIN)/python tests/sanitized.py address,undefined --examples $(EXAMPLES) \
		tests/kernels tests/tours/engine tests/routes/engine tests/roads/test_hierarchy.py tests/papers/scans tests/papers/*/engine \
		tests/strategies/test_fuzz.py

# The last two are optimised as for users.
sanitize-address: $(VENV)/.dev
	$(BIN)/python tests/sanitized.py address --examples $(EXAMPLES) -m 'sanitize_quick or threads' tests

sanitize-thread: $(VENV)/.dev
	$(BIN)/python tests/sanitized.py thread --examples $(EXAMPLES) -m threads tests

clean:
	rm -rf $(VENV) build dist site .pytest_cache .ruff_cache .mypy_cache .hypothesis
	rm -rf $(KERNELS)/lib $(KERNELS)/lib-sanitize-*
	find src tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "warptour needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml hatch_build.py $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

$(VENV)/.heavy: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --group heavy
	@touch $@

$(VENV)/.release: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --group release
	@touch $@
