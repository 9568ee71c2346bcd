#include "memory.hpp"

#include <clopt/detail/numbers.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "system_file.hpp"

namespace clopt {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unknown = std::numeric_limits<std::int64_t>::max();

/// A file that holds one number; none where it holds a word, such as `max`.
std::optional<std::uint64_t> number_of(const fs::path& file) {
  const auto words = words_of_file(file);
  return words.empty() ? std::nullopt : number_in<std::uint64_t>(words.front());
}

/// A line of /proc/meminfo, in bytes.
std::uint64_t system_memory(const fs::path& root, std::string_view wanted) {
  const auto words = words_of_file(root / "proc/meminfo");
  const auto name = std::find(words.begin(), words.end(), wanted);
  if (name == words.end() || name + 1 == words.end()) return unknown;
  const auto kibibytes = number_in<std::uint64_t>(*(name + 1));
  return kibibytes ? *kibibytes * 1024 : unknown;
}

/// The files of a control group that hold its limit and what it has taken.
struct GroupFiles {
  const char* limit;
  const char* used;
};

/// The least of something over a group and those that hold it. Within a container, the group's own path may not be
/// there: the folder that is mounted is the group then.
template <class Bytes>
std::uint64_t least_of_groups(const fs::path& mounted, fs::path group, const Bytes& bytes) {
  std::uint64_t least = unknown;
  group = group.relative_path();
  while (true) {
    least = std::min(least, bytes(group.empty() ? mounted : mounted / group));
    if (group.empty()) return least;
    group = group.parent_path();
  }
}

/// The least of something over all control groups that this process is in, of both versions.
/// \param bytes takes a group's folder and its files' names.
template <class Bytes>
std::uint64_t least_of_all_groups(const fs::path& root, const Bytes& bytes) {
  std::uint64_t least = unknown;
  // A line is number:controllers:path; version 2 has the number 0 and no controllers.
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    const auto of = [&](const fs::path& mounted, const GroupFiles& files) {
      least =
          std::min(least, least_of_groups(mounted, group, [&](const fs::path& each) { return bytes(each, files); }));
    };
    if (controllers == ",,")
      of(root / "sys/fs/cgroup", {"memory.max", "memory.current"});
    else if (controllers.find(",memory,") != controllers.npos)
      of(root / "sys/fs/cgroup/memory", {"memory.limit_in_bytes", "memory.usage_in_bytes"});
  }
  return least;
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
  const auto left = [](const fs::path& group, const GroupFiles& files) {
    const auto most = number_of(group / files.limit);
    const auto now = number_of(group / files.used);
    return most && now ? *most - std::min(*most, *now) : unknown;
  };
  return std::min(system_memory(root, "MemAvailable:"), least_of_all_groups(root, left));
}

std::uint64_t total_memory(const fs::path& root) {
  const auto limit = [](const fs::path& group, const GroupFiles& files) {
    return number_of(group / files.limit).value_or(unknown);
  };
  return std::min(system_memory(root, "MemTotal:"), least_of_all_groups(root, limit));
}

}  // namespace clopt
