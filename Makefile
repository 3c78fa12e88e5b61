# Everything runs in a virtual environment of its own, made on first use:
# a machine needs python3 (3.11 or newer) and make.

PYTHON ?= python3
VENV ?= .venv
PYTEST_FLAGS ?=
PYTEST_JOBS ?= auto
LIT_FLAGS ?= -v
BENCH_FLAGS ?= --output docs/performance.md
FUZZ_FLAGS ?= --seed 0 --count 50000 --jobs 2

# The tests start thousands of processes; without bytecode, each compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE

BIN := $(VENV)/bin
# One environment, and a stamp for each set of packages in it.
DEMO := $(VENV)/installed-demo
INSTALLED := $(VENV)/installed
DOCS := $(VENV)/installed-docs
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-compile

.DEFAULT_GOAL := help

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

demo: $(DEMO) ## run examples/mlp.mlir from tensors to numbers
	@$(BIN)/python examples/demo.py

test: pytest filecheck ## all tests

pytest: $(INSTALLED) ## unit, execution and comparison tests
	$(BIN)/python -m pytest -n $(PYTEST_JOBS) --dist loadfile \
		--no-loadscope-reorder $(PYTEST_FLAGS)

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

site: $(DOCS) ## build the documentation as a web site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	$(BIN)/python scripts/check_site.py site
	$(BIN)/python scripts/open_site.py site

wheel: $(INSTALLED) ## build sdist and wheel, and try them in a clean environment
	$(BIN)/python scripts/try_wheel.py

bench: $(INSTALLED) ## measure against mlir-opt and xDSL, write docs/performance.md
	$(BIN)/python -m benchmarks $(BENCH_FLAGS)

fuzz: $(INSTALLED) ## check 50,000 random programs, an hour or more; Ctrl-C stops, make fuzz resumes
	$(BIN)/python -m tests.random_programs --check mixed $(FUZZ_FLAGS)

install: $(INSTALLED) ## make the virtual environment

# What running programs needs and no more: pip is not part of it.
$(DEMO): pyproject.toml
	@$(MAKE) --no-print-directory environment
	@echo "Installing xDSL, llvmlite and NumPy in $(VENV), about 80 MB to download ..."
	@$(PIP_INSTALL) -e '.[jit]'
	@test -e $(INSTALLED) || $(BIN)/python -m pip uninstall --quiet --yes pip setuptools
	@touch $@

$(INSTALLED): pyproject.toml
	@$(MAKE) --no-print-directory environment
	@echo "Installing the development tools in $(VENV) ..."
	@$(PIP_INSTALL) --quiet -e '.[dev]'
	@touch $(DEMO) $@

$(DOCS): $(INSTALLED)
	@echo "Installing what builds the site in $(VENV) ..."
	@$(PIP_INSTALL) --quiet -e '.[docs]'
	@touch $@

# An empty environment, or pip for one that has none.
environment:
	@$(PYTHON) -c 'import sys; sys.exit("$(PYTHON) is %d.%d, but 3.11 or newer is needed: set PYTHON" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)

clean: ## remove the virtual environment and what tools left behind
	rm -rf $(VENV) build dist site .pytest_cache .ruff_cache .hypothesis *.egg-info

.PHONY: help demo test pytest filecheck guest lint docs site wheel bench fuzz install environment clean
