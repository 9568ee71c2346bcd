/// \file
/// Processes that answer questions about drivers, see clopt/detail/probe.hpp: the side that asks and the side that
/// answers.
#pragma once

#include <clopt/detail/probe.hpp>
#include <clopt/device.hpp>

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// Runs self-tests of a device in a process of its own. The answer is what is wrong, empty where nothing is.
/// \param tests names of known_answers(); what passes is remembered. \param seconds from the call on, apart
/// from those in which others had the processors. \param stop ends
/// the process, and the answer is `failed`.
ProbeAnswer test_apart(const DeviceInfo& info, const std::vector<std::string>& tests, double seconds,
                       const std::stop_token& stop);

/// Whether this process is one that answers.
bool is_answering();

/// The file descriptor that the answer is written to: steps, a line each that begins with the first mark; then the
/// second mark and the answer, or the third and the failure; then the byte that ends both. The reader need not wait
/// for the end of the process, which a driver may take a tenth of a second for.
inline constexpr int probe_answer_number = 3;
inline constexpr std::string_view probe_step_mark = "while ";
inline constexpr std::string_view probe_answer_mark = "answer\n";
inline constexpr std::string_view probe_failure_mark = "failure\n";
inline constexpr char probe_end_mark = '\4';

/// The words of a process that answers: program, version, the process that asks, one of these, and what belongs to it.
inline constexpr std::string_view probe_ask_word = "ask";  ///< backend, words of the question
inline constexpr std::string_view probe_ask_and_stay_word = "ask-and-stay";
inline constexpr std::string_view probe_test_word = "test";  ///< id, platform and name of a device, names of tests

}  // namespace clopt
