/// \file
/// The entry points that a fault may be asked of: those that the OpenCL backend calls.
#pragma once

#include <CL/cl_icd.h>

#include <array>
#include <string_view>

// clang-format off
#define CLOPT_FAULT_ENTRIES(ENTRY, NEXT)                                                                    \
  ENTRY(clGetPlatformIDs) NEXT ENTRY(clGetPlatformInfo) NEXT ENTRY(clGetDeviceIDs) NEXT ENTRY(clGetDeviceInfo) NEXT \
  ENTRY(clRetainDevice) NEXT ENTRY(clReleaseDevice) NEXT ENTRY(clCreateSubDevices) NEXT                     \
  ENTRY(clCreateContext) NEXT ENTRY(clRetainContext) NEXT ENTRY(clReleaseContext) NEXT                      \
  ENTRY(clCreateCommandQueue) NEXT ENTRY(clRetainCommandQueue) NEXT ENTRY(clReleaseCommandQueue) NEXT       \
  ENTRY(clCreateBuffer) NEXT ENTRY(clReleaseMemObject) NEXT                                                 \
  ENTRY(clCreateProgramWithSource) NEXT ENTRY(clCreateProgramWithBinary) NEXT ENTRY(clBuildProgram) NEXT    \
  ENTRY(clGetProgramInfo) NEXT ENTRY(clGetProgramBuildInfo) NEXT ENTRY(clReleaseProgram) NEXT               \
  ENTRY(clCreateKernel) NEXT ENTRY(clSetKernelArg) NEXT ENTRY(clGetKernelWorkGroupInfo) NEXT                \
  ENTRY(clReleaseKernel) NEXT                                                                               \
  ENTRY(clEnqueueNDRangeKernel) NEXT ENTRY(clEnqueueReadBuffer) NEXT ENTRY(clEnqueueWriteBuffer) NEXT       \
  ENTRY(clEnqueueCopyBuffer) NEXT ENTRY(clEnqueueFillBuffer) NEXT ENTRY(clEnqueueMapBuffer) NEXT            \
  ENTRY(clEnqueueUnmapMemObject) NEXT ENTRY(clEnqueueMarkerWithWaitList) NEXT                               \
  ENTRY(clEnqueueBarrierWithWaitList) NEXT                                                                  \
  ENTRY(clFlush) NEXT ENTRY(clFinish) NEXT ENTRY(clWaitForEvents) NEXT ENTRY(clGetEventInfo) NEXT           \
  ENTRY(clGetEventProfilingInfo) NEXT ENTRY(clRetainEvent) NEXT ENTRY(clReleaseEvent)
// clang-format on

template <auto... Members>
struct EntryList {};

#define CLOPT_COMMA ,
#define CLOPT_MEMBER(name) &cl_icd_dispatch::name
#define CLOPT_NAME(name) #name
using Entries = EntryList<CLOPT_FAULT_ENTRIES(CLOPT_MEMBER, CLOPT_COMMA)>;
inline constexpr auto entry_names = std::to_array<std::string_view>({CLOPT_FAULT_ENTRIES(CLOPT_NAME, CLOPT_COMMA)});
