# On a fresh machine with Python 3.11+ and make: `make demo`, `make test`, `make bench`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Tests start corefkit hundreds of times: compile its modules once, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-all lint types unit oracles looks coverage spark integrations torch damages fuzz bench dist docs format clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "corefkit needs Python 3.11 or later; try: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml $(BIN)/python
	@echo 'Installing corefkit and what it needs into $(VENV); this takes a minute the first time.'
	$(PIP) install --editable .
	touch $@

$(VENV)/installed-dev: constraints.txt $(VENV)/installed
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	touch $@

$(VENV)/installed-spark: $(VENV)/installed-dev
	$(PIP) install --editable '.[spark]' 'pyspark[connect]'
	touch $@

$(VENV)/installed-integrations: $(VENV)/installed-dev
	$(PIP) install --editable '.[integrations]'
	touch $@

$(VENV)/installed-torch: $(VENV)/installed-dev
	$(PIP) install torch lightning stanza
	touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(PIP) install --editable '.[docs]'
	touch $@

$(VENV)/installed-plots: $(VENV)/installed
	$(PIP) install --editable '.[plots,pages]'
	touch $@

$(VENV)/installed-bench: $(VENV)/installed
	$(PIP) install --editable '.[bench]'
	touch $@

demo: $(VENV)/installed-plots ## score the bundled examples and show what comes out
	@BIN=$(BIN) sh examples/demo.sh

test: lint types unit ## lint, types and the tests

test-all: test oracles looks docs integrations spark ## also random tests at length, the site, other libraries, Spark

coverage: $(VENV)/installed-dev ## which lines the tests reach
	$(PIP) install pytest-cov
	$(BIN)/pytest -n auto --dist worksteal --cov=corefkit --cov-report=term:skip-covered

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Status 2: the workers of mypy did not start in time, as on a busy machine; one process does without.
types: $(VENV)/installed-dev
	$(BIN)/mypy || { test $$? -eq 2 && $(BIN)/mypy --num-workers 0; }

unit: $(VENV)/installed-dev
	$(BIN)/pytest -n auto --dist worksteal

oracles: $(VENV)/installed-dev ## real corpora, long tests, random tests with twice the examples, the slow implementations
	$(BIN)/pytest -n auto tests/oracle
	COREFKIT_EXAMPLES=2 $(BIN)/pytest -n auto --dist worksteal -m '(hypothesis or more or long or conformance) and not spark and not look'

looks: $(VENV)/installed-dev ## the pages in a browser, tables in LaTeX (chromium, chromium-driver, pdflatex)
	$(BIN)/pytest -n auto --dist worksteal -m look tests

spark: $(VENV)/installed-spark ## scores on Spark, the same digits (needs Java 17)
	$(BIN)/pytest -m spark tests/plugins/engines

integrations: $(VENV)/installed-integrations ## spaCy, evaluate, Inspect, lm-eval, pandas, polars: the real ones
	COREFKIT_INTEGRATIONS=true $(BIN)/pytest -n auto tests/integrations tests/formats tests/test_api.py tests/test_docs.py -k 'integrations or api or spacy or docs/python.md'

torch: $(VENV)/installed-torch ## Lightning in two processes, documents of Stanza: the real ones; installs gigabytes
	$(BIN)/pytest tests/integrations/test_lightning.py tests/integrations/test_distributed.py tests/integrations/test_stanza.py

damages: $(VENV)/installed-dev ## say what becomes of 500 damaged inputs; none may be silent
	$(BIN)/python -m tests.damage_table

fuzz: $(VENV)/installed-dev ## throw broken files at check and score: make fuzz SECONDS=600
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED))

bench: $(VENV)/installed-bench ## print the benchmark table
	$(BIN)/python -m bench

docs: $(VENV)/installed-docs $(VENV)/installed-dev ## the documentation as a site, in site/; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/pytest tests/test_site.py

dist: $(BIN)/python ## build wheel and sdist, check them, run the demo from the wheel
	$(PIP) install build
	$(BIN)/python tools/dist.py

format: $(VENV)/installed-dev ## bring the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove what was made here
	rm -rf $(VENV) out dist site .mypy_cache .mypy_worker.* .ruff_cache .pytest_cache .hypothesis
