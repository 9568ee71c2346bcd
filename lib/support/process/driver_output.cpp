
#include <clopt/detail/streams.hpp>
#include <support/threads/process_mutex.hpp>
#include "log.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <string>

namespace clopt {
namespace {

// Far more than a message that anyone reads.
constexpr std::size_t most_shown = 64 << 10;

std::atomic<bool> hidden = false;

// The process's own output and error, while the numbers 1 and 2 lead elsewhere; -1 while they do not. Changed under the
// lock of Streams.
std::array<std::atomic<int>, 2> own_streams{-1, -1};
static_assert(std::atomic<int>::is_always_lock_free);

/// Where standard output and error lead.
class Streams {
 public:
  // Never destroyed: what writes when the process ends still finds it.
  static Streams& instance() {
    static auto* streams = new Streams;
    return *streams;
  }

  void redirect() {
    const std::lock_guard lock(mutex_);
    if (users_++ != 0) return;
    file_ = memfd_create("clopt-driver-output", MFD_CLOEXEC);
    if (file_ < 0) return;
    // Two threads would write to the same place otherwise.
    fcntl(file_, F_SETFL, O_APPEND);
    flush();
    for (std::size_t i = 0; i < own_streams.size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      own_streams[i] = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      if (own_streams[i] >= 0) dup2(file_, number);
    }
  }

  /// \returns what was printed, once the last user has gone.
  std::string restore() {
    const std::lock_guard lock(mutex_);
    if (--users_ != 0 || file_ < 0) return {};
    flush();  // what the driver left in the C library's buffers
    for (std::size_t i = 0; i < own_streams.size(); ++i) {
      const int own = own_streams[i];
      if (own < 0) continue;
      dup2(own, static_cast<int>(i) + 1);
      own_streams[i] = -1;
      ::close(own);
    }
    std::string text(most_shown, '\0');
    const auto length = ::pread(file_, text.data(), text.size(), 0);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    ::close(file_);
    file_ = -1;
    return text;
  }

  int write(int number, std::string_view text) {
    // Whole: no other thread may redirect or restore between two parts.
    const std::lock_guard lock(mutex_);
    const int own = own_streams[static_cast<std::size_t>(number) - 1];
    while (!text.empty()) {
      const auto written = ::write(own >= 0 ? own : number, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

 private:
  static void flush() {
    std::fflush(stdout);
    std::fflush(stderr);
  }

  ProcessMutex mutex_{Holding::alone};
  unsigned users_ = 0;
  int file_ = -1;
};

}  // namespace

void hide_driver_output() { hidden = true; }

void write_stream_in_handler(int number, std::string_view text) noexcept {
  const auto own = own_streams[static_cast<std::size_t>(number) - 1].load();
  [[maybe_unused]] const auto written = ::write(own >= 0 ? own : number, text.data(), text.size());
}

int write_stream(int number, std::string_view text) { return Streams::instance().write(number, text); }

bool DriverOutput::hides() { return hidden; }

DriverOutput::DriverOutput() : active_(hidden) {
  if (active_) Streams::instance().redirect();
}

DriverOutput::~DriverOutput() {
  if (!active_) return;
  auto text = Streams::instance().restore();
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty()) log("build", "the driver says: " + text);
}

}  // namespace clopt
