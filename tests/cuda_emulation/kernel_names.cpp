/* Names of kernels as the lists in tests/cuda have them, of the names that compilers demangle. */
#include "kernel_names.h"

namespace emulation
{
std::string plain_name(const std::string &function)
{
    std::string name = function;
    const std::string unnamed = "(anonymous namespace)::";
    for (size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
    name = name.substr(0, name.find_first_of("(<"));
    const size_t before = name.find_last_of(" :");
    return before == std::string::npos ? name : name.substr(before + 1);
}

std::string name_with_precision(const std::string &function)
{
    const auto has = [&](const char *text) { return function.find(text) != std::string::npos; };
    const char *precision = has("in_single") || has("<float") ? ".single"
                            : has("in_two_floats")            ? ".two_floats"
                                                              : "";
    return plain_name(function) + precision;
}
} // namespace emulation
