#include "environment.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace clopt::environment {
namespace {

// An empty variable counts as unset, and so does every one where the process has more rights than its user: they
// name code that is loaded and run.
std::string text(const char* name) {
  const char* value = ::secure_getenv(name);
  return value ? value : "";
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// A whole number, where the variable is set.
std::optional<unsigned> number(const char* name, unsigned least) {
  const auto digits = text(name);
  if (digits.empty()) return std::nullopt;
  const auto value = number_in<unsigned>(digits);
  if (!value || *value < least)
    throw InvalidInput(fmt::format("{} is '{}'; it takes a number from {}", name, digits, least));
  return value;
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

// The XDG base directory specification: a relative folder is invalid, and ignored. A home that is not there is not
// made, nor anything in it: HOME=/nonexistent says that there is none.
std::optional<std::filesystem::path> cache_folder() {
  namespace fs = std::filesystem;
  if (const auto folder = text("CLOPT_CACHE_DIR"); !folder.empty())
    return folder == "off" ? std::nullopt : std::optional<fs::path>(folder);
  const fs::path home = fs::path(text("HOME")).lexically_normal();
  const auto cache = fs::path(text("XDG_CACHE_HOME")).lexically_normal();
  std::error_code error;
  const bool has_home = home.is_absolute() && fs::is_directory(home, error);
  if (cache.is_absolute()) {
    const auto from_home = cache.lexically_relative(home);
    const bool is_in_home = home.is_absolute() && !from_home.empty() && *from_home.begin() != "..";
    return is_in_home && !has_home ? std::nullopt : std::optional(cache / "clopt");
  }
  return has_home ? std::optional(home / ".cache" / "clopt") : std::nullopt;
}

bool cache_strict() { return text("CLOPT_CACHE_STRICT") == "1"; }
std::string device() { return text("CLOPT_DEVICE"); }
std::string accelerator() { return text("CLOPT_ACCELERATOR"); }
std::string compiler() { return text("CXX"); }
std::string build() { return text("CLOPT_BUILD"); }
std::string subgroups() { return text("CLOPT_SUBGROUPS"); }
std::string instruction_set() { return text("CLOPT_INSTRUCTION_SET"); }

bool profile() { return !text("CLOPT_PROFILE").empty() && text("CLOPT_PROFILE") != "0"; }
bool isolates() { return text("CLOPT_ISOLATION") != "off"; }
std::string opencl_vendors() { return text("OCL_ICD_VENDORS"); }
std::string opencl_filenames() { return text("OCL_ICD_FILENAMES"); }

std::string offers() { return text("CLOPT_OFFERS"); }
std::vector<std::string> drivers_left_out() { return split(text("CLOPT_LEFT_OUT"), ':'); }

std::vector<std::filesystem::path> linker_path() {
  const auto parts = split(text("LD_LIBRARY_PATH"), ':');
  return {parts.begin(), parts.end()};
}

std::optional<unsigned> builders() { return number("CLOPT_BUILDERS", 0); }
unsigned sub_devices() { return number("CLOPT_SUB_DEVICES", 1).value_or(1); }

bool pocl_keeps_kernels() {
  const char* asked = std::getenv("POCL_KERNEL_CACHE");
  return asked == nullptr || std::string_view(asked).starts_with('1');
}

std::vector<std::filesystem::path> command_path() {
  const char* path = ::secure_getenv("PATH");
  const std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  std::vector<std::filesystem::path> parts;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const auto end = std::min(folders.find(':', begin), folders.size());
    parts.emplace_back(folders.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string cluster() { return text("CLOPT_CLUSTER"); }

std::optional<unsigned> launchers_number(const char* name) { return number_in<unsigned>(text(name)); }

void keep_hwloc_from_opencl() { ::setenv("HWLOC_COMPONENTS", "-opencl", 0); }

bool logs(const std::string& topic) {
  for (const auto& part : split(text("CLOPT_LOG"), ','))
    if (part == topic || part == "all") return true;
  return false;
}

}  // namespace clopt::environment
