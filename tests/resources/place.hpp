/// \file
/// A user of the program with folders of her own, in which nothing may be left behind.
#pragma once

#include <fault_layer/works.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace clopt::test {

/// The device under test, as the program calls it.
inline std::string device_name() { return platform() == "openmp" ? "openmp:0" : "opencl:0"; }

/// The seconds of a run's own limit. Compilers of processors need some where nothing is remembered.
constexpr int seconds_of_a_run = 30;

inline bool is_known_status(int status) {
  return status == 0 || status == 2 || status == 3 || status == 4 || status == 130;
}

/// Folders for the cache, temporary files and results.
class Place {
 public:
  Place() {
    for (const auto* name : {"temporary", "results", "home"}) {
      std::filesystem::create_directory(folder_.path() / name);
      std::filesystem::permissions(folder_.path() / name, std::filesystem::perms::all);
    }
    // Another user may have to work here.
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  }

  std::filesystem::path cache() const { return folder_.path() / "cache"; }
  std::filesystem::path temporary() const { return folder_.path() / "temporary"; }
  std::filesystem::path results() const { return folder_.path() / "results"; }
  std::filesystem::path home() const { return folder_.path() / "home"; }
  const TemporaryFolder& folder() const { return folder_; }

  Call call(const std::vector<std::string>& arguments, const std::string& input = {}) const {
    Call call;
    call.arguments = arguments;
    for (const auto& argument : {std::string("--device"), device_name(), std::string("--json")})
      call.arguments.push_back(argument);
    call.input = input;
    call.environment = {{"CLOPT_CACHE_DIR", cache().string()}, {"CLOPT_CACHE_STRICT", ""},
                        {"POCL_CACHE_DIR", cache_of("pocl")},  {"XDG_CACHE_HOME", cache_of("others")},
                        {"TMPDIR", temporary().string()},      {"HOME", home().string()}};
    return call;
  }
  /// A work, in which FILE is a file in results().
  Call call(const Work& work) const {
    auto arguments = work.arguments;
    for (auto& argument : arguments)
      if (argument == "FILE") argument = written().string();
    return call(arguments, work.input);
  }
  std::filesystem::path written() const { return results() / "written.json"; }

  /// Files that clopt has left without being asked to. Locks of builds go with the next build.
  std::string leftovers(bool locks_too = false) const {
    std::string found;
    const auto look = [&](const std::filesystem::path& folder, auto is_wanted) {
      std::error_code error;
      for (std::filesystem::directory_iterator item(folder, error), end; !error && item != end; item.increment(error))
        if (!is_wanted(item->path())) found += item->path().string() + " ";
    };
    // Drivers have files of their own there.
    const auto is_of_others = [](const std::filesystem::path& path) {
      return path.filename().string().find("clopt") == std::string::npos;
    };
    look(temporary(), is_of_others);
    look(results(), is_of_others);
    look(cache(), [&](const std::filesystem::path& path) {
      return path.extension() == ".record" || (!locks_too && path.extension() == ".lock");
    });
    return found;
  }

 private:
  std::string cache_of(const std::string& other) const { return (home() / other).string(); }
  TemporaryFolder folder_;
};

/// A number from the environment: what else the tests use.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace clopt::test
