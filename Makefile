PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# uv chooses the same versions as pip does, in a fraction of the time.
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python
# One process per core, up to four.
PROCESSES := --numprocesses=auto --maxprocesses=4

# Processes of tests read asserts and modules that an earlier one has compiled, even where the
# environment says that none may be kept: to collect half of the tests takes 4 seconds, not 9.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo quick test nightly coverage check docs generated golden snapshots oldest indicators
.PHONY: places gpu dist

demo: $(VENV)/demo.done
	$(BIN)/python -m polars_fairness.demo

# What `make quick` and `make oldest` leave out: other tools, and surfaces, which have laws over all.
LEFT_OUT := $(addprefix --ignore=tests/,peers engines browser notebooks editors) \
	$(addprefix --ignore=tests/,cli contrasts cutoffs models policy reporting snapshots) \
	$(addprefix --ignore=tests/test_,hiring.py lending.py hostile_text.py)

# The tests that need no optional package, with a few of the invented examples.
quick: $(VENV)/quick.done
	$(BIN)/python -m pytest $(PROCESSES) --hypothesis-profile=few \
		-m "not extras and not nightly" tests $(LEFT_OUT)

# Keeps what it prints, with the slowest tests, by the commit, so that a slower one is found.
test: SHELL := bash
test: .SHELLFLAGS := -o pipefail -c
test: $(VENV)/test.done
	mkdir -p .durations
	$(BIN)/python -m pytest $(PROCESSES) -m "not nightly" --durations=50 \
		| tee .durations/$$(git describe --always --dirty || echo tests).txt

# What a change need not wait for: other engines, Fairness Indicators, the pages about schedulers
# and trackers, polars 1.44, and many invented examples.
nightly: $(VENV)/nightly.done indicators places gpu
	$(BIN)/python -m pytest $(PROCESSES) --hypothesis-profile=many -m "nightly or hypothesis" tests

# Apart from the tests: to measure takes a third more time.
coverage: $(VENV)/test.done
	$(BIN)/python -m pytest $(PROCESSES) -m "not nightly" --cov --cov-report=term

check: $(VENV)/check.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/typos

# The site, as static files in `site/`.
docs: $(VENV)/docs.done
	$(BIN)/python tools/build_docs.py

# What runs on another polars than the newest: nothing about how it runs a plan, no simulations,
# whose numbers depend on numpy, no tests that read documents, code and pages, and half of the rest: the code of the documentation,
# which runs, uses all of these.
ON_OLDER := -p no:cacheprovider --hypothesis-profile=few \
	-m "not simulation and not nightly and not newest" $(LEFT_OUT) \
	$(addprefix --ignore=tests/docs/test_,metric_pages.py navigation.py pictures.py prose.py) \
	$(addprefix --ignore=tests/,docs/test_reference.py test_benchmarks.py test_favorable.py) \
	$(addprefix --ignore=tests/,test_house.py)

# The tests on the oldest version of polars and on its in-memory engine.
oldest: .venv-oldest/done
	POLARS_ENGINE_AFFINITY=in-memory .venv-oldest/bin/python -m pytest $(PROCESSES) $(ON_OLDER)

# The tests on polars 1.44, the newest that cudf-polars reads, and what its translator refuses, which
# needs no GPU.
gpu: .venv-gpu/done
	.venv-gpu/bin/python -m pytest $(PROCESSES) $(ON_OLDER)

# The tests of Fairness Indicators, without the warnings of what it imports.
indicators: .venv-indicators/done
	.venv-indicators/bin/python -m pytest -p no:cacheprovider -W ignore tests/indicators

# The pages about schedulers, schemas and trackers, without the warnings of what they import.
places: .venv-places/done
	.venv-places/bin/python -m pytest -p no:cacheprovider -W ignore tests/places

# The wheel and the sdist, built, checked, and the wheel tried in an empty environment.
dist: $(VENV)/dist.done
	rm -rf dist .venv-dist
	$(PYTHON) -m venv --without-pip .venv-dist
	$(BIN)/python tools/check_distribution.py dist .venv-dist/bin/python

generated: $(VENV)/demo.done
	$(BIN)/python tools/write_generated.py

# What a person sees, kept for `tests/snapshots` to compare: words and layout, not numbers.
snapshots: $(VENV)/test.done
	SNAPSHOTS=write $(BIN)/python -m pytest $(PROCESSES) -q tests/snapshots
	SNAPSHOTS=write $(BIN)/python -m pytest -q tests/contrasts/test_kept_answers.py

# The answers of tests/golden/, anew: a commit of its own.
golden: $(VENV)/test.done
	$(BIN)/python tools/write_golden.py

$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv

$(VENV)/demo.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable .
	touch $@

$(VENV)/quick.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable ".[quick]"
	touch $@

$(VENV)/test.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable ".[test,peers,formats,browser,notebooks]"
	touch $@

$(VENV)/nightly.done: $(VENV)/test.done
	$(INSTALL) --editable ".[servers]"
	touch $@

$(VENV)/check.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable ".[check]"
	touch $@

$(VENV)/docs.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable ".[docs]"
	touch $@

$(VENV)/dist.done: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable ".[dist]"
	touch $@

.venv-oldest/done: pyproject.toml
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet uv
	.venv-oldest/bin/uv pip install --quiet --python .venv-oldest/bin/python \
		--editable ".[test]" polars==1.39.3
	touch $@

# Its library takes 4 GB.
.venv-gpu/done: pyproject.toml
	$(PYTHON) -m venv .venv-gpu
	.venv-gpu/bin/python -m pip install --quiet uv
	.venv-gpu/bin/uv pip install --quiet --python .venv-gpu/bin/python \
		--editable ".[test]" "cudf-polars-cu12==26.10.*"
	touch $@

# Apart from the other peers: its TensorFlow takes 1.3 GB, and it wants other versions than they do.
.venv-indicators/done: tests/indicators/requirements.txt
	$(PYTHON) -m venv .venv-indicators
	.venv-indicators/bin/python -m pip install --quiet uv
	.venv-indicators/bin/uv pip install --quiet --python .venv-indicators/bin/python --no-deps \
		--requirement $<
	touch $@

# By uv, in a tenth of pip's time: it has two hundred packages.
.venv-places/done: tests/places/requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv-places
	.venv-places/bin/python -m pip install --quiet uv
	.venv-places/bin/uv pip install --quiet --python .venv-places/bin/python --no-deps \
		--requirement $< --editable .
	touch $@
