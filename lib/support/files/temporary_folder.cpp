#include "temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace clopt {
namespace {

namespace fs = std::filesystem;

// A lock ends with the process, however that ends. Children do not inherit it.
int open_folder(const fs::path& path) { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

bool is_abandoned(const fs::path& path) {
  const int opened = open_folder(path);
  struct stat found {};
  const bool is_mine = opened >= 0 && ::fstat(opened, &found) == 0 && found.st_uid == ::geteuid();
  const bool is_free = is_mine && ::flock(opened, LOCK_EX | LOCK_NB) == 0;
  if (opened >= 0) ::close(opened);
  return is_free;
}

// A folder has this name until it is locked.
constexpr const char* begun_name = ".clopt-";

/// Also folders whose process ended before it had locked them, which are empty.
void remove_abandoned(const fs::path& parent, const std::string& beginning) {
  std::vector<fs::path> found, begun;
  std::error_code error;
  for (fs::directory_iterator item(parent, error), end; !error && item != end; item.increment(error)) {
    const auto name = item->path().filename().string();
    const bool is_begun = name.starts_with(begun_name);
    if ((is_begun || name.starts_with(beginning)) && is_abandoned(item->path()))
      (is_begun ? begun : found).push_back(item->path());
  }
  for (const auto& path : found) fs::remove_all(path, error);
  for (const auto& path : begun) ::rmdir(path.c_str());
}

}  // namespace

fs::path TemporaryFolder::parent() {
  std::error_code error;
  auto folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

TemporaryFolder::TemporaryFolder(std::string_view kind) {
  const auto folder = parent();
  const auto beginning = fmt::format("clopt-{}-", kind);
  remove_abandoned(folder, beginning);
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    // It gets the name by which others look for it once it is locked.
    auto begun = (folder / fmt::format("{}XXXXXX", begun_name)).string();
    if (!::mkdtemp(begun.data())) return;
    const auto name = folder / (beginning + begun.substr(begun.rfind('-') + 1));
    lock_ = open_folder(begun);
    // Another process that takes it for an abandoned one removes it, or is about to.
    const bool is_lost = lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_lost && ::rename(begun.c_str(), name.c_str()) == 0) {
      path_ = name;
      return;
    }
    ::rmdir(begun.c_str());
    if (lock_ >= 0) ::close(std::exchange(lock_, -1));
  }
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace clopt
