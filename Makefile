# The verbs of the house. `make` alone lists them.
#
#   make test PYTHON=python3.12    use another interpreter for a new .venv
#   make test WORKERS=4            more test processes
#   make test ARGS="tests/losses"  only some of the tests

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
ARGS ?=

python := $(VENV)/bin/python
pip := $(python) -m pip --disable-pip-version-check --quiet
# An environment with the oldest versions that pyproject.toml allows, and what is run
# there: how tables and models come in and go out, and a whole run of the command.
lowest := .venv-lowest
quick := tests/compiled tests/data tests/features tests/persistence tests/cli \
  tests/learn/test_learn.py tests/learn/test_predictions_of_any_model.py \
  tests/models/test_same_answers_as_scikit_learn.py tests/test_shop_window.py
ledger := .pytest_cache/syllabus.json

# Another activated environment, or a pip configured for one, must not leak in.
unexport VIRTUAL_ENV PYTHONHOME PYTHONPATH CONDA_PREFIX
unexport PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV

.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help setup test lowest check bench conformance fuzz walks mutants syllabus clean \
  browser

help: ## list the verbs
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) \
	  | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

setup: $(VENV)/.with-test ## make .venv and install Infimum with what its tests need

# Each test process gets one BLAS thread, since there are several of them, and two
# numba threads, since the loops must be right when they really run side by side.
test: export OMP_NUM_THREADS ?= 1
test: export OPENBLAS_NUM_THREADS ?= 1
test: export NUMBA_NUM_THREADS ?= 2
test: setup browser ## set everything up and run all tests
	@$(python) -m pytest -q -n $(WORKERS) --dist worksteal $(or $(ARGS),--syllabus=$(ledger))

# Machine code of the oldest numba is kept apart, so that it does not displace today's.
lowest: export OMP_NUM_THREADS ?= 1
lowest: export OPENBLAS_NUM_THREADS ?= 1
lowest: export NUMBA_NUM_THREADS ?= 2
lowest: export NUMBA_CACHE_DIR := $(CURDIR)/$(lowest)/machine-code
lowest: $(lowest)/.ready ## quick tests with the oldest versions that are allowed
	@$(lowest)/bin/python -m pytest -q -p no:cacheprovider -n $(WORKERS) \
	  --dist worksteal $(or $(ARGS),$(quick))

# Types take the longest and one core: the other looks at layers and rules meanwhile.
check: setup ## lint, format, types, layers, house rules
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	@$(python) -m mypy & types=$$!; failed=0; \
	  $(python) -c "from importlinter.cli import lint_imports_command as c; c()" \
	    || { echo "The layers of pyproject.toml are broken; see above."; failed=1; }; \
	  $(python) -m pytest -q tests/test_house_rules.py || failed=1; \
	  wait $$types && [ $$failed = 0 ]

bench: $(VENV)/.with-bench ## time Infimum against its peers (ARGS="ridge --quick")
	@$(python) -m benchmarks $(ARGS)

conformance: $(VENV)/.with-test ## scikit-learn's own tests on our classes (ARGS="svm")
	@$(python) -m benchmarks.conformance --workers $(WORKERS) $(ARGS)

# The child processes that meet the forged files check every index of every loop.
fuzz: $(VENV)/.with-test ## forge model files, load them, ask them (ARGS="--cases 100000")
	@$(python) -m benchmarks.fuzz $(ARGS)

walks: $(VENV)/.with-test ## how far one walks who follows five fits (ARGS="SVC --keep")
	@$(python) -m benchmarks.walks $(ARGS)

mutants: $(VENV)/.with-test ## would the tests notice? (ARGS="--count 50 --only losses")
	@$(python) -m benchmarks.mutants $(ARGS)

syllabus: setup ## how much of the syllabus the last `make test` covered
	@$(python) -m infimum.syllabus $(ARGS)

clean: ## remove the environment, caches and everything built
	rm -rf $(VENV) $(lowest) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf src/infimum/compiled/machine_code

$(python):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Infimum needs Python 3.11 or newer: make PYTHON=/path/to/python"; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "python3 -m venv failed: on Debian, install python3-venv"; exit 1; }

# The stamp is younger than pyproject.toml when the environment matches it.
$(VENV)/.with-%: pyproject.toml | $(python)
	@echo "Installing Infimum with the extra '$*' into $(VENV)"
	@$(pip) install --editable '.[$*]'
	@touch $@

$(lowest)/.ready: pyproject.toml .ci/lowest.py
	@echo "Making $(lowest) with $$($(PYTHON) --version) and the oldest versions"
	@$(PYTHON) -m venv --clear $(lowest)
	@$(PYTHON) .ci/lowest.py >$(lowest)/versions.txt
	@$(lowest)/bin/python -m pip --disable-pip-version-check --quiet install \
	  --constraint $(lowest)/versions.txt --editable '.[test]'
	@touch $@

browser:
	@sh -c 'command -v chromium || command -v chromium-browser \
	  || command -v google-chrome || command -v google-chrome-stable' >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && echo "Installing chromium, which looks at the reports" \
	    && apt-get update -qq >/dev/null \
	    && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	      --no-install-recommends chromium >/dev/null; } \
	  || echo "No browser: install chromium, or the tests that look at reports fail."
