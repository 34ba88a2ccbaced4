"""The header for C++ that makes every object of the C headers a class: a method for each function
that takes the object first, a static member for each that makes one."""
from dataclasses import dataclass, field
from typing import Dict, List, Optional

from headers import Function, Header, Variable

ACRONYMS = {"sht": "SHT", "iqu": "IQU", "so3": "SO3"}
# Classes that armilla.hpp and transforms.hpp write by hand, on top of the generated functions.
BY_HAND = {"armilla_grid", "armilla_sht", "armilla_iqu", "armilla_points", "armilla_lensing",
           "armilla_kernel", "armilla_radial", "armilla_map"}
# What may be left out, where it is last, and what C gets then.
DEFAULTS = {"options": "nullptr", "exec": "nullptr", "nthreads": "0"}
# Names that C++ or every class has already.
TAKEN = {"new": "create", "union": "unite", "get": "take"}

OPENING = """\
/* Every object of C as a class: methods for the functions that take it first, under their names
 * without the object's ("armilla_beams_convolve" is Beams::convolve), and static members for those
 * that make it ("armilla_beams_new" is Beams::create, "armilla_grid_new_named" Grid::named).
 * Functions with and without "_float" are one name. Arrays are pointers here, whose sizes and
 * meaning the headers of C say; objects are handed over themselves (structs by their address),
 * texts as std::string or const char *. What the headers of C say must outlive an object must do
 * so here, such as the Distribution of a plan over ranks. Include armilla/armilla.hpp. Written by
 * languages/generate.py from the headers of C: do not edit it. */
#ifndef ARMILLA_OBJECTS_HPP
#define ARMILLA_OBJECTS_HPP

#include "base.hpp"

/* clang-format off */
namespace armilla
{

/* An object as an argument: one of the classes below, a pointer of C, or nullptr. */
template <class T> class Ref
{
  public:
    Ref(std::nullptr_t) : object_(nullptr) {}
    Ref(T *object) : object_(object) {}
    template <class Object, class = std::enable_if_t<std::is_convertible_v<
                                decltype(std::declval<const Object &>().get()), T *>>>
    Ref(const Object &object) : object_(object.get()) {}
    operator T *() const noexcept { return object_; }

  private:
    T *object_;
};

/* A text as an argument. */
class Text
{
  public:
    Text(std::nullptr_t) : text_(nullptr) {}
    Text(const char *text) : text_(text) {}
    Text(const std::string &text) : text_(text.c_str()) {}
    operator const char *() const noexcept { return text_; }

  private:
    const char *text_;
};
"""

CLOSING = """\
} // namespace armilla
/* clang-format on */

#endif
"""


@dataclass
class Class:
    """An object of C, and the functions that are its members."""
    handle: str
    methods: List[Function] = field(default_factory=list)
    statics: List[Function] = field(default_factory=list)


def camel(name: str) -> str:
    """armilla_vector -> Vector, armilla_sht_options -> SHTOptions."""
    words = name.removeprefix("armilla_").split("_")
    return "".join(ACRONYMS.get(word, word.capitalize()) for word in words)


def owned(whole: Header) -> List[str]:
    """What has a function that frees it, in the order of the headers."""
    types = [*whole.handles, *whole.structs]
    free = {function.name for function in whole.functions}
    return [name for name in types if name + "_free" in free and name != "armilla_mpi_transport"]


def home(function: Function, names: List[str]) -> Optional[str]:
    """The class that has the function: that of its name, else of its first or last argument."""
    by_name = [name for name in names if function.name.startswith(name + "_")]
    if by_name:
        return max(by_name, key=len)
    if not function.parameters:
        return None
    first, last = function.parameters[0], function.parameters[-1]
    if first.stars == 1 and first.type in names:
        return first.type
    return last.type if last.stars == 2 and last.type in names and not last.list else None


def classes(whole: Header, functions: List[Function]) -> Dict[str, Class]:
    """All classes with their members."""
    names = owned(whole)
    found = {name: Class(name) for name in names}
    for function in functions:
        name = home(function, names)
        if name is None or function.name == name + "_free" or \
                any(item.type in ("function", "MPI_Comm") for item in function.parameters):
            continue
        first = function.parameters[0] if function.parameters else None
        takes = first is not None and first.stars == 1 and first.type == name
        (found[name].methods if takes else found[name].statics).append(function)
    return found


def member_name(function: Function, handle: str) -> str:
    """The name of a member."""
    prefixes = [handle + "_new_", handle + "_", handle.rsplit("_", 1)[0] + "_", "armilla_"]
    name = next(function.name.removeprefix(prefix) for prefix in prefixes
                if function.name.startswith(prefix))
    name = name.removesuffix("_float")
    return TAKEN.get(name, name)


def is_object(whole: Header, item: Variable, names: List[str]) -> bool:
    """Whether an argument is an object."""
    return item.stars == 1 and item.type in names and item.type in whole.handles


