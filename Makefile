# Every target makes its own virtual environment first; Python, make and git are all it takes.
#   make PYTHON=/path/to/python3   chooses the Python of a new .venv (make clean starts over)
#   make test WORKERS=4            number of test processes (0: only this one)
#   make test TESTS="tests/kwirk -k push"   runs some of them
#   make test COVERAGE=1           also measures coverage

PYTHON ?=
WORKERS ?= 2
TESTS ?= tests
COVERAGE ?=

VENV := .venv
RUN := $(VENV)/bin/python
# What each stamp promises is installed: the package with these extras, in the tested versions.
PLAYING := $(VENV)/ready-demo
DEVELOPING := $(VENV)/ready-all
COST_demo := 1.6 GB, a minute or two
COST_all := 2.5 GB, two minutes or so

.PHONY: help demo test docs linkcheck films notebooks release release-check lint format types bench bench-search clean
.NOTPARALLEL:

help:
	@echo "make demo           compare agents of all kinds on four puzzles, with a report"
	@echo "make test           run the tests"
	@echo "make docs           build the site: build/site/index.html"
	@echo "make linkcheck      check the site's links to other sites"
	@echo "make films          draw the site's films again (make notebooks executes its notebooks)"
	@echo "make lint           check style and layout (make format fixes them)"
	@echo "make types          check the types"
	@echo "make bench          measure the speed of environments and search"
	@echo "make bench-search   compare the searches with others"
	@echo "make release        build, check and tag a release (make release-check only checks)"
	@echo "make clean          remove .venv and everything else that was generated"

demo: $(PLAYING)
	@echo "Demo: puzzle-envs bench quick. The first time, compiling the rules takes most of a minute."
	@$(VENV)/bin/puzzle-envs bench quick

bench: $(PLAYING)
	@echo "Bench: measuring the speed of environments and search."
	@$(RUN) -m benchmarks.speed

bench-search: $(PLAYING)
	@echo "Bench: measuring the searches beside others."
	@$(RUN) -m benchmarks.search

test: $(DEVELOPING)
	@echo "Test: running pytest with WORKERS=$(WORKERS)."
	@$(RUN) -m pytest -n $(WORKERS) $(if $(COVERAGE),--cov --cov-report=term:skip-covered) $(TESTS)

SPHINX := $(RUN) -m sphinx -E -W --keep-going -q
docs: $(DEVELOPING) docs/report/report.html
	@echo "Docs: building the site."
	@$(SPHINX) -b html docs build/site
	@echo "Docs: build/site/index.html"

docs/report/report.html: docs/results/standard/rows.jsonl.xz | $(DEVELOPING)
	@echo "Docs: replaying the benchmark's solutions for its report."
	@$(VENV)/bin/puzzle-envs report docs/results/standard --output docs/report > /dev/null

linkcheck: $(DEVELOPING)
	@echo "Linkcheck: following the links to other sites."
	@$(SPHINX) -b linkcheck docs build/linkcheck

notebooks: $(DEVELOPING)
	@echo "Notebooks: executing docs/notebooks/*.ipynb."
	@$(RUN) -m docs.pages.notebooks

films: $(DEVELOPING)
	@echo "Films: drawing the agents' films, docs/images/*-v0.gif."
	@$(RUN) -m docs.pages.films

release release-check: $(DEVELOPING)
	@$(RUN) .ci/release.py $(if $(findstring check,$@),check,tag)

lint: $(DEVELOPING)
	@echo "Lint: ruff check, then ruff format --check."
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .

format: $(DEVELOPING)
	@echo "Format: ruff check --fix, then ruff format."
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

types: $(DEVELOPING)
	@echo "Types: mypy."
	@$(RUN) -m mypy

clean:
	@echo "Clean: removing .venv, caches and builds."
	@rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last and removed first, so it never outlives an interrupted installation; a
# .venv without one, or whose Python has gone, is made anew. The full set includes the smaller one.
$(VENV)/ready-%: pyproject.toml constraints.txt $(RUN)
	@if [ ! -e $(PLAYING) ] || ! $(RUN) -m pip --version >/dev/null 2>&1; then \
	  $(find_python); \
	  echo "Setup: making .venv with $$python, Python $$version."; \
	  "$$python" -m venv --clear $(VENV); \
	fi
	@echo "Setup: installing what '$*' needs into .venv ($(COST_$*))."
	@rm -f $(VENV)/ready-*
	@$(RUN) -m pip install -qq --no-input --disable-pip-version-check \
	  --constraint constraints.txt --editable ".[$*]"
	@touch $(PLAYING) $@

# No recipe: a missing Python only makes the stamps out of date.
$(RUN): ;

PYTHONS := python3 python3.11 python3.12 python3.13 python3.14
# A shell fragment that sets python and version, or ends the recipe with a sentence.
define find_python
for python in $(or $(PYTHON),$(PYTHONS)); do \
    version=$$("$$python" -c 'import sys, ensurepip, venv; \
assert (3, 11) <= sys.version_info < (3, 15); print(sys.version.split()[0])' 2>/dev/null) && break; \
    python=; \
  done; \
  if [ -z "$$python" ]; then \
    echo "puzzle-envs needs Python 3.11 to 3.14 with its venv module, and this is none:" \
      "$(or $(PYTHON),$(PYTHONS)). Install one (on Debian with python3-venv)," \
      "or name it: make PYTHON=/path/to/python3" >&2; \
    exit 1; \
  fi
endef
