#include "batch.hpp"

#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <objective/host_check.hpp>
#include <objective/precision.hpp>
#include <objective/program.hpp>
#include <support/stopwatch.hpp>
#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <differential_evolution/launch/launcher.hpp>
#include <differential_evolution/launch/pacing.hpp>
#include "restarter.hpp"
#include "summary_buffers.hpp"

namespace clopt::differential_evolution {
namespace {

constexpr std::uint32_t summary_group = 64;
constexpr std::uint32_t totals_group = 64;  // as total_values() has
// Of data that a thread of the host converts at a time.
constexpr std::size_t numbers_of_part = std::size_t{1} << 18;
// What the values of several generations may take of a device's memory, and how many generations pay.
constexpr std::size_t most_history_bytes = std::size_t{128} << 20;
constexpr std::size_t most_history = 4096;

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  std::vector<To> result(from.size());
  std::transform(from.begin(), from.end(), result.begin(), [](From value) { return static_cast<To>(value); });
  return result;
}

template <class Real>
class BatchOf : public Batch {
 public:
  BatchOf(Device& device, const Plan& plan, Method method, std::size_t room, std::size_t most_kept)
      : device_(device),
        plan_(plan),
        room_(room),
        queue_(device.queue()),
        is_fused_(method == Method::fused),
        counts_calls_(needs_whole_generations(plan.objective)),
        builder_(device, plan, counts_calls_ ? &calls_ : nullptr),
        history_(most_kept),
        has_totals_(most_kept != 0 && !plan.constrained() && !plan.restarts && device.info().has_double &&
                    device.has_long_loops()) {
    allocate();
    objective::build_with(plan.objective, device, [&] {
      BuildAhead builds;
      summarise_ = builder_.plain<operations::Summarise<Real>>();
      if (history_ != 0) least_values_ = builder_.plain<operations::LeastValues<Real>>();
      if (has_totals_) total_values_ = builder_.plain<operations::TotalValues<Real>>();
      launcher_ = make_launcher<Real>(method, builder_, buffers_, room);
      polisher_ = make_polisher<Real>(builder_, buffers_, room);
      if (plan.restarts) restarter_.emplace(builder_, buffers_, room);
      builds.finish();
    });
    auto bounds = converted<Real>(plan_.bounds);
    bounds.insert(bounds.end(), plan_.whole.begin(), plan_.whole.end());
    queue_->write_later(buffers_.bounds, HostArray(std::move(bounds)));
    buffers_.tables = objective::upload_tables<Real>(device_, *queue_, plan_.objective);
    // Only a checkpoint reads these before they are written.
    queue_->fill(buffers_.controls, Real{0});
    queue_->fill(buffers_.archive, Real{0});
  }

  void take(std::size_t first, std::size_t count) override {
    count_ = count;
    states_.resize(count);
    for (std::size_t k = 0; k < count; ++k) states_[k] = plan_.first_state(first + k);
    running_.resize(count);
    std::iota(running_.begin(), running_.end(), 0U);
    launcher_->take(count);
    if (restarter_) restarter_->take(*queue_);
    write_rows(first);
    write_initial(first);
  }

  void initialise(const Watch& watch) override {
    queue_->write_later(buffers_.states, std::span<const State>(states_));
    auto pacing = pacing_of_problems(device_, plan_);
    std::size_t begun = 0;
    while (begun < count_ && (begun == 0 || !watch.expired())) {
      const double begin = watch.seconds();
      const auto end = begun + std::min<std::size_t>(count_ - begun, pacing.steps());
      launcher_->initialise(*queue_, begun, end);
      queue_->finish();
      pacing.aim_at(wanted_seconds, end - begun, watch.seconds() - begin);
      begun = end;
    }
    count_ = begun;
    states_.resize(count_);
    running_.resize(count_);
    launcher_->begin(*queue_, 0);
    find_running();
  }
  std::size_t count() const override { return count_; }

