# The front door. `make` builds, `make test` tests, `make demo` shows; each sets up what it needs, and
# says what it installs and why before it does (tools/bootstrap.sh). `make` builds the library and the
# command alone, and warnings are no errors; `make test` adds the tests (tools/configure.sh).
PREFIX ?= /usr/local
DESTDIR ?=
PYTHON ?= python3
venv = build/python-venv
torch_venv = build/torch-venv
docs_venv = build/docs-venv
# A test in Python that hangs ends the run, and every thread's traceback is printed.
pytest = -m pytest --timeout 600 --timeout-method thread
# All tests in Python: two processes share the files, then those that measure time run alone.
pytest_shared = $(pytest) -n 2 -m "not alone"
pytest_alone = $(pytest) -m alone
# CUDA=1: with transforms on NVIDIA GPUs, in build-cuda; needs CUDA's compiler on PATH.
preset = $(if $(CUDA),cuda,release)
folder = $(if $(CUDA),build-cuda,build)
# MPI=1: with transforms over MPI, for Open MPI and MPICH, and an example in Fortran.
mpi_packages = libopenmpi-dev openmpi-bin libmpich-dev mpich gfortran

all: build

bootstrap:
	@tools/bootstrap.sh $(if $(MPI),$(mpi_packages))

bootstrap-tests:
	@tools/bootstrap.sh --tests $(if $(MPI),$(mpi_packages))

bootstrap-python:
	@tools/bootstrap.sh --python

build: bootstrap
	@tools/configure.sh plain $(preset) $(folder) $(if $(MPI),-DARMILLA_MPI=ON)
	@cmake --build --preset $(preset)

build-tests: bootstrap-tests
	@tools/configure.sh tests $(preset) $(folder) $(if $(MPI),-DARMILLA_MPI=ON)
	@cmake --build --preset $(preset)

test: build-tests
	@tools/check.sh
	@ctest --preset $(preset) -j 2
	$(if $(CUDA),,@$(MAKE) --no-print-directory test-python)

# C, C++ and Fortran by pkg-config, find_package, add_subdirectory and FetchContent; the library is
# compiled for each, static and shared, for one instruction set: 10 min.
test-consumers: bootstrap-tests
	@ARMILLA_SOURCE="$(CURDIR)" tests/flow/test_consumers.sh long

test-dev: bootstrap-tests
	@cmake --preset dev && cmake --build --preset dev
	@ctest --preset dev -j 2

test-asan test-tsan: test-%: bootstrap-tests
	@tools/preset_build.sh $*
	@ctest --preset $* -j 2

# Transforms over MPI with Open MPI and with MPICH, on a few numbers of ranks; make MPI=1 test has all,
# from 1 to 8.
test-mpi:
	@$(MAKE) --no-print-directory MPI=1 build-tests python
	@ctest --preset release -L short
	@PYTHONPATH=build/python $(venv)/bin/python $(pytest) python/tests/test_mpi.py \
		python/tests/test_libsharp.py

# armilla-mpi against armilla, all commands, 1 to 8 ranks, ranks that die: 4 min.
test-mpi-command:
	@$(MAKE) --no-print-directory MPI=1 build-tests
	@ctest --preset release -C Long -R mpi_command_long

# The command on large grids of each family, up to O1280 and cc:1801x3600, at lmax 511: 10 to 25 min.
test-grids: build-tests
	@ARMILLA=$(folder)/bin/armilla bash tests/flow/test_cli_grids.sh long

# MPI programs on three hosts of this machine, with faults of the network (docs/mpi_hosts.md): 4 min.
test-mpi-hosts:
	@tools/bootstrap.sh --tests $(mpi_packages) iproute2 iptables procps util-linux
	@$(MAKE) --no-print-directory MPI=1 build-tests
	@tests/mpi/hosts_test.sh
	@tests/mpi/hosts_transforms.sh build

