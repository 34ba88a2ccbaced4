/* The names of all kernels in src/cuda/kernels, read from the source, so that tests can demand that
 * none is left out. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_KERNEL_LIST_H
#define ARMILLA_TESTS_CUDA_KERNEL_LIST_H

#include "oracle/checks.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_NAME = 64, MOST_KERNELS = 64 };

typedef struct {
    int count;
    char name[MOST_KERNELS][KERNEL_NAME];
} kernel_list;

static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    char *text = checked_malloc(size + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

/* Behind the brackets that open next. */
static inline const char *skip_brackets(const char *text)
{
    int depth = 0;
    text += strcspn(text, "(");
    do {
        depth += (*text == '(') - (*text == ')');
    } while (*text++ && depth > 0);
    return text;
}

/* The name of the function that is declared there, bounds of its launch left out. */
static inline void add_kernel(const char *text, kernel_list *list)
{
    const char *bounds = strstr(text, "__launch_bounds__"), *open = text + strcspn(text, "(");
    if (bounds && bounds < open) {
        text = skip_brackets(bounds);
        open = text + strcspn(text, "(");
    }
    const char *start = open;
    while (start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
    assert_true(open > start && open - start < KERNEL_NAME && list->count < MOST_KERNELS);
    memcpy(list->name[list->count], start, (size_t)(open - start));
    list->name[list->count++][open - start] = 0;
}

static inline kernel_list all_kernels(void)
{
    static const char folder[] = ARMILLA_SOURCE "/src/cuda/kernels", mark[] = "__global__";
    kernel_list list = {.count = 0};
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files));) {
        char path[1024];
        if (!strstr(file->d_name, ".cu")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        char *text = read_text(path);
        for (const char *at = text; (at = strstr(at, mark)); at += sizeof mark)
            add_kernel(at + sizeof mark, &list);
        free(text);
    }
    closedir(files);
    assert_true(list.count > 0);
    return list;
}

#endif
