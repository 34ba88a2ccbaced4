/* Runs a kernel's PTX on the memory that the emulated GPU's launch had found, and compares what
 * both have made of it. */
#include "judge.h"

#include "cuda_emulation/recorder.h"
#include "machine.h"
#include "verdicts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>

namespace ptx
{
/* --- Files ------------------------------------------------------------------------------------ */

static std::string read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) fail("%s cannot be read", path.c_str());
    return text.str();
}

static std::vector<std::string> names_of_files(const std::string &folder)
{
    std::vector<std::string> result;
    DIR *files = opendir(folder.c_str());
    while (const dirent *file = files ? readdir(files) : nullptr) {
        const std::string name = file->d_name;
        if (name.size() > 4 && name.compare(name.size() - 4, 4, ".ptx") == 0)
            result.push_back(name.substr(0, name.size() - 4));
    }
    if (files) closedir(files);
    std::sort(result.begin(), result.end());
    return result;
}

/* In one kernel. Returned: is it planted? */
static bool plant_in_kernel(std::string &text, const ptx_plant &plant)
{
    const std::regex what(plant.what);
    if (plant.number == PTX_PLANT_ALL) {
        const std::string before = text;
        text = std::regex_replace(text, what, plant.with);
        return text != before;
    }
    auto match = std::sregex_iterator(text.begin(), text.end(), what);
    for (int i = 1; i < plant.number && match != std::sregex_iterator(); i++) match++;
    if (match == std::sregex_iterator()) return false;
    const std::string with = match->format(plant.with);
    text.replace((size_t)match->position(), (size_t)match->length(), with);
    return true;
}

static std::string plant_in(const std::string &text, const ptx_plant &plant)
{
    std::string result;
    bool is_planted = false;
    for (size_t start = 0, end; start < text.size(); start = end) {
        end = std::min(text.find(".entry", start + 1), text.size());
        std::string kernel = text.substr(start, end - start);
        is_planted = plant_in_kernel(kernel, plant) || is_planted;
        result += kernel;
    }
    if (!is_planted) fail("%s has no %d of '%s'", plant.file, plant.number, plant.what);
    return result;
}

/* --- Launches --------------------------------------------------------------------------------- */

struct kernel_text {
    const module *file;
    std::string name; /* in the file */
    std::unique_ptr<program> code;
};

struct judge final : emulation::observer {
    std::vector<std::unique_ptr<module>> files;
    std::map<std::string, kernel_text> kernels; /* by the name that c++filt gives */
    std::map<const void *, std::string> names;  /* of the emulation's functions */
    bool judges_all = true;
    verdicts results;
    memory before_launch;

    void add(const std::string &text);
    void before(const emulation::launch &what,
                const std::vector<std::vector<char>> &arguments) override;
    void after(const emulation::launch &what) override;
    kernel_text *find(const emulation::launch &what);
    void judge_launch(const emulation::launch &what, kernel_text &kernel);

    std::vector<std::vector<char>> arguments;
};

void judge::add(const std::string &text)
{
    files.emplace_back(new module(read_module(text)));
    for (const auto &f : files.back()->functions) {
        if (!f.second.is_kernel) continue;
        const std::string name = emulation::recorder::demangle(f.first.c_str());
        kernel_text kernel;
        kernel.file = files.back().get(), kernel.name = f.first;
        if (!kernels.emplace(name, std::move(kernel)).second)
            fail("two kernels are %s", name.c_str());
        results.add_kernel(name);
    }
}

kernel_text *judge::find(const emulation::launch &what)
{
    std::string &name = names[what.function];
    if (name.empty()) name = emulation::recorder::name_of_function(what.function);
    const auto found = kernels.find(name);
    if (found != kernels.end()) return &found->second;
    if (judges_all) results.note_fault(name.empty() ? what.name : name, "it has no PTX");
    return nullptr;
}

/* Device memory is copied, closed pages left out, before the kernel changes it. */
void judge::before(const emulation::launch &what, const std::vector<std::vector<char>> &given)
{
    before_launch = memory();
    if (!find(what)) return;
    arguments = given;
    emulation::for_allocations(what.device, [&](const char *address, size_t bytes) {
        before_launch.add(reinterpret_cast<uint64_t>(address), address, bytes);
    });
}

