/* How results of PTX are judged: which differences count, over which largest number, and what the
 * list of kernels that differ must not say. */
#include "verdicts.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ptx;

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static const char kernel[] = "void (anonymous namespace)::sum<in_single, kernel_shape<2, 4> >(int)";

/* Eight doubles as the emulation has left them and as PTX has, all of them stored as `kind`. */
struct scene {
    double now[8] = {1, 2, 3, 4, 1000, 2000, 3000, 4000};
    region made;
    verdicts results;

    explicit scene(number kind = number::real64)
    {
        made.first = reinterpret_cast<uint64_t>(now);
        made.bytes.resize(sizeof now);
        std::memcpy(made.bytes.data(), now, sizeof now);
        made.marks.assign(sizeof now / 4 + 1, (uint8_t)kind);
        results.add_kernel(kernel);
        results.note_launch(kernel, 1);
    }
    void set(size_t i, double value)
    {
        std::memcpy(&made.bytes[8 * i], &value, sizeof value);
    }
    /* The problems, with a list of one line or an empty one. */
    std::vector<std::string> judge(const char *line)
    {
        char path[] = "ptx_bounds_XXXXXX"; /* in the folder where the test runs */
        FILE *file = fdopen(mkstemp(path), "w");
        fprintf(file, "# a list\n%s\n", line);
        fclose(file);
        results.compare(kernel, made, {made.first + 32}); /* an array begins in the middle */
        const std::vector<std::string> problems = results.find_problems(path);
        remove(path);
        return problems;
    }
    bool finds(const char *line, const char *words)
    {
        const std::vector<std::string> problems = judge(line);
        return problems.size() == 1 && std::strstr(problems[0].c_str(), words);
    }
};

static void names()
{
    CHECK(short_name(kernel) == "sum.single.v2w4");
    CHECK(short_name("(anonymous namespace)::put(int)") == "put");
    CHECK(short_name("void spin_synthesis<2, kernel_shape<1, 4> >()") ==
          "spin_synthesis.fields.v1w4");
}

static void differences()
{
    scene same;
    CHECK(same.judge("").empty());
    scene next = scene();
    next.set(1, 2 + 0x1p-50);
    next.set(7, 4000 + 0x1p-41);
    CHECK(next.finds("", "not in the list"));
    CHECK(next.results.of["sum.single.v2w4"].differing == 2);
    CHECK(next.results.of["sum.single.v2w4"].largest == 0x1p-52); /* over 4, and over 4000 */
    scene none = scene();
    none.set(2, NAN);
    CHECK(none.finds("sum.single.v2w4 1e-3", "differs by inf"));
}

static void lists()
{
    scene exact, close = scene(), far = scene(), other, unheard;
    CHECK(exact.finds("sum.single.v2w4 1e-13", "no number differs"));
    close.set(0, 1 + 1e-14), far.set(0, 1 + 1e-10);
    CHECK(close.judge("sum.single.v2w4 1e-13").empty());
    CHECK(far.finds("sum.single.v2w4 1e-13", "the bound is 1.00e-13"));
    CHECK(other.finds("product 1e-13", "no such kernel"));
    unheard.results.add_kernel("void product(int)");
    CHECK(unheard.finds("", "never launched"));
}

static void bits()
{
    scene moved(number::bits), unwritten(number::none);
    moved.set(3, 4 + 1e-15), unwritten.set(3, 4 + 1e-15);
    CHECK(moved.finds("", "byte 24 of an allocation of 64 bytes differs"));
    CHECK(unwritten.finds("", "by the emulation only"));
}

int main()
{
    names();
    differences();
    lists();
    bits();
    return failures != 0;
}