def is_text(item: Variable) -> bool:
    """Whether an argument is a text that is read."""
    return item.stars == 1 and item.type == "char" and item.const and not item.length


def declared(whole: Header, item: Variable, names: List[str]) -> str:
    """A parameter."""
    const = "const " if item.const else ""
    if item.length:
        return f"{const}{item.type} *{item.name}"
    if is_object(whole, item, names):
        return f"Ref<{const}{item.type}> {item.name}"
    if is_text(item):
        return f"Text {item.name}"
    if item.list:
        return f"const {item.type} *const *{item.name}"
    return f"{const}{item.type} {'*' * item.stars}{item.name}"


def parameters(whole: Header, items: List[Variable], names: List[str]) -> str:
    """The list of parameters; those at its end that may be left out have defaults."""
    told, optional = [], True
    for item in reversed(items):
        optional = optional and item.name in DEFAULTS
        told.insert(0, declared(whole, item, names) +
                    (f" = {DEFAULTS[item.name]}" if optional else ""))
    return ", ".join(told)


def is_description(whole: Header, item: Variable) -> bool:
    """Whether a function fills this struct, whose caller says which version he knows."""
    return item.stars == 1 and not item.const and item.type.endswith("_description") and \
        any(part.name == "size" for part in whole.structs.get(item.type, []))


def body(whole: Header, function: Function, handle: str, call: List[str]) -> Dict[str, str]:
    """What a member returns, what it does, and how many of the last arguments it makes itself."""
    items, name = function.parameters, function.name
    last = items[-1] if items else None
    if last and last.stars == 2 and last.type == handle and not last.list:
        return {"result": "Self", "made": 1,
                "does": f"return Self(made<{handle}>({', '.join([name] + call[:-1])}));"}
    called = f"{name}({', '.join(call)})"
    result = function.result
    if result.type == "armilla_status" and not result.stars:
        if last and is_description(whole, last):
            called = f"{name}({', '.join(call[:-1] + ['&told'])})"
            return {"result": last.type, "made": 1,
                    "does": f"{last.type} told{{}}; told.size = sizeof told; check({called}); "
                            "return told;"}
        return {"result": "void", "made": 0, "does": f"check({called});"}
    kind = ("const " if result.const else "") + result.type + " *"[:2 * result.stars]
    return {"result": kind, "made": 0, "does": f"{'return ' * (kind != 'void')}{called};"}


def member(whole: Header, function: Function, handle: str, names: List[str]) -> List[str]:
    """A method or a static member."""
    first = function.parameters[0] if function.parameters else None
    method = first is not None and first.stars == 1 and first.type == handle
    items = function.parameters[1:] if method else function.parameters
    call = ["this->get()"] * method + [
        f"static_cast<{'const ' * item.const}{item.type} *>({item.name})"
        if is_object(whole, item, names) else
        f"static_cast<const char *>({item.name})" if is_text(item) else item.name
        for item in items]
    what = body(whole, function, handle, call)
    told = parameters(whole, items[:len(items) - what["made"]], names)
    return [f"    {'' if method else 'static '}{what['result']} "
            f"{member_name(function, handle)}({told}){' const' * method}",
            f"    {{ {what['does']} }}"]


def broken(line: str) -> List[str]:
    """A line in pieces of at most 100 columns where that goes, at blanks behind commas or not."""
    lines = []
    while len(line) > 100:
        cut = max(line.rfind(", ", 14, 98), line.rfind("; ", 14, 98)) + 1
        cut = cut or line.rfind(" ", 14, 99)
        lines.append(line[:cut])
        line = " " * 12 + line[cut + 1:]
    return lines + [line]


def text(whole: Header, found: Class, names: List[str]) -> List[str]:
    """What a class of an object has, and the class, unless it is written by hand."""
    name = camel(found.handle)
    owner = f"Owner<{found.handle}, {found.handle}_free>"
    lines = [f"template <class Self> class {name}Members : public {owner}", "{", "  public:",
             f"    using {owner}::Owner;"]
    for function in found.statics + found.methods:
        if found.handle not in BY_HAND or function.name not in (found.handle + "_new",
                                                                "armilla_lensing_new_beside"):
            lines += member(whole, function, found.handle, names)
    lines += ["};"]
    if found.handle not in BY_HAND:
        lines += [f"class {name} : public {name}Members<{name}>", "{", "  public:",
                  f"    using {name}Members::{name}Members;", "};"]
    return [piece for line in lines + [""] for piece in broken(line)]


def header(headers: List[Header], whole: Header) -> str:
    """The text of the header."""
    known = [item for item in headers if item.name != "mpi"]
    functions = [function for item in known for function in item.functions]
    found = classes(whole, functions)
    lines = [OPENING,
             "/* Structs of C with their defaults: change fields, and hand over the address. */"]
    for item in known:
        for name in item.initialisers:
            lines += broken(f"using {camel(name)} = Options<{name}, {name}_init_sized>;")
    lines += [""]
    for name in found:
        lines += text(whole, found[name], list(found))
    return "\n".join(lines) + CLOSING
