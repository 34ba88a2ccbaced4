# Leads calls of these functions through plan_clock.c, in what is linked of bench/gpu.
function(armilla_add_plan_clock target)
  foreach(name armilla_cuda_transform_new armilla_cuda_allocate armilla_cuda_upload
          cudaDeviceSynchronize cufftCreate cufftMakePlanMany64)
    target_link_options(${target} PRIVATE -Wl,--wrap=${name})
  endforeach()
endfunction()
