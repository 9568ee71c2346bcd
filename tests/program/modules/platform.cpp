// OpenCL platforms that are wrong in one way each: built once with each of the words below as CLOPT_TEST_FAULT. Where
// the environment's CLOPT_TEST_LOADED names a file, each time that one is loaded adds a byte to it.
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <link.h>
#include <unistd.h>

#define aborts 1
#define crashes 2
#define hangs 3
#define prints 4
#define ends 5
#define ends_when_loaded 6
#define aborts_when_loaded 7
#define crashes_when_asked 8
#define has_no_device 9
#define stands_no_other 10  // as the one before, where no copy of it under another name is loaded; else it aborts

namespace {

constexpr int no_platform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
constexpr int no_device = -1;       // CL_DEVICE_NOT_FOUND
constexpr bool has_platform = CLOPT_TEST_FAULT == has_no_device || CLOPT_TEST_FAULT == stands_no_other;

[[maybe_unused]] int count_copies(dl_phdr_info* info, std::size_t, void* count) {
  if (std::strstr(info->dlpi_name, "stands_no_other")) ++*static_cast<int*>(count);
  return 0;
}

__attribute__((constructor)) void loaded() {
  if (const char* file = std::getenv("CLOPT_TEST_LOADED"))
    if (std::FILE* stream = std::fopen(file, "a")) {
      std::fputc('x', stream);
      std::fclose(stream);
    }
  if (CLOPT_TEST_FAULT == ends_when_loaded) _exit(0);
  if (CLOPT_TEST_FAULT == aborts_when_loaded) std::abort();
#if CLOPT_TEST_FAULT == stands_no_other
  int copies = 0;
  dl_iterate_phdr(&count_copies, &copies);
  if (copies > 1) std::abort();
#endif
}

int answer(const char* text, std::size_t size, void* value, std::size_t* wanted) {
  const auto bytes = std::strlen(text) + 1;
  if (wanted) *wanted = bytes;
  if (value && size >= bytes) std::memcpy(value, text, bytes);
  return 0;
}

int platform_info(void*, unsigned name, std::size_t size, void* value, std::size_t* wanted) {
  switch (name) {
    case 0x0901: return answer("OpenCL 1.2 test", size, value, wanted);
    case 0x0902: return answer("Empty platform", size, value, wanted);
    case 0x0904: return answer("cl_khr_icd", size, value, wanted);
    case 0x0920: return answer("TEST", size, value, wanted);
    default: return answer("test", size, value, wanted);
  }
}

int devices(void*, unsigned long, unsigned, void**, unsigned* count) {
  if (count) *count = 0;
  return no_device;
}

// The loader finds functions by their places in a table: clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs.
void* functions[200] = {nullptr, reinterpret_cast<void*>(&platform_info), reinterpret_cast<void*>(&devices)};
struct Platform {
  void** functions;
};
[[maybe_unused]] Platform the_platform{functions};

int platforms([[maybe_unused]] unsigned entries, [[maybe_unused]] void** list, unsigned* count) {
  if constexpr (has_platform) {
    if (list && entries > 0) *list = &the_platform;
    if (count) *count = 1;
    return 0;
  }
  if (CLOPT_TEST_FAULT == aborts) std::abort();
  if (CLOPT_TEST_FAULT == crashes) std::raise(SIGSEGV);
  if (CLOPT_TEST_FAULT == ends) std::exit(0);
  while (CLOPT_TEST_FAULT == hangs) pause();
  if (CLOPT_TEST_FAULT == prints) {
    std::puts("rubbish on standard output");
    std::fputs("rubbish on standard error\n", stderr);
  }
  if (count) *count = 0;
  return no_platform;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int clIcdGetPlatformIDsKHR(unsigned entries, void** list, unsigned* count) {
  return platforms(entries, list, count);
}

__attribute__((visibility("default"))) int clGetPlatformIDs(unsigned entries, void** list, unsigned* count) {
  return platforms(entries, list, count);
}

// Loaders ask for it before they call anything.
__attribute__((visibility("default"))) int clGetPlatformInfo(void* platform, unsigned name, std::size_t size,
                                                             void* value, std::size_t* wanted) {
  return has_platform ? platform_info(platform, name, size, value, wanted) : no_platform;
}

__attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(const char* name) {
  if (CLOPT_TEST_FAULT == crashes_when_asked) std::raise(SIGSEGV);
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void*>(&clIcdGetPlatformIDsKHR);
  if (std::strcmp(name, "clGetPlatformInfo") == 0) return reinterpret_cast<void*>(&clGetPlatformInfo);
  return nullptr;
}
}
