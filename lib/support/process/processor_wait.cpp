#include "processor_wait.hpp"

#include <clopt/detail/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "system_file.hpp"

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
    const auto times = words_of_file(thread->path() / "schedstat");
    const auto number = number_in<pid_t>(thread->path().filename().string());
    if (const auto waited = times.size() > 1 ? number_in<double>(times[1]) : std::nullopt; waited && number) {
      auto& before = threads_[*number];
      longest = std::max(longest, *waited * 1e-9 - before);
      before = *waited * 1e-9;
    }
    for (const auto& word : words_of_file(thread->path() / "children"))
      if (const auto child = number_in<pid_t>(word)) longest = std::max(longest, look(*child));
  }
  return longest;
}

}  // namespace clopt
