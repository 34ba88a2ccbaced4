/* What the tests of the emulation share: device arrays, and a child process that must end with a
 * report of the emulation. */
#ifndef ARMILLA_TESTS_CUDA_SCENE_H
#define ARMILLA_TESTS_CUDA_SCENE_H

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
extern "C" {
#include <cmocka.h>
}

#include "cuda/kernels/device.h"
#include "emulation.h"

#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/* Numbers in device memory. */
template <typename T> struct device_array {
    T *values = nullptr;
    size_t count;

    explicit device_array(size_t n) : count(n)
    {
        void *memory;
        assert_int_equal(cudaMalloc(&memory, n * sizeof(T)), cudaSuccess);
        values = static_cast<T *>(memory);
    }
    explicit device_array(const std::vector<T> &from) : device_array(from.size())
    {
        assert_int_equal(cudaMemcpy(values, from.data(), count * sizeof(T), cudaMemcpyHostToDevice),
                         cudaSuccess);
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array()
    {
        cudaFree(values);
    }
    std::vector<T> read() const
    {
        std::vector<T> result(count);
        assert_int_equal(
            cudaMemcpy(result.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost),
            cudaSuccess);
        return result;
    }
};

/* The function, run in a child, must end it by a report that contains the text. */
inline void check_report(void (*function)(), const char *text)
{
    int ends[2], status;
    char words[4096];
    size_t used = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(nullptr);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        function();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], words + used, sizeof words - 1 - used)) > 0;)
        used += (size_t)n;
    words[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != CUDA_EMULATION_EXIT || !strstr(words, text))
        fail_msg("expected a report with '%s'; status %d, words:\n%s", text, status, words);
}

#endif
