#include "processor_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace clopt {

double seconds_without_processor(pid_t process) {
  double longest = 0;
  std::error_code error;
  // Threads come and go meanwhile, and so may the process.
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), error);
  for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    // Nanoseconds on a processor, and in the queue for one (Linux, Documentation/scheduler/sched-stats.rst).
    std::ifstream file(thread->path() / "schedstat");
    double used = 0;
    double waited = 0;
    if (file >> used >> waited) longest = std::max(longest, waited * 1e-9);
  }
  return longest;
}

}  // namespace clopt
