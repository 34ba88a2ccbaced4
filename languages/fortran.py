"""The Fortran module: an interface for each function of the headers, a derived type for each of
their structs, a parameter for each constant."""
from typing import Dict, List

from headers import Function, Header, Variable

KINDS = {"double": "real(c_double)", "float": "real(c_float)", "int": "integer(c_int)",
         "int64_t": "integer(c_int64_t)", "uint64_t": "integer(c_int64_t)",
         "size_t": "integer(c_size_t)", "char": "character(kind=c_char)",
         "MPI_Fint": "integer(c_int)"}
# Arrays of double or float that hold complex numbers.
COMPLEX = {"alm", "alm_a", "alm_b", "alm_source", "alm_target", "leg"}
# Pointers that are one number, not an array.
ONE = {("armilla_points_few", "few"), ("armilla_kernel_truncation_error", "error"),
       ("armilla_kernel_choose_support", "support"), ("armilla_radial_stream_bytes", "bytes"),
       ("armilla_radial_many_bytes", "bytes"), ("armilla_radial_many_bytes", "device_bytes"),
       ("armilla_radial_compare", "radial_seconds"), ("armilla_radial_compare", "harmonic_seconds"),
       ("armilla_healpix_query_disc_pixels", "npixels")}
# Structs of which a parameter is an array.
MANY = {"rings": "armilla_ring", "reports": "armilla_pseudo_report", "spans": "armilla_span",
        "from": "armilla_span", "to": "armilla_span", "curves": "armilla_curve"}
# Arguments that may be left out: NULL in C.
OPTIONAL = {"options", "exec", "reports", "distributed", "gamma", "fields"}
OPTIONAL_IN = {("armilla_lensing_angles", "points"), ("armilla_alm_input_read", "orders"),
               ("armilla_kernel_truncation_error", "cl"), ("armilla_grid_new_laid_out", "layout"),
               ("armilla_kernel_choose_support", "cl"), ("armilla_leg_plan_new", "problem"),
               ("armilla_leg_plan_new", "rings")}
BY_ADDRESS = {"armilla_transport"}  # made by the library, and never looked into

OPENING = """\
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
"""

CLOSING = """\
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
"""


def constant(name: str, value: str) -> str:
    """A parameter; a whole number is c_int."""
    if value.lstrip("-").isdigit():
        return f"    integer(c_int), parameter :: {name} = {value}"
    number = value if "e" in value else value + "e0"
    return f"    real(c_double), parameter :: {name} = {number}_c_double"


def component(header: Header, item: Variable) -> str:
    """A field of a struct; all have the value 0 until something else is set."""
    if item.type == "function" or item.type in header.callbacks:
        return f"type(c_funptr) :: {item.name} = c_null_funptr"
    if item.stars:
        return f"type(c_ptr) :: {item.name} = c_null_ptr"
    if item.type == "char":
        size = f"({item.length})" if item.length else ""
        return f"{KINDS['char']} :: {item.name}{size} = c_null_char"
    kind = "integer(c_int)" if item.type in header.enums else KINDS[item.type]
    return f"{kind} :: {item.name} = 0"


def struct(header: Header, name: str, items: List[Variable]) -> List[str]:
    """A derived type with the fields of a struct."""
    return ([f"    type, bind(c) :: {name}"] +
            ["        " + component(header, item) for item in items] + ["    end type", ""])


def pointer(header: Header, function: str, item: Variable) -> str:
    """The declaration of an argument that is a pointer in C."""
    intent = "intent(in)" if item.const else "intent(inout)"
    if item.stars == 2:
        return f"type(c_ptr), {'intent(in)' if item.list else 'intent(out)'}"
    if item.type in header.structs and item.type not in BY_ADDRESS:
        if function.endswith("_free"):
            return "type(c_ptr), value"
        return f"type({item.type}), {intent}"
    if item.type == "char" and item.const:
        return f"{KINDS['char']}, intent(in)"
    if item.type not in KINDS or item.type == "char":
        return "type(c_ptr), value"
    if (function, item.name) in ONE:
        return f"{KINDS[item.type]}, intent(out)"
    if item.name in COMPLEX or (function, item.name) == ("armilla_alm_rotate", "out"):
        return f"complex(c_{item.type}_complex), {intent}"
    return f"{KINDS[item.type]}, {intent}"


def argument(header: Header, function: str, item: Variable) -> str:
    """The declaration of an argument."""
    if not item.stars:
        if item.type in header.callbacks:
            return f"type(c_funptr), value :: {item.name}"
        kind = "integer(c_int)" if item.type in header.enums else KINDS[item.type]
        return f"{kind}, value :: {item.name}"
    kind = pointer(header, function, item)
    many = (not kind.startswith("type(") and (function, item.name) not in ONE) or \
        MANY.get(item.name) == item.type or item.list
    optional = kind.startswith(("type(arm", "real", "integer")) and (
        item.name in OPTIONAL or (function, item.name) in OPTIONAL_IN) and \
        not function.endswith("_init_sized")
    return f"{kind}{', optional' * optional} :: {item.name}{'(*)' * many}"


