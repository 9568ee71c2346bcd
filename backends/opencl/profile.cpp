#include "profile.hpp"

#include <clopt/detail/streams.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace clopt::opencl {
namespace {

constexpr std::size_t most_remembered = 4096;

struct Total {
  std::size_t commands = 0;
  double seconds = 0;
};

/// Printed when the module is unloaded, after the queues are gone.
class Totals {
 public:
  ~Totals() {
    std::vector<std::pair<std::string, Total>> rows(totals_.begin(), totals_.end());
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
    for (const auto& [name, total] : rows)
      write_stream(2, fmt::format("profile: {:<44} {:>9} x {:>10.2f} us = {:>10.6f} s\n", name, total.commands,
                                  total.seconds / static_cast<double>(total.commands) * 1e6, total.seconds));
  }
  void add(const std::string& name, double seconds) {
    const std::lock_guard lock(mutex_);
    auto& total = totals_[name];
    ++total.commands;
    total.seconds += seconds;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Total> totals_;
};

Totals& totals() {
  static Totals instance;
  return instance;
}

}  // namespace

bool profile_wanted() { return environment::profile(); }

void Profile::add(const std::string& name, cl::Event event) {
  commands_.emplace_back(name, std::move(event));
  if (commands_.size() < most_remembered) return;
  commands_.back().second.wait();
  close();
}

void Profile::close() {
  for (const auto& [name, event] : commands_) {
    try {
      const auto begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      const auto end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      totals().add(name, end > begin ? static_cast<double>(end - begin) * 1e-9 : 0);
    } catch (const cl::Error&) {
      // A command that failed has no time.
    }
  }
  commands_.clear();
}

}  // namespace clopt::opencl
