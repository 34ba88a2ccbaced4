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

# 64-bit Arm (NEON) on any machine: Debian's cross compiler and libraries, QEMU runs the tests; then
# some that take the instruction set from the environment once more without NEON.
test-arm64:
	@tools/bootstrap.sh gcc-aarch64-linux-gnu qemu-user
	@tools/arm64_sysroot.sh build-arm64/sysroot
	@cmake --preset arm64 && cmake --build --preset arm64
	@ctest --preset arm64 -j 2
	@ctest --preset arm64-scalar -j 2

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
	rm -rf build build-dev build-asan build-tsan build-arm64 demo dist

.PHONY: all bootstrap build test test-asan test-tsan test-dev test-arm64
.PHONY: python test-python wheel
.PHONY: demo install format clean