def wrapped(head: str, names: List[str], tail: str, indent: int) -> List[str]:
    """`head(names) tail` in lines of at most 100 columns."""
    lines, line = [], " " * indent + head + "("
    for i, name in enumerate(names):
        text = name + (", " if i + 1 < len(names) else "")
        if len(line) + len(text) > 96:
            lines.append(line + "&")
            line = " " * (indent + 8)
        line += text
    if len(line) + len(tail) > 98:
        lines.append(line + "&")
        line = " " * (indent + 8)
    return lines + [line + tail]


def is_count(item: Variable) -> bool:
    """Whether an argument is an integer of 64 bits."""
    return item.type == "int64_t" and not item.stars


def has_default_integers(header: Header, function: Function) -> bool:
    """Whether a generic name can serve integers of the default kind, too: arrays and texts would
    need the rank that the interface says."""
    told = [argument(header, function.name, item) for item in function.parameters]
    return any(map(is_count, function.parameters)) and function.result.type != "void" and \
        not any(text.endswith("(*)") or "character" in text for text in told)


def answer_kind(header: Header, result: Variable) -> str:
    """The type of a function's result."""
    return "type(c_ptr)" if result.stars else "integer(c_int)" if result.type in header.enums \
        else KINDS[result.type]


def interface(header: Header, function: Function) -> List[str]:
    """The interface of a function, or of a subroutine where C returns nothing."""
    name, binding = function.name, "bind(c)"
    if has_default_integers(header, function):
        name, binding = name + "_long", f"bind(c, name='{name}')"
    names = [item.name for item in function.parameters]
    lines = [" " * 12 + "import"]
    lines += [" " * 12 + argument(header, function.name, item) for item in function.parameters]
    if function.result.type == "void":
        return wrapped(f"subroutine {name}", names, f") {binding}", 8) + lines + \
            ["        end subroutine"]
    return wrapped(f"function {name}", names, f") {binding} result(answer)", 8) + lines + \
        [" " * 12 + f"{answer_kind(header, function.result)} :: answer", "        end function"]


def generic(function: Function) -> List[str]:
    """The name that serves both kinds of integers."""
    return [f"    interface {function.name}",
            f"        procedure :: {function.name}_long, {function.name}_int", "    end interface"]


def of_default_integers(header: Header, function: Function) -> List[str]:
    """The function that takes integers of the default kind."""
    items, name = function.parameters, function.name
    told = [f"integer(c_int), value :: {item.name}" if is_count(item) else
            argument(header, name, item) for item in items]
    given = [f"int({item.name}, c_int64_t)" if is_count(item) else item.name for item in items]
    return wrapped(f"function {name}_int", [item.name for item in items], ") result(answer)", 4) + \
        [" " * 8 + text for text in told] + \
        [" " * 8 + f"{answer_kind(header, function.result)} :: answer"] + \
        wrapped(f"answer = {name}_long", given, ")", 8) + ["    end function", ""]


def initialiser(name: str, structs: Dict[str, List[Variable]]) -> List[str]:
    """What the macro armilla_<noun>_init is in C."""
    assert name in structs, name
    return [f"    subroutine {name}_init(it)", f"        type({name}), intent(inout) :: it",
            f"        call {name}_init_sized(it, c_sizeof(it))", "    end subroutine", ""]


def taken(function: Function) -> bool:
    """Fortran has another function for communicators of MPI."""
    return all(item.type != "MPI_Comm" for item in function.parameters)


def module(headers: List[Header], whole: Header) -> str:
    """The text of the module."""
    lines = [OPENING]
    for header in headers:
        if header.constants:
            lines += [f"    ! {header.name}.h"]
            lines += [constant(*item) for item in header.constants] + [""]
    for header in headers:
        if header.structs:
            lines += [f"    ! {header.name}.h"]
            for name, items in header.structs.items():
                lines += struct(whole, name, items)
    lines += ["    interface"]
    for header in headers:
        lines += ["", f"        ! {header.name}.h"]
        for function in filter(taken, header.functions):
            lines += interface(whole, function)
    lines += ["    end interface", ""]
    both = [function for header in headers for function in filter(taken, header.functions)
            if has_default_integers(whole, function)]
    for function in both:
        lines += generic(function)
    lines += ["", CLOSING]
    for function in both:
        lines += of_default_integers(whole, function)
    for header in headers:
        if header.name != "mpi":  # its functions are in a library of its own
            for name in header.initialisers:
                lines += initialiser(name, header.structs)
    return "\n".join(lines).rstrip() + "\nend module\n"
