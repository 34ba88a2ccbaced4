"""Package for Spack: the C libraries and the command. Never built so far: see docs/packaging.md."""
from spack.package import CMakePackage, depends_on, license, maintainers, variant, version


class Armilla(CMakePackage):
    """Spherical harmonic transforms on every grid of rings, of any spin, and their adjoints."""

    homepage = "https://example.org/armilla"
    url = "https://example.org/armilla/archive/v0.2.0.tar.gz"
    git = "https://example.org/armilla.git"

    maintainers("fill-in")
    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.2.0", sha256="0" * 64)  # to be filled in when it is released

    variant("files", default=True, description="FITS files, pictures and the command")
    variant("fftw", default=False, description="Transforms of rings by FFTW (GPL), not our own")
    variant("mpi", default=False, description="Transforms of maps that are spread over ranks")
    variant("openmp", default=False, description="Threads of OpenMP, not our own")
    variant("shared", default=True, description="A shared library")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cfitsio", when="+files")
    depends_on("libpng", when="+files")
    depends_on("zlib-api", when="+files")
    depends_on("bzip2", when="+files")
    depends_on("fftw@3: precision=double", when="+fftw")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        threads = "openmp" if self.spec.satisfies("+openmp") else "pthread"
        fft = "fftw" if self.spec.satisfies("+fftw") else "own"
        return [
            self.define_from_variant("ARMILLA_FILES", "files"),
            self.define_from_variant("ARMILLA_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("ARMILLA_THREADS", threads),
            self.define("ARMILLA_FFT", fft),
            self.define("ARMILLA_BUILD_TESTS", False),
            self.define("ARMILLA_BUILD_BENCH", False),
        ]
