#include "helper_program.hpp"
#include <support/threads/process_mutex.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <mutex>
#include <system_error>
#include <vector>

namespace clopt {
namespace {

namespace fs = std::filesystem;

struct Folders {
  ProcessMutex mutex{Holding::alone};
  std::vector<fs::path> list;
};

Folders& added_folders() {
  static auto* instance = new Folders;  // never destroyed: drivers may work when the process ends
  return *instance;
}

}  // namespace

fs::path folder_of_this_code() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&folder_of_this_code), &info) || !info.dli_fname) return {};
  const fs::path name = info.dli_fname;
  std::error_code error;
  // A program is known by the words that it was started with, which may name no file.
  if (name.has_parent_path())
    if (const auto file = fs::canonical(name, error); !error) return file.parent_path();
  const auto program = fs::canonical("/proc/self/exe", error);
  return error ? fs::path{} : program.parent_path();
}

fs::path helper_program(std::string_view name) {
  const auto here = folder_of_this_code();
  std::vector<fs::path> folders;
  if (!here.empty()) folders = {here / modules_folder, here};
  auto& added = added_folders();
  {
    const std::lock_guard lock(added.mutex);
    folders.insert(folders.end(), added.list.begin(), added.list.end());
  }
  for (const auto& folder : folders)
    if (auto file = folder / name; ::access(file.c_str(), X_OK) == 0) return file;
  return {};
}

void add_helper_folder(const fs::path& folder) {
  auto& added = added_folders();
  const std::lock_guard lock(added.mutex);
  added.list.push_back(folder);
}

}  // namespace clopt
