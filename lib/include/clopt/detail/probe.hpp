/// \file
/// Questions that are answered in a process of its own, so that a driver that aborts, crashes or hangs ends that
/// process and not this one. For backends.
#pragma once

#include <clopt/export.hpp>

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// A question to a backend's `answer` (clopt/backend.hpp).
struct ProbeQuestion {
  std::string backend;                                             ///< the backend's name
  std::vector<std::string> words;                                  ///< what its `answer` gets
  std::vector<std::pair<std::string, std::string>> environment{};  ///< variables that differ from this process's
  bool stays = false;  ///< whether its process stays after the answer, for ProbeAnswer::process; 5 s at most
};

/// How a process that was asked ended.
enum class ProbeEnd {
  answered,
  failed,      ///< `answer` threw an exception, or a signal ended it that no fault of its own sends
  lost,        ///< it was ended by a fault, by what it was asked about, or by the limit of time
  not_started  ///< the operating system did not start it
};

/// What came of a question.
struct ProbeAnswer {
  ProbeEnd end = ProbeEnd::not_started;
  std::string text{};     ///< the answer
  std::string fault{};    ///< why there is none, in words that continue "it ...": "crashed with signal 11 while ..."
  std::string printed{};  ///< what was written to standard output and error meanwhile
  bool ran_out_of_time = false;  ///< whether the limit of time ended it
  /// The process, where it answered: it may still be there, and is ended with the last copy of this. While one process
  /// has a GPU's driver started, others start it in less time.
  std::shared_ptr<void> process{};
};

/// Asks all questions at once, each of a process of its own (the program clopt-probe beside the backends), and waits
/// for the answers, not for the processes' ends. A process that has not answered after some time is ended, with all
/// that it started. What the processes print goes to the log's topic `probe`.
/// \param seconds from the call on, above 0.
/// \param stop ends the processes, and their answers are `failed`.
CLOPT_API std::vector<ProbeAnswer> ask_apart(std::span<const ProbeQuestion> questions, double seconds,
                                             const std::stop_token& stop = {});

/// Whether questions can be asked: this process does not answer them itself, clopt-probe is there, and the
/// environment's CLOPT_ISOLATION is not `off`.
CLOPT_API bool can_ask_apart();

/// Sets a variable in the environment of all processes that are asked from now on.
CLOPT_API void set_probe_variable(const std::string& name, const std::string& value);

/// Says, in the process that answers, what it is about to do, in words that continue "while ...": where it ends without
/// an answer, the fault says so. Does nothing in other processes.
CLOPT_API void report_probe_step(const std::string& step);

/// What the program clopt-probe does: answers one question and returns the exit status.
CLOPT_API int answer_apart(int count, char** words);

}  // namespace clopt
