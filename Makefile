# The front door. `make` builds, `make test` tests, `make demo` shows; each sets up what it needs.
PREFIX ?= /usr/local
DESTDIR ?=

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

test-asan test-tsan test-dev: test-%: bootstrap
	@cmake --preset $* && cmake --build --preset $*
	@ctest --preset $* -j 2

demo: build
	@tools/demo.sh build/bin/armilla demo

install: build
	@cmake -DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))" build >/dev/null
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(abspath $(PREFIX))"

format:
	@git ls-files '*.c' '*.h' '*.inc' | xargs clang-format -i

clean:
	rm -rf build build-dev build-asan build-tsan demo

.PHONY: all bootstrap build test test-asan test-tsan test-dev demo install format clean
