// A layer of the OpenCL loader (cl_khr_icd's OPENCL_LAYERS) that makes each device look like a GPU whose compiler
// serves several threads, as NVIDIA's does, so that what clopt does for those is tested without one. With
// CLOPT_GPU_CAPABILITY=8 it has the compute capability of one whose sub-groups are taken on trust; they do not work
// here.
#include <CL/cl_layer.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

const cl_icd_dispatch* target = nullptr;
cl_icd_dispatch table{};

constexpr cl_device_info compute_capability_major_nv = 0x4000;

cl_uint capability() {
  const char* text = std::getenv("CLOPT_GPU_CAPABILITY");
  return text ? static_cast<cl_uint>(std::atoi(text)) : 0;
}

cl_int give(const void* from, std::size_t bytes, std::size_t size, void* value, std::size_t* size_returned) {
  if (size_returned) *size_returned = bytes;
  if (value && size < bytes) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, from, bytes);
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info parameter, std::size_t size, void* value,
                               std::size_t* size_returned) {
  const auto ask = target->clGetDeviceInfo;
  if (parameter == CL_DEVICE_TYPE) {
    constexpr cl_device_type type = CL_DEVICE_TYPE_GPU;
    return give(&type, sizeof type, size, value, size_returned);
  }
  if (parameter == CL_DEVICE_SINGLE_FP_CONFIG) {
    cl_device_fp_config properties = 0;
    ask(device, parameter, sizeof properties, &properties, nullptr);
    properties |= CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return give(&properties, sizeof properties, size, value, size_returned);
  }
  if (parameter == compute_capability_major_nv && capability() != 0) {
    const cl_uint major = capability();
    return give(&major, sizeof major, size, value, size_returned);
  }
  if (parameter != CL_DEVICE_EXTENSIONS) return ask(device, parameter, size, value, size_returned);
  std::size_t bytes = 0;
  if (const auto status = ask(device, parameter, 0, nullptr, &bytes); status != CL_SUCCESS) return status;
  std::string all(bytes, '\0');
  ask(device, parameter, all.size(), all.data(), nullptr);
  all.resize(std::strlen(all.c_str()));
  all += capability() != 0 ? " cl_nv_device_attribute_query" : " cl_nv_nothing";
  return give(all.c_str(), all.size() + 1, size, value, size_returned);
}

cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info parameter, std::size_t size, void* value,
                                 std::size_t* size_returned) {
  constexpr std::string_view name = "a GPU's platform";
  if (parameter == CL_PLATFORM_NAME) return give(name.data(), name.size() + 1, size, value, size_returned);
  return target->clGetPlatformInfo(platform, parameter, size, value, size_returned);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info parameter, std::size_t size,
                                                                         void* value, std::size_t* size_returned) {
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  constexpr std::string_view name = "clopt's GPU";
  if (parameter == CL_LAYER_API_VERSION) return give(&version, sizeof version, size, value, size_returned);
  if (parameter == CL_LAYER_NAME) return give(name.data(), name.size() + 1, size, value, size_returned);
  return CL_INVALID_VALUE;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* below,
                                                                      cl_uint* entries_returned,
                                                                      const cl_icd_dispatch** layer) {
  if (!below || !entries_returned || !layer) return CL_INVALID_VALUE;
  constexpr cl_uint own = sizeof(cl_icd_dispatch) / sizeof(void*);
  target = below;
  std::memcpy(&table, below, std::min(entries, own) * sizeof(void*));
  table.clGetDeviceInfo = &device_info;
  table.clGetPlatformInfo = &platform_info;
  *layer = &table;
  *entries_returned = std::min(entries, own);
  return CL_SUCCESS;
}
}
