/* The names of all kernels in src/cuda/kernels, and their barriers, read from the source, so that
 * tests can demand that none is left out. Included after cmocka.h. */
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
    int line[MOST_KERNELS]; /* of barriers, whose names are those of files */
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

/* Calls see(name of the file, its text) for each source of the kernels. */
static inline void each_source(void (*see)(const char *, const char *, kernel_list *),
                               kernel_list *list)
{
    static const char folder[] = ARMILLA_SOURCE "/src/cuda/kernels";
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files));) {
        char path[1024];
        if (file->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        char *text = read_text(path);
        see(file->d_name, text, list);
        free(text);
    }
    closedir(files);
    assert_true(list->count > 0);
}

static inline void add_kernels(const char *file, const char *text, kernel_list *list)
{
    static const char mark[] = "__global__";
    for (const char *at = strstr(file, ".cu") ? text : ""; (at = strstr(at, mark));)
        add_kernel(at += sizeof mark - 1, list);
}

static inline kernel_list all_kernels(void)
{
    kernel_list list = {.count = 0};
    each_source(add_kernels, &list);
    return list;
}

/* The semicolon tells them from words in comments. */
static inline void add_barriers(const char *file, const char *text, kernel_list *list)
{
    static const char mark[] = "__syncthreads();";
    for (const char *at = text; (at = strstr(at, mark)); at++) {
        assert_true(list->count < MOST_KERNELS);
        list->line[list->count] = 1;
        for (const char *c = text; c < at; c++) list->line[list->count] += *c == '\n';
        assert_true(strlen(file) < KERNEL_NAME);
        memcpy(list->name[list->count++], file, strlen(file) + 1);
    }
}

/* Files and lines of all barriers. */
static inline kernel_list all_barriers(void)
{
    kernel_list list = {.count = 0};
    each_source(add_barriers, &list);
    return list;
}

#endif
