// The side that answers: what the program clopt-probe does.
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <device/probe/probe_process.hpp>
#include <device/registry.hpp>
#include "self_test.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <span>
#include <string>
#include <vector>

namespace clopt {
namespace {

// A driver that a caller wants kept started is loaded there within this time.
constexpr unsigned most_seconds_to_stay = 5;

bool answers = false;

void say(std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(probe_answer_number, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// What drivers printed so far is a part of the answer.
void end_with(std::string_view mark, std::string_view text) {
  std::fflush(nullptr);
  say(fmt::format("{}{}{}", mark, text, probe_end_mark));
}

std::string run_tests(std::span<const std::string> words) {
  if (words.size() < 4) throw InvalidInput("a test needs a device's id, platform and name, and names of tests");
  report_probe_step("the devices were listed");
  const auto list = Registry::instance().list(words[0].substr(0, words[0].find(':')));
  const auto info = std::find_if(list.devices.begin(), list.devices.end(), [&](const DeviceInfo& each) {
    return each.id == words[0] && each.platform == words[1] && each.name == words[2];
  });
  if (info == list.devices.end())
    throw NoDevice(fmt::format("{} ({}) is not among the devices of a process of its own", words[0], words[2]));
  report_probe_step(fmt::format("{} was opened", info->id));
  DeviceOptions options;
  options.self_test = false;
  // Never closed: that takes a driver as long as a small build, and the end of the process does it.
  static const auto& device = *new auto(Registry::instance().open(*info, options));
  const auto policy = device->builds_side_by_side() ? std::launch::async : std::launch::deferred;
  std::vector<std::future<std::string>> outcomes;
  for (const auto& name : words.subspan(3)) {
    const auto tests = known_answers();
    const auto test = std::find_if(tests.begin(), tests.end(), [&](const auto& each) { return each.name == name; });
    if (test == tests.end()) throw InvalidInput(fmt::format("there is no test {}", name));
    outcomes.push_back(std::async(policy, [test, name, id = info->id] {
      report_probe_step(fmt::format("{} was tested on {}", name, id));
      return run_known_answer(*test, *device);
    }));
  }
  std::string wrong;
  for (auto& outcome : outcomes)
    if (auto found = wrong.empty() ? outcome.get() : std::string(); !found.empty()) wrong = std::move(found);
  return wrong;
}

std::string answer_to(std::span<const std::string> words) {
  if (words.size() >= 2 && (words[0] == probe_ask_word || words[0] == probe_ask_and_stay_word))
    return Registry::instance().answer(words[1], words.subspan(2));
  if (!words.empty() && words[0] == probe_test_word) return run_tests(words.subspan(1));
  throw InvalidInput("there is no such question");
}

}  // namespace

bool is_answering() { return answers; }

void report_probe_step(const std::string& step) {
  if (answers) say(fmt::format("{}{}\n", probe_step_mark, step));
}

int answer_apart(int count, char** words) {
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  if (arguments.size() < 3 || arguments[0] != version()) {
    const std::string_view text = "clopt-probe answers questions of clopt's library; it is not to be called by hand.\n";
    return ::write(STDERR_FILENO, text.data(), text.size()) < 0 ? 1 : 2;
  }
  // A file that grows beyond the limit is not a fault of a driver's.
  std::signal(SIGXFSZ, SIG_IGN);
  // End with the process that asked: the answer has no other reader.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(::getppid()) != arguments[1]) return 1;
  answers = true;
  int status = 0;
  try {
    const auto text = answer_to(std::span(arguments).subspan(2));
    end_with(probe_answer_mark, text);
  } catch (const std::exception& error) {
    end_with(probe_failure_mark, error.what());
    status = 1;
  }
  // What drivers do when a process ends is not part of the answer. The process that asked ends this one.
  if (arguments[2] == probe_ask_and_stay_word) ::sleep(most_seconds_to_stay);
  ::_exit(status);
}

}  // namespace clopt
