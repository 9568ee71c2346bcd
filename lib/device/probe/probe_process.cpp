#include "probe_process.hpp"
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <support/process/environment.hpp>
#include <support/process/helper_program.hpp>
#include <support/process/log.hpp>
#include <support/process/processor_wait.hpp>
#include <support/threads/process_mutex.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace clopt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view program_name = "clopt-probe";
// Far more than anyone reads of what a driver prints.
constexpr std::size_t most_printed = 64 << 10;
constexpr std::size_t most_quoted = 200;
constexpr std::size_t most_said = std::size_t{1} << 20;
constexpr auto shortest_pause = std::chrono::microseconds(200);
constexpr auto longest_pause = std::chrono::milliseconds(5);
constexpr auto look_interval = std::chrono::milliseconds(100);
// What a process may say to have waited for a processor, as a part of the time: one that spins for ever ends, too.
constexpr double most_without = 0.8;

fs::path program() { return helper_program(program_name); }

/// A file in memory, whose end several threads and processes may write to at the same time.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) {
    // Beyond the numbers that the process is given its files by, which may be free here.
    const int file = ::memfd_create(name, MFD_CLOEXEC);
    number_ = ::fcntl(file, F_DUPFD_CLOEXEC, 10);
    if (file >= 0) ::close(file);
    // Without it, two threads may write to the same place: Linux guards the place of files that were opened, and this
    // one was not.
    if (number_ >= 0) ::fcntl(number_, F_SETFL, O_APPEND);
  }
  ~MemoryFile() {
    if (number_ >= 0) ::close(number_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int number() const { return number_; }
  std::string text(std::size_t most) const {
    std::string text(most, '\0');
    const auto length = ::pread(number_, text.data(), text.size(), 0);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return text;
  }

 private:
  int number_ = -1;
};

/// One process that answers, from its start to its end.
class Process {
 public:
  Process(const std::vector<std::string>& words, const std::vector<std::pair<std::string, std::string>>& changes) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string_view text = *variable;
      const auto name = text.substr(0, text.find('='));
      if (std::none_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == name; }))
        variables.emplace_back(text);
    }
    for (const auto& [name, value] : changes) variables.push_back(fmt::format("{}={}", name, value));
    start(pointers(words), pointers(variables));
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  // Do not wait until the system has ended it: a driver of a GPU takes a tenth of a second.
  ~Process() {
    if (id_ <= 0) return;
    ::kill(-id_, SIGKILL);
    try {
      std::thread(wait_for_end, id_).detach();
    } catch (const std::system_error&) {
      wait_for_end(id_);
    }
  }

  bool runs() {
    if (id_ <= 0) return false;
    siginfo_t found{};
    const int failed = ::waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT);
    if ((failed == 0 && found.si_pid == 0) || (failed != 0 && errno == EINTR)) return true;
    // What it has started and left is of no more use. Its number is no other's until it is waited for.
    ::kill(-id_, SIGKILL);
    if (::waitpid(id_, &status_, 0) < 0) status_ = -1;
    id_ = 0;
    return false;
  }
  // Ends it, with the compilers that it has started, for it took too long.
  void end() {
    ::kill(-id_, SIGKILL);
    while (::waitpid(id_, &status_, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    ran_out_of_time_ = true;
  }
  // Whether the whole answer is there.
  bool has_answered() const {
    struct stat file {};
    char last = 0;
    return is_started_ && ::fstat(answer_.number(), &file) == 0 && file.st_size > 0 &&
           ::pread(answer_.number(), &last, 1, file.st_size - 1) == 1 && last == probe_end_mark;
  }

  double seconds_without_processor() { return wait_.seconds(id_); }

  ProbeAnswer answer(double seconds) const {
    ProbeAnswer answer;
    if (!is_started_) return answer;
    answer.printed = printed_.text(most_printed);
    auto said = answer_.text(most_said);
    if (said.ends_with(probe_end_mark)) {
      said.pop_back();
      if (const auto mark = said.find(probe_answer_mark); mark != said.npos && (mark == 0 || said[mark - 1] == '\n')) {
        answer.end = ProbeEnd::answered;
        answer.text = said.substr(mark + probe_answer_mark.size());
        return answer;
      }
      if (const auto mark = said.rfind(probe_failure_mark); mark != said.npos) {
        answer.end = ProbeEnd::failed;
        answer.fault = fmt::format("failed: {}", said.substr(mark + probe_failure_mark.size()));
        return answer;
      }
    }
    answer.end = ran_out_of_time_ || !was_ended_by_others() ? ProbeEnd::lost : ProbeEnd::failed;
    answer.fault = fault(said, seconds);
    answer.ran_out_of_time = ran_out_of_time_;
    if (auto printed = printable(answer.printed, most_quoted); !printed.empty())
      answer.fault += fmt::format("; it printed '{}'", printed);
    return answer;
  }

 private:
  static void wait_for_end(pid_t id) {
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (const auto& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
  }

  void start(std::vector<char*> words, std::vector<char*> variables) {
    if (printed_.number() < 0 || answer_.number() < 0) return log("probe", "the system gives no files in memory");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, printed_.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, printed_.number(), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answer_.number(), probe_answer_number);
    // A group of its own, so that it ends with all that it starts; and signals as a new program has them.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    const int failed = ::posix_spawn(&id_, words.front(), &actions, &attributes, words.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    is_started_ = failed == 0;
    if (failed != 0) {
      id_ = 0;
      log("probe", fmt::format("{} does not start: {}", words.front(), system_message(failed)));
    }
  }

  // Ended by the system, short of memory, or by the user: no evidence about the driver.
  bool was_ended_by_others() const {
    if (!WIFSIGNALED(status_)) return false;
    constexpr std::array faults{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    return std::find(faults.begin(), faults.end(), WTERMSIG(status_)) == faults.end();
  }

  std::string fault(const std::string& said, double seconds) const {
    std::string step;
    if (const auto last = said.rfind(probe_step_mark); last != said.npos)
      step = " " + said.substr(last, said.find('\n', last) - last);
    if (ran_out_of_time_) return fmt::format("did not answer in {:g} s{}", seconds, step);
    if (!WIFSIGNALED(status_))
      return fmt::format("ended the process with status {}{}", WIFEXITED(status_) ? WEXITSTATUS(status_) : -1, step);
    const int signal = WTERMSIG(status_);
    return fmt::format("{} with signal {} ({}){}", signal == SIGABRT ? "aborted" : "crashed", signal,
                       ::sigdescr_np(signal) ? ::sigdescr_np(signal) : "unknown", step);
  }

  MemoryFile printed_{"clopt-probe-printed"};
  MemoryFile answer_{"clopt-probe-answer"};
  pid_t id_ = 0;
  int status_ = 0;
  bool is_started_ = false;
  bool ran_out_of_time_ = false;
  ProcessorWait wait_;
};

/// Variables that all processes get.
struct CommonVariables {
  ProcessMutex mutex{Holding::alone};
  std::vector<std::pair<std::string, std::string>> list;
};

CommonVariables& common_variables() {
  static auto* instance = new CommonVariables;  // never destroyed: drivers may work when the process ends
  return *instance;
}

std::vector<std::pair<std::string, std::string>> with_common_variables(
    std::vector<std::pair<std::string, std::string>> own) {
  auto& common = common_variables();
  const std::lock_guard lock(common.mutex);
  own.insert(own.end(), common.list.begin(), common.list.end());
  return own;
}

struct Request {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> environment;
};

std::vector<ProbeAnswer> run(const std::vector<Request>& requests, double seconds, const std::stop_token& stop) {
  const auto begin = Clock::now();
  std::vector<std::shared_ptr<Process>> processes;
  for (const auto& request : requests) {
    std::vector<std::string> words{program().string(), std::string(version()), std::to_string(::getpid())};
    words.insert(words.end(), request.words.begin(), request.words.end());
    log("probe", fmt::format("a process of its own is asked: {}", fmt::join(request.words, " ")));
    processes.push_back(std::make_shared<Process>(words, with_common_variables(request.environment)));
  }
  auto pause = std::chrono::duration_cast<Clock::duration>(shortest_pause);
  auto next_look = begin;
  for (;;) {
    bool any = false;
    for (const auto& process : processes) any = (process->runs() && !process->has_answered()) || any;
    if (!any) break;
    // Processes that are left behind are not waited for.
    if (stop.stop_requested())
      return {requests.size(), {ProbeEnd::failed, {}, "was cancelled: its answer is no longer needed"}};
    const auto now = Clock::now();
    if (now >= next_look) {
      next_look = now + look_interval;
      const std::chrono::duration<double> past = now - begin;
      // A driver is to blame for its own time only: on a busy machine it may get little of it.
      for (auto& process : processes) {
        if (!process->runs() || process->has_answered()) continue;
        const double without = std::min(process->seconds_without_processor(), most_without * past.count());
        if (past.count() - without >= seconds) process->end();
      }
    }
    std::this_thread::sleep_for(pause);
    pause = std::min<Clock::duration>(pause * 5 / 4, longest_pause);
  }
  std::vector<ProbeAnswer> answers;
  for (const auto& process : processes) {
    answers.push_back(process->answer(seconds));
    if (answers.back().end == ProbeEnd::answered) answers.back().process = process;
    auto printed = std::string_view(answers.back().printed);
    while (printed.ends_with('\n')) printed.remove_suffix(1);
    if (!printed.empty()) log("probe", fmt::format("a driver that was looked at says: {}", printed));
  }
  return answers;
}

}  // namespace

std::vector<ProbeAnswer> ask_apart(std::span<const ProbeQuestion> questions, double seconds,
                                   const std::stop_token& stop) {
  std::vector<Request> requests;
  for (const auto& question : questions) {
    std::vector<std::string> words{std::string(question.stays ? probe_ask_and_stay_word : probe_ask_word),
                                   question.backend};
    words.insert(words.end(), question.words.begin(), question.words.end());
    requests.push_back({std::move(words), question.environment});
  }
  return run(requests, seconds, stop);
}

ProbeAnswer test_apart(const DeviceInfo& info, const std::vector<std::string>& tests, double seconds,
                       const std::stop_token& stop) {
  std::vector<std::string> words{std::string(probe_test_word), info.id, info.platform, info.name};
  words.insert(words.end(), tests.begin(), tests.end());
  return run({{std::move(words), {}}}, seconds, stop).front();
}

void set_probe_variable(const std::string& name, const std::string& value) {
  auto& common = common_variables();
  const std::lock_guard lock(common.mutex);
  std::erase_if(common.list, [&](const auto& each) { return each.first == name; });
  common.list.emplace_back(name, value);
}

bool can_ask_apart() {
  static const bool is_there = !program().empty();
  return is_there && !is_answering() && environment::isolates();
}

}  // namespace clopt
