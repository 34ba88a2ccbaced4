/* Compares what PTX and the emulated GPU have written, and holds the differences against the list
 * of those that there may be. */
#include "verdicts.h"

#include "cuda_emulation/kernel_names.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

namespace ptx
{
/* --- Names ------------------------------------------------------------------------------------ */

std::string short_name(const std::string &name)
{
    static const std::regex shape("kernel_shape<(\\d+), (\\d+)>"),
        fields("<in_\\w+, 4,|spin_\\w+<2,|tensor_\\w+<4,");
    std::string result = emulation::name_with_precision(name);
    std::smatch found;
    if (std::regex_search(name, fields)) result += ".fields";
    if (std::regex_search(name, found, shape)) result += ".v" + found.str(1) + "w" + found.str(2);
    return result;
}

void verdicts::add_kernel(const std::string &name)
{
    of[short_name(name)].variants.insert(name);
}

void verdicts::note_launch(const std::string &name, int64_t steps)
{
    verdict &v = of[short_name(name)];
    v.launched.insert(name);
    v.launches++, v.steps += steps;
}

void verdicts::note_fault(const std::string &name, const std::string &what)
{
    verdict &v = of[short_name(name)];
    v.launched.insert(name);
    v.faults.push_back(name + ": " + what);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* The numbers of one array. */
struct array_result {
    double most = 0, difference = 0;
    int64_t numbers = 0, differing = 0;

    template <typename T> void add(const uint8_t *made, const uint8_t *wanted)
    {
        T a, b;
        std::memcpy(&a, made, sizeof a), std::memcpy(&b, wanted, sizeof b);
        numbers++;
        if (std::isfinite(b)) most = std::max(most, std::fabs((double)b));
        if (std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b)) return;
        differing++;
        const double gap = a == b ? 0 : std::fabs((double)a - (double)b);
        difference =
            gap <= std::numeric_limits<double>::max() ? std::max(difference, gap) : HUGE_VAL;
    }
};

static void add_array(verdict &v, const array_result &a)
{
    v.numbers += a.numbers, v.differing += a.differing;
    if (a.difference > 0)
        v.largest = std::max(v.largest, a.most > 0 ? a.difference / a.most : HUGE_VAL);
}

static std::string place_words(const region &r, size_t i, const char *what)
{
    std::ostringstream text;
    text << "byte " << 4 * i << " of an allocation of " << r.bytes.size() << " bytes " << what;
    return text.str();
}

void verdicts::compare(const std::string &name, const region &r,
                       const std::vector<uint64_t> &starts)
{
    const uint8_t *now = reinterpret_cast<const uint8_t *>(r.first), *made = r.bytes.data();
    verdict &v = of[short_name(name)];
    array_result array;
    auto start = std::upper_bound(starts.begin(), starts.end(), r.first);
    for (size_t i = 0; 4 * i < r.bytes.size(); i++) {
        const size_t at = 4 * i, width = std::min((size_t)4, r.bytes.size() - at);
        if (start != starts.end() && r.first + at >= *start) {
            add_array(v, array);
            array = array_result();
            while (start != starts.end() && r.first + at >= *start) start++;
        }
        const number kind = (number)(r.marks[i] & ~READ_NONCOHERENT);
        if (kind == number::real32) {
            array.add<float>(made + at, now + at);
        } else if (kind == number::real64 && at % 8 == 0) {
            array.add<double>(made + at, now + at);
            i++;
        } else {
            if (kind == number::bits) array.numbers++;
            if (std::memcmp(made + at, now + at, width) == 0) continue;
            note_fault(name, place_words(r, i,
                                         kind == number::none ? "is written by the emulation only"
                                                              : "differs"));
            break;
        }
    }
    add_array(v, array);
}

/* --- The list --------------------------------------------------------------------------------- */

static std::map<std::string, double> read_bounds(const char *path)
{
    std::map<std::string, double> result;
    std::ifstream file(path);
    if (!file) fail("%s cannot be read", path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string name;
        double bound;
        if (words >> name >> bound) result[name] = bound;
    }
    return result;
}

static std::string words_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static std::string words_of(const char *format, ...)
{
    char text[400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

static void add_differences(const std::string &name, const verdict &v,
                            const std::map<std::string, double> &bounds,
                            std::vector<std::string> &problems)
{
    const auto bound = bounds.find(name);
    if (bound == bounds.end()) {
        if (v.differing)
            problems.push_back(
                words_of("%s: %lld numbers differ, by %.2e at most, but it is not in the list",
                         name.c_str(), (long long)v.differing, v.largest));
        return;
    }
    if (v.largest > bound->second)
        problems.push_back(words_of("%s: differs by %.2e, the bound is %.2e", name.c_str(),
                                    v.largest, bound->second));
    if (!v.differing) problems.push_back(name + ": is in the list, but no number differs");
}

/* A difference that is no rounding: what a plant must make, unless it makes a fault. */
static const double planted_bound = 1e-6;

std::vector<std::string> verdicts::find_problems(const char *path) const
{
    std::vector<std::string> problems;
    const std::map<std::string, double> bounds =
        path ? read_bounds(path) : std::map<std::string, double>();
    for (const auto &item : of) {
        const verdict &v = item.second;
        for (size_t i = 0; i < v.faults.size() && i < 3; i++) problems.push_back(v.faults[i]);
        if (!path && v.largest > planted_bound)
            problems.push_back(words_of("%s: differs by %.2e", item.first.c_str(), v.largest));
        if (!path) continue;
        add_differences(item.first, v, bounds, problems);
        for (const std::string &name : v.variants)
            if (!v.launched.count(name)) problems.push_back(name + ": was never launched");
    }
    for (const auto &bound : bounds)
        if (!of.count(bound.first))
            problems.push_back(bound.first + ": is in the list, but there is no such kernel");
    return problems;
}

/* --- The table -------------------------------------------------------------------------------- */

void verdicts::print(FILE *to) const
{
    int64_t launches = 0, steps = 0;
    size_t variants = 0, launched = 0;
    fprintf(to, "| kernel | variants | launches | million operations of lanes | numbers written "
                "| that differ | largest difference |\n|---|---|---|---|---|---|---|\n");
    for (const auto &item : of) {
        const verdict &v = item.second;
        char largest[40] = "0";
        if (v.differing) snprintf(largest, sizeof largest, "%.1e", v.largest);
        fprintf(to, "| %s | %zu | %lld | %.1f | %lld | %lld | %s |\n", item.first.c_str(),
                v.variants.size(), (long long)v.launches, (double)v.steps / 1e6,
                (long long)v.numbers, (long long)v.differing, largest);
        launches += v.launches, steps += v.steps;
        variants += v.variants.size(), launched += v.launched.size();
    }
    fprintf(to, "\n%zu of %zu variants of %zu kernels, %lld launches, %.0f million operations.\n",
            launched, variants, of.size(), (long long)launches, (double)steps / 1e6);
}
} // namespace ptx
