#include "output_file.hpp"
#include <clopt/error.hpp>
#include <clopt/files.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace clopt {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void check_writable(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw InvalidInput(fmt::format("'{}' cannot be written: {}; name a file that can be", file.string(), why));
  };
  if (file.empty()) refuse("it has no name");
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) refuse("it is a folder");
  // Opening a pipe without a reader would block for ever.
  if (const Descriptor there(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)); there) return;
  if (errno == ENXIO) return;
  if (errno != ENOENT) refuse(std::strerror(errno));
  if (const Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)); !made)
    refuse(std::strerror(errno));
  ::unlink(file.c_str());
}

std::string write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return std::strerror(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::string write_file(const std::filesystem::path& file, std::string_view content) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool replaces = !fs::exists(file, error) || fs::is_regular_file(file, error);
  const auto target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
  const auto part = replaces ? fs::path(fmt::format("{}.{}.new", target.string(), ::getpid())) : target;
  std::string why;
  {
    const Descriptor opened(::open(part.c_str(), O_WRONLY | O_CLOEXEC | (replaces ? O_CREAT | O_TRUNC : 0), 0666));
    why = opened ? write_all(opened.get(), content) : std::strerror(errno);
  }
  if (why.empty() && replaces && ::rename(part.c_str(), target.c_str()) != 0) why = std::strerror(errno);
  if (why.empty()) return {};
  if (replaces) ::unlink(part.c_str());
  return fmt::format("'{}' could not be written: {}", file.string(), why);
}

}  // namespace clopt