static dimensions dimensions_of(dim3 d)
{
    dimensions result;
    result.x = d.x, result.y = d.y, result.z = d.z;
    return result;
}

static std::vector<uint8_t> pack(const program &code, const std::vector<std::vector<char>> &given)
{
    std::vector<uint8_t> result(code.argument_bytes);
    if (given.size() != code.arguments.size())
        fail("%zu arguments, its PTX has %zu", given.size(), code.arguments.size());
    for (size_t i = 0; i < given.size(); i++) {
        if (given[i].size() != code.arguments[i].size)
            fail("argument %zu has %zu bytes, in its PTX %zu", i + 1, given[i].size(),
                 code.arguments[i].size);
        std::copy(given[i].begin(), given[i].end(), result.begin() + code.arguments[i].offset);
    }
    return result;
}

/* Words of the arguments, some of which are addresses: there an array begins. */
static std::vector<uint64_t> starts_of_arrays(const std::vector<uint8_t> &packed)
{
    std::vector<uint64_t> result;
    for (size_t at = 0; at + 8 <= packed.size(); at += 8) {
        uint64_t word;
        std::memcpy(&word, &packed[at], sizeof word);
        result.push_back(word);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void judge::judge_launch(const emulation::launch &what, kernel_text &kernel)
{
    if (!kernel.code) kernel.code.reset(new program(prepare(*kernel.file, kernel.name)));
    const std::vector<uint8_t> packed = pack(*kernel.code, arguments);
    const std::string &name = names[what.function];
    launch_shape shape;
    shape.grid = dimensions_of(what.grid), shape.block = dimensions_of(what.block);
    shape.shared_bytes = what.shared_bytes;
    results.note_launch(name, run_launch(*kernel.code, before_launch, shape, packed));
    const std::vector<uint64_t> starts = starts_of_arrays(packed);
    for (const region &r : before_launch.regions) results.compare(name, r, starts);
}

void judge::after(const emulation::launch &what)
{
    kernel_text *kernel = find(what);
    if (!kernel) return;
    try {
        judge_launch(what, *kernel);
    } catch (const fault &wrong) {
        results.note_fault(names[what.function], wrong.what());
    }
}

static std::unique_ptr<judge> now;
} // namespace ptx

using namespace ptx;

int ptx_judge_begin(const char *folder, const ptx_plant *plant)
{
    const std::vector<std::string> names = names_of_files(folder);
    now.reset(new judge);
    now->judges_all = !plant;
    try {
        for (const std::string &name : names) {
            if (plant && name != plant->file) continue;
            std::string text = read_file(std::string(folder) + "/" + name + ".ptx");
            if (plant && plant->number) text = plant_in(text, *plant);
            now->add(text);
        }
    } catch (const fault &wrong) {
        fprintf(stderr, "%s: %s\n", folder, wrong.what());
        exit(1);
    }
    if (!names.empty()) emulation::observe(now.get());
    return (int)names.size();
}

void ptx_judge_end(void)
{
    emulation::observe(nullptr);
}

int ptx_judge_problems(const char *bounds, int prints)
{
    const std::vector<std::string> problems = now->results.find_problems(bounds);
    for (size_t i = 0; i < problems.size() && prints; i++)
        fprintf(stderr, "%s\n", problems[i].c_str());
    return (int)problems.size();
}

static const char introduction[] =
    "# Kernels by PTX\n\n"
    "Every kernel for CUDA as nvcc's PTX for sm_90 has it, run by tests/ptx_replay on what the "
    "emulated\n"
    "GPU's launches had found, and compared with what they have made ([how](../testing.md"
    "#ptx-as-a-second-judge)).\n"
    "Written by `build/tests/replay_kernels build/sass tests/ptx_replay/bounds.txt "
    "docs/results/ptx_replay.md`.\n"
    "Differences are over the largest number of the array. Kernels that differ are in\n"
    "tests/ptx_replay/bounds.txt; all others have the same bits.\n\n";

void ptx_judge_report(const char *path)
{
    now->results.print(stdout);
    FILE *file = path ? fopen(path, "w") : nullptr;
    if (path && !file) fail("%s cannot be written", path);
    if (!file) return;
    fputs(introduction, file);
    now->results.print(file);
    fclose(file);
}