  void restore(const EvolutionState& state, std::uint32_t generation) override {
    states_ = state.states;
    queue_->write(buffers_.states, std::span<const State>(states_));
    queue_->write(buffers_.vectors, std::span<const Real>(converted<Real>(state.vectors)));
    queue_->copy(buffers_.vectors, buffers_.next_vectors, state.vectors.size());
    queue_->write(buffers_.values, std::span<const Real>(converted<Real>(state.values)));
    queue_->write(buffers_.controls, std::span<const Real>(converted<Real>(state.controls)));
    if (plan_.has_archive()) queue_->write(buffers_.archive, std::span<const Real>(converted<Real>(state.archive)));
    if (restarter_) {
      queue_->write(restarter_->values(), std::span<const Real>(converted<Real>(state.kept_values)));
      queue_->write(restarter_->vectors(), std::span<const Real>(converted<Real>(state.kept_vectors)));
    }
    launcher_->begin(*queue_, generation);
    find_running();
  }

  void begin_advance(std::uint32_t first_generation, std::uint32_t last_generation, HistoryKind kept,
                     const std::function<bool()>& is_over) override {
    since_launch_ = {};
    kept_ = kept;
    kept_generations_ = 0;
    kept_read_ = {};
    launched_ = last_generation - first_generation + 1;
    if (running_.empty()) return;
    const bool keeps = kept != HistoryKind::nothing;
    const bool restarts = plan_.restarts_in(first_generation);
    const auto advance = [&] {
      if (restarts) restarter_->launch(*queue_, count_, first_generation);
      launcher_->advance(*queue_, first_generation, last_generation, running_, keeps);
      if (restarts) end_restart(first_generation, keeps);
    };
    if (!counts_calls_)
      advance();
    else if (restarts)
      // Two calls of one generation, which end it together.
      launched_ = calls_.count(is_over, advance) != 0 && calls_.has_ended() ? 1 : 0;
    else
      launched_ = calls_.count(
          can_end_early() && !keeps ? is_over : [] { return false; }, advance);
    if (keeps && launched_ != 0) keep(launched_);
    queue_->flush();
    // While the device works.
    prepare_summary();
  }

  std::uint32_t most_kept() const override { return static_cast<std::uint32_t>(history_); }
  bool has_totals() const override { return has_totals_; }

  std::span<const shared::evolution_totals> totals() const override {
    return {host_totals_.data(), kept_ == HistoryKind::totals ? kept_generations_ : 0};
  }

  Values least_values() override {
    // A problem has ended where totals were kept.
    if (kept_ == HistoryKind::totals) read_least_later().wait();
    kept_ = HistoryKind::values;
    const auto least = host_least_[turn_].part(0, kept_generations_ * count_);
    return std::span<const Real>(least.data(), least.size());
  }

  std::uint32_t stopped_at(std::size_t k) const override { return states_[k].stopped_at; }
  std::uint32_t await() override {
    find_running();
    // Errors are the events'.
    if (kept_generations_ != 0) kept_read_.wait();
    last_seconds_ = since_launch_.seconds();
    return launched_;
  }

  bool can_end_early() const override { return counts_calls_ && is_fused_; }

  std::size_t running() const override { return running_.size(); }

  Summary summarise() override {
    prepare_summary();
    auto& parts = *summary_;
    const auto group = std::min(summary_group, summarise_.max_group_size());
    queue_->launch(summarise_, Range::of_groups(count_, group),
                   {.vectors = buffers_.vectors,
                    .values = buffers_.values,
                    .states = buffers_.states,
                    .settings = plan_.settings,
                    .best_values = parts.best(),
                    .worst_values = parts.worst(),
                    .best_vectors = parts.vectors(),
                    .digests = parts.digests(),
                    .least = Local<Real>(group),
                    .greatest = Local<Real>(group),
                    .places = Local<std::uint32_t>(group),
                    .parts = Local<std::uint64_t>(group)});
    auto summary = parts.read(*queue_, count_);
    let_restart(summary.states);
    if (restarter_) restarter_->take_better(*queue_, summary);
    return summary;
  }

  std::optional<Polished> polish(const Watch& watch) override {
    if (!polisher_) return std::nullopt;
    return polisher_->polish(*queue_, count_, watch);
  }