# The transforms with SSE2, and with AVX2 on a machine that has AVX-512.
test-avx2: build-tests
	@if grep -qw sse2 /proc/cpuinfo; then ctest --preset sse2 -j 2; fi
	@if grep -qw avx512dq /proc/cpuinfo; then \
	    ctest --preset avx2 -j 2; \
	else \
	    echo "test-avx2: for processors with AVX-512; make test has run with what there is"; \
	fi

# Kernels for AVX-512 on a machine that has AVX2 alone: SIMDe emulates the instructions.
test-avx512: bootstrap-tests
	@if grep -qw avx512dq /proc/cpuinfo || ! grep -qw avx2 /proc/cpuinfo; then \
	    echo "test-avx512: for processors with AVX2 and without AVX-512; make test has all tests"; \
	else \
	    tools/bootstrap.sh --tests libsimde-dev && tools/preset_build.sh avx512 && \
	    ctest --preset avx512 -j 2; \
	fi

# 64-bit Arm (NEON) on any machine: Debian's cross compiler and libraries, QEMU runs the tests; then
# some that take the instruction set from the environment once more without NEON.
test-arm64:
	@tools/bootstrap.sh --tests gcc-aarch64-linux-gnu qemu-user
	@tools/arm64_sysroot.sh build-arm64/sysroot
	@tools/preset_build.sh arm64
	@ctest --preset arm64 -j 2
	@ctest --preset arm64-scalar -j 2

# The OpenMP team under ThreadSanitizer. Archer, a part of Clang's OpenMP, tells the sanitizer what a
# team waits for; without it every parallel loop would look like a race.
test-races:
	@tools/bootstrap.sh --tests clang libomp-dev
	@tools/preset_build.sh races
	@OMP_TOOL_LIBRARIES="$$(clang -print-file-name=libarcher.so)" ctest --preset races -j 2

# The tests of src/cuda must notice each barrier that is taken away. BARRIERS=ringfft: some files.
BARRIERS ?=
test-barriers: build-tests
	@tools/barrier_check.py build $(BARRIERS)

# Where CUDA's compiler is: registers and spills of every GPU kernel on a Hopper (CUDA=1: on all GPUs),
# the instructions of their loops where make test-sass has been, and all kernels run as PTX on an
# interpreter (docs/testing.md). Three minutes.
budgets = ctest --preset $(preset) -C Compile -R '^cuda_(ptxas|sass|ptx)_(budget|replay|plants)$$'
test-cuda-compile: build-tests
	@$(budgets)

# The same with NVIDIA's disassembler, which comes from Python's package index, 5 MB, in an
# environment of its own; test-cuda-compile finds it there from then on.
test-sass: build-tests
	@[ -x build/sass-venv/bin/python ] || $(PYTHON) -m venv build/sass-venv
	@build/sass-venv/bin/python -m pip install --quiet --disable-pip-version-check \
		nvidia-cuda-nvdisasm
	@$(budgets)

# What a machine with a GPU needs to check and to time everything: build-gpu/gpu_check.tar.gz.
# ARCH=90: for GPUs of that compute capability alone, in build-gpu-90.
ARCH ?=
gpu-check: bootstrap-tests
	@$(if $(ARCH),ARMILLA_CUDA_ARCHITECTURES=$(ARCH)-real) \
		tools/gpu_check.sh build-gpu$(if $(ARCH),-$(ARCH))

# Which lines the tests run: build-coverage/coverage/index.html, and a table per folder.
coverage:
	@tools/bootstrap.sh --tests --python gcovr
	@PYTHON="$(PYTHON)" tools/python_venv.sh $(venv)
	@PYTHON="$(venv)/bin/python" tools/coverage.sh build-coverage

# Readers of files on damaged ones, with libFuzzer: MINUTES for each of six targets, a new SEED each
# time unless one is given. A finding lies in build-fuzz/found/, with the command that repeats it.
MINUTES ?= 1
SEED ?=
fuzz:
	@tools/bootstrap.sh --tests clang libclang-rt-14-dev
	@cmake --preset fuzz >/dev/null && cmake --build --preset fuzz
	@tools/fuzz.sh "$(MINUTES)" "$(SEED)" $(TARGETS)

