#include "crash_message.hpp"

#include <clopt/crash.hpp>
#include <clopt/streams.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "status.hpp"

namespace clopt::apps {
namespace {

bool error_is_terminal = false;

// In a signal's handler: no memory is allocated.
class Message {
 public:
  Message& operator<<(std::string_view text) {
    const auto length = std::min(text.size(), text_.size() - length_);
    std::copy_n(text.begin(), length, text_.begin() + static_cast<std::ptrdiff_t>(length_));
    length_ += length;
    return *this;
  }
  std::string_view text() const { return {text_.data(), length_}; }

 private:
  std::array<char, 1024> text_{};
  std::size_t length_ = 0;
};

void tell(const ObjectiveCrash& crash) {
  Message message;
  // A progress bar may be in the line.
  if (error_is_terminal) message << "\r\033[K";
  message << "clopt: the objective " << crash.objective << " crashed with " << crash.name
          << " on openmp, and the run ends\n"
             "look for an index past the end of an array of its own, a division of whole numbers by 0, or a recursion "
             "without end; a checkpoint is as it was written last, and whole\n";
  write_stream_in_handler(STDERR_FILENO, message.text());
  _exit(Status::device_failed);
}

}  // namespace

void tell_crashes_of_objectives() {
  error_is_terminal = isatty(STDERR_FILENO) != 0;
  set_objective_crash_handler(&tell);
}

}  // namespace clopt::apps
