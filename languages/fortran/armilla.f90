! Armilla for Fortran: the C interface of the library. Written by languages/generate.py from the
! headers (include/armilla/), which say what each call takes and returns; do not edit it.
!
!     gfortran $(pkg-config --variable=fortran armilla) program.f90 $(pkg-config --libs armilla)
!
!   objects      grids, plans, ...: type(c_ptr), lists of them arrays. Who makes one frees it.
!   integers     integer(c_int64_t), but c_int where the headers have int: 64_c_int64_t. Functions
!                without arrays and texts take integers of the default kind as well, all of them:
!                armilla_grid_new_gauss_legendre(64, 128, grid)
!   alm, leg     complex; maps, points and spectra real. Arrays are in C's order, so that the first
!                index in the headers is the last one here: map(npix, ncomp, ntrans)
!   options      derived types. Fill them by armilla_..._init, then change components. Options, exec
!                and whatever else may be NULL in C are optional arguments
!   texts        end with c_null_char: trim(path) // c_null_char. What the library returns as text
!                becomes a character variable by armilla_text
!   errors       functions return a status: call armilla_check(armilla_...(...)) stops the program
!                with the library's message unless it is ARMILLA_OK
!   callbacks    type(c_funptr): c_funloc of a function with bind(c)
!
! Fortran counts from 1, the library from 0: rings, pixels, degrees and orders are the library's.
module armilla
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    ! status.h
    integer(c_int), parameter :: ARMILLA_OK = 0
    integer(c_int), parameter :: ARMILLA_ERROR_ARGUMENT = 1
    integer(c_int), parameter :: ARMILLA_ERROR_MEMORY = 2
    integer(c_int), parameter :: ARMILLA_ERROR_IO = 3
    integer(c_int), parameter :: ARMILLA_ERROR_FORMAT = 4
    integer(c_int), parameter :: ARMILLA_ERROR_UNSUPPORTED = 5
    integer(c_int), parameter :: ARMILLA_ERROR_CANCELLED = 6
    integer(c_int), parameter :: ARMILLA_ERROR_INTERNAL = 7
    integer(c_int), parameter :: ARMILLA_ERROR_TRANSPORT = 8

    ! alm.h
    integer(c_int), parameter :: ARMILLA_MEAN_ERROR = 0
    integer(c_int), parameter :: ARMILLA_MEAN_IGNORE = 1

    ! device.h
    integer(c_int), parameter :: ARMILLA_CPU = 0
    integer(c_int), parameter :: ARMILLA_CUDA = 1
    integer(c_int), parameter :: ARMILLA_MEMORY_ASK = 0
    integer(c_int), parameter :: ARMILLA_MEMORY_HOST = 1
    integer(c_int), parameter :: ARMILLA_MEMORY_DEVICE = 2
    integer(c_int), parameter :: ARMILLA_DEVICE_TUNE_TABLE = 0
    integer(c_int), parameter :: ARMILLA_DEVICE_TUNE_MEASURE = 1
    integer(c_int), parameter :: ARMILLA_DEVICE_TUNE_MEASURE_MANY = 2
    integer(c_int), parameter :: ARMILLA_DEVICE_PRECISION_AUTO = 0
    integer(c_int), parameter :: ARMILLA_DEVICE_PRECISION_DOUBLE = 1
    integer(c_int), parameter :: ARMILLA_DEVICE_PRECISION_SINGLE = 2
    integer(c_int), parameter :: ARMILLA_DEVICE_PRECISION_TWO_FLOATS = 3
    integer(c_int), parameter :: ARMILLA_DEVICE_PRECISION_HALVES = 4

    ! healpix.h
    real(c_double), parameter :: ARMILLA_HEALPIX_MISSING = -1.6375e30_c_double

    ! grid.h
    integer(c_int), parameter :: ARMILLA_GRID_NAME_SIZE = 48
    integer(c_int), parameter :: ARMILLA_GRID_CUSTOM = 0
    integer(c_int), parameter :: ARMILLA_GRID_HEALPIX = 1
    integer(c_int), parameter :: ARMILLA_GRID_GAUSS_LEGENDRE = 2
    integer(c_int), parameter :: ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE = 3
    integer(c_int), parameter :: ARMILLA_GRID_CC = 4
    integer(c_int), parameter :: ARMILLA_GRID_F1 = 5
    integer(c_int), parameter :: ARMILLA_GRID_F2 = 6
    integer(c_int), parameter :: ARMILLA_GRID_DH = 7
    integer(c_int), parameter :: ARMILLA_GRID_MW = 8
    integer(c_int), parameter :: ARMILLA_GRID_MWSS = 9
    integer(c_int), parameter :: ARMILLA_GRID_MWFLIP = 10

    ! sht.h
    integer(c_int), parameter :: ARMILLA_SHT_STANDARD = 0
    integer(c_int), parameter :: ARMILLA_SHT_GRADIENT_ONLY = 1
    integer(c_int), parameter :: ARMILLA_SHT_DERIVATIVES = 2
    integer(c_int), parameter :: ARMILLA_SHT_AUTO = 0
    integer(c_int), parameter :: ARMILLA_SHT_DIRECT = 1
    integer(c_int), parameter :: ARMILLA_SHT_RESAMPLE = 2
    integer(c_int), parameter :: ARMILLA_ALM_COMPLEX = 0
    integer(c_int), parameter :: ARMILLA_ALM_REAL = 1
    integer(c_int), parameter :: ARMILLA_SPIN_AUTO = 0
    integer(c_int), parameter :: ARMILLA_SPIN_RECURRENCE = 1
    integer(c_int), parameter :: ARMILLA_RING_ORDERS_ALL = 0
    integer(c_int), parameter :: ARMILLA_RING_ORDERS_ECTRANS = 1
    integer(c_int), parameter :: ARMILLA_RING_ORDERS_LISTED = 2
    integer(c_int), parameter :: ARMILLA_MISSING_PROPAGATE = 0
    integer(c_int), parameter :: ARMILLA_MISSING_ERROR = 1
    integer(c_int), parameter :: ARMILLA_PSEUDO_LSMR = 0
    integer(c_int), parameter :: ARMILLA_PSEUDO_JACOBI = 1
    integer(c_int), parameter :: ARMILLA_PSEUDO_AUTO = 2
    integer(c_int), parameter :: ARMILLA_STOP_ZERO = 0
    integer(c_int), parameter :: ARMILLA_STOP_RESIDUAL = 1
    integer(c_int), parameter :: ARMILLA_STOP_GRADIENT = 2
    integer(c_int), parameter :: ARMILLA_STOP_CONDITION = 3
    integer(c_int), parameter :: ARMILLA_STOP_CHANGE = 4
    integer(c_int), parameter :: ARMILLA_STOP_EXACT = 5
    integer(c_int), parameter :: ARMILLA_STOP_ITERATIONS = 7

    ! radial.h
    integer(c_int), parameter :: ARMILLA_RADIAL_EXACT = 0
    integer(c_int), parameter :: ARMILLA_RADIAL_STANDARD = 1
    integer(c_int), parameter :: ARMILLA_RADIAL_AUTO = 0
    integer(c_int), parameter :: ARMILLA_RADIAL_NONE = 1
    integer(c_int), parameter :: ARMILLA_RADIAL_INTEGRAL = 2
    integer(c_int), parameter :: ARMILLA_RADIAL_SUM = 3
    integer(c_int), parameter :: ARMILLA_RADIAL_FASTEST = 0
    integer(c_int), parameter :: ARMILLA_RADIAL_PIXELS = 1
    integer(c_int), parameter :: ARMILLA_RADIAL_RINGS = 2

    ! convention.h
    integer(c_int), parameter :: ARMILLA_NORM_ORTHONORMAL = 0
    integer(c_int), parameter :: ARMILLA_NORM_FOUR_PI = 1
    integer(c_int), parameter :: ARMILLA_NORM_SCHMIDT = 2
    integer(c_int), parameter :: ARMILLA_NORM_UNNORMALIZED = 3
    integer(c_int), parameter :: ARMILLA_HARMONICS_COMPLEX = 0
    integer(c_int), parameter :: ARMILLA_HARMONICS_REAL = 1
    integer(c_int), parameter :: ARMILLA_HARMONICS_REAL_CONJUGATE = 2
    integer(c_int), parameter :: ARMILLA_PACKING_ORDERS = 0
    integer(c_int), parameter :: ARMILLA_PACKING_DEGREES = 1
    integer(c_int), parameter :: ARMILLA_PACKING_RECTANGLE = 2
    integer(c_int), parameter :: ARMILLA_PACKING_PLANES = 3
    integer(c_int), parameter :: ARMILLA_PACKING_ACN = 4
    integer(c_int), parameter :: ARMILLA_PACKING_CENTRED = 5
    integer(c_int), parameter :: ARMILLA_PACKING_VECTOR = 6

    ! transport.h
    integer(c_int), parameter :: ARMILLA_TRANSPORT_SLOTS = 2

    ! distributed.h
    integer(c_int), parameter :: ARMILLA_DEVICE_OF_RANK = -1
    integer(c_int), parameter :: ARMILLA_DEVICE_CURRENT = -2

    ! lensing.h
    integer(c_int), parameter :: ARMILLA_DEFLECTION_POTENTIAL = 0
    integer(c_int), parameter :: ARMILLA_DEFLECTION_VECTOR = 1
    integer(c_int), parameter :: ARMILLA_DEFLECTION_MAP = 2
    integer(c_int), parameter :: ARMILLA_DISTORTION_LINEAR = 0
    integer(c_int), parameter :: ARMILLA_DISTORTION_EXACT = 1

    ! picture.h
    integer(c_int), parameter :: ARMILLA_PROJECTION_MOLLWEIDE = 0
    integer(c_int), parameter :: ARMILLA_PROJECTION_ORTHOGRAPHIC = 1
    integer(c_int), parameter :: ARMILLA_PROJECTION_GNOMONIC = 2
    integer(c_int), parameter :: ARMILLA_PROJECTION_EQUIRECTANGULAR = 3
    integer(c_int), parameter :: ARMILLA_PROJECTION_LAMBERT = 4
    integer(c_int), parameter :: ARMILLA_PROJECTION_EQUIDISTANT = 5
    integer(c_int), parameter :: ARMILLA_PROJECTION_STEREOGRAPHIC = 6
    integer(c_int), parameter :: ARMILLA_COLORS_DIVERGING = 0
    integer(c_int), parameter :: ARMILLA_COLORS_PLANCK = 1
    integer(c_int), parameter :: ARMILLA_COLORS_VIRIDIS = 2
    integer(c_int), parameter :: ARMILLA_COLORS_MAGMA = 3
    integer(c_int), parameter :: ARMILLA_COLORS_GREY = 4
    integer(c_int), parameter :: ARMILLA_SCALE_LINEAR = 0
    integer(c_int), parameter :: ARMILLA_SCALE_LOG = 1
    integer(c_int), parameter :: ARMILLA_SCALE_SYMLOG = 2
    integer(c_int), parameter :: ARMILLA_SCALE_EQUALISED = 3

    ! io.h
    real(c_double), parameter :: ARMILLA_UNSEEN = -1.6375e30_c_double
    integer(c_int), parameter :: ARMILLA_IO_NAME_SIZE = 72
    integer(c_int), parameter :: ARMILLA_IO_PRIMARY = -1000
    integer(c_int), parameter :: ARMILLA_IO_DOUBLE = 0
    integer(c_int), parameter :: ARMILLA_IO_FLOAT = 1
    integer(c_int), parameter :: ARMILLA_IO_INT16 = 2
    integer(c_int), parameter :: ARMILLA_IO_INT32 = 3
    integer(c_int), parameter :: ARMILLA_IO_INT64 = 4
    integer(c_int), parameter :: ARMILLA_IO_UINT8 = 5
    integer(c_int), parameter :: ARMILLA_IO_BOOL = 6
    integer(c_int), parameter :: ARMILLA_IO_RING = 0
    integer(c_int), parameter :: ARMILLA_IO_NESTED = 1

    ! solid.h
    integer(c_int), parameter :: ARMILLA_SOLID_EXTERIOR = 0
    integer(c_int), parameter :: ARMILLA_SOLID_INTERIOR = 1
    integer(c_int), parameter :: ARMILLA_SOLID_CARTESIAN = 0
    integer(c_int), parameter :: ARMILLA_SOLID_LOCAL = 1
    integer(c_int), parameter :: ARMILLA_SOLID_AUTO = 0
    integer(c_int), parameter :: ARMILLA_SOLID_DIRECT = 1
    integer(c_int), parameter :: ARMILLA_SOLID_SHELLS = 2

    ! spectrum.h
    integer(c_int), parameter :: ARMILLA_POWER_MEAN = 0
    integer(c_int), parameter :: ARMILLA_POWER_INTEGRAL = 1
    integer(c_int), parameter :: ARMILLA_POWER_SQUARES = 2
    integer(c_int), parameter :: ARMILLA_POWER_PER_DEGREE = 0
    integer(c_int), parameter :: ARMILLA_POWER_PER_ORDER = 1
    integer(c_int), parameter :: ARMILLA_POWER_PER_LOGARITHM = 2

    ! vector.h
    real(c_double), parameter :: ARMILLA_EARTH_RADIUS_ECMWF = 6371229.0e0_c_double
    real(c_double), parameter :: ARMILLA_EARTH_RADIUS_SPHARM = 6371200.0e0_c_double
    integer(c_int), parameter :: ARMILLA_VECTOR_VORTICITY_DIVERGENCE = 0
    integer(c_int), parameter :: ARMILLA_VECTOR_STREAM_POTENTIAL = 1
    integer(c_int), parameter :: ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL = 2
    integer(c_int), parameter :: ARMILLA_VECTOR_COMPONENTS = 3
    integer(c_int), parameter :: ARMILLA_VECTOR_ROTATIONAL = 4
    integer(c_int), parameter :: ARMILLA_VECTOR_DIVERGENT = 5
    integer(c_int), parameter :: ARMILLA_VECTOR_EAST_NORTH = 0
    integer(c_int), parameter :: ARMILLA_VECTOR_THETA_PHI = 1

    ! mpi.h
    integer(c_int), parameter :: ARMILLA_MPI_DEVICE_MEMORY_ASK = 0
    integer(c_int), parameter :: ARMILLA_MPI_DEVICE_MEMORY_NO = 1
    integer(c_int), parameter :: ARMILLA_MPI_DEVICE_MEMORY_YES = 2

    ! device.h
    type, bind(c) :: armilla_device_description
        integer(c_size_t) :: size = 0
        character(kind=c_char) :: name(128) = c_null_char
        integer(c_int64_t) :: memory_bytes = 0
        integer(c_int64_t) :: free_bytes = 0
        integer(c_int64_t) :: multiprocessors = 0
        integer(c_int64_t) :: compute_capability = 0
        integer(c_int64_t) :: driver_version = 0
        integer(c_int64_t) :: runtime_version = 0
    end type

    ! healpix.h
    type, bind(c) :: armilla_healpix_map
        integer(c_int64_t) :: nside = 0
        integer(c_int) :: nested = 0
        integer(c_int) :: is_float = 0
        type(c_ptr) :: values = c_null_ptr
    end type

    ! grid.h
    type, bind(c) :: armilla_ring
        real(c_double) :: theta = 0
        integer(c_int64_t) :: nphi = 0
        real(c_double) :: phi0 = 0
        integer(c_int64_t) :: offset = 0
        integer(c_int64_t) :: stride = 0
        real(c_double) :: weight = 0
    end type

    type, bind(c) :: armilla_grid_sizes
        integer(c_size_t) :: size = 0
        integer(c_int) :: kind = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: nphi = 0
        integer(c_int64_t) :: nside = 0
        integer(c_int) :: nested = 0
        integer(c_int) :: south_first = 0
        real(c_double) :: phi0 = 0
    end type

    type, bind(c) :: armilla_grid_layout
        integer(c_size_t) :: size = 0
        real(c_double) :: phi0 = 0
        integer(c_int) :: south_first = 0
        integer(c_int) :: west_first = 0
        integer(c_int) :: theta_contiguous = 0
        integer(c_int64_t) :: ring_stride = 0
        integer(c_int64_t) :: pixel_stride = 0
        integer(c_int) :: nested = 0
    end type

    ! choice.h
    type, bind(c) :: armilla_choice
        type(c_ptr) :: name = c_null_ptr
        type(c_ptr) :: value = c_null_ptr
        type(c_ptr) :: why = c_null_ptr
    end type

    ! sht.h
    type, bind(c) :: armilla_sht_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: spin = 0
        type(c_ptr) :: layout = c_null_ptr
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int) :: mode = 0
        integer(c_int) :: method = 0
        integer(c_int) :: spin_method = 0
        integer(c_int) :: device = 0
        integer(c_int64_t) :: device_bytes = 0
        integer(c_int) :: device_tune = 0
        type(c_ptr) :: device_shape = c_null_ptr
        integer(c_int) :: device_precision = 0
        integer(c_int64_t) :: host_bytes = 0
        integer(c_int64_t) :: cache_bytes = 0
        type(c_ptr) :: choices = c_null_ptr
        integer(c_int64_t) :: mres = 0
        integer(c_int) :: form = 0
        integer(c_int) :: conjugate = 0
        type(c_ptr) :: degree_scale = c_null_ptr
        type(c_ptr) :: order_scale = c_null_ptr
        integer(c_int) :: ring_orders = 0
        type(c_ptr) :: ring_limits = c_null_ptr
        type(c_ptr) :: devices = c_null_ptr
        integer(c_int64_t) :: ndevices = 0
        integer(c_int) :: delegate = 0
        integer(c_int) :: device_streams = 0
    end type

    type, bind(c) :: armilla_exec
        integer(c_size_t) :: size = 0
        integer(c_int) :: nthreads = 0
        integer(c_int64_t) :: ntrans = 0
        integer(c_int64_t) :: alm_distance = 0
        integer(c_int64_t) :: map_distance = 0
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: progress_data = c_null_ptr
        integer(c_int) :: memory = 0
        type(c_ptr) :: stream = c_null_ptr
        integer(c_int) :: missing = 0
    end type

    type, bind(c) :: armilla_pseudo_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: method = 0
        real(c_double) :: tolerance = 0
        integer(c_int64_t) :: max_iterations = 0
        type(c_ptr) :: weights = c_null_ptr
        type(c_ptr) :: guess = c_null_ptr
    end type

    type, bind(c) :: armilla_pseudo_report
        integer(c_int) :: stop = 0
        integer(c_int64_t) :: iterations = 0
        real(c_double) :: residual = 0
        real(c_double) :: gradient = 0
    end type

    type, bind(c) :: armilla_sht_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: backend = c_null_ptr
        type(c_ptr) :: isa = c_null_ptr
        type(c_ptr) :: method = c_null_ptr
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
        real(c_double) :: useful_flops = 0
        integer(c_int64_t) :: alm_ncomp = 0
        integer(c_int64_t) :: device_plan_bytes = 0
        integer(c_int64_t) :: device_workspace_bytes = 0
        type(c_ptr) :: device_shape = c_null_ptr
        type(c_ptr) :: device_precision = c_null_ptr
        integer(c_int) :: exact = 0
        integer(c_int64_t) :: mres = 0
        integer(c_int64_t) :: device_batch = 0
        type(c_ptr) :: device_doubles = c_null_ptr
        integer(c_int64_t) :: device_streams = 0
    end type

    ! radial.h
    type, bind(c) :: armilla_radial_options
        integer(c_size_t) :: size = 0
        real(c_double) :: support = 0
        real(c_double) :: truncation_error = 0
        integer(c_int) :: mode = 0
        integer(c_int) :: normalization = 0
        integer(c_int) :: method = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: spin = 0
        integer(c_int) :: device = 0
        integer(c_int64_t) :: device_bytes = 0
        type(c_ptr) :: devices = c_null_ptr
        integer(c_int64_t) :: ndevices = 0
        integer(c_int) :: delegate = 0
    end type

    type, bind(c) :: armilla_radial_stream
        integer(c_size_t) :: size = 0
        type(c_funptr) :: read = c_null_funptr
        type(c_funptr) :: write = c_null_funptr
        type(c_ptr) :: data = c_null_ptr
        integer(c_int64_t) :: memory_bytes = 0
        integer(c_int) :: weighted = 0
        real(c_double) :: least = 0
        real(c_double) :: fill = 0
    end type

    type, bind(c) :: armilla_radial_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: isa = c_null_ptr
        type(c_ptr) :: method = c_null_ptr
        type(c_ptr) :: normalization = c_null_ptr
        real(c_double) :: support = 0
        real(c_double) :: truncation_error = 0
        real(c_double) :: integral = 0
        real(c_double) :: width = 0
        real(c_double) :: pixel = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: pairs = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
        integer(c_int64_t) :: device_plan_bytes = 0
        integer(c_int64_t) :: device_workspace_bytes = 0
    end type

    ! asymmetric.h
    type, bind(c) :: armilla_asymmetric_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: nkernels = 0
        real(c_double) :: support = 0
        real(c_double) :: truncation_error = 0
        real(c_double) :: width = 0
        real(c_double) :: pixel = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: pairs = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
    end type

    ! points.h
    type, bind(c) :: armilla_points_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: spin = 0
        type(c_ptr) :: layout = c_null_ptr
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int) :: mode = 0
        integer(c_int) :: spin_method = 0
        real(c_double) :: epsilon = 0
        integer(c_int64_t) :: derivatives = 0
        integer(c_int) :: nthreads = 0
        integer(c_int) :: device = 0
        integer(c_int64_t) :: device_bytes = 0
        integer(c_int) :: points_memory = 0
        type(c_ptr) :: devices = c_null_ptr
        integer(c_int64_t) :: ndevices = 0
        integer(c_int) :: delegate = 0
        real(c_double) :: upsampling = 0
        integer(c_int64_t) :: taps = 0
    end type

    type, bind(c) :: armilla_interpolation_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: spin = 0
        integer(c_int64_t) :: derivatives = 0
        integer(c_int64_t) :: max_iterations = 0
        real(c_double) :: epsilon = 0
        type(c_ptr) :: isa = c_null_ptr
    end type

    type, bind(c) :: armilla_points_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: npoints = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int64_t) :: alm_ncomp = 0
        integer(c_int64_t) :: alm_size = 0
        real(c_double) :: epsilon = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: nphi = 0
        integer(c_int64_t) :: taps = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
        real(c_double) :: north = 0
        real(c_double) :: south = 0
        integer(c_int64_t) :: near_rings = 0
        integer(c_int64_t) :: highest_order = 0
        type(c_ptr) :: backend = c_null_ptr
        integer(c_int64_t) :: device_plan_bytes = 0
        integer(c_int64_t) :: device_workspace_bytes = 0
    end type

    ! beams.h
    type, bind(c) :: armilla_beams_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: components = 0
        real(c_double) :: epsilon = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int) :: nthreads = 0
        integer(c_int64_t) :: nbeams = 0
        type(c_ptr) :: modulation = c_null_ptr
        integer(c_int) :: device = 0
        integer(c_int64_t) :: device_bytes = 0
        type(c_ptr) :: devices = c_null_ptr
        integer(c_int64_t) :: ndevices = 0
        integer(c_int) :: delegate = 0
    end type

    type, bind(c) :: armilla_beams_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: kmax = 0
        integer(c_int64_t) :: npointings = 0
        integer(c_int64_t) :: components = 0
        integer(c_int64_t) :: nbeams = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: blm_size = 0
        real(c_double) :: epsilon = 0
        integer(c_int64_t) :: nrings = 0
        integer(c_int64_t) :: nphi = 0
        integer(c_int64_t) :: taps = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
        type(c_ptr) :: backend = c_null_ptr
    end type

    ! convention.h
    type, bind(c) :: armilla_convention
        integer(c_int) :: normalization = 0
        integer(c_int) :: condon_shortley = 0
        integer(c_int) :: harmonics = 0
        integer(c_int) :: packing = 0
        integer(c_int) :: complex_field = 0
        integer(c_int) :: integrals = 0
    end type

    ! coupling.h
    type, bind(c) :: armilla_coupling_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: spin1 = 0
        integer(c_int64_t) :: spin2 = 0
        integer(c_int) :: pure1 = 0
        integer(c_int) :: pure2 = 0
        type(c_ptr) :: window = c_null_ptr
        type(c_ptr) :: isa = c_null_ptr
    end type

    type, bind(c) :: armilla_bands
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: nbands = 0
        type(c_ptr) :: begin = c_null_ptr
        type(c_ptr) :: end = c_null_ptr
        type(c_ptr) :: weights = c_null_ptr
        type(c_ptr) :: factor = c_null_ptr
    end type

    type, bind(c) :: armilla_covariance_term
        integer(c_int64_t) :: mask = 0
        integer(c_int64_t) :: x = 0
        integer(c_int64_t) :: y = 0
    end type

    type, bind(c) :: armilla_covariance_problem
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: nx = 0
        integer(c_int64_t) :: ny = 0
        type(c_ptr) :: x = c_null_ptr
        type(c_ptr) :: y = c_null_ptr
        integer(c_int64_t) :: nterms = 0
        type(c_ptr) :: terms = c_null_ptr
    end type

    type, bind(c) :: armilla_gaussian_pair
        integer(c_int64_t) :: field1 = 0
        integer(c_int64_t) :: field2 = 0
        type(c_ptr) :: matrix = c_null_ptr
        integer(c_int) :: is_whole = 0
    end type

    type, bind(c) :: armilla_gaussian_block
        integer(c_int64_t) :: pair1 = 0
        integer(c_int64_t) :: pair2 = 0
        integer(c_int64_t) :: mask1 = 0
        integer(c_int64_t) :: mask2 = 0
    end type

    type, bind(c) :: armilla_gaussian_problem
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: lmask = 0
        integer(c_int64_t) :: nmasks = 0
        type(c_ptr) :: masks = c_null_ptr
        integer(c_int64_t) :: nfields = 0
        type(c_ptr) :: spins = c_null_ptr
        type(c_ptr) :: pure = c_null_ptr
        type(c_ptr) :: cl = c_null_ptr
        type(c_ptr) :: bands = c_null_ptr
        integer(c_int64_t) :: npairs = 0
        type(c_ptr) :: pairs = c_null_ptr
        integer(c_int64_t) :: nblocks = 0
        type(c_ptr) :: blocks = c_null_ptr
    end type

    type, bind(c) :: armilla_correlation
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: spin1 = 0
        integer(c_int64_t) :: spin2 = 0
        integer(c_int64_t) :: ntheta = 0
        type(c_ptr) :: theta = c_null_ptr
        integer(c_int) :: bins = 0
        integer(c_int) :: nthreads = 0
    end type

    ! distribution.h
    type, bind(c) :: armilla_distribution_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: groups = 0
        type(c_ptr) :: order_member = c_null_ptr
        type(c_ptr) :: ring_member = c_null_ptr
        integer(c_int) :: count_resampling = 0
    end type

    ! rotation.h
    type, bind(c) :: armilla_rotation
        real(c_double) :: psi = 0
        real(c_double) :: theta = 0
        real(c_double) :: phi = 0
    end type

    ! transport.h
    type, bind(c) :: armilla_message
        integer(c_int64_t) :: rank = 0
        integer(c_int64_t) :: bytes = 0
        type(c_ptr) :: data = c_null_ptr
    end type

    type, bind(c) :: armilla_transport
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: rank = 0
        integer(c_int64_t) :: nranks = 0
        integer(c_int64_t) :: most_threads = 0
        type(c_ptr) :: context = c_null_ptr
        type(c_funptr) :: start = c_null_funptr
        type(c_funptr) :: wait = c_null_funptr
        type(c_funptr) :: largest = c_null_funptr
        type(c_funptr) :: poke = c_null_funptr
        integer(c_int64_t) :: local_rank = 0
        integer(c_int) :: takes_device_memory = 0
    end type

    ! distributed.h
    type, bind(c) :: armilla_distributed_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: chunk_bytes = 0
        integer(c_int64_t) :: device_number = 0
    end type

    type, bind(c) :: armilla_distributed_description
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int64_t) :: alm_ncomp = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
        integer(c_int64_t) :: messages = 0
        integer(c_int64_t) :: bytes = 0
        integer(c_int64_t) :: chunks = 0
    end type

    ! distributed_beams.h
    type, bind(c) :: armilla_distributed_beams_description
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: npointings = 0
        integer(c_int64_t) :: all_pointings = 0
        integer(c_int64_t) :: pointings_here = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: blm_size = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
    end type

    ! distributed_points.h
    type, bind(c) :: armilla_distributed_points_description
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: npoints = 0
        integer(c_int64_t) :: all_points = 0
        integer(c_int64_t) :: points_here = 0
        integer(c_int64_t) :: strips = 0
        integer(c_int64_t) :: nstrips = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int64_t) :: alm_ncomp = 0
        integer(c_int64_t) :: moves_alm = 0
        integer(c_int64_t) :: chunks = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
    end type

    ! lensing.h
    type, bind(c) :: armilla_deflection
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        type(c_ptr) :: gradient = c_null_ptr
        type(c_ptr) :: curl = c_null_ptr
        integer(c_int) :: kind = 0
        integer(c_int) :: nthreads = 0
        type(c_ptr) :: map = c_null_ptr
    end type

    ! distributed_lensing.h
    type, bind(c) :: armilla_distributed_deflection
        integer(c_size_t) :: size = 0
        type(c_ptr) :: distribution = c_null_ptr
        type(c_ptr) :: gradient = c_null_ptr
        type(c_ptr) :: curl = c_null_ptr
        integer(c_int) :: has_curl = 0
        integer(c_int) :: kind = 0
    end type

    ! redistribution.h
    type, bind(c) :: armilla_span
        integer(c_int64_t) :: begin = 0
        integer(c_int64_t) :: count = 0
        integer(c_int64_t) :: place = 0
    end type

    type, bind(c) :: armilla_redistribution_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: chunk_bytes = 0
    end type

    ! distributed_radial.h
    type, bind(c) :: armilla_distributed_radial_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: method = c_null_ptr
        type(c_ptr) :: normalization = c_null_ptr
        real(c_double) :: support = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: belt_rings = 0
        integer(c_int64_t) :: belt_npix = 0
        integer(c_int64_t) :: window_npix = 0
        integer(c_int64_t) :: windows = 0
        type(c_ptr) :: isa = c_null_ptr
        real(c_double) :: truncation_error = 0
        real(c_double) :: width = 0
    end type

    ! picture.h
    type, bind(c) :: armilla_picture_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: width = 0
        real(c_double) :: minimum = 0
        real(c_double) :: maximum = 0
        type(c_ptr) :: title = c_null_ptr
        type(c_ptr) :: unit = c_null_ptr
        integer(c_int64_t) :: nthreads = 0
        integer(c_int) :: projection = 0
        integer(c_int) :: two_sides = 0
        real(c_double) :: fov = 0
        real(c_double) :: longitude = 0
        real(c_double) :: latitude = 0
        real(c_double) :: angle = 0
        character(kind=c_char) :: from = c_null_char
        character(kind=c_char) :: to = c_null_char
        integer(c_int) :: east_right = 0
        integer(c_int) :: graticule = 0
        integer(c_int) :: colors = 0
        integer(c_int) :: scale = 0
        real(c_double) :: threshold = 0
    end type

    type, bind(c) :: armilla_curve
        type(c_ptr) :: cl = c_null_ptr
        integer(c_int64_t) :: lmax = 0
        type(c_ptr) :: label = c_null_ptr
        integer(c_int) :: dashed = 0
    end type

    type, bind(c) :: armilla_plot_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: width = 0
        type(c_ptr) :: title = c_null_ptr
        type(c_ptr) :: unit = c_null_ptr
        integer(c_int) :: plain = 0
        integer(c_int) :: log_degree = 0
        integer(c_int) :: log_power = 0
        real(c_double) :: first = 0
        real(c_double) :: last = 0
        real(c_double) :: lowest = 0
        real(c_double) :: highest = 0
    end type

    ! io.h
    type, bind(c) :: armilla_field
        character(kind=c_char) :: name(ARMILLA_IO_NAME_SIZE) = c_null_char
        character(kind=c_char) :: unit(ARMILLA_IO_NAME_SIZE) = c_null_char
        integer(c_int) :: type = 0
        type(c_ptr) :: values = c_null_ptr
    end type

    type, bind(c) :: armilla_keyword
        type(c_ptr) :: name = c_null_ptr
        type(c_ptr) :: value = c_null_ptr
        type(c_ptr) :: comment = c_null_ptr
    end type

    type, bind(c) :: armilla_write_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: overwrite = 0
        integer(c_int64_t) :: row_pixels = 0
        integer(c_int64_t) :: nkeywords = 0
        integer(c_int) :: keep_nan = 0
        type(c_ptr) :: keywords = c_null_ptr
        type(c_ptr) :: integers = c_null_ptr
        integer(c_int) :: image = 0
    end type

    type, bind(c) :: armilla_raw_table
        integer(c_int64_t) :: rows = 0
        integer(c_int64_t) :: row_bytes = 0
        type(c_ptr) :: bytes = c_null_ptr
        type(c_ptr) :: header = c_null_ptr
    end type

    type, bind(c) :: armilla_map
        integer(c_int64_t) :: nside = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: nfields = 0
        type(c_ptr) :: fields = c_null_ptr
        integer(c_int) :: order = 0
        integer(c_int) :: partial = 0
        integer(c_int) :: iau = 0
        character(kind=c_char) :: coordsys = c_null_char
        character(kind=c_char) :: grid_name(ARMILLA_GRID_NAME_SIZE) = c_null_char
        type(c_ptr) :: grid = c_null_ptr
    end type

    type, bind(c) :: armilla_alm_file
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int) :: type = 0
        type(c_ptr) :: alm = c_null_ptr
        character(kind=c_char) :: coordsys = c_null_char
    end type

    type, bind(c) :: armilla_cl_file
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: nspectra = 0
        type(c_ptr) :: names = c_null_ptr
        character(kind=c_char) :: unit(ARMILLA_IO_NAME_SIZE) = c_null_char
        integer(c_int) :: type = 0
        type(c_ptr) :: cl = c_null_ptr
    end type

    ! leg.h
    type, bind(c) :: armilla_leg_problem
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: nrings = 0
        type(c_ptr) :: theta = c_null_ptr
        integer(c_int64_t) :: norders = 0
        type(c_ptr) :: orders = c_null_ptr
        type(c_ptr) :: mstart = c_null_ptr
        integer(c_int64_t) :: stride = 0
        integer(c_int64_t) :: alm_distance = 0
        integer(c_int64_t) :: spin = 0
        integer(c_int) :: mode = 0
        integer(c_int) :: nthreads = 0
        type(c_ptr) :: isa = c_null_ptr
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: progress_data = c_null_ptr
    end type

    type, bind(c) :: armilla_leg_rings
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: ncomp = 0
        integer(c_int64_t) :: nrings = 0
        type(c_ptr) :: rings = c_null_ptr
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: map_distance = 0
        integer(c_int) :: nthreads = 0
        type(c_ptr) :: isa = c_null_ptr
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: progress_data = c_null_ptr
    end type

    ! so3.h
    type, bind(c) :: armilla_so3_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: ngamma = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: table_bytes = 0
        integer(c_int64_t) :: plane_bytes = 0
    end type

    type, bind(c) :: armilla_so3_description
        integer(c_size_t) :: size = 0
        type(c_ptr) :: isa = c_null_ptr
        integer(c_int64_t) :: lmax = 0
        integer(c_int64_t) :: mmax = 0
        integer(c_int64_t) :: nmax = 0
        integer(c_int64_t) :: ngamma = 0
        integer(c_int64_t) :: npix = 0
        integer(c_int64_t) :: alm_size = 0
        integer(c_int64_t) :: kept = 0
        integer(c_int64_t) :: parts = 0
        integer(c_int) :: exact = 0
        integer(c_int64_t) :: plan_bytes = 0
        integer(c_int64_t) :: workspace_bytes = 0
    end type

    ! solid.h
    type, bind(c) :: armilla_solid_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: kind = 0
        integer(c_int) :: frame = 0
        integer(c_int64_t) :: derivatives = 0
        real(c_double) :: radius = 0
        type(c_ptr) :: layout = c_null_ptr
        type(c_ptr) :: isa = c_null_ptr
        real(c_double) :: epsilon = 0
        integer(c_int) :: way = 0
        type(c_ptr) :: devices = c_null_ptr
        integer(c_int64_t) :: ndevices = 0
        integer(c_int) :: device = 0
        integer(c_int) :: delegate = 0
    end type

    ! vector.h
    type, bind(c) :: armilla_vector_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: form = 0
        integer(c_int) :: components = 0
        real(c_double) :: radius = 0
        integer(c_int) :: radial = 0
        integer(c_int) :: mean = 0
        type(c_ptr) :: sht = c_null_ptr
    end type

    ! mpi.h
    type, bind(c) :: armilla_mpi_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: message_bytes = 0
        integer(c_int) :: device_memory = 0
    end type

    interface

        ! status.h
        function armilla_status_name(status) bind(c) result(answer)
            import
            integer(c_int), value :: status
            type(c_ptr) :: answer
        end function
        function armilla_status_message() bind(c) result(answer)
            import
            type(c_ptr) :: answer
        end function
        function armilla_status_record(status, message) bind(c) result(answer)
            import
            integer(c_int), value :: status
            character(kind=c_char), intent(in) :: message(*)
            integer(c_int) :: answer
        end function
        function armilla_status_errno() bind(c) result(answer)
            import
            integer(c_int) :: answer
        end function
        function armilla_version() bind(c) result(answer)
            import
            type(c_ptr) :: answer
        end function
        function armilla_licence() bind(c) result(answer)
            import
            type(c_ptr) :: answer
        end function
        function armilla_isa_name() bind(c) result(answer)
            import
            type(c_ptr) :: answer
        end function
        function armilla_isa_available(index) bind(c) result(answer)
            import
            integer(c_int), value :: index
            type(c_ptr) :: answer
        end function
        function armilla_thread_count() bind(c) result(answer)
            import
            integer(c_int) :: answer
        end function

        ! alm.h
        function armilla_alm_size_long(lmax, mmax) bind(c, name='armilla_alm_size') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_index_long(lmax, l, m&
                ) bind(c, name='armilla_alm_index') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_lmax_long(size, mmax) bind(c, name='armilla_alm_lmax') result(answer)
            import
            integer(c_int64_t), value :: size
            integer(c_int64_t), value :: mmax
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_size_mres_long(lmax, mmax, mres&
                ) bind(c, name='armilla_alm_size_mres') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: mres
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_index_mres_long(lmax, l, m, mres&
                ) bind(c, name='armilla_alm_index_mres') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t), value :: mres
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_layout_new_long(lmax, mmax, layout&
                ) bind(c, name='armilla_alm_layout_new') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(c_ptr), intent(out) :: layout
            integer(c_int) :: answer
        end function
        function armilla_alm_layout_new_custom(lmax, mmax, mstart, stride, layout&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), intent(in) :: mstart(*)
            integer(c_int64_t), value :: stride
            type(c_ptr), intent(out) :: layout
            integer(c_int) :: answer
        end function
        function armilla_alm_layout_new_mres_long(lmax, mmax, mres, layout&
                ) bind(c, name='armilla_alm_layout_new_mres') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: mres
            type(c_ptr), intent(out) :: layout
            integer(c_int) :: answer
        end function
        subroutine armilla_alm_layout_free(layout) bind(c)
            import
            type(c_ptr), value :: layout
        end subroutine
        function armilla_alm_layout_lmax(layout) bind(c) result(answer)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_layout_mmax(layout) bind(c) result(answer)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_layout_mres(layout) bind(c) result(answer)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_layout_size(layout) bind(c) result(answer)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_layout_index_long(layout, l, m&
                ) bind(c, name='armilla_alm_layout_index') result(answer)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t) :: answer
        end function
        function armilla_alm_convert(source, alm_source, target, alm_target&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: source
            complex(c_double_complex), intent(in) :: alm_source(*)
            type(c_ptr), value :: target
            complex(c_double_complex), intent(inout) :: alm_target(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_to_real(lmax, mmax, alm, real) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: real(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_from_real(lmax, mmax, real, alm) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            real(c_double), intent(in) :: real(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_multiply_window(lmax, mmax, nwindow, window, alm&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: nwindow
            real(c_double), intent(in) :: window(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_random(lmax, mmax, ncl, cl, seed, field, alm) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            integer(c_int64_t), value :: seed
            integer(c_int64_t), value :: field
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_random_correlated(lmax, mmax, nfields, ncl, cl, seed, alm&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            integer(c_int64_t), value :: seed
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_apply_laplacian(lmax, mmax, radius, alm) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            real(c_double), value :: radius
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_invert_laplacian(lmax, mmax, radius, mean, alm&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            real(c_double), value :: radius
            integer(c_int), value :: mean
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_derive_phi(lmax, mmax, alm) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_multiply_cos_theta(lmax, mmax, alm, result_lmax, result&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            integer(c_int64_t), value :: result_lmax
            real(c_double), intent(inout) :: result(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_derive_theta(lmax, mmax, alm, result_lmax, result&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            integer(c_int64_t), value :: result_lmax
            real(c_double), intent(inout) :: result(*)
            integer(c_int) :: answer
        end function

        ! device.h
        function armilla_device_shape_name_long(number&
                ) bind(c, name='armilla_device_shape_name') result(answer)
            import
            integer(c_int64_t), value :: number
            type(c_ptr) :: answer
        end function
        function armilla_device_describe(device, description) bind(c) result(answer)
            import
            integer(c_int), value :: device
            type(armilla_device_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! healpix.h
        function armilla_healpix_npix_long(nside&
                ) bind(c, name='armilla_healpix_npix') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_nside_long(npix&
                ) bind(c, name='armilla_healpix_nside') result(answer)
            import
            integer(c_int64_t), value :: npix
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_nest_to_ring_long(nside, pixel&
                ) bind(c, name='armilla_healpix_nest_to_ring') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int64_t), value :: pixel
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_ring_to_nest_long(nside, pixel&
                ) bind(c, name='armilla_healpix_ring_to_nest') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int64_t), value :: pixel
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_ang_to_ring_long(nside, theta, phi&
                ) bind(c, name='armilla_healpix_ang_to_ring') result(answer)
            import
            integer(c_int64_t), value :: nside
            real(c_double), value :: theta
            real(c_double), value :: phi
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_ang_to_pixels(nside, nested, npixels, theta, phi, pixels, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(in) :: phi(*)
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_pixels_to_ang(nside, nested, npixels, pixels, theta, phi, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            real(c_double), intent(inout) :: theta(*)
            real(c_double), intent(inout) :: phi(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_vec_to_pixels(nside, nested, npixels, vectors, planar, pixels, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            real(c_double), intent(in) :: vectors(*)
            integer(c_int), value :: planar
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_pixels_to_vec(nside, nested, npixels, pixels, planar, vectors, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int), value :: planar
            real(c_double), intent(inout) :: vectors(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_renumber(nside, to_nested, npixels, pixels, numbers, nthreads&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: to_nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int64_t), intent(inout) :: numbers(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_pixels_to_faces(nside, nested, npixels, pixels, x, y, face, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int64_t), intent(inout) :: x(*)
            integer(c_int64_t), intent(inout) :: y(*)
            integer(c_int64_t), intent(inout) :: face(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_faces_to_pixels(nside, nested, npixels, x, y, face, pixels, &
                nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: x(*)
            integer(c_int64_t), intent(in) :: y(*)
            integer(c_int64_t), intent(in) :: face(*)
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_neighbours(nside, nested, npixels, pixels, neighbours&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int64_t), intent(inout) :: neighbours(*)
            integer(c_int) :: answer
        end function
        function armilla_healpix_neighbours_with(nside, nested, npixels, pixels, planar, &
                neighbours, nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int), value :: planar
            integer(c_int64_t), intent(inout) :: neighbours(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_boundaries(nside, nested, npixels, pixels, step, vectors&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npixels
            integer(c_int64_t), intent(in) :: pixels(*)
            integer(c_int64_t), value :: step
            real(c_double), intent(inout) :: vectors(*)
            integer(c_int) :: answer
        end function
        function armilla_healpix_reorder_long(nside, to_nested, width, map, reordered, nthreads&
                ) bind(c, name='armilla_healpix_reorder') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: to_nested
            integer(c_int), value :: width
            type(c_ptr), value :: map
            type(c_ptr), value :: reordered
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_change_nside(from, to, pessimistic, power, nthreads&
                ) bind(c) result(answer)
            import
            type(armilla_healpix_map), intent(in) :: from
            type(armilla_healpix_map), intent(in) :: to
            integer(c_int), value :: pessimistic
            real(c_double), value :: power
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_interpolation_weights(nside, nested, npoints, theta, phi, &
                pixels, weights, nthreads) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(in) :: phi(*)
            integer(c_int64_t), intent(inout) :: pixels(*)
            real(c_double), intent(inout) :: weights(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_interpolate(map, npoints, theta, phi, values, nthreads&
                ) bind(c) result(answer)
            import
            type(armilla_healpix_map), intent(in) :: map
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(in) :: phi(*)
            real(c_double), intent(inout) :: values(*)
            integer(c_int), value :: nthreads
            integer(c_int) :: answer
        end function
        function armilla_healpix_query_disc(nside, nested, centre, radius, fact, ranges&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            real(c_double), intent(in) :: centre(*)
            real(c_double), value :: radius
            integer(c_int64_t), value :: fact
            type(c_ptr), intent(out) :: ranges
            integer(c_int) :: answer
        end function
        function armilla_healpix_query_disc_pixels(nside, nested, centre, radius, fact, &
                capacity, npixels, pixels) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            real(c_double), intent(in) :: centre(*)
            real(c_double), value :: radius
            integer(c_int64_t), value :: fact
            integer(c_int64_t), value :: capacity
            integer(c_int64_t), intent(out) :: npixels
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int) :: answer
        end function
        function armilla_healpix_query_polygon(nside, nested, nvertices, vertices, fact, ranges&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            integer(c_int64_t), value :: nvertices
            real(c_double), intent(in) :: vertices(*)
            integer(c_int64_t), value :: fact
            type(c_ptr), intent(out) :: ranges
            integer(c_int) :: answer
        end function
        function armilla_healpix_query_strip_long(nside, nested, theta1, theta2, inclusive, &
                ranges) bind(c, name='armilla_healpix_query_strip') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int), value :: nested
            real(c_double), value :: theta1
            real(c_double), value :: theta2
            integer(c_int), value :: inclusive
            type(c_ptr), intent(out) :: ranges
            integer(c_int) :: answer
        end function
        function armilla_healpix_ranges_count(ranges) bind(c) result(answer)
            import
            type(c_ptr), value :: ranges
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_ranges_npixels(ranges) bind(c) result(answer)
            import
            type(c_ptr), value :: ranges
            integer(c_int64_t) :: answer
        end function
        function armilla_healpix_ranges_get(ranges, runs) bind(c) result(answer)
            import
            type(c_ptr), value :: ranges
            integer(c_int64_t), intent(inout) :: runs(*)
            integer(c_int) :: answer
        end function
        function armilla_healpix_ranges_pixels(ranges, pixels) bind(c) result(answer)
            import
            type(c_ptr), value :: ranges
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_healpix_ranges_free(ranges) bind(c)
            import
            type(c_ptr), value :: ranges
        end subroutine

        ! grid.h
        function armilla_grid_new_healpix_long(nside, grid&
                ) bind(c, name='armilla_grid_new_healpix') result(answer)
            import
            integer(c_int64_t), value :: nside
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_healpix_weighted_long(nside, lmax, grid&
                ) bind(c, name='armilla_grid_new_healpix_weighted') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int64_t), value :: lmax
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_gauss_legendre_long(nrings, nphi, grid&
                ) bind(c, name='armilla_grid_new_gauss_legendre') result(answer)
            import
            integer(c_int64_t), value :: nrings
            integer(c_int64_t), value :: nphi
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_reduced_gauss_legendre_long(nrings, lmax, grid&
                ) bind(c, name='armilla_grid_new_reduced_gauss_legendre') result(answer)
            import
            integer(c_int64_t), value :: nrings
            integer(c_int64_t), value :: lmax
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_reduced(nrings, nphi, grid) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nrings
            integer(c_int64_t), intent(in) :: nphi(*)
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_octahedral_long(n, grid&
                ) bind(c, name='armilla_grid_new_octahedral') result(answer)
            import
            integer(c_int64_t), value :: n
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_classic_long(n, grid&
                ) bind(c, name='armilla_grid_new_classic') result(answer)
            import
            integer(c_int64_t), value :: n
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_equidistant_long(kind, nrings, nphi, grid&
                ) bind(c, name='armilla_grid_new_equidistant') result(answer)
            import
            integer(c_int), value :: kind
            integer(c_int64_t), value :: nrings
            integer(c_int64_t), value :: nphi
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_custom(nrings, rings, grid) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nrings
            type(armilla_ring), intent(in) :: rings(*)
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_new_subset_long(grid, first, count, compact, subset&
                ) bind(c, name='armilla_grid_new_subset') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: first
            integer(c_int64_t), value :: count
            integer(c_int), value :: compact
            type(c_ptr), intent(out) :: subset
            integer(c_int) :: answer
        end function
        function armilla_grid_new_named(name, grid) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(out) :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_read_name(name, sizes) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(armilla_grid_sizes), intent(inout) :: sizes
            integer(c_int) :: answer
        end function
        function armilla_grid_name(grid, name) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            character(kind=c_char), value :: name
            integer(c_int) :: answer
        end function
        subroutine armilla_grid_layout_init_sized(layout, size) bind(c)
            import
            type(armilla_grid_layout), intent(inout) :: layout
            integer(c_size_t), value :: size
        end subroutine
        function armilla_grid_new_laid_out(grid, layout, laid_out) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            type(armilla_grid_layout), intent(in), optional :: layout
            type(c_ptr), intent(out) :: laid_out
            integer(c_int) :: answer
        end function
        function armilla_grid_get_layout(grid, layout) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            type(armilla_grid_layout), intent(inout) :: layout
            integer(c_int) :: answer
        end function
        subroutine armilla_grid_free(grid) bind(c)
            import
            type(c_ptr), value :: grid
        end subroutine
        function armilla_grid_get_kind(grid) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int) :: answer
        end function
        function armilla_grid_kind_name(kind) bind(c) result(answer)
            import
            integer(c_int), value :: kind
            type(c_ptr) :: answer
        end function
        function armilla_grid_npix(grid) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t) :: answer
        end function
        function armilla_grid_nrings(grid) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t) :: answer
        end function
        function armilla_grid_ring_long(grid, index, ring&
                ) bind(c, name='armilla_grid_ring') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: index
            type(armilla_ring), intent(inout) :: ring
            integer(c_int) :: answer
        end function
        function armilla_grid_pixels_at(grid, n, theta, phi, pixels) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: n
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(in) :: phi(*)
            integer(c_int64_t), intent(inout) :: pixels(*)
            integer(c_int) :: answer
        end function
        function armilla_grid_exact_lmax(grid) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t) :: answer
        end function
        function armilla_grid_exact_lmax_for_long(grid, mmax&
                ) bind(c, name='armilla_grid_exact_lmax_for') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: mmax
            integer(c_int64_t) :: answer
        end function
        function armilla_grid_ectrans_limits(grid, lmax, limits) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), intent(inout) :: limits(*)
            integer(c_int) :: answer
        end function
        function armilla_grid_lost_rule_long(grid, lmax, mmax&
                ) bind(c, name='armilla_grid_lost_rule') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int) :: answer
        end function

        ! kernel.h
        function armilla_kernel_new_gaussian(fwhm, kernel) bind(c) result(answer)
            import
            real(c_double), value :: fwhm
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        function armilla_kernel_new_tophat(radius, kernel) bind(c) result(answer)
            import
            real(c_double), value :: radius
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        function armilla_kernel_new_mexican_hat(fwhm, kernel) bind(c) result(answer)
            import
            real(c_double), value :: fwhm
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        function armilla_kernel_new_needlet_long(base, scale, kernel&
                ) bind(c, name='armilla_kernel_new_needlet') result(answer)
            import
            real(c_double), value :: base
            integer(c_int64_t), value :: scale
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        function armilla_kernel_new_window(lmax, window, kernel) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            real(c_double), intent(in) :: window(*)
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        function armilla_kernel_new_table(count, theta, values, kernel) bind(c) result(answer)
            import
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(in) :: values(*)
            type(c_ptr), intent(out) :: kernel
            integer(c_int) :: answer
        end function
        subroutine armilla_kernel_free(kernel) bind(c)
            import
            type(c_ptr), value :: kernel
        end subroutine
        function armilla_kernel_values(kernel, count, theta, values) bind(c) result(answer)
            import
            type(c_ptr), value :: kernel
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: theta(*)
            real(c_double), intent(inout) :: values(*)
            integer(c_int) :: answer
        end function
        function armilla_kernel_window(kernel, support, lmax, window) bind(c) result(answer)
            import
            type(c_ptr), value :: kernel
            real(c_double), value :: support
            integer(c_int64_t), value :: lmax
            real(c_double), intent(inout) :: window(*)
            integer(c_int) :: answer
        end function
        function armilla_kernel_truncation_error(kernel, support, lmax, cl, error&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: kernel
            real(c_double), value :: support
            integer(c_int64_t), value :: lmax
            real(c_double), intent(in), optional :: cl(*)
            real(c_double), intent(out) :: error
            integer(c_int) :: answer
        end function
        function armilla_kernel_choose_support(kernel, error, lmax, cl, support&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: kernel
            real(c_double), value :: error
            integer(c_int64_t), value :: lmax
            real(c_double), intent(in), optional :: cl(*)
            real(c_double), intent(out) :: support
            integer(c_int) :: answer
        end function

        ! choice.h

        ! sht.h
        subroutine armilla_sht_options_init_sized(options, size) bind(c)
            import
            type(armilla_sht_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_sht_new_long(grid, lmax, mmax, options, sht&
                ) bind(c, name='armilla_sht_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_sht_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: sht
            integer(c_int) :: answer
        end function
        subroutine armilla_sht_free(sht) bind(c)
            import
            type(c_ptr), value :: sht
        end subroutine
        subroutine armilla_exec_init_sized(exec, size) bind(c)
            import
            type(armilla_exec), intent(inout) :: exec
            integer(c_size_t), value :: size
        end subroutine
        function armilla_sht_synthesis(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_adjoint_synthesis(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_analysis(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_adjoint_analysis(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_synthesis_float(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_adjoint_synthesis_float(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_analysis_float(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_adjoint_analysis_float(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        subroutine armilla_pseudo_options_init_sized(options, size) bind(c)
            import
            type(armilla_pseudo_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_sht_pseudo_analysis(sht, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_pseudo_analysis_float(sht, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_sht_describe(sht, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            integer(c_int), value :: nthreads
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_sht_describe_many_long(sht, nthreads, ntrans, description&
                ) bind(c, name='armilla_sht_describe_many') result(answer)
            import
            type(c_ptr), value :: sht
            integer(c_int), value :: nthreads
            integer(c_int64_t), value :: ntrans
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_sht_explain(sht, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function

        ! radial.h
        subroutine armilla_radial_options_init_sized(options, size) bind(c)
            import
            type(armilla_radial_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_radial_new(grid, kernel, options, radial) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            type(c_ptr), value :: kernel
            type(armilla_radial_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: radial
            integer(c_int) :: answer
        end function
        subroutine armilla_radial_free(radial) bind(c)
            import
            type(c_ptr), value :: radial
        end subroutine
        function armilla_radial_convolve(radial, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_convolve_float(radial, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_adjoint(radial, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_adjoint_float(radial, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_convolve_weighted(radial, map, weights, least, fill, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(in) :: weights(*)
            real(c_double), value :: least
            real(c_double), value :: fill
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_convolve_weighted_float(radial, map, weights, least, fill, out, &
                exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_double), intent(in) :: weights(*)
            real(c_double), value :: least
            real(c_double), value :: fill
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_convolve_many(radials, nradials, map, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), intent(in) :: radials(*)
            integer(c_int64_t), value :: nradials
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_convolve_many_float(radials, nradials, map, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), intent(in) :: radials(*)
            integer(c_int64_t), value :: nradials
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_many_bytes(radials, nradials, exec, bytes, device_bytes&
                ) bind(c) result(answer)
            import
            type(c_ptr), intent(in) :: radials(*)
            integer(c_int64_t), value :: nradials
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int64_t), intent(out) :: device_bytes
            integer(c_int) :: answer
        end function
        subroutine armilla_radial_stream_init_sized(stream, size) bind(c)
            import
            type(armilla_radial_stream), intent(inout) :: stream
            integer(c_size_t), value :: size
        end subroutine
        function armilla_radial_convolve_stream(radial, stream, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            type(armilla_radial_stream), intent(in) :: stream
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_radial_stream_bytes(radial, stream, exec, bytes) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            type(armilla_radial_stream), intent(in) :: stream
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: answer
        end function
        function armilla_radial_describe(radial, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            integer(c_int), value :: nthreads
            type(armilla_radial_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_radial_explain(radial, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function
        function armilla_radial_compare(radial, sht, radial_seconds, harmonic_seconds&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            type(c_ptr), value :: sht
            real(c_double), intent(out) :: radial_seconds
            real(c_double), intent(out) :: harmonic_seconds
            integer(c_int) :: answer
        end function

        ! asymmetric.h
        function armilla_asymmetric_new(grid, nkernels, kernels, offsets, weights, psi, &
                options, plan) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: nkernels
            type(c_ptr), intent(in) :: kernels(*)
            real(c_double), intent(in) :: offsets(*)
            real(c_double), intent(in) :: weights(*)
            real(c_double), intent(in) :: psi(*)
            type(armilla_radial_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        subroutine armilla_asymmetric_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_asymmetric_convolve(plan, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_asymmetric_convolve_float(plan, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_asymmetric_adjoint(plan, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_asymmetric_adjoint_float(plan, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_asymmetric_describe(plan, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_asymmetric_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! beam.h
        function armilla_beam_elliptical(fwhm_min, fwhm_max, psi, lmax, kmax, beam&
                ) bind(c) result(answer)
            import
            real(c_double), value :: fwhm_min
            real(c_double), value :: fwhm_max
            real(c_double), value :: psi
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: kmax
            real(c_double), intent(inout) :: beam(*)
            integer(c_int) :: answer
        end function
        function armilla_beam_elliptical_polarised(fwhm_min, fwhm_max, psi, polarisation, &
                cross_polar, lmax, kmax, beam) bind(c) result(answer)
            import
            real(c_double), value :: fwhm_min
            real(c_double), value :: fwhm_max
            real(c_double), value :: psi
            real(c_double), value :: polarisation
            real(c_double), value :: cross_polar
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: kmax
            real(c_double), intent(inout) :: beam(*)
            integer(c_int) :: answer
        end function
        function armilla_beam_sum_of_kernels(nkernels, offsets, weights, nwindows, windows, &
                lmax, kmax, beam) bind(c) result(answer)
            import
            integer(c_int64_t), value :: nkernels
            real(c_double), intent(in) :: offsets(*)
            real(c_double), intent(in) :: weights(*)
            integer(c_int64_t), value :: nwindows
            real(c_double), intent(in) :: windows(*)
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: kmax
            real(c_double), intent(inout) :: beam(*)
            integer(c_int) :: answer
        end function

        ! points.h
        subroutine armilla_points_options_init_sized(options, size) bind(c)
            import
            type(armilla_points_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_points_new(lmax, mmax, npoints, points, options, plan&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        function armilla_points_new_beside(plan, npoints, points, result) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(c_ptr), intent(out) :: result
            integer(c_int) :: answer
        end function
        subroutine armilla_points_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_points_synthesis(plan, alm, values, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_adjoint_synthesis(plan, values, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_synthesis_float(plan, alm, values, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_adjoint_synthesis_float(plan, values, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: values(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_pseudo_analysis(plan, values, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_pseudo_analysis_float(plan, values, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: values(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_evaluate(lmax, mmax, npoints, points, options, alm, values, exec&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_evaluate_float(lmax, mmax, npoints, points, options, alm, &
                values, exec) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_adjoint_evaluate(lmax, mmax, npoints, points, options, values, &
                alm, exec) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_adjoint_evaluate_float(lmax, mmax, npoints, points, options, &
                values, alm, exec) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            real(c_float), intent(in) :: values(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_few(lmax, mmax, npoints, points, options, few&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            integer(c_int), intent(out) :: few
            integer(c_int) :: answer
        end function
        subroutine armilla_interpolation_options_init_sized(options, size) bind(c)
            import
            type(armilla_interpolation_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_points_interpolate(grid, map, npoints, points, options, values, &
                reports, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            real(c_double), intent(in) :: map(*)
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_interpolation_options), intent(in), optional :: options
            real(c_double), intent(inout) :: values(*)
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_interpolate_float(grid, map, npoints, points, options, values, &
                reports, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            real(c_float), intent(in) :: map(*)
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_interpolation_options), intent(in), optional :: options
            real(c_float), intent(inout) :: values(*)
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_points_describe(plan, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_points_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_points_explain(plan, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function

        ! beams.h
        subroutine armilla_beams_options_init_sized(options, size) bind(c)
            import
            type(armilla_beams_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_beams_new(lmax, mmax, kmax, npointings, pointings, options, plan&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: kmax
            integer(c_int64_t), value :: npointings
            real(c_double), intent(in) :: pointings(*)
            type(armilla_beams_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        function armilla_beams_new_beside(plan, npointings, pointings, modulation, result&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: npointings
            real(c_double), intent(in) :: pointings(*)
            real(c_double), intent(in) :: modulation(*)
            type(c_ptr), intent(out) :: result
            integer(c_int) :: answer
        end function
        subroutine armilla_beams_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_beams_convolve(plan, sky, beam, samples, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: sky(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: samples(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_convolve_float(plan, sky, beam, samples, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: sky(*)
            real(c_float), intent(in) :: beam(*)
            real(c_float), intent(inout) :: samples(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_adjoint(plan, samples, beam, sky, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: sky(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_adjoint_float(plan, samples, beam, sky, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: samples(*)
            real(c_float), intent(in) :: beam(*)
            real(c_float), intent(inout) :: sky(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_beam_adjoint(plan, samples, sky, beam, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: sky(*)
            real(c_double), intent(inout) :: beam(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_beam_adjoint_float(plan, samples, sky, beam, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: samples(*)
            real(c_float), intent(in) :: sky(*)
            real(c_float), intent(inout) :: beam(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_deconvolve(plan, samples, beam, sky, options, report, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: sky(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout) :: report
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_beams_describe(plan, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_beams_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_beams_explain(plan, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function

        ! complex_sht.h
        function armilla_complex_index_long(l, m&
                ) bind(c, name='armilla_complex_index') result(answer)
            import
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t) :: answer
        end function
        function armilla_complex_sht_new_long(grid, lmax, mmax, options, sht&
                ) bind(c, name='armilla_complex_sht_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_sht_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: sht
            integer(c_int) :: answer
        end function
        subroutine armilla_complex_sht_free(sht) bind(c)
            import
            type(c_ptr), value :: sht
        end subroutine
        function armilla_complex_sht_synthesis(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_adjoint_synthesis(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_analysis(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_adjoint_analysis(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_synthesis_float(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_adjoint_synthesis_float(sht, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_analysis_float(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_adjoint_analysis_float(sht, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_describe(sht, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            integer(c_int), value :: nthreads
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_complex_sht_explain(sht, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function

        ! convention.h
        function armilla_convention_named(name, convention) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(armilla_convention), intent(inout) :: convention
            integer(c_int) :: answer
        end function
        function armilla_convention_name_long(number&
                ) bind(c, name='armilla_convention_name') result(answer)
            import
            integer(c_int64_t), value :: number
            type(c_ptr) :: answer
        end function
        function armilla_convention_size_long(convention, lmax, mmax&
                ) bind(c, name='armilla_convention_size') result(answer)
            import
            type(armilla_convention), intent(in) :: convention
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t) :: answer
        end function
        function armilla_convention_index_long(convention, lmax, mmax, l, m&
                ) bind(c, name='armilla_convention_index') result(answer)
            import
            type(armilla_convention), intent(in) :: convention
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t) :: answer
        end function
        function armilla_convention_factor(convention, l, m, factor) bind(c) result(answer)
            import
            type(armilla_convention), intent(in) :: convention
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            real(c_double), intent(inout) :: factor(*)
            integer(c_int) :: answer
        end function
        function armilla_convention_from_alm(convention, lmax, mmax, alm, array&
                ) bind(c) result(answer)
            import
            type(armilla_convention), intent(in) :: convention
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: array(*)
            integer(c_int) :: answer
        end function
        function armilla_convention_to_alm(convention, lmax, mmax, array, alm&
                ) bind(c) result(answer)
            import
            type(armilla_convention), intent(in) :: convention
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            real(c_double), intent(in) :: array(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function

        ! coupling.h
        subroutine armilla_coupling_options_init_sized(options, size) bind(c)
            import
            type(armilla_coupling_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_coupling_new(lmax, lmask, nmasks, masks, options, coupling&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: lmask
            integer(c_int64_t), value :: nmasks
            real(c_double), intent(in) :: masks(*)
            type(armilla_coupling_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: coupling
            integer(c_int) :: answer
        end function
        subroutine armilla_coupling_free(coupling) bind(c)
            import
            type(c_ptr), value :: coupling
        end subroutine
        function armilla_coupling_ncl(coupling) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            integer(c_int64_t) :: answer
        end function
        function armilla_coupling_nkinds(coupling) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            integer(c_int64_t) :: answer
        end function
        function armilla_coupling_apply(coupling, cl, coupled, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            real(c_double), intent(in) :: cl(*)
            real(c_double), intent(inout) :: coupled(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_coupling_adjoint(coupling, coupled, cl, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            real(c_double), intent(in) :: coupled(*)
            real(c_double), intent(inout) :: cl(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_coupling_mask_adjoint(coupling, cl, g, masks, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            real(c_double), intent(in) :: cl(*)
            real(c_double), intent(in) :: g(*)
            real(c_double), intent(inout) :: masks(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_coupling_matrix(coupling, matrix, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            real(c_double), intent(inout) :: matrix(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        subroutine armilla_bands_init_sized(bands, size) bind(c)
            import
            type(armilla_bands), intent(inout) :: bands
            integer(c_size_t), value :: size
        end subroutine
        function armilla_bands_average(bands, lmax, ncl, cl, powers) bind(c) result(answer)
            import
            type(armilla_bands), intent(in) :: bands
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            real(c_double), intent(inout) :: powers(*)
            integer(c_int) :: answer
        end function
        function armilla_coupling_windows(coupling, bands, windows, matrix, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            type(armilla_bands), intent(in) :: bands
            real(c_double), intent(inout) :: windows(*)
            real(c_double), intent(inout) :: matrix(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_coupling_decouple(coupling, bands, matrix, coupled, powers, condition&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            type(armilla_bands), intent(in) :: bands
            real(c_double), intent(in) :: matrix(*)
            real(c_double), intent(in) :: coupled(*)
            real(c_double), intent(inout) :: powers(*)
            real(c_double), intent(inout) :: condition(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_covariance_problem_init_sized(problem, size) bind(c)
            import
            type(armilla_covariance_problem), intent(inout) :: problem
            integer(c_size_t), value :: size
        end subroutine
        function armilla_coupling_covariance(coupling, bands, problem, cov, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: coupling
            type(armilla_bands), intent(in) :: bands
            type(armilla_covariance_problem), intent(in) :: problem
            real(c_double), intent(inout) :: cov(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        subroutine armilla_gaussian_problem_init_sized(problem, size) bind(c)
            import
            type(armilla_gaussian_problem), intent(inout) :: problem
            integer(c_size_t), value :: size
        end subroutine
        function armilla_gaussian_covariance(problem, cov, exec) bind(c) result(answer)
            import
            type(armilla_gaussian_problem), intent(in) :: problem
            real(c_double), intent(inout) :: cov(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_gaussian_smooth(lmax, least, ncl, cl, smooth) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: least
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            real(c_double), intent(inout) :: smooth(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_correlation_init_sized(problem, size) bind(c)
            import
            type(armilla_correlation), intent(inout) :: problem
            integer(c_size_t), value :: size
        end subroutine
        function armilla_correlation_from_cl(problem, cl, xi) bind(c) result(answer)
            import
            type(armilla_correlation), intent(in) :: problem
            real(c_double), intent(in) :: cl(*)
            real(c_double), intent(inout) :: xi(*)
            integer(c_int) :: answer
        end function
        function armilla_correlation_adjoint(problem, xi, cl) bind(c) result(answer)
            import
            type(armilla_correlation), intent(in) :: problem
            real(c_double), intent(in) :: xi(*)
            real(c_double), intent(inout) :: cl(*)
            integer(c_int) :: answer
        end function

        ! distribution.h
        subroutine armilla_distribution_options_init_sized(options, size) bind(c)
            import
            type(armilla_distribution_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_distribution_new_long(grid, lmax, mmax, nranks, options, distribution&
                ) bind(c, name='armilla_distribution_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: nranks
            type(armilla_distribution_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: distribution
            integer(c_int) :: answer
        end function
        subroutine armilla_distribution_free(distribution) bind(c)
            import
            type(c_ptr), value :: distribution
        end subroutine
        function armilla_distribution_nranks(distribution) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_orders(distribution, rank, orders) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), intent(inout) :: orders(*)
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_rings(distribution, rank, rings) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), intent(inout) :: rings(*)
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_alm_size_long(distribution, rank&
                ) bind(c, name='armilla_distribution_alm_size') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_npix_long(distribution, rank&
                ) bind(c, name='armilla_distribution_npix') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_alm_index_long(distribution, rank, l, m&
                ) bind(c, name='armilla_distribution_alm_index') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: l
            integer(c_int64_t), value :: m
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_ring_offset_long(distribution, rank, ring&
                ) bind(c, name='armilla_distribution_ring_offset') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: ring
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_fields(distribution, rank, nfields, first&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), intent(inout) :: first(*)
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_multiply_window(distribution, rank, nwindow, window, alm&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: nwindow
            real(c_double), intent(in) :: window(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_distribution_random(distribution, rank, ncl, cl, seed, field, alm&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            integer(c_int64_t), value :: seed
            integer(c_int64_t), value :: field
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_distribution_random_correlated(distribution, rank, nfields, ncl, cl, &
                seed, alm) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncl
            real(c_double), intent(in) :: cl(*)
            integer(c_int64_t), value :: seed
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_distribution_order_cost_long(distribution, rank&
                ) bind(c, name='armilla_distribution_order_cost') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_ring_cost_long(distribution, rank&
                ) bind(c, name='armilla_distribution_ring_cost') result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            integer(c_int64_t) :: answer
        end function

        ! rotation.h
        function armilla_rotation_from_euler(psi, theta, phi, rotation) bind(c) result(answer)
            import
            real(c_double), value :: psi
            real(c_double), value :: theta
            real(c_double), value :: phi
            type(armilla_rotation), intent(inout) :: rotation
            integer(c_int) :: answer
        end function
        function armilla_rotation_from_matrix(matrix, rotation) bind(c) result(answer)
            import
            real(c_double), intent(in) :: matrix(*)
            type(armilla_rotation), intent(inout) :: rotation
            integer(c_int) :: answer
        end function
        function armilla_rotation_from_coordinates(from, to, rotation) bind(c) result(answer)
            import
            character(kind=c_char), value :: from
            character(kind=c_char), value :: to
            type(armilla_rotation), intent(inout) :: rotation
            integer(c_int) :: answer
        end function
        function armilla_rotation_invert(rotation, inverse) bind(c) result(answer)
            import
            type(armilla_rotation), intent(in) :: rotation
            type(armilla_rotation), intent(inout) :: inverse
            integer(c_int) :: answer
        end function
        function armilla_rotation_compose(first, second, rotation) bind(c) result(answer)
            import
            type(armilla_rotation), intent(in) :: first
            type(armilla_rotation), intent(in) :: second
            type(armilla_rotation), intent(inout) :: rotation
            integer(c_int) :: answer
        end function
        function armilla_rotation_matrix(rotation, matrix) bind(c) result(answer)
            import
            type(armilla_rotation), intent(in) :: rotation
            real(c_double), intent(inout) :: matrix(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_rotate(rotation, lmax, mmax, alm, mmax_out, out, exec&
                ) bind(c) result(answer)
            import
            type(armilla_rotation), intent(in) :: rotation
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            integer(c_int64_t), value :: mmax_out
            complex(c_double_complex), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function

        ! transport.h

        ! distributed.h
        subroutine armilla_distributed_options_init_sized(options, size) bind(c)
            import
            type(armilla_distributed_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_distributed_sht_new(transport, distribution, options, distributed, sht&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            type(armilla_sht_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: sht
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_sht_free(sht) bind(c)
            import
            type(c_ptr), value :: sht
        end subroutine
        function armilla_distributed_sht_synthesis(sht, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_adjoint_synthesis(sht, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_analysis(sht, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_adjoint_analysis(sht, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_synthesis_float(sht, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_adjoint_synthesis_float(sht, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_analysis_float(sht, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_adjoint_analysis_float(sht, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_pseudo_analysis(sht, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_pseudo_analysis_float(sht, map, alm, options, reports, &
                exec) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_new(transport, distribution, options, distributed, iqu&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            type(armilla_sht_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: iqu
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_iqu_free(iqu) bind(c)
            import
            type(c_ptr), value :: iqu
        end subroutine
        function armilla_distributed_iqu_synthesis(iqu, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_adjoint_synthesis(iqu, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_analysis(iqu, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_adjoint_analysis(iqu, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_synthesis_float(iqu, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_adjoint_synthesis_float(iqu, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_analysis_float(iqu, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_adjoint_analysis_float(iqu, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_pseudo_analysis(iqu, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_iqu_pseudo_analysis_float(iqu, map, alm, options, reports, &
                exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_spectrum(transport, distribution, alm_a, alm_b, cl&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            complex(c_double_complex), intent(in) :: alm_a(*)
            complex(c_double_complex), intent(in) :: alm_b(*)
            real(c_double), intent(inout) :: cl(*)
            integer(c_int) :: answer
        end function
        function armilla_distributed_rotate(transport, distribution, rotation, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            type(armilla_rotation), intent(in) :: rotation
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_sht_describe(sht, nthreads, description&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: sht
            integer(c_int), value :: nthreads
            type(armilla_distributed_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! distributed_beams.h
        function armilla_distributed_beams_new(transport, distribution, kmax, npointings, &
                pointings, options, distributed, plan) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: kmax
            integer(c_int64_t), value :: npointings
            real(c_double), intent(in) :: pointings(*)
            type(armilla_beams_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_beams_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_distributed_beams_convolve(plan, sky, beam, samples, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: sky(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: samples(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_convolve_float(plan, sky, beam, samples, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: sky(*)
            real(c_float), intent(in) :: beam(*)
            real(c_float), intent(inout) :: samples(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_adjoint(plan, samples, beam, sky, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: sky(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_adjoint_float(plan, samples, beam, sky, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: samples(*)
            real(c_float), intent(in) :: beam(*)
            real(c_float), intent(inout) :: sky(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_beam_adjoint(plan, samples, sky, beam, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: sky(*)
            real(c_double), intent(inout) :: beam(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_beam_adjoint_float(plan, samples, sky, beam, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: samples(*)
            real(c_float), intent(in) :: sky(*)
            real(c_float), intent(inout) :: beam(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_deconvolve(plan, samples, beam, sky, options, &
                report, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: samples(*)
            real(c_double), intent(in) :: beam(*)
            real(c_double), intent(inout) :: sky(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout) :: report
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_beams_describe(plan, nthreads, description&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_distributed_beams_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! distributed_points.h
        function armilla_distributed_points_new(transport, distribution, npoints, points, &
                options, distributed, plan) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_points_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_points_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_distributed_points_synthesis(plan, alm, values, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_adjoint_synthesis(plan, values, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_synthesis_float(plan, alm, values, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_adjoint_synthesis_float(plan, values, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: values(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_pseudo_analysis(plan, values, alm, options, &
                reports, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_pseudo_analysis_float(plan, values, alm, options, &
                reports, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: values(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_points_describe(plan, nthreads, description&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_distributed_points_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! lensing.h
        function armilla_lensing_deflect(npoints, points, deflection, nthreads, deflected, gamma&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            real(c_double), intent(in) :: deflection(*)
            integer(c_int), value :: nthreads
            real(c_double), intent(inout) :: deflected(*)
            real(c_double), intent(inout), optional :: gamma(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_deflection_init_sized(deflection, size) bind(c)
            import
            type(armilla_deflection), intent(inout) :: deflection
            integer(c_size_t), value :: size
        end subroutine
        function armilla_lensing_distortion(grid, deflection, kind, map) bind(c) result(answer)
            import
            type(c_ptr), value :: grid
            type(armilla_deflection), intent(in) :: deflection
            integer(c_int), value :: kind
            real(c_double), intent(inout) :: map(*)
            integer(c_int) :: answer
        end function
        function armilla_lensing_new_long(grid, deflection, lmax, mmax, options, lensing&
                ) bind(c, name='armilla_lensing_new') result(answer)
            import
            type(c_ptr), value :: grid
            type(armilla_deflection), intent(in) :: deflection
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_points_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: lensing
            integer(c_int) :: answer
        end function
        function armilla_lensing_new_beside_long(lensing, lmax, mmax, options, result&
                ) bind(c, name='armilla_lensing_new_beside') result(answer)
            import
            type(c_ptr), value :: lensing
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_points_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: result
            integer(c_int) :: answer
        end function
        subroutine armilla_lensing_free(lensing) bind(c)
            import
            type(c_ptr), value :: lensing
        end subroutine
        function armilla_lensing_angles(lensing, points, gamma) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            real(c_double), intent(inout), optional :: points(*)
            real(c_double), intent(inout), optional :: gamma(*)
            integer(c_int) :: answer
        end function
        function armilla_lensing_alm2lenmap(lensing, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_lensing_adjoint(lensing, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_lensing_describe(lensing, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            integer(c_int), value :: nthreads
            type(armilla_points_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! distributed_lensing.h
        subroutine armilla_distributed_deflection_init_sized(deflection, size) bind(c)
            import
            type(armilla_distributed_deflection), intent(inout) :: deflection
            integer(c_size_t), value :: size
        end subroutine
        function armilla_distributed_lensing_new(transport, distribution, deflection, options, &
                distributed, lensing) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            type(armilla_distributed_deflection), intent(in) :: deflection
            type(armilla_points_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: lensing
            integer(c_int) :: answer
        end function
        function armilla_distributed_lensing_new_beside(lensing, transport, distribution, &
                options, distributed, result) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            type(armilla_points_options), intent(in), optional :: options
            type(armilla_distributed_options), intent(in), optional :: distributed
            type(c_ptr), intent(out) :: result
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_lensing_free(lensing) bind(c)
            import
            type(c_ptr), value :: lensing
        end subroutine
        function armilla_distributed_lensing_alm2lenmap(lensing, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_lensing_adjoint(lensing, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_lensing_describe(lensing, nthreads, description&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: lensing
            integer(c_int), value :: nthreads
            type(armilla_distributed_points_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! redistribution.h
        subroutine armilla_redistribution_options_init_sized(options, size) bind(c)
            import
            type(armilla_redistribution_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_redistribution_new(transport, nfrom, from, nto, to, options, &
                redistribution) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            integer(c_int64_t), value :: nfrom
            type(armilla_span), intent(in) :: from(*)
            integer(c_int64_t), value :: nto
            type(armilla_span), intent(in) :: to(*)
            type(armilla_redistribution_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: redistribution
            integer(c_int) :: answer
        end function
        subroutine armilla_redistribution_free(redistribution) bind(c)
            import
            type(c_ptr), value :: redistribution
        end subroutine
        function armilla_redistribution_run_long(redistribution, element_bytes, narrays, &
                source, source_stride, target, target_stride&
                ) bind(c, name='armilla_redistribution_run') result(answer)
            import
            type(c_ptr), value :: redistribution
            integer(c_int64_t), value :: element_bytes
            integer(c_int64_t), value :: narrays
            type(c_ptr), value :: source
            integer(c_int64_t), value :: source_stride
            type(c_ptr), value :: target
            integer(c_int64_t), value :: target_stride
            integer(c_int) :: answer
        end function
        function armilla_distribution_map_spans(distribution, rank, spans) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            type(armilla_span), intent(inout) :: spans(*)
            integer(c_int64_t) :: answer
        end function
        function armilla_distribution_alm_spans(distribution, rank, spans) bind(c) result(answer)
            import
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
            type(armilla_span), intent(inout) :: spans(*)
            integer(c_int64_t) :: answer
        end function
        function armilla_distributed_map_gather_long(transport, distribution, root, nfields, &
                ncomp, element_bytes, part, whole&
                ) bind(c, name='armilla_distributed_map_gather') result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: root
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncomp
            integer(c_int64_t), value :: element_bytes
            type(c_ptr), value :: part
            type(c_ptr), value :: whole
            integer(c_int) :: answer
        end function
        function armilla_distributed_map_scatter_long(transport, distribution, root, nfields, &
                ncomp, element_bytes, whole, part&
                ) bind(c, name='armilla_distributed_map_scatter') result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: root
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncomp
            integer(c_int64_t), value :: element_bytes
            type(c_ptr), value :: whole
            type(c_ptr), value :: part
            integer(c_int) :: answer
        end function
        function armilla_distributed_alm_gather_long(transport, distribution, root, nfields, &
                ncomp, element_bytes, part, whole&
                ) bind(c, name='armilla_distributed_alm_gather') result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: root
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncomp
            integer(c_int64_t), value :: element_bytes
            type(c_ptr), value :: part
            type(c_ptr), value :: whole
            integer(c_int) :: answer
        end function
        function armilla_distributed_alm_scatter_long(transport, distribution, root, nfields, &
                ncomp, element_bytes, whole, part&
                ) bind(c, name='armilla_distributed_alm_scatter') result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: root
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), value :: ncomp
            integer(c_int64_t), value :: element_bytes
            type(c_ptr), value :: whole
            type(c_ptr), value :: part
            integer(c_int) :: answer
        end function

        ! distributed_radial.h
        function armilla_distributed_radial_new(transport, grid, kernel, options, nspans, &
                spans, radial) bind(c) result(answer)
            import
            type(c_ptr), value :: transport
            type(c_ptr), value :: grid
            type(c_ptr), value :: kernel
            type(armilla_radial_options), intent(in), optional :: options
            integer(c_int64_t), value :: nspans
            type(armilla_span), intent(in) :: spans(*)
            type(c_ptr), intent(out) :: radial
            integer(c_int) :: answer
        end function
        subroutine armilla_distributed_radial_free(radial) bind(c)
            import
            type(c_ptr), value :: radial
        end subroutine
        function armilla_distributed_radial_convolve(radial, map, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_convolve_float(radial, map, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_adjoint(radial, map, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_adjoint_float(radial, map, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_convolve_weighted(radial, map, weights, least, &
                fill, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_double), intent(in) :: map(*)
            real(c_double), intent(in) :: weights(*)
            real(c_double), value :: least
            real(c_double), value :: fill
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_convolve_weighted_float(radial, map, weights, &
                least, fill, out, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            real(c_float), intent(in) :: map(*)
            real(c_double), intent(in) :: weights(*)
            real(c_double), value :: least
            real(c_double), value :: fill
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_distributed_radial_describe(radial, description) bind(c) result(answer)
            import
            type(c_ptr), value :: radial
            type(armilla_distributed_radial_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! picture.h
        function armilla_projection_forward(projection, n, vectors, x, y) bind(c) result(answer)
            import
            integer(c_int), value :: projection
            integer(c_int64_t), value :: n
            real(c_double), intent(in) :: vectors(*)
            real(c_double), intent(inout) :: x(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: answer
        end function
        function armilla_projection_inverse(projection, n, x, y, vectors) bind(c) result(answer)
            import
            integer(c_int), value :: projection
            integer(c_int64_t), value :: n
            real(c_double), intent(in) :: x(*)
            real(c_double), intent(in) :: y(*)
            real(c_double), intent(inout) :: vectors(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_picture_options_init_sized(options, size) bind(c)
            import
            type(armilla_picture_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_picture_unknown(text) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: text(*)
            type(c_ptr) :: answer
        end function
        function armilla_picture_colors_long(colors, n, rgb&
                ) bind(c, name='armilla_picture_colors') result(answer)
            import
            integer(c_int), value :: colors
            integer(c_int64_t), value :: n
            type(c_ptr), value :: rgb
            integer(c_int) :: answer
        end function
        function armilla_picture_write_map(path, grid, values, options, overwrite&
                ) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), value :: grid
            real(c_double), intent(in) :: values(*)
            type(armilla_picture_options), intent(in), optional :: options
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function
        function armilla_picture_write(path, nside, values, options, overwrite&
                ) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int64_t), value :: nside
            real(c_double), intent(in) :: values(*)
            type(armilla_picture_options), intent(in), optional :: options
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function
        subroutine armilla_plot_options_init_sized(options, size) bind(c)
            import
            type(armilla_plot_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_picture_write_spectra(path, ncurves, curves, options, overwrite&
                ) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int64_t), value :: ncurves
            type(armilla_curve), intent(in) :: curves(*)
            type(armilla_plot_options), intent(in), optional :: options
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function

        ! io.h
        subroutine armilla_write_options_init_sized(options, size) bind(c)
            import
            type(armilla_write_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_io_find_hdu(path, name, needs_table, hdu) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: needs_table
            integer(c_int), intent(inout) :: hdu(*)
            integer(c_int) :: answer
        end function
        function armilla_io_header(path, hdu, text) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: text
            integer(c_int) :: answer
        end function
        function armilla_raw_table_read(path, hdu, table) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: table
            integer(c_int) :: answer
        end function
        subroutine armilla_raw_table_free(table) bind(c)
            import
            type(c_ptr), value :: table
        end subroutine
        function armilla_map_read(path, hdu, nfields, fields, map) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            integer(c_int64_t), value :: nfields
            integer(c_int64_t), intent(in), optional :: fields(*)
            type(c_ptr), intent(out) :: map
            integer(c_int) :: answer
        end function
        function armilla_map_load(path, map) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: map
            integer(c_int) :: answer
        end function
        function armilla_map_new_long(nside, nfields, map&
                ) bind(c, name='armilla_map_new') result(answer)
            import
            integer(c_int64_t), value :: nside
            integer(c_int64_t), value :: nfields
            type(c_ptr), intent(out) :: map
            integer(c_int) :: answer
        end function
        function armilla_map_new_grid_long(grid, nfields, map&
                ) bind(c, name='armilla_map_new_grid') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: nfields
            type(c_ptr), intent(out) :: map
            integer(c_int) :: answer
        end function
        subroutine armilla_map_free(map) bind(c)
            import
            type(c_ptr), value :: map
        end subroutine
        function armilla_map_write(path, map, overwrite) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_map), intent(in) :: map
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function
        function armilla_map_write_with(path, map, options) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_map), intent(in) :: map
            type(armilla_write_options), intent(in), optional :: options
            integer(c_int) :: answer
        end function
        function armilla_map_input_open(path, hdu, input) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: input
            integer(c_int) :: answer
        end function
        subroutine armilla_map_input_free(input) bind(c)
            import
            type(c_ptr), value :: input
        end subroutine
        function armilla_map_input_map(input) bind(c) result(answer)
            import
            type(c_ptr), value :: input
            type(c_ptr) :: answer
        end function
        function armilla_map_input_read(input, field, first, count, values) bind(c) result(answer)
            import
            type(c_ptr), value :: input
            integer(c_int64_t), value :: field
            integer(c_int64_t), value :: first
            integer(c_int64_t), value :: count
            real(c_double), intent(inout) :: values(*)
            integer(c_int) :: answer
        end function
        function armilla_map_output_new(path, map, options, output) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_map), intent(in) :: map
            type(armilla_write_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: output
            integer(c_int) :: answer
        end function
        function armilla_map_output_write(output, field, first, count, values&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            integer(c_int64_t), value :: field
            integer(c_int64_t), value :: first
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: values(*)
            integer(c_int) :: answer
        end function
        function armilla_map_output_finish(output) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            integer(c_int) :: answer
        end function
        function armilla_map_output_temporary(output) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            type(c_ptr) :: answer
        end function
        subroutine armilla_map_output_free(output) bind(c)
            import
            type(c_ptr), value :: output
        end subroutine
        function armilla_alm_read(path, hdu, alm) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: alm
            integer(c_int) :: answer
        end function
        function armilla_alm_file_new_long(lmax, mmax, ncomp, alm&
                ) bind(c, name='armilla_alm_file_new') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: ncomp
            type(c_ptr), intent(out) :: alm
            integer(c_int) :: answer
        end function
        subroutine armilla_alm_file_free(alm) bind(c)
            import
            type(c_ptr), value :: alm
        end subroutine
        function armilla_alm_write(path, alm, overwrite) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_alm_file), intent(in) :: alm
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function
        function armilla_alm_write_with(path, alm, options) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_alm_file), intent(in) :: alm
            type(armilla_write_options), intent(in), optional :: options
            integer(c_int) :: answer
        end function
        function armilla_alm_input_open(path, hdu, input) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: input
            integer(c_int) :: answer
        end function
        subroutine armilla_alm_input_free(input) bind(c)
            import
            type(c_ptr), value :: input
        end subroutine
        function armilla_alm_input_alm(input) bind(c) result(answer)
            import
            type(c_ptr), value :: input
            type(c_ptr) :: answer
        end function
        function armilla_alm_input_read(input, component, lmax, norders, orders, alm&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: input
            integer(c_int64_t), value :: component
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: norders
            integer(c_int64_t), intent(in), optional :: orders(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_output_new(path, alm, options, output) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_alm_file), intent(in) :: alm
            type(armilla_write_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: output
            integer(c_int) :: answer
        end function
        function armilla_alm_output_write(output, component, first, last, alm&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            integer(c_int64_t), value :: component
            integer(c_int64_t), value :: first
            integer(c_int64_t), value :: last
            complex(c_double_complex), intent(in) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_alm_output_finish(output) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            integer(c_int) :: answer
        end function
        function armilla_alm_output_temporary(output) bind(c) result(answer)
            import
            type(c_ptr), value :: output
            type(c_ptr) :: answer
        end function
        subroutine armilla_alm_output_free(output) bind(c)
            import
            type(c_ptr), value :: output
        end subroutine
        function armilla_cl_read(path, cl) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: cl
            integer(c_int) :: answer
        end function
        function armilla_cl_read_hdu(path, hdu, cl) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: hdu
            type(c_ptr), intent(out) :: cl
            integer(c_int) :: answer
        end function
        function armilla_cl_file_new_long(lmax, nspectra, cl&
                ) bind(c, name='armilla_cl_file_new') result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: nspectra
            type(c_ptr), intent(out) :: cl
            integer(c_int) :: answer
        end function
        subroutine armilla_cl_file_free(cl) bind(c)
            import
            type(c_ptr), value :: cl
        end subroutine
        function armilla_cl_write(path, cl, overwrite) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_cl_file), intent(in) :: cl
            integer(c_int), value :: overwrite
            integer(c_int) :: answer
        end function
        function armilla_cl_write_with(path, cl, options) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(armilla_cl_file), intent(in) :: cl
            type(armilla_write_options), intent(in), optional :: options
            integer(c_int) :: answer
        end function
        function armilla_io_describe(path, text) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: text
            integer(c_int) :: answer
        end function
        subroutine armilla_io_text_free(text) bind(c)
            import
            type(c_ptr), value :: text
        end subroutine
        function armilla_io_verify(path) bind(c) result(answer)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: answer
        end function

        ! iqu.h
        function armilla_iqu_new_long(grid, lmax, mmax, options, iqu&
                ) bind(c, name='armilla_iqu_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_sht_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: iqu
            integer(c_int) :: answer
        end function
        subroutine armilla_iqu_free(iqu) bind(c)
            import
            type(c_ptr), value :: iqu
        end subroutine
        function armilla_iqu_synthesis(iqu, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_adjoint_synthesis(iqu, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_analysis(iqu, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_adjoint_analysis(iqu, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_synthesis_float(iqu, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_adjoint_synthesis_float(iqu, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_analysis_float(iqu, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_adjoint_analysis_float(iqu, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_explain(iqu, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function
        function armilla_iqu_pseudo_analysis(iqu, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_pseudo_analysis_float(iqu, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_iqu_describe(iqu, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: iqu
            integer(c_int), value :: nthreads
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function
        function armilla_iqu_describe_many_long(iqu, nthreads, ntrans, description&
                ) bind(c, name='armilla_iqu_describe_many') result(answer)
            import
            type(c_ptr), value :: iqu
            integer(c_int), value :: nthreads
            integer(c_int64_t), value :: ntrans
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! leg.h
        subroutine armilla_leg_problem_init_sized(problem, size) bind(c)
            import
            type(armilla_leg_problem), intent(inout) :: problem
            integer(c_size_t), value :: size
        end subroutine
        function armilla_leg_alm_size(problem) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in) :: problem
            integer(c_int64_t) :: answer
        end function
        function armilla_leg_from_alm(problem, alm, leg) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in) :: problem
            complex(c_double_complex), intent(in) :: alm(*)
            complex(c_double_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_from_alm_float(problem, alm, leg) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in) :: problem
            complex(c_float_complex), intent(in) :: alm(*)
            complex(c_float_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_to_alm(problem, leg, alm) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in) :: problem
            complex(c_double_complex), intent(in) :: leg(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_to_alm_float(problem, leg, alm) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in) :: problem
            complex(c_float_complex), intent(in) :: leg(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        subroutine armilla_leg_rings_init_sized(rings, size) bind(c)
            import
            type(armilla_leg_rings), intent(inout) :: rings
            integer(c_size_t), value :: size
        end subroutine
        function armilla_leg_to_map(rings, leg, map) bind(c) result(answer)
            import
            type(armilla_leg_rings), intent(in) :: rings
            complex(c_double_complex), intent(in) :: leg(*)
            real(c_double), intent(inout) :: map(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_to_map_float(rings, leg, map) bind(c) result(answer)
            import
            type(armilla_leg_rings), intent(in) :: rings
            complex(c_float_complex), intent(in) :: leg(*)
            real(c_float), intent(inout) :: map(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_from_map(rings, map, leg) bind(c) result(answer)
            import
            type(armilla_leg_rings), intent(in) :: rings
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_from_map_float(rings, map, leg) bind(c) result(answer)
            import
            type(armilla_leg_rings), intent(in) :: rings
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_new(problem, rings, plan) bind(c) result(answer)
            import
            type(armilla_leg_problem), intent(in), optional :: problem
            type(armilla_leg_rings), intent(in), optional :: rings
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        subroutine armilla_leg_plan_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_leg_plan_from_alm(plan, ntrans, alm, leg) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_double_complex), intent(in) :: alm(*)
            complex(c_double_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_from_alm_float(plan, ntrans, alm, leg) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_float_complex), intent(in) :: alm(*)
            complex(c_float_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_to_alm(plan, ntrans, leg, alm) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_double_complex), intent(in) :: leg(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_to_alm_float(plan, ntrans, leg, alm) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_float_complex), intent(in) :: leg(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_to_map(plan, ntrans, leg, map) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_double_complex), intent(in) :: leg(*)
            real(c_double), intent(inout) :: map(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_to_map_float(plan, ntrans, leg, map) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            complex(c_float_complex), intent(in) :: leg(*)
            real(c_float), intent(inout) :: map(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_from_map(plan, ntrans, map, leg) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function
        function armilla_leg_plan_from_map_float(plan, ntrans, map, leg) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: ntrans
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: leg(*)
            integer(c_int) :: answer
        end function

        ! so3.h
        subroutine armilla_so3_options_init_sized(options, size) bind(c)
            import
            type(armilla_so3_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_so3_new_long(grid, lmax, mmax, nmax, options, plan&
                ) bind(c, name='armilla_so3_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: nmax
            type(armilla_so3_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: answer
        end function
        subroutine armilla_so3_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function armilla_so3_synthesis(plan, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_so3_adjoint_synthesis(plan, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_so3_analysis(plan, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_so3_adjoint_analysis(plan, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_so3_describe(plan, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: nthreads
            type(armilla_so3_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! solid.h
        subroutine armilla_solid_options_init_sized(options, size) bind(c)
            import
            type(armilla_solid_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_solid_evaluate(lmax, mmax, npoints, points, options, alm, values, exec&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_solid_options), intent(in), optional :: options
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: values(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_solid_adjoint_evaluate(lmax, mmax, npoints, points, options, values, &
                alm, exec) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_solid_options), intent(in), optional :: options
            real(c_double), intent(in) :: values(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_solid_explain(lmax, mmax, npoints, points, options, alm, take, data&
                ) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            integer(c_int64_t), value :: npoints
            real(c_double), intent(in) :: points(*)
            type(armilla_solid_options), intent(in), optional :: options
            complex(c_double_complex), intent(in) :: alm(*)
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function

        ! spectrum.h
        function armilla_spectrum_compute(lmax, mmax, alm_a, alm_b, cl) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm_a(*)
            complex(c_double_complex), intent(in) :: alm_b(*)
            real(c_double), intent(inout) :: cl(*)
            integer(c_int) :: answer
        end function
        function armilla_spectrum_power(lmax, mmax, alm_a, alm_b, what, normalization, unit, &
                power) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm_a(*)
            complex(c_double_complex), intent(in) :: alm_b(*)
            integer(c_int), value :: what
            integer(c_int), value :: normalization
            integer(c_int), value :: unit
            real(c_double), intent(inout) :: power(*)
            integer(c_int) :: answer
        end function
        function armilla_spectrum_lowes(lmax, mmax, alm, ratio, power) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), value :: ratio
            real(c_double), intent(inout) :: power(*)
            integer(c_int) :: answer
        end function
        function armilla_spectrum_gaussian_beam(fwhm_rad, spin, lmax, window&
                ) bind(c) result(answer)
            import
            real(c_double), value :: fwhm_rad
            integer(c_int64_t), value :: spin
            integer(c_int64_t), value :: lmax
            real(c_double), intent(inout) :: window(*)
            integer(c_int) :: answer
        end function

        ! vector.h
        subroutine armilla_vector_options_init_sized(options, size) bind(c)
            import
            type(armilla_vector_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_vector_new_long(grid, lmax, mmax, options, vector&
                ) bind(c, name='armilla_vector_new') result(answer)
            import
            type(c_ptr), value :: grid
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            type(armilla_vector_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: vector
            integer(c_int) :: answer
        end function
        subroutine armilla_vector_free(vector) bind(c)
            import
            type(c_ptr), value :: vector
        end subroutine
        function armilla_vector_synthesis(vector, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_adjoint_synthesis(vector, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_analysis(vector, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_adjoint_analysis(vector, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_synthesis_float(vector, alm, map, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_adjoint_synthesis_float(vector, map, alm, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_analysis_float(vector, map, alm, exec) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_adjoint_analysis_float(vector, alm, map, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            complex(c_float_complex), intent(in) :: alm(*)
            real(c_float), intent(inout) :: map(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_pseudo_analysis(vector, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_pseudo_analysis_float(vector, map, alm, options, reports, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            real(c_float), intent(in) :: map(*)
            complex(c_float_complex), intent(inout) :: alm(*)
            type(armilla_pseudo_options), intent(in), optional :: options
            type(armilla_pseudo_report), intent(inout), optional :: reports(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_convert_map(vector, source, in, target, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            integer(c_int), value :: source
            real(c_double), intent(in) :: in(*)
            integer(c_int), value :: target
            real(c_double), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_convert_map_float(vector, source, in, target, out, exec&
                ) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            integer(c_int), value :: source
            real(c_float), intent(in) :: in(*)
            integer(c_int), value :: target
            real(c_float), intent(inout) :: out(*)
            type(armilla_exec), intent(in), optional :: exec
            integer(c_int) :: answer
        end function
        function armilla_vector_convert_alm(lmax, mmax, radius, mean, source, alm, target, &
                result) bind(c) result(answer)
            import
            integer(c_int64_t), value :: lmax
            integer(c_int64_t), value :: mmax
            real(c_double), value :: radius
            integer(c_int), value :: mean
            integer(c_int), value :: source
            complex(c_double_complex), intent(in) :: alm(*)
            integer(c_int), value :: target
            real(c_double), intent(inout) :: result(*)
            integer(c_int) :: answer
        end function
        function armilla_vector_explain(vector, take, data) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            type(c_funptr), value :: take
            type(c_ptr), value :: data
            integer(c_int) :: answer
        end function
        function armilla_vector_describe(vector, nthreads, description) bind(c) result(answer)
            import
            type(c_ptr), value :: vector
            integer(c_int), value :: nthreads
            type(armilla_sht_description), intent(inout) :: description
            integer(c_int) :: answer
        end function

        ! mpi.h
        subroutine armilla_mpi_options_init_sized(options, size) bind(c)
            import
            type(armilla_mpi_options), intent(inout) :: options
            integer(c_size_t), value :: size
        end subroutine
        function armilla_mpi_transport_new_fortran(comm, options, transport&
                ) bind(c) result(answer)
            import
            integer(c_int), value :: comm
            type(armilla_mpi_options), intent(in), optional :: options
            type(c_ptr), intent(out) :: transport
            integer(c_int) :: answer
        end function
        subroutine armilla_mpi_transport_free(transport) bind(c)
            import
            type(c_ptr), value :: transport
        end subroutine
        function armilla_mpi_library() bind(c) result(answer)
            import
            type(c_ptr) :: answer
        end function
    end interface

    interface armilla_alm_size
        procedure :: armilla_alm_size_long, armilla_alm_size_int
    end interface
    interface armilla_alm_index
        procedure :: armilla_alm_index_long, armilla_alm_index_int
    end interface
    interface armilla_alm_lmax
        procedure :: armilla_alm_lmax_long, armilla_alm_lmax_int
    end interface
    interface armilla_alm_size_mres
        procedure :: armilla_alm_size_mres_long, armilla_alm_size_mres_int
    end interface
    interface armilla_alm_index_mres
        procedure :: armilla_alm_index_mres_long, armilla_alm_index_mres_int
    end interface
    interface armilla_alm_layout_new
        procedure :: armilla_alm_layout_new_long, armilla_alm_layout_new_int
    end interface
    interface armilla_alm_layout_new_mres
        procedure :: armilla_alm_layout_new_mres_long, armilla_alm_layout_new_mres_int
    end interface
    interface armilla_alm_layout_index
        procedure :: armilla_alm_layout_index_long, armilla_alm_layout_index_int
    end interface
    interface armilla_device_shape_name
        procedure :: armilla_device_shape_name_long, armilla_device_shape_name_int
    end interface
    interface armilla_healpix_npix
        procedure :: armilla_healpix_npix_long, armilla_healpix_npix_int
    end interface
    interface armilla_healpix_nside
        procedure :: armilla_healpix_nside_long, armilla_healpix_nside_int
    end interface
    interface armilla_healpix_nest_to_ring
        procedure :: armilla_healpix_nest_to_ring_long, armilla_healpix_nest_to_ring_int
    end interface
    interface armilla_healpix_ring_to_nest
        procedure :: armilla_healpix_ring_to_nest_long, armilla_healpix_ring_to_nest_int
    end interface
    interface armilla_healpix_ang_to_ring
        procedure :: armilla_healpix_ang_to_ring_long, armilla_healpix_ang_to_ring_int
    end interface
    interface armilla_healpix_reorder
        procedure :: armilla_healpix_reorder_long, armilla_healpix_reorder_int
    end interface
    interface armilla_healpix_query_strip
        procedure :: armilla_healpix_query_strip_long, armilla_healpix_query_strip_int
    end interface
    interface armilla_grid_new_healpix
        procedure :: armilla_grid_new_healpix_long, armilla_grid_new_healpix_int
    end interface
    interface armilla_grid_new_healpix_weighted
        procedure :: armilla_grid_new_healpix_weighted_long, armilla_grid_new_healpix_weighted_int
    end interface
    interface armilla_grid_new_gauss_legendre
        procedure :: armilla_grid_new_gauss_legendre_long, armilla_grid_new_gauss_legendre_int
    end interface
    interface armilla_grid_new_reduced_gauss_legendre
        procedure :: armilla_grid_new_reduced_gauss_legendre_long, armilla_grid_new_reduced_gauss_legendre_int
    end interface
    interface armilla_grid_new_octahedral
        procedure :: armilla_grid_new_octahedral_long, armilla_grid_new_octahedral_int
    end interface
    interface armilla_grid_new_classic
        procedure :: armilla_grid_new_classic_long, armilla_grid_new_classic_int
    end interface
    interface armilla_grid_new_equidistant
        procedure :: armilla_grid_new_equidistant_long, armilla_grid_new_equidistant_int
    end interface
    interface armilla_grid_new_subset
        procedure :: armilla_grid_new_subset_long, armilla_grid_new_subset_int
    end interface
    interface armilla_grid_ring
        procedure :: armilla_grid_ring_long, armilla_grid_ring_int
    end interface
    interface armilla_grid_exact_lmax_for
        procedure :: armilla_grid_exact_lmax_for_long, armilla_grid_exact_lmax_for_int
    end interface
    interface armilla_grid_lost_rule
        procedure :: armilla_grid_lost_rule_long, armilla_grid_lost_rule_int
    end interface
    interface armilla_kernel_new_needlet
        procedure :: armilla_kernel_new_needlet_long, armilla_kernel_new_needlet_int
    end interface
    interface armilla_sht_new
        procedure :: armilla_sht_new_long, armilla_sht_new_int
    end interface
    interface armilla_sht_describe_many
        procedure :: armilla_sht_describe_many_long, armilla_sht_describe_many_int
    end interface
    interface armilla_complex_index
        procedure :: armilla_complex_index_long, armilla_complex_index_int
    end interface
    interface armilla_complex_sht_new
        procedure :: armilla_complex_sht_new_long, armilla_complex_sht_new_int
    end interface
    interface armilla_convention_name
        procedure :: armilla_convention_name_long, armilla_convention_name_int
    end interface
    interface armilla_convention_size
        procedure :: armilla_convention_size_long, armilla_convention_size_int
    end interface
    interface armilla_convention_index
        procedure :: armilla_convention_index_long, armilla_convention_index_int
    end interface
    interface armilla_distribution_new
        procedure :: armilla_distribution_new_long, armilla_distribution_new_int
    end interface
    interface armilla_distribution_alm_size
        procedure :: armilla_distribution_alm_size_long, armilla_distribution_alm_size_int
    end interface
    interface armilla_distribution_npix
        procedure :: armilla_distribution_npix_long, armilla_distribution_npix_int
    end interface
    interface armilla_distribution_alm_index
        procedure :: armilla_distribution_alm_index_long, armilla_distribution_alm_index_int
    end interface
    interface armilla_distribution_ring_offset
        procedure :: armilla_distribution_ring_offset_long, armilla_distribution_ring_offset_int
    end interface
    interface armilla_distribution_order_cost
        procedure :: armilla_distribution_order_cost_long, armilla_distribution_order_cost_int
    end interface
    interface armilla_distribution_ring_cost
        procedure :: armilla_distribution_ring_cost_long, armilla_distribution_ring_cost_int
    end interface
    interface armilla_lensing_new
        procedure :: armilla_lensing_new_long, armilla_lensing_new_int
    end interface
    interface armilla_lensing_new_beside
        procedure :: armilla_lensing_new_beside_long, armilla_lensing_new_beside_int
    end interface
    interface armilla_redistribution_run
        procedure :: armilla_redistribution_run_long, armilla_redistribution_run_int
    end interface
    interface armilla_distributed_map_gather
        procedure :: armilla_distributed_map_gather_long, armilla_distributed_map_gather_int
    end interface
    interface armilla_distributed_map_scatter
        procedure :: armilla_distributed_map_scatter_long, armilla_distributed_map_scatter_int
    end interface
    interface armilla_distributed_alm_gather
        procedure :: armilla_distributed_alm_gather_long, armilla_distributed_alm_gather_int
    end interface
    interface armilla_distributed_alm_scatter
        procedure :: armilla_distributed_alm_scatter_long, armilla_distributed_alm_scatter_int
    end interface
    interface armilla_picture_colors
        procedure :: armilla_picture_colors_long, armilla_picture_colors_int
    end interface
    interface armilla_map_new
        procedure :: armilla_map_new_long, armilla_map_new_int
    end interface
    interface armilla_map_new_grid
        procedure :: armilla_map_new_grid_long, armilla_map_new_grid_int
    end interface
    interface armilla_alm_file_new
        procedure :: armilla_alm_file_new_long, armilla_alm_file_new_int
    end interface
    interface armilla_cl_file_new
        procedure :: armilla_cl_file_new_long, armilla_cl_file_new_int
    end interface
    interface armilla_iqu_new
        procedure :: armilla_iqu_new_long, armilla_iqu_new_int
    end interface
    interface armilla_iqu_describe_many
        procedure :: armilla_iqu_describe_many_long, armilla_iqu_describe_many_int
    end interface
    interface armilla_so3_new
        procedure :: armilla_so3_new_long, armilla_so3_new_int
    end interface
    interface armilla_vector_new
        procedure :: armilla_vector_new_long, armilla_vector_new_int
    end interface

contains

    ! What the library returns as text.
    function armilla_text(address) result(text)
        type(c_ptr), intent(in) :: address
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer(c_size_t) :: i
        interface
            function strlen(address) bind(c) result(length)
                import
                type(c_ptr), value :: address
                integer(c_size_t) :: length
            end function
        end interface
        text = ''
        if (.not. c_associated(address)) return
        call c_f_pointer(address, letters, [strlen(address)])
        text = repeat(' ', size(letters))
        do i = 1, size(letters, kind=c_size_t)
            text(i:i) = letters(i)
        end do
    end function

    ! Stops the program, unless status is ARMILLA_OK: what the library says of its last error goes
    ! to the standard error, behind `where` if that is given.
    subroutine armilla_check(status, where)
        integer(c_int), intent(in) :: status
        character(*), intent(in), optional :: where
        if (status == ARMILLA_OK) return
        if (present(where)) write (error_unit, '(a)', advance='no') where // ': '
        write (error_unit, '(a)') armilla_text(armilla_status_name(status)) // ': ' // &
            armilla_text(armilla_status_message())
        error stop 1
    end subroutine

    function armilla_alm_size_int(lmax, mmax) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int64_t) :: answer
        answer = armilla_alm_size_long(int(lmax, c_int64_t), int(mmax, c_int64_t))
    end function

    function armilla_alm_index_int(lmax, l, m) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int64_t) :: answer
        answer = armilla_alm_index_long(int(lmax, c_int64_t), int(l, c_int64_t), &
                int(m, c_int64_t))
    end function

    function armilla_alm_lmax_int(size, mmax) result(answer)
        integer(c_int), value :: size
        integer(c_int), value :: mmax
        integer(c_int64_t) :: answer
        answer = armilla_alm_lmax_long(int(size, c_int64_t), int(mmax, c_int64_t))
    end function

    function armilla_alm_size_mres_int(lmax, mmax, mres) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: mres
        integer(c_int64_t) :: answer
        answer = armilla_alm_size_mres_long(int(lmax, c_int64_t), int(mmax, c_int64_t), &
                int(mres, c_int64_t))
    end function

    function armilla_alm_index_mres_int(lmax, l, m, mres) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int), value :: mres
        integer(c_int64_t) :: answer
        answer = armilla_alm_index_mres_long(int(lmax, c_int64_t), int(l, c_int64_t), &
                int(m, c_int64_t), int(mres, c_int64_t))
    end function

    function armilla_alm_layout_new_int(lmax, mmax, layout) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(c_ptr), intent(out) :: layout
        integer(c_int) :: answer
        answer = armilla_alm_layout_new_long(int(lmax, c_int64_t), int(mmax, c_int64_t), layout)
    end function

    function armilla_alm_layout_new_mres_int(lmax, mmax, mres, layout) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: mres
        type(c_ptr), intent(out) :: layout
        integer(c_int) :: answer
        answer = armilla_alm_layout_new_mres_long(int(lmax, c_int64_t), int(mmax, c_int64_t), &
                int(mres, c_int64_t), layout)
    end function

    function armilla_alm_layout_index_int(layout, l, m) result(answer)
        type(c_ptr), value :: layout
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int64_t) :: answer
        answer = armilla_alm_layout_index_long(layout, int(l, c_int64_t), int(m, c_int64_t))
    end function

    function armilla_device_shape_name_int(number) result(answer)
        integer(c_int), value :: number
        type(c_ptr) :: answer
        answer = armilla_device_shape_name_long(int(number, c_int64_t))
    end function

    function armilla_healpix_npix_int(nside) result(answer)
        integer(c_int), value :: nside
        integer(c_int64_t) :: answer
        answer = armilla_healpix_npix_long(int(nside, c_int64_t))
    end function

    function armilla_healpix_nside_int(npix) result(answer)
        integer(c_int), value :: npix
        integer(c_int64_t) :: answer
        answer = armilla_healpix_nside_long(int(npix, c_int64_t))
    end function

    function armilla_healpix_nest_to_ring_int(nside, pixel) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: pixel
        integer(c_int64_t) :: answer
        answer = armilla_healpix_nest_to_ring_long(int(nside, c_int64_t), int(pixel, c_int64_t))
    end function

    function armilla_healpix_ring_to_nest_int(nside, pixel) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: pixel
        integer(c_int64_t) :: answer
        answer = armilla_healpix_ring_to_nest_long(int(nside, c_int64_t), int(pixel, c_int64_t))
    end function

    function armilla_healpix_ang_to_ring_int(nside, theta, phi) result(answer)
        integer(c_int), value :: nside
        real(c_double), value :: theta
        real(c_double), value :: phi
        integer(c_int64_t) :: answer
        answer = armilla_healpix_ang_to_ring_long(int(nside, c_int64_t), theta, phi)
    end function

    function armilla_healpix_reorder_int(nside, to_nested, width, map, reordered, nthreads&
            ) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: to_nested
        integer(c_int), value :: width
        type(c_ptr), value :: map
        type(c_ptr), value :: reordered
        integer(c_int), value :: nthreads
        integer(c_int) :: answer
        answer = armilla_healpix_reorder_long(int(nside, c_int64_t), to_nested, width, map, &
                reordered, nthreads)
    end function

    function armilla_healpix_query_strip_int(nside, nested, theta1, theta2, inclusive, ranges&
            ) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: nested
        real(c_double), value :: theta1
        real(c_double), value :: theta2
        integer(c_int), value :: inclusive
        type(c_ptr), intent(out) :: ranges
        integer(c_int) :: answer
        answer = armilla_healpix_query_strip_long(int(nside, c_int64_t), nested, theta1, &
                theta2, inclusive, ranges)
    end function

    function armilla_grid_new_healpix_int(nside, grid) result(answer)
        integer(c_int), value :: nside
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_healpix_long(int(nside, c_int64_t), grid)
    end function

    function armilla_grid_new_healpix_weighted_int(nside, lmax, grid) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: lmax
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_healpix_weighted_long(int(nside, c_int64_t), &
                int(lmax, c_int64_t), grid)
    end function

    function armilla_grid_new_gauss_legendre_int(nrings, nphi, grid) result(answer)
        integer(c_int), value :: nrings
        integer(c_int), value :: nphi
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_gauss_legendre_long(int(nrings, c_int64_t), &
                int(nphi, c_int64_t), grid)
    end function

    function armilla_grid_new_reduced_gauss_legendre_int(nrings, lmax, grid) result(answer)
        integer(c_int), value :: nrings
        integer(c_int), value :: lmax
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_reduced_gauss_legendre_long(int(nrings, c_int64_t), &
                int(lmax, c_int64_t), grid)
    end function

    function armilla_grid_new_octahedral_int(n, grid) result(answer)
        integer(c_int), value :: n
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_octahedral_long(int(n, c_int64_t), grid)
    end function

    function armilla_grid_new_classic_int(n, grid) result(answer)
        integer(c_int), value :: n
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_classic_long(int(n, c_int64_t), grid)
    end function

    function armilla_grid_new_equidistant_int(kind, nrings, nphi, grid) result(answer)
        integer(c_int), value :: kind
        integer(c_int), value :: nrings
        integer(c_int), value :: nphi
        type(c_ptr), intent(out) :: grid
        integer(c_int) :: answer
        answer = armilla_grid_new_equidistant_long(kind, int(nrings, c_int64_t), &
                int(nphi, c_int64_t), grid)
    end function

    function armilla_grid_new_subset_int(grid, first, count, compact, subset) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: first
        integer(c_int), value :: count
        integer(c_int), value :: compact
        type(c_ptr), intent(out) :: subset
        integer(c_int) :: answer
        answer = armilla_grid_new_subset_long(grid, int(first, c_int64_t), &
                int(count, c_int64_t), compact, subset)
    end function

    function armilla_grid_ring_int(grid, index, ring) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: index
        type(armilla_ring), intent(inout) :: ring
        integer(c_int) :: answer
        answer = armilla_grid_ring_long(grid, int(index, c_int64_t), ring)
    end function

    function armilla_grid_exact_lmax_for_int(grid, mmax) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: mmax
        integer(c_int64_t) :: answer
        answer = armilla_grid_exact_lmax_for_long(grid, int(mmax, c_int64_t))
    end function

    function armilla_grid_lost_rule_int(grid, lmax, mmax) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int) :: answer
        answer = armilla_grid_lost_rule_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t))
    end function

    function armilla_kernel_new_needlet_int(base, scale, kernel) result(answer)
        real(c_double), value :: base
        integer(c_int), value :: scale
        type(c_ptr), intent(out) :: kernel
        integer(c_int) :: answer
        answer = armilla_kernel_new_needlet_long(base, int(scale, c_int64_t), kernel)
    end function

    function armilla_sht_new_int(grid, lmax, mmax, options, sht) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_sht_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: sht
        integer(c_int) :: answer
        answer = armilla_sht_new_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t), &
                options, sht)
    end function

    function armilla_sht_describe_many_int(sht, nthreads, ntrans, description) result(answer)
        type(c_ptr), value :: sht
        integer(c_int), value :: nthreads
        integer(c_int), value :: ntrans
        type(armilla_sht_description), intent(inout) :: description
        integer(c_int) :: answer
        answer = armilla_sht_describe_many_long(sht, nthreads, int(ntrans, c_int64_t), &
                description)
    end function

    function armilla_complex_index_int(l, m) result(answer)
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int64_t) :: answer
        answer = armilla_complex_index_long(int(l, c_int64_t), int(m, c_int64_t))
    end function

    function armilla_complex_sht_new_int(grid, lmax, mmax, options, sht) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_sht_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: sht
        integer(c_int) :: answer
        answer = armilla_complex_sht_new_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t), &
                options, sht)
    end function

    function armilla_convention_name_int(number) result(answer)
        integer(c_int), value :: number
        type(c_ptr) :: answer
        answer = armilla_convention_name_long(int(number, c_int64_t))
    end function

    function armilla_convention_size_int(convention, lmax, mmax) result(answer)
        type(armilla_convention), intent(in) :: convention
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int64_t) :: answer
        answer = armilla_convention_size_long(convention, int(lmax, c_int64_t), &
                int(mmax, c_int64_t))
    end function

    function armilla_convention_index_int(convention, lmax, mmax, l, m) result(answer)
        type(armilla_convention), intent(in) :: convention
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int64_t) :: answer
        answer = armilla_convention_index_long(convention, int(lmax, c_int64_t), &
                int(mmax, c_int64_t), int(l, c_int64_t), int(m, c_int64_t))
    end function

    function armilla_distribution_new_int(grid, lmax, mmax, nranks, options, distribution&
            ) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: nranks
        type(armilla_distribution_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: distribution
        integer(c_int) :: answer
        answer = armilla_distribution_new_long(grid, int(lmax, c_int64_t), &
                int(mmax, c_int64_t), int(nranks, c_int64_t), options, distribution)
    end function

    function armilla_distribution_alm_size_int(distribution, rank) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int64_t) :: answer
        answer = armilla_distribution_alm_size_long(distribution, int(rank, c_int64_t))
    end function

    function armilla_distribution_npix_int(distribution, rank) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int64_t) :: answer
        answer = armilla_distribution_npix_long(distribution, int(rank, c_int64_t))
    end function

    function armilla_distribution_alm_index_int(distribution, rank, l, m) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int), value :: l
        integer(c_int), value :: m
        integer(c_int64_t) :: answer
        answer = armilla_distribution_alm_index_long(distribution, int(rank, c_int64_t), &
                int(l, c_int64_t), int(m, c_int64_t))
    end function

    function armilla_distribution_ring_offset_int(distribution, rank, ring) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int), value :: ring
        integer(c_int64_t) :: answer
        answer = armilla_distribution_ring_offset_long(distribution, int(rank, c_int64_t), &
                int(ring, c_int64_t))
    end function

    function armilla_distribution_order_cost_int(distribution, rank) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int64_t) :: answer
        answer = armilla_distribution_order_cost_long(distribution, int(rank, c_int64_t))
    end function

    function armilla_distribution_ring_cost_int(distribution, rank) result(answer)
        type(c_ptr), value :: distribution
        integer(c_int), value :: rank
        integer(c_int64_t) :: answer
        answer = armilla_distribution_ring_cost_long(distribution, int(rank, c_int64_t))
    end function

    function armilla_lensing_new_int(grid, deflection, lmax, mmax, options, lensing&
            ) result(answer)
        type(c_ptr), value :: grid
        type(armilla_deflection), intent(in) :: deflection
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_points_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: lensing
        integer(c_int) :: answer
        answer = armilla_lensing_new_long(grid, deflection, int(lmax, c_int64_t), &
                int(mmax, c_int64_t), options, lensing)
    end function

    function armilla_lensing_new_beside_int(lensing, lmax, mmax, options, result) result(answer)
        type(c_ptr), value :: lensing
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_points_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: result
        integer(c_int) :: answer
        answer = armilla_lensing_new_beside_long(lensing, int(lmax, c_int64_t), &
                int(mmax, c_int64_t), options, result)
    end function

    function armilla_redistribution_run_int(redistribution, element_bytes, narrays, source, &
            source_stride, target, target_stride) result(answer)
        type(c_ptr), value :: redistribution
        integer(c_int), value :: element_bytes
        integer(c_int), value :: narrays
        type(c_ptr), value :: source
        integer(c_int), value :: source_stride
        type(c_ptr), value :: target
        integer(c_int), value :: target_stride
        integer(c_int) :: answer
        answer = armilla_redistribution_run_long(redistribution, int(element_bytes, c_int64_t), &
                int(narrays, c_int64_t), source, int(source_stride, c_int64_t), target, &
                int(target_stride, c_int64_t))
    end function

    function armilla_distributed_map_gather_int(transport, distribution, root, nfields, ncomp, &
            element_bytes, part, whole) result(answer)
        type(c_ptr), value :: transport
        type(c_ptr), value :: distribution
        integer(c_int), value :: root
        integer(c_int), value :: nfields
        integer(c_int), value :: ncomp
        integer(c_int), value :: element_bytes
        type(c_ptr), value :: part
        type(c_ptr), value :: whole
        integer(c_int) :: answer
        answer = armilla_distributed_map_gather_long(transport, distribution, &
                int(root, c_int64_t), int(nfields, c_int64_t), int(ncomp, c_int64_t), &
                int(element_bytes, c_int64_t), part, whole)
    end function

    function armilla_distributed_map_scatter_int(transport, distribution, root, nfields, ncomp, &
            element_bytes, whole, part) result(answer)
        type(c_ptr), value :: transport
        type(c_ptr), value :: distribution
        integer(c_int), value :: root
        integer(c_int), value :: nfields
        integer(c_int), value :: ncomp
        integer(c_int), value :: element_bytes
        type(c_ptr), value :: whole
        type(c_ptr), value :: part
        integer(c_int) :: answer
        answer = armilla_distributed_map_scatter_long(transport, distribution, &
                int(root, c_int64_t), int(nfields, c_int64_t), int(ncomp, c_int64_t), &
                int(element_bytes, c_int64_t), whole, part)
    end function

    function armilla_distributed_alm_gather_int(transport, distribution, root, nfields, ncomp, &
            element_bytes, part, whole) result(answer)
        type(c_ptr), value :: transport
        type(c_ptr), value :: distribution
        integer(c_int), value :: root
        integer(c_int), value :: nfields
        integer(c_int), value :: ncomp
        integer(c_int), value :: element_bytes
        type(c_ptr), value :: part
        type(c_ptr), value :: whole
        integer(c_int) :: answer
        answer = armilla_distributed_alm_gather_long(transport, distribution, &
                int(root, c_int64_t), int(nfields, c_int64_t), int(ncomp, c_int64_t), &
                int(element_bytes, c_int64_t), part, whole)
    end function

    function armilla_distributed_alm_scatter_int(transport, distribution, root, nfields, ncomp, &
            element_bytes, whole, part) result(answer)
        type(c_ptr), value :: transport
        type(c_ptr), value :: distribution
        integer(c_int), value :: root
        integer(c_int), value :: nfields
        integer(c_int), value :: ncomp
        integer(c_int), value :: element_bytes
        type(c_ptr), value :: whole
        type(c_ptr), value :: part
        integer(c_int) :: answer
        answer = armilla_distributed_alm_scatter_long(transport, distribution, &
                int(root, c_int64_t), int(nfields, c_int64_t), int(ncomp, c_int64_t), &
                int(element_bytes, c_int64_t), whole, part)
    end function

    function armilla_picture_colors_int(colors, n, rgb) result(answer)
        integer(c_int), value :: colors
        integer(c_int), value :: n
        type(c_ptr), value :: rgb
        integer(c_int) :: answer
        answer = armilla_picture_colors_long(colors, int(n, c_int64_t), rgb)
    end function

    function armilla_map_new_int(nside, nfields, map) result(answer)
        integer(c_int), value :: nside
        integer(c_int), value :: nfields
        type(c_ptr), intent(out) :: map
        integer(c_int) :: answer
        answer = armilla_map_new_long(int(nside, c_int64_t), int(nfields, c_int64_t), map)
    end function

    function armilla_map_new_grid_int(grid, nfields, map) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: nfields
        type(c_ptr), intent(out) :: map
        integer(c_int) :: answer
        answer = armilla_map_new_grid_long(grid, int(nfields, c_int64_t), map)
    end function

    function armilla_alm_file_new_int(lmax, mmax, ncomp, alm) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: ncomp
        type(c_ptr), intent(out) :: alm
        integer(c_int) :: answer
        answer = armilla_alm_file_new_long(int(lmax, c_int64_t), int(mmax, c_int64_t), &
                int(ncomp, c_int64_t), alm)
    end function

    function armilla_cl_file_new_int(lmax, nspectra, cl) result(answer)
        integer(c_int), value :: lmax
        integer(c_int), value :: nspectra
        type(c_ptr), intent(out) :: cl
        integer(c_int) :: answer
        answer = armilla_cl_file_new_long(int(lmax, c_int64_t), int(nspectra, c_int64_t), cl)
    end function

    function armilla_iqu_new_int(grid, lmax, mmax, options, iqu) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_sht_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: iqu
        integer(c_int) :: answer
        answer = armilla_iqu_new_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t), &
                options, iqu)
    end function

    function armilla_iqu_describe_many_int(iqu, nthreads, ntrans, description) result(answer)
        type(c_ptr), value :: iqu
        integer(c_int), value :: nthreads
        integer(c_int), value :: ntrans
        type(armilla_sht_description), intent(inout) :: description
        integer(c_int) :: answer
        answer = armilla_iqu_describe_many_long(iqu, nthreads, int(ntrans, c_int64_t), &
                description)
    end function

    function armilla_so3_new_int(grid, lmax, mmax, nmax, options, plan) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        integer(c_int), value :: nmax
        type(armilla_so3_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: plan
        integer(c_int) :: answer
        answer = armilla_so3_new_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t), &
                int(nmax, c_int64_t), options, plan)
    end function

    function armilla_vector_new_int(grid, lmax, mmax, options, vector) result(answer)
        type(c_ptr), value :: grid
        integer(c_int), value :: lmax
        integer(c_int), value :: mmax
        type(armilla_vector_options), intent(in), optional :: options
        type(c_ptr), intent(out) :: vector
        integer(c_int) :: answer
        answer = armilla_vector_new_long(grid, int(lmax, c_int64_t), int(mmax, c_int64_t), &
                options, vector)
    end function

    subroutine armilla_grid_layout_init(it)
        type(armilla_grid_layout), intent(inout) :: it
        call armilla_grid_layout_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_sht_options_init(it)
        type(armilla_sht_options), intent(inout) :: it
        call armilla_sht_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_exec_init(it)
        type(armilla_exec), intent(inout) :: it
        call armilla_exec_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_pseudo_options_init(it)
        type(armilla_pseudo_options), intent(inout) :: it
        call armilla_pseudo_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_radial_options_init(it)
        type(armilla_radial_options), intent(inout) :: it
        call armilla_radial_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_radial_stream_init(it)
        type(armilla_radial_stream), intent(inout) :: it
        call armilla_radial_stream_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_points_options_init(it)
        type(armilla_points_options), intent(inout) :: it
        call armilla_points_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_interpolation_options_init(it)
        type(armilla_interpolation_options), intent(inout) :: it
        call armilla_interpolation_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_beams_options_init(it)
        type(armilla_beams_options), intent(inout) :: it
        call armilla_beams_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_coupling_options_init(it)
        type(armilla_coupling_options), intent(inout) :: it
        call armilla_coupling_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_bands_init(it)
        type(armilla_bands), intent(inout) :: it
        call armilla_bands_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_covariance_problem_init(it)
        type(armilla_covariance_problem), intent(inout) :: it
        call armilla_covariance_problem_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_gaussian_problem_init(it)
        type(armilla_gaussian_problem), intent(inout) :: it
        call armilla_gaussian_problem_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_correlation_init(it)
        type(armilla_correlation), intent(inout) :: it
        call armilla_correlation_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_distribution_options_init(it)
        type(armilla_distribution_options), intent(inout) :: it
        call armilla_distribution_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_distributed_options_init(it)
        type(armilla_distributed_options), intent(inout) :: it
        call armilla_distributed_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_deflection_init(it)
        type(armilla_deflection), intent(inout) :: it
        call armilla_deflection_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_distributed_deflection_init(it)
        type(armilla_distributed_deflection), intent(inout) :: it
        call armilla_distributed_deflection_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_redistribution_options_init(it)
        type(armilla_redistribution_options), intent(inout) :: it
        call armilla_redistribution_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_picture_options_init(it)
        type(armilla_picture_options), intent(inout) :: it
        call armilla_picture_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_plot_options_init(it)
        type(armilla_plot_options), intent(inout) :: it
        call armilla_plot_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_write_options_init(it)
        type(armilla_write_options), intent(inout) :: it
        call armilla_write_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_leg_problem_init(it)
        type(armilla_leg_problem), intent(inout) :: it
        call armilla_leg_problem_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_leg_rings_init(it)
        type(armilla_leg_rings), intent(inout) :: it
        call armilla_leg_rings_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_so3_options_init(it)
        type(armilla_so3_options), intent(inout) :: it
        call armilla_so3_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_solid_options_init(it)
        type(armilla_solid_options), intent(inout) :: it
        call armilla_solid_options_init_sized(it, c_sizeof(it))
    end subroutine

    subroutine armilla_vector_options_init(it)
        type(armilla_vector_options), intent(inout) :: it
        call armilla_vector_options_init_sized(it, c_sizeof(it))
    end subroutine
end module
