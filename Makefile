# make                    a virtual environment, the fake pair, every number of the lesson
# make test               the checks, under a minute
# make prove              what takes longer: corpora, attacks, fuzz, browser, agreement
# make mutants            changes to the lessons that no check notices (half an hour)
# make bench              speed and coverage beside other tools
# make workbook DIR=wb    a learner's folder to start from
PYTHON ?= python3
RUN := .venv/bin/python
SCRIPTS := load ci paired tests noise power structure break_it/misalign break_it/peek \
	break_it/wrong_unit break_it/tune_on_test

.PHONY: all test prove mutants bench workbook clean

all: .venv/test
	@test -e results.csv || $(RUN) make_fake.py
	@for script in $(SCRIPTS); do \
		echo; echo "== python $$script.py"; $(RUN) $$script.py || exit 1; done

test: .venv/test
	$(RUN) -m pytest -q

# What failed is tried once more: attacks and the browser have deadlines, machines have neighbours.
PROVE := $(RUN) -m pytest -q -m prove classroom/tests
prove: .venv/dev
	$(PROVE) --durations=10 || $(PROVE) --last-failed --last-failed-no-failures none

mutants: .venv/dev
	$(RUN) -m mutmut run
	$(RUN) -m mutmut results

bench: .venv/dev
	$(RUN) bench/speed.py --figure bench/growth.svg
	$(RUN) bench/coverage.py
	$(RUN) bench/agree.py

workbook: .venv/test
	$(RUN) classroom/start.py $(DIR)

# .venv/test and .venv/dev are made again when pyproject.toml names other packages.
.venv/pip:
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install -q --upgrade pip
	@touch $@

.venv/test .venv/dev: .venv/%: pyproject.toml | .venv/pip
	$(RUN) -m pip install -q --group $*
	@touch $@

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis mutants results.csv
