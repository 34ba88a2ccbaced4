/* What is known of each kernel after its PTX has run: launches, numbers that it wrote, those that
 * differ from the emulation's. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_VERDICTS_H
#define ARMILLA_TESTS_PTX_REPLAY_VERDICTS_H

#include "machine.h"

#include <cstdio>
#include <set>

namespace ptx
{
struct verdict {
    std::set<std::string> variants, launched; /* names with template arguments */
    int64_t launches = 0, steps = 0, numbers = 0, differing = 0;
    double largest = 0; /* difference, over the largest number of its array */
    std::vector<std::string> faults;
};

struct verdicts {
    std::map<std::string, verdict> of; /* by kernel, precision and shape */

    void add_kernel(const std::string &name);
    void note_launch(const std::string &name, int64_t steps);
    void note_fault(const std::string &name, const std::string &what);
    /* An allocation as PTX has left it and as it now is. Arrays begin at `starts` and at its own
     * first byte. */
    void compare(const std::string &name, const region &made, const std::vector<uint64_t> &starts);
    std::vector<std::string> find_problems(const char *bounds) const;
    void print(FILE *to) const;
};

/* legendre_synthesis.single.fields.v4w4, as in tests/cuda/ptxas_budget.txt. */
std::string short_name(const std::string &name);
} // namespace ptx

#endif
