#include "processor_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace clopt {

double ProcessorWait::seconds(pid_t process) {
  seconds_ += look(process);
  return seconds_;
}

double ProcessorWait::look(pid_t process) {
  double longest = 0;
  std::error_code error;
  // Threads come and go meanwhile, and so may processes.
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), error);
  for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    // Nanoseconds on a processor, and in the queue for one (Linux, Documentation/scheduler/sched-stats.rst).
    std::ifstream file(thread->path() / "schedstat");
    double used = 0;
    double waited = 0;
    if (file >> used >> waited) {
      auto& before = threads_[static_cast<pid_t>(std::stol(thread->path().filename()))];
      longest = std::max(longest, waited * 1e-9 - before);
      before = waited * 1e-9;
    }
    std::ifstream children(thread->path() / "children");
    for (pid_t child = 0; children >> child;) longest = std::max(longest, look(child));
  }
  return longest;
}

}  // namespace clopt
