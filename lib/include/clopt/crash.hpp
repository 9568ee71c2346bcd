/// \file
/// Crashes of objectives: a text is code of the user's, and on OpenMP it runs within the process.
#pragma once

#include <clopt/export.hpp>

namespace clopt {

/// A signal that the text of an objective raised while it ran.
struct ObjectiveCrash {
  int signal;             ///< SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP or SIGABRT
  const char* name;       ///< the signal's name, such as "SIGSEGV"
  const char* objective;  ///< what messages call the text, such as its file
};

/// Is called in the signal's handler, on the thread that ran the text, and so may do only what is async-signal-safe:
/// write(2), write_stream_in_handler(), _exit(). There is no way back into the text or the run, of which nothing can be
/// trusted any more. Where the function returns, the signal goes the way that it would have gone without clopt.
using ObjectiveCrashHandler = void (*)(const ObjectiveCrash&);

/// Calls a function for crashes of objectives' texts on OpenMP. Until the first call clopt handles no signal: a crash
/// of a text is a crash of the process, as one of any other code. From then on it has handlers for the six signals,
/// which act on a signal only where the processor or abort() raised it on a thread that is in a text; any other one,
/// such as one of a language's run-time system, goes to the previous handler, with all its arguments. Handlers that
/// are set later replace clopt's, and may call them. Threads that run texts get an alternate stack for signals, unless
/// they have one: an endless recursion leaves no other.
///
/// C++ functions as objectives are the caller's own code, and are not handled. A text that writes outside of its
/// arrays without a signal is not detected. \param handler null: stop reporting crashes. Any thread may call this.
/// \throws Error where the system refuses.
CLOPT_API void set_objective_crash_handler(ObjectiveCrashHandler handler);

/// For backends: while one lives, the signals of its thread are those of a text. One at a time on each thread. It costs
/// a few nanoseconds.
class CLOPT_API RunningObjective {
 public:
  /// \param objective must live as long as the object.
  explicit RunningObjective(const char* objective) noexcept;
  ~RunningObjective();
  RunningObjective(const RunningObjective&) = delete;
  RunningObjective& operator=(const RunningObjective&) = delete;
};

}  // namespace clopt
