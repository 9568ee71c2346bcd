// OpenCL platforms that are wrong in one way each: built once with each of the words below as CLOPT_TEST_FAULT. Where
// the environment's CLOPT_TEST_LOADED names a file, each time that one is loaded adds a byte to it.
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#define aborts 1
#define crashes 2
#define hangs 3
#define prints 4
#define ends 5
#define ends_when_loaded 6
#define aborts_when_loaded 7
#define crashes_when_asked 8

namespace {

constexpr int no_platform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR

__attribute__((constructor)) void loaded() {
  if (const char* file = std::getenv("CLOPT_TEST_LOADED"))
    if (std::FILE* stream = std::fopen(file, "a")) {
      std::fputc('x', stream);
      std::fclose(stream);
    }
  if (CLOPT_TEST_FAULT == ends_when_loaded) _exit(0);
  if (CLOPT_TEST_FAULT == aborts_when_loaded) std::abort();
}

int platforms(unsigned, void**, unsigned* count) {
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
__attribute__((visibility("default"))) int clGetPlatformInfo(void*, unsigned, std::size_t, void*, std::size_t*) {
  return no_platform;
}

__attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(const char* name) {
  if (CLOPT_TEST_FAULT == crashes_when_asked) std::raise(SIGSEGV);
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void*>(&clIcdGetPlatformIDsKHR);
  if (std::strcmp(name, "clGetPlatformInfo") == 0) return reinterpret_cast<void*>(&clGetPlatformInfo);
  return nullptr;
}
}
