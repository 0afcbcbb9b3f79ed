PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check generated matrix

demo: $(VENV)/demo.done
	$(BIN)/python -m polars_fairness.demo

test: $(VENV)/test.done
	$(BIN)/python -m pytest --cov --cov-report=term

check: $(VENV)/check.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

matrix:
	tools/matrix.sh

generated: $(VENV)/demo.done
	$(BIN)/python tools/write_generated.py

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/demo.done: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/test.done: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[test,peers,servers,browser]"
	touch $@

$(VENV)/check.done: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[check]"
	touch $@
