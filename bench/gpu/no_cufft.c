/* Stands for cuFFT on a machine that has none, so that gpu_check starts there: making a plan fails,
 * and says so by the library's own words, while all that needs no plan of cuFFT runs (Legendre
 * stages alone, ceilings). tools/gpu_check_run.sh puts it in cuFFT's place. */
#include <cufft.h>

cufftResult cufftCreate(cufftHandle *handle)
{
    *handle = 0;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    (void)handle;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *size)
{
    (void)plan, (void)rank, (void)n, (void)inembed, (void)istride, (void)idist;
    (void)onembed, (void)ostride, (void)odist, (void)type, (void)batch, (void)size;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, long long int *onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t *size)
{
    (void)plan, (void)rank, (void)n, (void)inembed, (void)istride, (void)idist;
    (void)onembed, (void)ostride, (void)odist, (void)type, (void)batch, (void)size;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate)
{
    (void)plan, (void)allocate;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void *area)
{
    (void)plan, (void)area;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    (void)plan, (void)stream;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *from, cufftComplex *to, int direction)
{
    (void)plan, (void)from, (void)to, (void)direction;
    return CUFFT_SETUP_FAILED;
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *from, cufftDoubleComplex *to,
                         int direction)
{
    (void)plan, (void)from, (void)to, (void)direction;
    return CUFFT_SETUP_FAILED;
}