  Best best() override {
    const std::size_t population = plan_.settings.population;
    std::vector<Real> values(count_ * population);
    queue_->read(buffers_.values, std::span(values));
    // Individuals that a shrinking population has dropped are no better than those that stayed.
    const auto least = std::min_element(values.begin(), values.end(), [](Real one, Real other) {
      return one < other || (std::isnan(other) && !std::isnan(one));
    });
    if (least == values.end()) return {};
    if (auto kept = restarter_ ? restarter_->best(*queue_, count_) : Best{};
        Restarter<Real>::takes(kept.value, static_cast<double>(*least)))
      return kept;
    if (!std::isfinite(*least)) return {};
    const auto place = static_cast<std::size_t>(least - values.begin());
    std::vector<Real> vectors(population * plan_.settings.dimensions);
    queue_->read(buffers_.vectors, std::span(vectors), place / population * vectors.size());
    Best best{static_cast<double>(*least)};
    for (auto at = place % population; at < vectors.size(); at += population)
      best.point.push_back(static_cast<double>(vectors[at]));
    return best;
  }

  EvolutionState state() override {
    EvolutionState state;
    state.states.resize(count_);
    queue_->read(buffers_.states, std::span(state.states));
    const std::size_t population = plan_.settings.population;
    let_restart(state.states);
    if (restarter_) {
      state.kept_values = numbers_of(restarter_->values(), count_);
      state.kept_vectors = numbers_of(restarter_->vectors(), count_ * plan_.settings.dimensions);
    }
    state.vectors = numbers_of(buffers_.vectors, count_ * population * plan_.settings.dimensions);
    state.values = numbers_of(buffers_.values, count_ * population);
    state.controls = numbers_of(
        buffers_.controls,
        std::max<std::size_t>(1, count_ * shared::evolution_controls(plan_.settings.adapt, plan_.settings.population)));
    if (plan_.has_archive()) state.archive = numbers_of(buffers_.archive, count_ * archive_numbers());
    return state;
  }

  std::uint64_t launches() const override { return queue_->counts().launches + launcher_->launches(); }
  double last_seconds() const override { return last_seconds_; }

 private:
  std::size_t archive_numbers() const { return std::size_t{plan_.settings.archive} * plan_.settings.dimensions; }

  void allocate() {
    const std::size_t individuals = room_ * plan_.settings.population;
    const std::size_t numbers = individuals * plan_.settings.dimensions;
    buffers_.history = device_.buffer<Real>("values of generations", std::max<std::size_t>(1, history_ * individuals));
    if (history_ != 0) {
      least_of_history_ = device_.buffer<Real>("least values of generations", history_ * room_);
      if (has_totals_) {
        totals_ = device_.buffer<shared::evolution_totals>("totals of generations", history_);
        host_totals_ = HostArray<shared::evolution_totals>(history_);
      }
    }
    buffers_.vectors = device_.buffer<Real>("vectors", numbers);
    buffers_.next_vectors = device_.buffer<Real>("next vectors", numbers);
    buffers_.values = device_.buffer<Real>("values", individuals);
    const std::size_t controls = shared::evolution_controls(plan_.settings.adapt, plan_.settings.population);
    buffers_.controls = device_.buffer<Real>("control parameters", std::max<std::size_t>(1, room_ * controls));
    buffers_.order =
        zeroed_buffer<std::uint32_t>(device_, *queue_, "individuals by rank", plan_.needs_order() ? individuals : 1);
    buffers_.archive = device_.buffer<Real>("archive", std::max<std::size_t>(1, room_ * archive_numbers()));
    buffers_.states = device_.buffer<State>("states", room_);
    // As zeroed_buffer(), in words.
    static_assert(sizeof(State) % sizeof(std::uint32_t) == 0);
    queue_->fill(Buffer<std::uint32_t>(buffers_.states.memory(), room_ * sizeof(State) / sizeof(std::uint32_t)), 0U);
    buffers_.bounds = device_.buffer<Real>("bounds", plan_.bounds.size() + plan_.whole.size());
    const std::size_t initial = std::size_t{plan_.settings.initial} * plan_.settings.dimensions;
    buffers_.initial = device_.buffer<Real>(
        "start vectors", std::max<std::size_t>(1, plan_.settings.initial_step == 0 ? initial : room_ * initial));
    buffers_.rows = device_.buffer<Real>("data", std::max<std::size_t>(1, room_ * plan_.settings.columns));
  }

