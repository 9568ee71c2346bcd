#include "memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace clopt {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unknown = std::numeric_limits<std::int64_t>::max();

/// A file that holds one number; none where it holds a word, such as `max`.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t available_in_system(const fs::path& root) {
  std::ifstream stream(root / "proc/meminfo");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t kibibytes = 0;
    if (words >> name >> kibibytes && name == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

/// What a group and those that hold it leave. Within a container, the group's own path may not be there: the folder
/// that is mounted is the group then.
std::uint64_t left_by_group(const fs::path& mounted, fs::path group, const char* limit, const char* used) {
  std::uint64_t left = unknown;
  group = group.relative_path();
  while (true) {
    const fs::path folder = group.empty() ? mounted : mounted / group;
    const auto most = number_in(folder / limit);
    const auto now = number_in(folder / used);
    if (most && now) left = std::min(left, *most - std::min(*most, *now));
    if (group.empty()) return left;
    group = group.parent_path();
  }
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
  std::uint64_t available = available_in_system(root);
  // A line is number:controllers:path; version 2 has the number 0 and no controllers.
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,")
      available = std::min(available, left_by_group(root / "sys/fs/cgroup", group, "memory.max", "memory.current"));
    else if (controllers.find(",memory,") != controllers.npos)
      available = std::min(available, left_by_group(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                                    "memory.usage_in_bytes"));
  }
  return available;
}

}  // namespace clopt