# The Python package: put together in build/python, tested in a virtual environment of its own.
python: build bootstrap-python
	@PYTHON="$(PYTHON)" tools/python_venv.sh $(venv)
	@cmake -DARMILLA_BUILD_PYTHON=ON -DPython_EXECUTABLE="$(CURDIR)/$(venv)/bin/python" build >/dev/null
	@cmake --build build --target armilla_python_package

test-python: python
	@$(venv)/bin/python -m mypy
	@PYTHONPATH=build/python OMP_WAIT_POLICY=passive $(venv)/bin/python $(pytest_shared)
	@PYTHONPATH=build/python OMP_WAIT_POLICY=passive $(venv)/bin/python $(pytest_alone)

# The same package with PyTorch, in an environment of its own: gradients. TORCH=pip: see the script.
test-torch: python
	@PYTHON="$(PYTHON)" tools/torch_venv.sh $(torch_venv)
	@PYTHONPATH=build/python OMP_WAIT_POLICY=passive $(torch_venv)/bin/python $(pytest) \
		python/tests/test_torch.py python/tests/test_torch_programs.py python/tests/test_device.py \
		python/tests/test_networks.py python/tests/test_networks_arrays.py \
		python/tests/test_networks_shared.py \
		"python/tests/test_examples.py::test_example[spectral_network_torch]" \
		"python/tests/test_site_pages.py::test_page[quickstart/networks]" \
		"python/tests/test_site_pages.py::test_page[howto/gradients]" \
		"python/tests/test_site_pages.py::test_page[howto/spectral-losses]" \
		"python/tests/test_site_pages.py::test_page[coming_from/torch_harmonics]" \
		"python/tests/test_docstrings.py::test_examples[armilla.torch]" \
		"python/tests/test_docstrings.py::test_examples[armilla._torch_modules]"

# Spectra behind masks against theory, in the mean over 200 random skies: a minute.
.PHONY: test-monte-carlo
test-monte-carlo: python
	@PYTHONPATH=build/python $(venv)/bin/python python/tests/monte_carlo_pseudo_cl.py

# The own tests and programs of healpy, ducc0, pixell, pymaster, lenspyx, SHTns and pyshtools with
# Armilla in the place of ducc0, healpy, SHTns and SHTOOLS: docs/results/peers.md. PEERS="pixell lenspyx": some. PEERS=--write: the page anew.
PEERS ?=
test-peers: python
	@PYTHON="$(PYTHON)" tools/peers_venv.sh build/peers
	@build/peers/venv/bin/python tests/peers/run.py build/peers $(PEERS)

# The pages for those who come from other packages, and that on conventions, against these packages.
.PHONY: test-coming-from
test-coming-from: python
	@tools/bootstrap.sh libfftw3-dev
	@PYTHON="$(PYTHON)" tools/coming_from_venv.sh build/coming-from-venv
	@PYTHONPATH=build/python build/coming-from-venv/bin/python $(pytest) \
		python/tests/test_conventions_page.py python/tests/test_conventions.py \
		python/tests/test_geo.py python/tests/test_geo_grib.py \
		python/tests/test_coming_from_pages.py \
		python/tests/test_site_pages.py

# The bindings and the library under AddressSanitizer, which Python must load before itself. Python
# takes its memory from malloc, so that strays into its objects are seen, and never gives all back.
# pytest must not keep the sanitizer's report to itself. Times of calls mean nothing here.
asan_tests = $(patsubst %,python/tests/test_%.py,transform io errors leg plans xla_calls)
test-python-asan: bootstrap-tests bootstrap-python
	@PYTHON="$(PYTHON)" tools/python_venv.sh $(venv)
	@cmake --preset asan -DARMILLA_BUILD_PYTHON=ON \
		-DPython_EXECUTABLE="$(CURDIR)/$(venv)/bin/python" >/dev/null
	@cmake --build --preset asan --target armilla_python_package
	@LD_PRELOAD="$$($(CC) -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 ARMILLA_POISON=nan \
		PYTHONMALLOC=malloc PYTHONPATH=build-asan/python OMP_WAIT_POLICY=passive \
		$(venv)/bin/python $(pytest) --capture=sys $(asan_tests) -k 'not costs_little'

