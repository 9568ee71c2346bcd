#include "barrier.hpp"

#include <clopt/error.hpp>
#include <generated/operations/probes.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace clopt {
namespace {

using Word = std::uint32_t;
using probes::operations::BarrierCyclicProbe;
using probes::operations::BarrierNoneProbe;
using probes::operations::BarrierXiaoFengProbe;

constexpr Word steps = 200;
constexpr Word slots = 3;  // numbers of a work-item, see probes/barrier.cl
// The cyclic barrier's clocks begin so that they pass 0, which is not a time, on the way.
constexpr Word first_time = ~Word{0} - steps / 2;
// A poll takes a nanosecond on one device and microseconds on another. The bound grows until waiting has taken longer
// than any device needs to begin the groups that it can hold, the host's own pauses included.
constexpr Word first_polls = 1U << 10;
constexpr Word polls_factor = 4;
constexpr Word most_polls = 1U << 28;
constexpr double give_up_seconds = 0.02;

struct Outcome {
  Word given_up = 0;
  Word wrong = 0;
  Word crossed = 0;
  double seconds = 0;
};

// The kernel of one kind, and what its launches need.
class Probe {
 public:
  Probe(Device& device, Word groups, Word group_size, BarrierKind kind) : kind_(kind), queue_(device.queue()) {
    if (kind == BarrierKind::xiao_feng)
      xiao_feng_ = device.kernel<BarrierXiaoFengProbe>();
    else
      cyclic_ = device.kernel<BarrierCyclicProbe>();
    const auto most = kind == BarrierKind::xiao_feng ? xiao_feng_.max_group_size() : cyclic_.max_group_size();
    group_size_ = std::clamp<Word>(group_size, 1, most);
    numbers_ = device.buffer<Word>("numbers to exchange", std::size_t{slots} * groups * group_size_);
    for (auto& flags : flags_) flags = device.buffer<Word>("barrier", groups);
    outcome_ = device.buffer<Word>("outcome of the barrier", 3);
  }

  Outcome run(Word groups, Word polls) {
    queue_->fill(numbers_, 0);
    queue_->fill(outcome_, 0);
    queue_->fill(flags_[0], kind_ == BarrierKind::cyclic ? first_time : 0);
    queue_->fill(flags_[1], 0);
    queue_->finish();
    const Stopwatch stopwatch;
    const auto range = Range::of_groups(groups, group_size_);
    if (kind_ == BarrierKind::xiao_feng)
      queue_->launch(xiao_feng_, range,
                     {.numbers = numbers_,
                      .arrived = flags_[0],
                      .released = flags_[1],
                      .outcome = outcome_,
                      .steps = steps,
                      .most_polls = polls});
    else
      queue_->launch(
          cyclic_, range,
          {.numbers = numbers_, .clock = flags_[0], .outcome = outcome_, .steps = steps, .most_polls = polls});
    queue_->finish();
    const double seconds = stopwatch.seconds();
    std::array<Word, 3> words{};
    queue_->read(outcome_, std::span(words));
    queue_->finish();
    return {words[0], words[1], words[2], seconds};
  }

 private:
  BarrierKind kind_;
  std::unique_ptr<Queue> queue_;
  Kernel<BarrierXiaoFengProbe> xiao_feng_;
  Kernel<BarrierCyclicProbe> cyclic_;
  Word group_size_ = 1;
  Buffer<Word> numbers_;
  Buffer<Word> flags_[2];
  Buffer<Word> outcome_;
};

}  // namespace

BarrierSupport probe_barrier(Device& device, std::uint32_t groups, std::uint32_t group_size, BarrierKind kind) {
  if (groups == 0 || group_size == 0) throw InvalidInput("a barrier needs a work-group and a work-item");
  BarrierSupport support;
  try {
    Probe probe(device, groups, group_size, kind);
    support.polls = first_polls;
    // The first launch may be slow for reasons of its own.
    probe.run(1, support.polls);
    for (auto tried = groups;;) {
      const auto outcome = probe.run(tried, support.polls);
      if (outcome.wrong != 0) {
        support.reason = fmt::format("{} groups crossed and read {} wrong numbers", tried, outcome.wrong);
        return support;
      }
      if (outcome.given_up == 0 && outcome.crossed == tried) {
        support.groups = tried;
        support.seconds = outcome.seconds / steps;
        return support;
      }
      if (outcome.seconds < give_up_seconds && support.polls < most_polls) {
        support.polls *= polls_factor;
        continue;
      }
      support.reason = fmt::format("{} groups do not run at once", tried);
      // A single group needs no barrier.
      if (tried <= 3) return support;
      tried /= 2;
    }
  } catch (const BuildError& error) {
    support.reason = error.what();
    return support;
  }
}

std::optional<double> step_seconds(Device& device, std::uint32_t groups, std::uint32_t group_size, bool launches) {
  try {
    const auto kernel = device.kernel<BarrierNoneProbe>();
    group_size = std::clamp<Word>(group_size, 1, kernel.max_group_size());
    const auto numbers = device.buffer<Word>("numbers to exchange", std::size_t{slots} * groups * group_size);
    const auto queue = device.queue();
    double seconds = 0;
    // The first time may be slow for reasons of its own.
    for (int time = 0; time < 2; ++time) {
      const Stopwatch stopwatch;
      for (Word launch = 0; launch < (launches ? steps : 1); ++launch)
        queue->launch(kernel, Range::of_groups(groups, group_size),
                      {.numbers = numbers, .steps = launches ? 1 : steps});
      queue->finish();
      seconds = stopwatch.seconds();
    }
    return seconds / steps;
  } catch (const BuildError&) {
    return std::nullopt;
  }
}

}  // namespace clopt