  void prepare_summary() {
    if (summary_) return;
    summary_.emplace(device_, buffers_.states, room_, plan_.settings.dimensions);
    objective::get_ready_for_values(plan_.objective);
  }

  void write_rows(std::size_t first) {
    const auto count = count_ * plan_.settings.columns;
    if (count == 0) return void(queue_->write_later(buffers_.rows, HostArray<Real>(1)));
    // Not set to 0 before.
    const std::shared_ptr<Real[]> memory(new Real[count]);
    auto* const rows = memory.get();
    const auto* const data = plan_.rows().data() + first * plan_.settings.columns;
    threads_->run((count + numbers_of_part - 1) / numbers_of_part, [&](std::size_t part) {
      const auto end = std::min((part + 1) * numbers_of_part, count);
      for (auto n = part * numbers_of_part; n < end; ++n) rows[n] = static_cast<Real>(data[n]);
    });
    queue_->write_later(buffers_.rows, HostArray<Real>(memory, rows, count));
  }

  void write_initial(std::size_t first) {
    const auto& settings = plan_.settings;
    if (settings.initial == 0) return;
    const std::size_t each = std::size_t{settings.initial} * settings.dimensions;
    const auto own = settings.initial_step == 0 ? std::span(plan_.options.initial)
                                                : std::span(plan_.options.initial).subspan(first * each, count_ * each);
    std::vector<Real> numbers(own.size());
    // No negative zeros, like the bounds.
    std::transform(own.begin(), own.end(), numbers.begin(),
                   [](double number) { return static_cast<Real>(number + 0.0); });
    queue_->write_later(buffers_.initial, HostArray(std::move(numbers)));
  }

  /// Finds the least values of a launch's generations, and begins to read them or their totals.
  void keep(std::uint32_t generations) {
    kept_generations_ = generations;
    const auto count = std::uint64_t{generations} * count_;
    queue_->launch(least_values_, Range::of_items(count),
                   {.history = buffers_.history,
                    .least = least_of_history_,
                    .population = plan_.settings.population,
                    .count = count});
    if (kept_ == HistoryKind::values) {
      kept_read_ = read_least_later();
      return;
    }
    const auto group = std::min(totals_group, total_values_.max_group_size());
    queue_->launch(total_values_, Range::of_groups(generations, group),
                   {.least = least_of_history_, .totals = totals_, .problems = static_cast<std::uint32_t>(count_)});
    kept_read_ = queue_->read_later(totals_, host_totals_.part(0, generations));
  }

  /// Into the array that the last ones are not in.
  Event read_least_later() {
    turn_ = 1 - turn_;
    auto& least = host_least_[turn_];
    if (least.empty())
      least = HostArray<Real>(
          device_.buffer<Real>("least values of generations", history_ * room_, MemoryKind::host_visible));
    return queue_->read_later(least_of_history_, least.part(0, kept_generations_ * count_));
  }

  void find_running() {
    if (plan_.settings.stop == 0) return queue_->finish();
    queue_->read(buffers_.states, std::span(states_));
    let_restart(states_);
    select_running();
  }

  // Problems that restart run in that generation, too, with the values that they begin with.
  void end_restart(std::uint32_t generation, bool keeps) {
    launcher_->begin(*queue_, generation);
    if (keeps) queue_->copy(buffers_.values, buffers_.history, count_ * plan_.settings.population);
  }

  // A restart that the end of the run has cut short is repeated.
  static void let_restart(std::vector<State>& states) {
    for (auto& state : states)
      if (shared::evolution_restarts(state, state.restarted_at) != 0) state.stopped_at = EVOLUTION_RUNNING;
  }

  void select_running() {
    running_.clear();
    for (std::uint32_t k = 0; k < count_; ++k)
      if (states_[k].stopped_at == EVOLUTION_RUNNING) running_.push_back(k);
  }

