"""Two programs, in C and in Fortran, that print the size of each struct and the offset and the size
of each field: both must print the same."""
from headers import Header


def in_c(whole: Header) -> str:
    """The program in C, by offsetof and sizeof."""
    lines = ["/* Sizes and offsets of the structs of the headers, as C has them. */",
             "#include <armilla/armilla.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, items in visible(whole):
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        for item in items:
            lines.append(f'    printf("{name} {item.name} %zu %zu\\n", offsetof({name}, '
                         f"{item.name}), sizeof((({name} *)0)->{item.name}));")
    return "\n".join(lines + ["    return 0;", "}"]) + "\n"


def in_fortran(whole: Header) -> str:
    """The program in Fortran, by addresses of components."""
    lines = ["! Sizes and offsets of the derived types of the module.", "program layouts",
             "    use armilla", "    implicit none"]
    calls = []
    for i, (name, items) in enumerate(visible(whole)):
        lines.append(f"    type({name}), target :: x{i}")
        calls.append(f"    print '(a, i0)', '{name} ', c_sizeof(x{i})")
        for item in items:
            calls.append(f"    print '(a, i0, 1x, i0)', '{name} {item.name} ', &\n"
                         f"        at(c_loc(x{i}%{item.name})) - at(c_loc(x{i})), "
                         f"c_sizeof(x{i}%{item.name})")
    return "\n".join(lines + calls + [
        "contains", "    function at(address)", "        type(c_ptr), intent(in) :: address",
        "        integer(c_intptr_t) :: at", "        at = transfer(address, at)",
        "    end function", "end program"]) + "\n"


def visible(whole: Header):
    """Structs of armilla.h; that of MPI needs MPI's own header."""
    return [(name, items) for name, items in whole.structs.items() if name != "armilla_mpi_options"]
