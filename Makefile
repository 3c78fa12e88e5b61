# Everything runs in a virtual environment of its own, made on first use:
# a machine needs python3 (3.11 or newer) and make.

PYTHON ?= python3
VENV ?= .venv
PYTEST_FLAGS ?=
PYTEST_JOBS ?= auto
LIT_FLAGS ?= -v
BENCH_FLAGS ?= --output docs/performance.md
FUZZ_FLAGS ?= --seed 0 --count 50000 --jobs 2

BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.DEFAULT_GOAL := help

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

demo: $(INSTALLED) ## run examples/mlp.mlir from tensors to numbers
	@$(BIN)/python examples/demo.py

test: pytest filecheck ## all tests

pytest: $(INSTALLED) ## unit, execution and comparison tests
	$(BIN)/python -m pytest -n $(PYTEST_JOBS) --dist loadfile $(PYTEST_FLAGS)

filecheck: $(INSTALLED) ## tests of xdsl-opt's output
	$(BIN)/lit $(LIT_FLAGS) tests/filecheck

guest: $(INSTALLED) ## xDSL's own FileCheck tests, with this package installed
	$(BIN)/python -m tests.guest.xdsl_suite

lint: $(INSTALLED) ## style, types, generated documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/python scripts/generate_pass_docs.py --check
	$(BIN)/python scripts/generate_mlir_differences.py --check

docs: $(INSTALLED) ## write the generated pages of docs/
	$(BIN)/python scripts/generate_pass_docs.py
	$(BIN)/python scripts/generate_mlir_differences.py

bench: $(INSTALLED) ## measure against mlir-opt and xDSL, write docs/performance.md
	$(BIN)/python -m benchmarks $(BENCH_FLAGS)

fuzz: $(INSTALLED) ## check 50,000 random programs, an hour or more; Ctrl-C stops, make fuzz resumes
	$(BIN)/python -m tests.random_programs --check mixed $(FUZZ_FLAGS)

install: $(INSTALLED) ## make the virtual environment

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("$(PYTHON) is %d.%d, but 3.11 or newer is needed: set PYTHON" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

clean: ## remove the virtual environment and what tools left behind
	rm -rf $(VENV) build .pytest_cache .ruff_cache .hypothesis *.egg-info

.PHONY: help demo test pytest filecheck guest lint docs bench fuzz install clean
