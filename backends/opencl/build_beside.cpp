#include "build_beside.hpp"

#include "build_apart.hpp"
#include "device.hpp"

#include <clopt/detail/cache.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>

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

constexpr const char* offered_program = "offered-program";  // in the cache
constexpr const char* list_variable = "CLOPT_OFFERS";
// More than a run's programs take.
constexpr double most_beside_seconds = 120;
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

std::string unique_list() {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}", ::getpid(), count++);
}

std::string name_of_offer(const std::string& list, unsigned number) { return fmt::format("{}.{}", list, number); }

/// One of the lists of offers, read from its begin on.
class OfferList {
 public:
  explicit OfferList(std::string name) : name_(std::move(name)) {}
  std::optional<std::string> next() {
    for (unsigned number = next_; number < next_ + largest_gap; ++number)
      if (auto text = Cache::instance().load(offered_program, name_of_offer(name_, number))) {
        next_ = number + 1;
        return text;
      }
    return std::nullopt;
  }

 private:
  std::string name_;
  unsigned next_ = 0;
};

}  // namespace

BuildsBeside::BuildsBeside(const DeviceInfo& device)
    : device_question_{device.id.substr(device.id.find(':') + 1), device.platform, device.name} {
  if (!Cache::instance().folder()) return;
  if (!can_ask_apart()) {
    const auto list = environment::offers();
    if (!list.empty()) list_ = fmt::format("{}.{}", list, device_question_[0]);
    return;
  }
  if (number_of_processes() == 0) return;
  list_ = unique_list();
  const auto tests = fmt::format("{}.tests", ::getpid());
  tests_list_ = fmt::format("{}.{}", tests, device_question_[0]);
  set_probe_variable(list_variable, tests);
}

BuildsBeside::~BuildsBeside() {
  stop_.request_stop();
  if (processes_.empty()) return;
  processes_.clear();
  is_started = false;
  // A test that was ended leaves its offers.
  for (unsigned number = 0; number < largest_gap; ++number)
    Cache::instance().remove(offered_program, name_of_offer(tests_list_, number));
}

void BuildsBeside::start() {
  if (tests_list_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!processes_.empty() || is_started.exchange(true)) return;
  for (unsigned i = 0; i < number_of_processes(); ++i) try {
      processes_.push_back(std::async(std::launch::async, [this] {
        const std::vector<ProbeQuestion> questions{{"opencl",
                                                    {build_beside_question, device_question_[0], device_question_[1],
                                                     device_question_[2], list_, tests_list_}}};
        ask_apart(questions, most_beside_seconds, stop_.get_token());
      }));
    } catch (const std::system_error& error) {
      log("build", fmt::format("there is no thread for builds beside: {}", error.what()));
      break;
    }
  if (processes_.empty()) is_started = false;
}

BuildsBeside::Offer::Offer(BuildsBeside& all, const ProgramText& program) : all_(all), bytes_(program.source.size()) {
  if (all.list_.empty()) return;
  name_ = name_of_offer(all.list_, all.offers_++);
  Cache::instance().store(offered_program, name_, encode_program(program));
  if (all.open_bytes_.fetch_add(bytes_) + bytes_ >= worthwhile_bytes || environment::builders()) all.start();
}

BuildsBeside::Offer::~Offer() {
  if (name_.empty()) return;
  all_.open_bytes_ -= bytes_;
  Cache::instance().remove(offered_program, name_);
}

void build_beside(ClDevice& device, std::span<const std::string> names) {
  using Clock = std::chrono::steady_clock;
  std::vector<OfferList> lists(names.begin(), names.end());
  // Reserve no program before this process is able to build it.
  device.builder().wait_for_context();
  for (auto last = Clock::now(); Clock::now() - last < longest_wait;) {
    bool any = false;
    for (auto& list : lists)
      if (const auto text = list.next()) {
        any = true;
        device.builder().fill_cache_if_free(decode_program(*text));
      }
    if (any)
      last = Clock::now();
    else
      std::this_thread::sleep_for(pause);
  }
}

}  // namespace clopt::opencl
