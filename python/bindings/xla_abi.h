/* What a function must know that XLA calls (JAX's compiler): the structs by which XLA hands over
 * arrays and attributes and takes back errors, declared here because the package is built where
 * JAX is not installed.
 *
 * These are facts of XLA's binary interface, major version 0, minor versions 1 to 3 (jaxlib 0.4.34
 * to 0.10), in words of our own. What differs between the minor versions is the state of an
 * executable alone. python/tests/test_xla.py compares sizes and places with the header that the
 * installed JAX has. Each struct begins with its size and a list of extensions. */
#ifndef ARMILLA_PYTHON_XLA_ABI_H
#define ARMILLA_PYTHON_XLA_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_MAJOR = 0, XLA_OLDEST = 1, XLA_NEWEST = 3 }; /* minor versions that are known here */

/* Size of a struct as far as its last field, without what pads it: XLA's custom. */
#define XLA_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

typedef struct xla_error xla_error;     /* XLA's own; a function that fails returns one */
typedef struct xla_context xla_context; /* XLA's own: one execution */

typedef struct xla_extension {
    size_t size;
    int type; /* 1: xla_metadata_request */
    struct xla_extension *next;
} xla_extension;

typedef struct xla_version {
    size_t size;
    xla_extension *extensions;
    int major;
    int minor;
} xla_version;

/* Codes of errors, as far as they are used. */
enum {
    XLA_CANCELLED = 1,
    XLA_INVALID_ARGUMENT = 3,
    XLA_RESOURCE_EXHAUSTED = 8,
    XLA_FAILED_PRECONDITION = 9,
    XLA_UNIMPLEMENTED = 12,
    XLA_INTERNAL = 13
};

/* Types of numbers, as far as they are used. */
enum { XLA_S64 = 5, XLA_F32 = 11, XLA_F64 = 12, XLA_C64 = 15, XLA_C128 = 18 };

/* An array in C order. */
typedef struct xla_buffer {
    size_t size;
    xla_extension *extensions;
    int dtype;
    void *data;
    int64_t rank;
    int64_t *dims;
} xla_buffer;

/* Arguments, and results: of each an xla_buffer, if its type is 1. */
typedef struct xla_arrays {
    size_t size;
    xla_extension *extensions;
    int64_t count;
    int *types;
    void **arrays;
} xla_arrays;

typedef struct xla_name {
    const char *text;
    size_t length;
} xla_name;

typedef struct xla_scalar {
    int dtype;
    void *value;
} xla_scalar;

/* Constants of a call, by name: an xla_scalar each, if its type is 3. */
typedef struct xla_attributes {
    size_t size;
    xla_extension *extensions;
    int64_t count;
    int *types;
    xla_name **names;
    void **values;
} xla_attributes;

typedef struct xla_error_request {
    size_t size;
    xla_extension *extensions;
    const char *message;
    int code;
} xla_error_request;

typedef struct xla_error_release {
    size_t size;
    xla_extension *extensions;
    xla_error *error;
} xla_error_release;

typedef struct xla_stream_request {
    size_t size;
    xla_extension *extensions;
    xla_context *context;
    void *stream; /* returned: a cudaStream_t */
} xla_stream_request;

/* --- State of an executable ------------------------------------------------------------------- */

/* Number of a type of states; 0: none yet. */
typedef struct xla_type {
    int64_t number;
} xla_type;

/* Minor versions from 2 on: how states of a type are freed. */
typedef struct xla_type_info {
    size_t size;
    xla_extension *extensions;
    void (*release)(void *state);
} xla_type_info;

typedef struct xla_type_request {
    size_t size; /* in minor version 1 it ends before info */
    xla_extension *extensions;
    xla_name name;
    xla_type *type; /* returned */
    const xla_type_info *info;
} xla_type_request;

typedef struct xla_state_request_1 { /* minor version 1; in 2 it ends before release */
    size_t size;
    xla_extension *extensions;
    xla_context *context;
    xla_type *type;
    void *state;
    void (*release)(void *state);
} xla_state_request_1;

typedef struct xla_state_request_3 {
    size_t size;
    xla_extension *extensions;
    xla_context *context;
    int stage;
    xla_type *type;
    void *state;
} xla_state_request_3;

/* --- The call --------------------------------------------------------------------------------- */

/* XLA's functions, as far as they are used; the table goes on behind. */
typedef struct xla_api {
    size_t size;
    xla_extension *extensions;
    xla_version version;
    const void *internal;
    xla_error *(*new_error)(xla_error_request *);
    void (*error_message)(void *);
    void (*free_error)(xla_error_release *);
    xla_error *(*new_handler)(void *);
    xla_error *(*get_stream)(xla_stream_request *);
    xla_error *(*new_type)(xla_type_request *);
    xla_error *(*get_context)(void *);
    xla_error *(*set_state)(void *);
} xla_api;

/* When a function is called: once for each place in an executable, or whenever that runs. */
enum { XLA_INSTANTIATE = 0, XLA_EXECUTE = 3 };

typedef struct xla_call {
    size_t size;
    xla_extension *extensions;
    const xla_api *api;
    xla_context *context;
    int stage;
    xla_arrays arguments;
    xla_arrays results;
    xla_attributes attributes;
} xla_call;

/* XLA asks what a function is: the only extension of a call. */
typedef struct xla_metadata {
    size_t size;
    xla_version version; /* returned: that the function was written for */
    uint32_t traits;     /* returned: 0, nothing is promised */
} xla_metadata;

typedef struct xla_metadata_request {
    xla_extension extension;
    xla_metadata *metadata;
} xla_metadata_request;

#endif
