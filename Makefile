# Two commands from nothing: `make demo` solves an instance, `make test` checks everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := src/warptour/kernels
SOURCES := $(wildcard $(KERNELS)/*.c $(KERNELS)/*.h) $(KERNELS)/build.py
# Tests run side by side, one worker a core.
JOBS ?= auto

.PHONY: demo test native sanitize lint clean

demo: $(VENV)/.installed
	$(BIN)/warptour demo

test: lint
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# Build the library in place; needs a C compiler, but no environment and no installation.
native:
	$(PYTHON) $(KERNELS)/build.py

# The tests of kernels and engines under the address and undefined-behaviour sanitizers, the threaded ones under the thread sanitizer.
sanitize: $(VENV)/.dev
	$(BIN)/python tests/sanitized.py address,undefined tests/kernels tests/engines
	$(BIN)/python tests/sanitized.py thread tests -m threads

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
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
