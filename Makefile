# Two commands do everything on a fresh machine with Python 3.11+ and make:
#   make demo    environment, installation, a real small model measured, a report to open
#   make test    environment, installation, the tests of the core and the light extras
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# One BLAS thread: two spinning threads on busy cores are many times slower.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

# An idle process takes half of what the other has left, and most files stay in one process.
TWO := -n 2 --dist worksteal

.PHONY: demo train-demo test test-full test-long lint docs clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("unswayed needs Python 3.11 or newer, this is " + sys.version if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local]"
	touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.demo
	# A folder that was made by hand may have a pip that knows no groups.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local,math]" \
	  --group test --group lint
	touch $@

$(VENV)/.full: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[daft]" --group full
	# axe-core checks that a report can be read by everybody; without npm those checks are skipped.
	-npm install --silent --no-fund --no-audit --prefix $(VENV)/axe axe-core@4.14.1
	touch $@

$(VENV)/.trl: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local,trl]"
	touch $@

demo: $(VENV)/.demo
	$(BIN)/unswayed demo
	@echo "more: source $(BIN)/activate, then unswayed --help"

# Trains the small model on this machine's processor, and shows before and after.
train-demo: $(VENV)/.trl
	$(BIN)/unswayed model fetch
	$(BIN)/unswayed train demo

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(VENV)/.test lint
	$(BIN)/unswayed model fetch
	$(BIN)/python -m pytest $(TWO) -m "not slow and not long and not heavy"

test-full: $(VENV)/.full test
	AXE_CORE="$$(ls $(abspath $(VENV))/axe/node_modules/axe-core/axe.min.js 2>/dev/null)" \
	  $(BIN)/python -m pytest $(TWO) -m "slow or heavy"

# What takes most: 50,000 replays against a faulty server, and 200 kills at random moments.
test-long: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[fast]"
	$(BIN)/python -m pytest $(TWO) -m long

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