  std::vector<double> numbers_of(const Buffer<Real>& buffer, std::size_t count) {
    std::vector<Real> numbers(count);
    queue_->read(buffer, std::span(numbers));
    return converted<double>(numbers);
  }

  Device& device_;
  const Plan& plan_;
  std::size_t room_;
  std::size_t count_ = 0;
  std::unique_ptr<Queue> queue_;
  objective::CountedCalls calls_;
  bool is_fused_;
  bool counts_calls_;  // each call is a generation of all problems that still run
  Builder builder_;
  Buffers<Real> buffers_;
  std::unique_ptr<Launcher<Real>> launcher_;
  std::unique_ptr<Polisher> polisher_;
  std::optional<Restarter<Real>> restarter_;
  Kernel<operations::Summarise<Real>> summarise_;
  std::optional<SummaryBuffers<Real>> summary_;
  Kernel<operations::LeastValues<Real>> least_values_;
  Buffer<Real> least_of_history_;
  std::array<HostArray<Real>, 2> host_least_;  ///< by turns
  std::size_t turn_ = 0;                       ///< of the last one
  Kernel<operations::TotalValues<Real>> total_values_;
  Buffer<shared::evolution_totals> totals_;
  HostArray<shared::evolution_totals> host_totals_;
  std::size_t history_;  ///< generations that are kept at most
  bool has_totals_;
  std::uint32_t launched_ = 0;               ///< generations of the last launch
  HistoryKind kept_ = HistoryKind::nothing;  ///< by it
  std::size_t kept_generations_ = 0;
  Event kept_read_;  ///< of what was kept
  std::vector<State> states_;
  std::vector<std::uint32_t> running_;
  KeptTeam threads_ = kept_team();
  Stopwatch since_launch_;
  double last_seconds_ = 0;
};

}  // namespace

void require_device(const Device& device, const Plan& plan) {
  objective::require_device(device, plan.objective, plan.is_double(),
                            objective::why_doubles(plan.objective, plan.problem.dimensions));
}

std::unique_ptr<Batch> make_batch(Device& device, const Plan& plan, Method method, std::size_t room,
                                  std::size_t most_kept) {
  require_device(device, plan);
  if (plan.is_double()) return std::make_unique<BatchOf<double>>(device, plan, method, room, most_kept);
  return std::make_unique<BatchOf<float>>(device, plan, method, room, most_kept);
}

std::size_t most_kept_by(const Device& device, const Plan& plan, std::size_t room) {
  if (!plan.keeps_history()) return 0;
  const std::size_t real = plan.is_double() ? sizeof(double) : sizeof(float);
  const auto bytes = std::min<std::uint64_t>(most_history_bytes, device.info().max_allocation_bytes / 2);
  return std::clamp<std::size_t>(bytes / (room * plan.settings.population * real), 1, most_history);
}

std::size_t bytes_of_problem(const Plan& plan) {
  const auto& settings = plan.settings;
  const std::size_t real = plan.is_double() ? sizeof(double) : sizeof(float);
  // The host's and what crosses are counted, too: the device may be the host.
  const std::size_t vectors = plan.method == Method::offloaded ? 5 : 2;
  const std::size_t individual = vectors * (std::size_t{settings.dimensions} + 1) * real + sizeof(std::uint32_t) +
                                 std::max(2 * EVOLUTION_DRAWN_WORDS, plan.drawn_words()) * sizeof(std::uint32_t);
  const std::size_t controls = shared::evolution_controls(settings.adapt, settings.population);
  const std::size_t archive = std::size_t{settings.archive} * settings.dimensions;
  const std::size_t history = plan.keeps_history() ? (std::size_t{settings.population} + 1) * real : 0;
  const std::size_t initial = std::size_t{settings.initial_step} * settings.dimensions;
  const std::size_t summary = (std::size_t{settings.dimensions} + 2) * real + sizeof(std::uint64_t);
  return settings.population * individual + (controls + archive + settings.columns + initial) * real + history +
         sizeof(State) + summary + (plan.restarts ? (std::size_t{settings.dimensions} + 1) * real : 0) +
         polish_bytes_of_problem(plan) + 64;
}

}  // namespace clopt::differential_evolution
