/* The part of cuFFT that Armilla uses, made of src/fft. C and C++. */
#ifndef ARMILLA_CUDA_EMULATION_CUFFT_H
#define ARMILLA_CUDA_EMULATION_CUFFT_H

#include "cuda_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef double2 cuDoubleComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef float2 cuComplex;
typedef cuComplex cufftComplex;
typedef int cufftHandle;

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16
} cufftResult;

typedef enum cufftType_t { CUFFT_C2C = 0x29, CUFFT_Z2Z = 0x69 } cufftType;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftDestroy(cufftHandle plan);
/* Only rank 1 is there. Where inembed or onembed is NULL strides and distances do not count, as in
 * CUDA.
 */
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *work_size);
/* As above; here: exactly what the plan needs. */
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, long long int *onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t *work_size);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int on);
cufftResult cufftSetWorkArea(cufftHandle plan, void *area);
cufftResult cufftGetSize(cufftHandle plan, size_t *work_size);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetVersion(int *version);
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *input, cufftComplex *output,
                         int direction);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction);

#ifdef __cplusplus
}
#endif
#endif
