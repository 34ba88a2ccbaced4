/* Keeps the function by which a program that measures hears of the stages of transforms on a GPU,
 * and calls it between them. */
#include "cuda/runtime/marks.h"

static armilla_cuda_mark_fn function;
static void *function_data;

void armilla_cuda_set_marks(armilla_cuda_mark_fn mark, void *data)
{
    function = mark, function_data = data;
}

int armilla_cuda_has_marks(void)
{
    return function != NULL;
}

void armilla_cuda_mark(const char *stage, cudaStream_t stream)
{
    if (function) function(function_data, stage, stream);
}
