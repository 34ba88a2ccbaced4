# The front door. `make` builds, `make test` tests, `make demo` shows; each sets up what it needs.
PREFIX ?= /usr/local
DESTDIR ?=
PYTHON ?= python3
venv = build/python-venv

all: build

bootstrap:
	@tools/bootstrap.sh

build: bootstrap
	@cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset release

test: build
	@tools/check.sh
	@ctest --preset release -j 2
	@$(MAKE) --no-print-directory test-python

test-asan test-tsan test-dev: test-%: bootstrap
	@cmake --preset $* && cmake --build --preset $*
	@ctest --preset $* -j 2

# Readers of files on damaged ones, with libFuzzer: MINUTES for each of five targets, a new SEED each
# time unless one is given. A finding lies in build-fuzz/found/, with the command that repeats it.
MINUTES ?= 1
SEED ?=
fuzz:
	@tools/bootstrap.sh clang libclang-rt-14-dev
	@cmake --preset fuzz >/dev/null && cmake --build --preset fuzz
	@tools/fuzz.sh "$(MINUTES)" "$(SEED)" $(TARGETS)

# The Python package: put together in build/python, tested in a virtual environment of its own.
python: build
	@PYTHON="$(PYTHON)" tools/python_venv.sh $(venv)
	@cmake -DARMILLA_BUILD_PYTHON=ON -DPython_EXECUTABLE="$(CURDIR)/$(venv)/bin/python" build >/dev/null
	@cmake --build build --target armilla_python_package

test-python: python
	@$(venv)/bin/python -m mypy
	@PYTHONPATH=build/python OMP_WAIT_POLICY=passive $(venv)/bin/python -m pytest

# A wheel that needs nothing but Python and the C library: dist/armilla-*.whl
wheel: bootstrap
	@PYTHON="$(PYTHON)" tools/python_wheel.sh dist

demo: build
	@tools/demo.sh build/bin/armilla demo

install: build
	@cmake -DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))" build >/dev/null
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(abspath $(PREFIX))"

format:
	@git ls-files '*.c' '*.h' '*.inc' | xargs clang-format -i

clean:
	rm -rf build build-dev build-asan build-tsan build-fuzz demo dist

.PHONY: all bootstrap build test test-asan test-tsan test-dev fuzz python test-python wheel
.PHONY: demo install format clean
