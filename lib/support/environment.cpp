#include "environment.hpp"

#include <cstdlib>
#include <sstream>

namespace clopt::environment {
namespace {

// An empty variable counts as unset.
std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

std::vector<std::filesystem::path> backend_path() {
  const auto parts = split(text("CLOPT_BACKEND_PATH"), ':');
  return {parts.begin(), parts.end()};
}

std::optional<std::filesystem::path> kernel_path() {
  const auto folder = text("CLOPT_KERNEL_PATH");
  return folder.empty() ? std::nullopt : std::optional<std::filesystem::path>(folder);
}

std::optional<std::filesystem::path> cache_folder() {
  if (const auto folder = text("CLOPT_CACHE_DIR"); !folder.empty())
    return folder == "off" ? std::nullopt : std::optional<std::filesystem::path>(folder);
  if (const auto folder = text("XDG_CACHE_HOME"); !folder.empty()) return std::filesystem::path(folder) / "clopt";
  if (const auto folder = text("HOME"); !folder.empty()) return std::filesystem::path(folder) / ".cache" / "clopt";
  return std::nullopt;
}

bool cache_strict() { return text("CLOPT_CACHE_STRICT") == "1"; }
std::string device() { return text("CLOPT_DEVICE"); }
std::string compiler() { return text("CXX"); }
std::string subgroups() { return text("CLOPT_SUBGROUPS"); }

bool logs(const std::string& topic) {
  for (const auto& part : split(text("CLOPT_LOG"), ','))
    if (part == topic || part == "all") return true;
  return false;
}

}  // namespace clopt::environment
