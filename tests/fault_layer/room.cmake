# The layer of the OpenCL loader that makes calls go wrong, and the program that it is put under.
add_library(opencl_fault_layer MODULE ${CMAKE_CURRENT_SOURCE_DIR}/fault_layer/layer/layer.cpp)
target_link_libraries(opencl_fault_layer PRIVATE clopt_settings)
target_compile_definitions(opencl_fault_layer PRIVATE CL_TARGET_OPENCL_VERSION=300)
set_target_properties(opencl_fault_layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(${target} clopt-program opencl_fault_layer)
target_compile_definitions(${target} PRIVATE CL_TARGET_OPENCL_VERSION=300
  CLOPT_PROGRAM="$<TARGET_FILE:clopt-program>" CLOPT_FAULT_LAYER="$<TARGET_FILE:opencl_fault_layer>")

# The layer that makes a GPU of each device, for cases of the program.
add_library(opencl_gpu_layer MODULE ${CMAKE_CURRENT_SOURCE_DIR}/fault_layer/gpu_layer/layer.cpp)
target_link_libraries(opencl_gpu_layer PRIVATE clopt_settings)
target_compile_definitions(opencl_gpu_layer PRIVATE CL_TARGET_OPENCL_VERSION=300)
set_target_properties(opencl_gpu_layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(${target} opencl_gpu_layer)