# A wheel that carries its libraries and needs cffi and NumPy: dist/armilla_sht-*.whl
wheel: bootstrap bootstrap-python
	@PYTHON="$(PYTHON)" tools/python_wheel.sh dist

# What five papers draw, measured here: docs/results/papers.md and its pictures. QUICK=1: small sizes,
# into build/papers, 3 min instead of 40. FIGURES=libsharp-5,arkcos-2: some of them.
QUICK ?=
FIGURES ?=
bench-papers: build-tests python
	@PYTHONPATH=build/python $(venv)/bin/python bench/papers.py $(if $(QUICK),--quick) \
		$(if $(FIGURES),--only $(FIGURES))

# What 64 transforms, points and radial convolution take on a GPU: timed where there is one and a build
# of gpu-check, else counted on the emulated one, beside what is predicted. QUICK=1: small sizes.
bench-cuda: build-tests
	@for name in many points radial; do \
		$(PYTHON) bench/run.py cuda-$$name $(if $(QUICK),--quick) || exit 1; done

# The documentation site, build/site/index.html: guides, gallery, Python, C and the command. Warnings
# are errors. docs-links also asks the servers of external links; docs-screenshots looks at pages.
docs: python
	@tools/bootstrap.sh doxygen
	@PYTHON="$(PYTHON)" tools/docs_venv.sh $(docs_venv)
	@tools/docs.sh build $(docs_venv)
	@echo "docs: build/site/index.html"

docs-links: docs
	@tools/docs_links.sh build $(docs_venv)

docs-screenshots: docs
	@tools/bootstrap.sh chromium fonts-dejavu-core
	@tools/docs_screenshots.sh build/site build/screenshots

.PHONY: docs docs-links docs-screenshots

# Wheels to publish, for Linux with glibc 2.28 or newer (docs/packaging.md): 10 min each. MACHINES: some.
MACHINES ?= x86_64 aarch64
wheels: bootstrap bootstrap-python
	@tools/bootstrap.sh patch qemu-user
	@for machine in $(MACHINES); do PYTHON="$(PYTHON)" tools/wheels.sh dist $$machine || exit 1; done

# Library and command for macOS, compiled and linked here; nothing of it runs (docs/platforms.md).
macos-compile: bootstrap
	@tools/bootstrap.sh patch clang file
	@PYTHON="$(PYTHON)" tools/macos_compile.sh build-macos

# Checks that VERSION can be released, and makes its tag; pushes nothing (docs/releasing.md).
VERSION ?=
release:
	@tools/release.sh "$(VERSION)"

# Files for services and packagers, by the tools that read them: actionlint, cffconvert, shellcheck.
check-packaging:
	@PYTHON="$(PYTHON)" tools/packaging_check.sh build/packaging-venv

demo: build
	@tools/demo.sh build/bin/armilla demo

install: build
	@cmake -DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))" build >/dev/null
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(abspath $(PREFIX))"

format:
	@git ls-files '*.c' '*.h' '*.inc' '*.cu' '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build build-dev build-asan build-tsan build-races build-coverage build-arm64 build-fuzz
	rm -rf build-cuda build-gpu build-gpu-* build-macos build-wheels
	rm -rf demo dist

.PHONY: all bootstrap bootstrap-tests bootstrap-python build build-tests test test-consumers
.PHONY: test-asan test-tsan test-dev test-races test-avx2 test-avx512 test-arm64
.PHONY: test-mpi test-mpi-command test-mpi-hosts test-grids coverage fuzz test-barriers test-cuda-compile test-sass gpu-check
.PHONY: python test-python test-torch test-peers test-python-asan wheel
.PHONY: bench-cuda bench-papers wheels macos-compile release check-packaging
.PHONY: demo install format clean
