# Two commands for a fresh machine: `make demo` and `make test`.
# PYTHON: any Python from 3.11; by default the first such one on the path.
VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.PHONY: demo test lint types layers docs gallery bench validity mutants paper fuzz contrib identity check-release clean
.DELETE_ON_ERROR:

demo: $(VENV)/installed
	$(BIN)/fuzzytruth demo

# Each worker has a core of its own, where threads of linear algebra only take turns.
test: export OMP_NUM_THREADS := 1
test: export OPENBLAS_NUM_THREADS := 1
test: $(VENV)/test-installed lint types layers
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test-installed
	$(BIN)/mypy

# The contracts of [tool.importlinter] in pyproject.toml, and those of imports that run.
layers: $(VENV)/test-installed
	$(BIN)/lint-imports --no-logo
	$(BIN)/lint-imports --no-logo --config packaging/import_cycles.toml

# The site, in docs/_build/html, with the notebooks executed; any warning is an error. No network.
docs: $(VENV)/docs-installed
	rm -rf docs/reference/generated docs/evidence/tables docs/notebooks/*.ipynb
	$(BIN)/python notebooks/execute.py --to docs/notebooks
	$(BIN)/python -m sphinx -b html -W --keep-going -q -j 2 -d docs/_build/doctrees docs docs/_build/html
	$(BIN)/python docs/check_site.py docs/_build/html

# All figures of the gallery on a few pictures, to look at.
gallery: $(VENV)/docs-installed
	$(BIN)/python docs/contact_sheets.py docs/_build/gallery

bench: $(VENV)/bench-installed
	$(BIN)/python benchmarks/run.py

# Goes on where it was stopped; about two and a half hours of one core for all of it (see benchmarks/validity/study.py).
validity: $(VENV)/installed
	cd benchmarks && $(abspath $(BIN))/python -m validity.study --report ../docs/evidence/validity.md

# Goes on where it was stopped: 500 mutants of each package, hours of one core (MUTANTS: options).
mutants: $(VENV)/mutants-installed
	cd benchmarks && $(abspath $(BIN))/python -m mutants.study --report ../docs/evidence/index.md $(MUTANTS)

# Every reader on damaged files, every public function with wrong arguments, then relations between
# calls: about half an hour of one core. Options, such as another seed or a single target: tests/fuzz/run.py, tests/fuzz/calls.py.
fuzz: $(VENV)/test-installed
	cd tests && $(abspath $(BIN))/python -m fuzz.run --inputs 100000 --keep fuzz/found
	cd tests && $(abspath $(BIN))/python -m fuzz.calls
	cd tests && $(abspath $(BIN))/python -m fuzz.relations --seeds 300

paper: $(VENV)/installed
	$(BIN)/python -m paper_repro

# What follows from packaging/identity.toml: authors, addresses, versions.
identity: $(VENV)/installed
	$(BIN)/python packaging/identity.py

# The patches for other projects, on the sdists that they were made against, with their tests.
contrib: $(VENV)/release-installed
	$(BIN)/python -m nox --session contrib

# The wheel and the sdist of this commit, in dist/, and what was checked about them. A few minutes.
check-release: $(VENV)/release-installed
	rm -rf dist
	$(BIN)/python packaging/release/check.py --keep dist

$(BIN)/python:
	@python="$(PYTHON)"; \
	for name in python3 python3.13 python3.12 python3.11 python; do \
	  test -z "$$python" || break; \
	  "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && python="$$name"; \
	done; \
	test -n "$$python" || { \
	  echo 'fuzzytruth needs Python 3.11 or newer, and none was found; name one: make PYTHON=/path/to/python3.11' >&2; \
	  exit 1; }; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "fuzzytruth needs Python 3.11 or newer, and $$python is older" >&2; \
	  exit 1; }; \
	"$$python" -m venv $(VENV) 2>/dev/null || { \
	  "$$python" -m venv --clear --without-pip $(VENV) && \
	  "$$python" -m pip --python $@ install --quiet pip; }

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(PIP) .
	touch $@

$(VENV)/test-installed: pyproject.toml | $(BIN)/python
	$(PIP) '.[test]'
	touch $@ $(VENV)/installed

$(VENV)/bench-installed: pyproject.toml | $(BIN)/python
	$(PIP) '.[bench]'
	touch $@ $(VENV)/installed

$(VENV)/docs-installed: pyproject.toml | $(BIN)/python
	$(PIP) '.[docs]'
	touch $@ $(VENV)/installed

$(VENV)/mutants-installed: pyproject.toml | $(BIN)/python
	$(PIP) '.[test,mutants]'
	touch $@ $(VENV)/installed

$(VENV)/release-installed: pyproject.toml | $(BIN)/python
	$(PIP) '.[release]'
	touch $@ $(VENV)/installed

clean:
	rm -rf docs/_build docs/evidence/tables docs/figures docs/reference/generated docs/notebooks/*.ipynb
	rm -rf $(VENV) .nox build dist .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
