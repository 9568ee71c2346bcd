#include "helper_builds.hpp"

#include "device.hpp"
#include "drivers.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>
#include <support/process/resource_limits.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace clopt::opencl {
namespace {

// Kinds of records in the cache.
constexpr const char* program_to_build = "program-to-build";
constexpr const char* unfinished_build = "unfinished-build";
constexpr const char* fatal_build = "fatal-build";

constexpr const char* list_variable = "CLOPT_OFFERS";
// Compilers of processors take seconds for each kernel, and several times as long where others take the cores; all
// programs of a run take a GPU's compiler less.
constexpr double most_seconds = 120;
// Texts that are worth the start of processes: half a second for a compiler, or more.
constexpr std::size_t worthwhile_bytes = 150'000;
// Offers go once they are built: the next ones have higher numbers, and there is none behind a gap as large as this.
constexpr unsigned largest_gap = 64;
constexpr auto pause = std::chrono::milliseconds(1);
// What runs and tests build comes at once, but for what waits for a kernel. Processes that stay longer would end when
// the run does, and the ends of a driver wait for each other.
constexpr auto longest_wait = std::chrono::milliseconds(150);

// Each keeps a core busy, and so do this process and the one that tests the device.
unsigned number_of_processes() {
  if (const auto wanted = environment::builders()) return *wanted;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min(cores / 4, 3U);
}

// Devices of a kind share what is built: those of the first one that needs any serve all.
std::atomic<bool> is_started = false;

std::string unique_name() {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}", ::getpid(), count++);
}

std::string name_in_list(const std::string& list, unsigned number) { return fmt::format("{}.{}", list, number); }

std::string encode_program(const ProgramText& program) {
  return fmt::format("{}\n{}\n{}", program.operation, program.options, program.source);
}

ProgramText decode_program(const std::string& record) {
  const auto operation_end = record.find('\n');
  const auto options_end = record.find('\n', operation_end + 1);
  if (operation_end == record.npos || options_end == record.npos) throw InvalidInput("the program to build is damaged");
  return {record.substr(0, operation_end), record.substr(operation_end + 1, options_end - operation_end - 1),
          record.substr(options_end + 1)};
}

std::optional<ProgramText> load_record(const std::string& name) {
  const auto text = Cache::instance().load(program_to_build, name);
  return text ? std::optional(decode_program(*text)) : std::nullopt;
}

/// One of the lists of offers, read from its begin on.
class OfferList {
 public:
  explicit OfferList(std::string name) : name_(std::move(name)) {}
  std::optional<ProgramText> next() {
    for (unsigned number = next_; number < next_ + largest_gap; ++number)
      if (auto program = load_record(name_in_list(name_, number))) {
        next_ = number + 1;
        return program;
      }
    return std::nullopt;
  }

 private:
  std::string name_;
  unsigned next_ = 0;
};

[[noreturn]] void refuse(const std::string& label, const std::string& operation, const std::string& fault) {
  throw DeviceError(
      fmt::format("the driver of {} {} while it built {}; use another device. `clopt cache clear` lets "
                  "it be tried again",
                  label, fault, operation));
}

}  // namespace

ProgramRecord::ProgramRecord(std::string name, const ProgramText& program) : name_(std::move(name)) {
  Cache::instance().store(program_to_build, name_, encode_program(program));
}

ProgramRecord::~ProgramRecord() { Cache::instance().remove(program_to_build, name_); }

bool build_isolated(const DeviceInfo& info, const std::string& label, const ProgramText& program,
                    const std::string& key) {
  const auto& cache = Cache::instance();
  if (!cache.folder() || !can_ask_apart()) return false;
  if (const auto fault = cache.load(fatal_build, key + limits_of_process())) refuse(label, program.operation, *fault);
  const Activity activity(fmt::format("building {} for {} for the first time", program.operation, label));
  const ProgramRecord record(unique_name(), program);
  const auto answer =
      ask_apart(std::vector{question_about(info, build_question, {record.name()})}, most_seconds).front();
  if (answer.end != ProbeEnd::lost) return answer.end == ProbeEnd::answered;
  // What took too long on a busy machine may be quick on another day.
  if (!answer.ran_out_of_time) cache.store(fatal_build, key + limits_of_process(), answer.fault);
  refuse(label, program.operation, answer.fault);
}

void build_record(ClDevice& device, const std::string& name) {
  const auto program = load_record(name);
  if (!program) throw InvalidInput("there is no such program to build");
  device.builder().fill_cache(*program);
}

UnfinishedBuild::UnfinishedBuild(const std::string& key) : key_(can_ask_apart() ? key : std::string{}) {
  if (!key_.empty()) Cache::instance().store(unfinished_build, key_, "");
}

UnfinishedBuild::~UnfinishedBuild() {
  if (!key_.empty()) Cache::instance().remove(unfinished_build, key_);
}

bool UnfinishedBuild::is_known(const std::string& key) {
  return Cache::instance().load(unfinished_build, key).has_value();
}

ParallelBuilds::ParallelBuilds(const DeviceInfo& device) : question_(question_about(device, build_offers_question)) {
  if (!Cache::instance().folder()) return;
  const auto list_of = [&](const std::string& name) { return fmt::format("{}.{}", name, number_of(device)); };
  if (!can_ask_apart()) {
    const auto list = environment::offers();
    if (!list.empty()) list_ = list_of(list);
    return;
  }
  if (number_of_processes() == 0) return;
  list_ = unique_name();
  const auto tests = fmt::format("{}.tests", ::getpid());
  tests_list_ = list_of(tests);
  question_.words.insert(question_.words.end(), {list_, tests_list_});
  set_probe_variable(list_variable, tests);
}

ParallelBuilds::~ParallelBuilds() {
  stop_.request_stop();
  if (processes_.empty()) return;
  processes_.clear();
  is_started = false;
  // A test that was ended leaves its offers.
  for (unsigned number = 0; number < largest_gap; ++number)
    Cache::instance().remove(program_to_build, name_in_list(tests_list_, number));
}

void ParallelBuilds::start() {
  if (tests_list_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!processes_.empty() || is_started.exchange(true)) return;
  for (unsigned i = 0; i < number_of_processes(); ++i) try {
      processes_.push_back(std::async(
          std::launch::async, [this] { ask_apart(std::span(&question_, 1), most_seconds, stop_.get_token()); }));
    } catch (const std::system_error& error) {
      log("build", fmt::format("there is no thread for parallel builds: {}", system_message(error.code().value())));
      break;
    }
  if (processes_.empty()) is_started = false;
}

ParallelBuilds::Offer::Offer(ParallelBuilds& all, const ProgramText& program) : all_(all) {
  if (all.list_.empty()) return;
  bytes_ = program.source.size();
  record_.emplace(name_in_list(all.list_, all.offers_++), program);
  if (all.open_bytes_.fetch_add(bytes_) + bytes_ >= worthwhile_bytes || environment::builders()) all.start();
}

void build_offers(ClDevice& device, std::span<const std::string> lists) {
  using Clock = std::chrono::steady_clock;
  std::vector<OfferList> all(lists.begin(), lists.end());
  // Other processes build until this one can.
  device.builder().wait_for_context();
  for (auto last = Clock::now(); Clock::now() - last < longest_wait;) {
    bool any = false;
    for (auto& list : all)
      if (const auto program = list.next()) {
        any = true;
        device.builder().fill_cache_if_free(*program);
      }
    if (any)
      last = Clock::now();
    else
      std::this_thread::sleep_for(pause);
  }
}

}  // namespace clopt::opencl
