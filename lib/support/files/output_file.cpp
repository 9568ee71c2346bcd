#include "output_file.hpp"
#include <clopt/detail/activity.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <random>

namespace clopt {

namespace fs = std::filesystem;

namespace {

constexpr int most_names = 100;
constexpr int most_links = 40;  // as the system follows

// The extension is one that the cache clears away.
fs::path unused_name() {
  std::random_device random;
  return fmt::format(".clopt-{:08x}{:08x}.new", random(), random());
}

// The descriptor that a name has in a folder of this process's descriptors; -1: it is none of them.
int stream_of(const fs::path& file) {
  const auto folder = file.parent_path();
  if (folder != "/dev/fd" && folder != "/proc/self/fd") return -1;
  return number_in<int>(file.filename().string()).value_or(-1);
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

FilePlace place_of(const fs::path& file) {
  FilePlace place{file, -1, {}};
  std::error_code error;
  int links = 0;
  for (; links < most_links; ++links) {
    place.stream = stream_of(place.path);
    if (place.stream >= 0 || !fs::is_symlink(place.path, error)) break;
    const auto target = fs::read_symlink(place.path, error);
    if (error) break;
    place.path = target.is_absolute() ? target : place.path.parent_path() / target;
  }
  struct stat found {};
  const bool is_stream = place.stream >= 0;
  place.is_there = (is_stream ? ::fstat(place.stream, &found) : ::stat(file.c_str(), &found)) == 0;
  place.is_pipe = place.is_there && !is_stream && S_ISFIFO(found.st_mode);
  place.is_replaced = !is_stream && links < most_links && (!place.is_there || S_ISREG(found.st_mode));
  if (!place.is_there) {
    if (::stat(folder_of(place.path).c_str(), &found) != 0) found = {};
    place.identity.name = place.path.filename().string();
  }
  place.identity.device = found.st_dev;
  place.identity.inode = found.st_ino;
  return place;
}

void check_writable(const fs::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw InvalidInput(fmt::format("'{}' cannot be written: {}; name a file that can be", file.string(), why));
  };
  if (file.empty()) refuse("it has no name");
  const auto place = place_of(file);
  if (place.stream >= 0) {
    const int flags = ::fcntl(place.stream, F_GETFL);
    if (flags < 0) refuse(system_message(errno));
    if ((flags & O_ACCMODE) == O_RDONLY) refuse("it is open for reading only");
    return;
  }
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) refuse("it is a folder");
    if (S_ISSOCK(found.st_mode)) refuse("it is a socket");
    // Opening a pipe and closing it would end its reader.
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) refuse(system_message(errno));
  } else if (errno != ENOENT) {
    refuse(system_message(errno));
  }
  if (!place.is_replaced) return;
  if (!place.path.has_filename()) refuse("it is a folder");
  const Replacement part(place.path);
  if (part.failure().empty()) return;
  refuse(fmt::format("{} takes no new file ({})",
                     place.path == file ? "its folder" : fmt::format("the folder of '{}'", place.path.string()),
                     part.failure()));
}

std::string write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_message(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::string write_to_stream(int stream, std::string_view bytes) {
  if (stream != STDOUT_FILENO && stream != STDERR_FILENO) return write_all(stream, bytes);
  const int error = write_stream(stream, bytes);
  return error == 0 ? "" : system_message(error);
}

Replacement::Replacement(fs::path target) : target_(std::move(target)) {
  opened_ = Descriptor(::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if ((!opened_ && !make_named()) || !take_rights()) failure_ = system_message(errno);
}

Replacement::~Replacement() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

// As mkostemp(), whose files have no rights for others whatever the mask says.
bool Replacement::make_named() {
  for (int attempt = 0; attempt < most_names; ++attempt) {
    const auto name = folder_of(target_) / unused_name();
    opened_ = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (opened_) name_ = name;
    if (opened_ || errno != EEXIST) break;
  }
  return static_cast<bool>(opened_);
}

// Before anything is in it. Only root can give a file to another owner; where that fails, the rights are kept alone.
bool Replacement::take_rights() {
  struct stat old {};
  if (::stat(target_.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return true;
  struct stat own {};
  if (::fstat(opened_.get(), &own) != 0) return false;
  if (own.st_uid != old.st_uid || own.st_gid != old.st_gid)
    static_cast<void>(!::fchown(opened_.get(), old.st_uid, old.st_gid));
  return ::fchmod(opened_.get(), old.st_mode & 07777) == 0;
}

// A name can only be given to a file where none has it: so it gets one of its own before it takes the target's.
bool Replacement::give_name() {
  const auto here = fmt::format("/proc/self/fd/{}", opened_.get());
  for (int attempt = 0; attempt < most_names; ++attempt) {
    const auto name = folder_of(target_) / unused_name();
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
  if (!is_done) return system_message(errno);
  name_.clear();
  // A renamed file is there after a power failure only if its folder was written too.
  if (survives_power_failure)
    if (const Descriptor entries(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); entries)
      ::fsync(entries.get());
  return {};
}

std::string write_file(const fs::path& file, std::string_view content) {
  const auto complaint = [&](const std::string& why) {
    return why.empty() ? why : fmt::format("'{}' could not be written: {}", file.string(), why);
  };
  const auto place = place_of(file);
  if (place.stream >= 0) return complaint(write_to_stream(place.stream, content));
  if (!place.is_replaced) {
    const auto name = file.string();
    const auto open_it = [&] {
      const Activity activity(place.is_pipe ? "waiting for a reader of" : "opening", name);
      return ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    };
    const Descriptor opened(open_it());
    const Activity activity("writing to", name);
    return complaint(opened ? write_all(opened.get(), content) : system_message(errno));
  }
  Replacement part(place.path);
  auto why = part.failure();
  if (why.empty()) why = write_all(part.descriptor(), content);
  if (why.empty()) why = part.commit(false);
  return complaint(why);
}

}  // namespace clopt
