/* PTX as text: what a file that CUDA's compiler wrote declares, and the statements of its
 * functions, word by word. What they mean is in program.h. The language is that of NVIDIA's
 * "Parallel Thread Execution ISA", as far as nvcc writes it for kernels. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_PTX_H
#define ARMILLA_TESTS_PTX_REPLAY_PTX_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptx
{
/* What is wrong: with the text, or with what a kernel does when it runs. */
struct fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* [@[!]guard] opcode operand, operand, ...; in front of it, perhaps, a label. */
struct statement {
    int line;
    std::string guard; /* a predicate; empty: none */
    bool is_negated = false;
    std::string opcode;
    std::vector<std::string> operands; /* {a, b}, [a + 8], (a) are one operand */
};

struct variable {
    std::string name, space; /* .global, .const, .shared, .local, .param */
    size_t alignment = 1, size = 0;
    std::vector<uint8_t> bytes; /* what it begins as; as long as that is written */
    bool is_external = false;
};

struct function {
    std::string name;
    bool is_kernel = false;
    int most_threads = 0; /* of a block, by .maxntid; 0: it does not say */
    std::vector<variable> parameters, results, variables;
    std::vector<statement> body;
    std::map<std::string, size_t> labels;                     /* number of the statement behind */
    std::map<std::string, std::vector<std::string>> branches; /* tables of labels for brx.idx */
};

struct module {
    std::vector<variable> variables;
    std::map<std::string, function> functions;
};

/* Faults: what is not understood, with its line. */
module read_module(const std::string &text);
} // namespace ptx

#endif
