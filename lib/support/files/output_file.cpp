#include "output_file.hpp"
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>

namespace clopt {

namespace fs = std::filesystem;

namespace {

constexpr int most_names = 100;

// The extension is one that the cache clears away.
fs::path unused_name() {
  std::random_device random;
  return fmt::format(".clopt-{:08x}{:08x}.new", random(), random());
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void check_writable(const fs::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw InvalidInput(fmt::format("'{}' cannot be written: {}; name a file that can be", file.string(), why));
  };
  if (file.empty()) refuse("it has no name");
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) refuse("it is a folder");
  // Opening a pipe without a reader would block for ever.
  if (const Descriptor there(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)); !there) {
    if (errno == ENXIO) return;
    if (errno != ENOENT) refuse(std::strerror(errno));
    // Making it here would leave an empty file where the process is killed before it goes. A link leads nowhere.
    if (::lstat(file.c_str(), &found) == 0) refuse(std::strerror(EEXIST));
  } else if (!S_ISREG(found.st_mode)) {
    return;
  }
  std::error_code error;
  const Replacement part(fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file);
  if (!part.failure().empty()) refuse(fmt::format("its folder takes no new file ({})", part.failure()));
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

Replacement::Replacement(fs::path target) : target_(std::move(target)) {
  opened_ = Descriptor(::open(folder().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (!opened_ && !make_named()) failure_ = std::strerror(errno);
}

Replacement::~Replacement() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

fs::path Replacement::folder() const { return target_.has_parent_path() ? target_.parent_path() : fs::path("."); }

// As mkostemp(), whose files have no rights for others whatever the mask says.
bool Replacement::make_named() {
  for (int attempt = 0; attempt < most_names; ++attempt) {
    const auto name = folder() / unused_name();
    opened_ = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (opened_) name_ = name;
    if (opened_ || errno != EEXIST) break;
  }
  return static_cast<bool>(opened_);
}

// A name can only be given to a file where none has it: so it gets one of its own before it takes the target's.
bool Replacement::give_name() {
  const auto here = fmt::format("/proc/self/fd/{}", opened_.get());
  for (int attempt = 0; attempt < most_names; ++attempt) {
    const auto name = folder() / unused_name();
    if (::linkat(AT_FDCWD, here.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      name_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

std::string Replacement::commit(bool survives_power_failure) {
  if (!failure_.empty()) return failure_;
  const bool is_done = (!survives_power_failure || ::fsync(opened_.get()) == 0) && (!name_.empty() || give_name()) &&
                       ::rename(name_.c_str(), target_.c_str()) == 0;
  if (!is_done) return std::strerror(errno);
  name_.clear();
  // A renamed file is there after a power failure only if its folder was written too.
  if (survives_power_failure)
    if (const Descriptor entries(::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); entries)
      ::fsync(entries.get());
  return {};
}

std::string write_file(const fs::path& file, std::string_view content) {
  std::error_code error;
  const auto complaint = [&](const std::string& why) {
    return why.empty() ? why : fmt::format("'{}' could not be written: {}", file.string(), why);
  };
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    const Descriptor opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    return complaint(opened ? write_all(opened.get(), content) : std::strerror(errno));
  }
  Replacement part(fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file);
  auto why = part.failure();
  if (why.empty()) why = write_all(part.descriptor(), content);
  if (why.empty()) why = part.commit(false);
  return complaint(why);
}

}  // namespace clopt
