#include "run.hpp"

#include <fmt/format.h>
#include <clopt/error.hpp>
#include <group/lost_devices.hpp>
#include <group/places.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <differential_evolution/device/method_choice.hpp>
#include "host_check.hpp"
#include "messages.hpp"

namespace clopt::differential_evolution {
namespace {

// Those whose launches are calls come last: others need not wait for them.
std::vector<std::shared_ptr<Device>> in_order(std::span<const std::shared_ptr<Device>> given) {
  std::vector<std::shared_ptr<Device>> devices(given.begin(), given.end());
  std::stable_partition(devices.begin(), devices.end(),
                        [](const auto& device) { return !device->info().launches_are_calls; });
  return devices;
}

// The best vectors of a summary become those that a local search has made better.
void take_better(Polished& polished, Summary& summary) {
  const auto dimensions = summary.best_vectors.size() / std::max<std::size_t>(1, summary.best_values.size());
  for (std::size_t k = 0; k < summary.best_values.size(); ++k) {
    polished.improved.push_back(is_better(polished.values[k], summary.best_values[k]) ? 1 : 0);
    if (polished.improved.back() == 0) continue;
    summary.best_values[k] = polished.values[k];
    const auto begin = static_cast<std::ptrdiff_t>(k * dimensions);
    std::copy_n(polished.vectors.begin() + begin, dimensions, summary.best_vectors.begin() + begin);
  }
}

}  // namespace

Run::Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
         const RunControl& control)
    : Run(make_plan(problem, options, control), devices, control) {}

Run::Run(const Part& part, std::span<const std::shared_ptr<Device>> devices, const RunControl& control)
    : Run(make_plan(part, control), devices, control) {}

Run::Run(Plan plan, std::span<const std::shared_ptr<Device>> devices, const RunControl& control)
    : control_(control),
      watch_(control),
      plan_(std::move(plan)),
      state_(plan_, plan_.options.checkpoint != nullptr || plan_.options.resume != nullptr),
      given_(devices.begin(), devices.end()),
      slots_(in_order(devices), [this](Device& device) { return make_slot(device); }) {
  if (devices.size() > 1 && needs_whole_generations(plan_.problem.objective))
    throw InvalidInput(
        fmt::format("there are {} devices, each with a thread of its own, and '{}' is a batch function, which is "
                    "called on the caller's thread only; give one device",
                    devices.size(), plan_.problem.objective.name()));
  if (plan_.options.resume) state_.load(*plan_.options.resume);
  const auto choice = choose_method(plan_, *this->devices().front());
  method_ = choice.method;
  result_.method = method_names.of(method_);
  result_.reason = choice.reason;
  result_.population = plan_.settings.population;
  result_.polish = plan_.polish_name();
}

std::unique_ptr<Batch> Run::make_slot(Device& device) const {
  device.begin_self_test("differential_evolution");
  // As many everywhere: another device may take over in the middle of a launch.
  std::size_t most_kept = std::numeric_limits<std::size_t>::max();
  for (const auto& each : devices()) most_kept = std::min(most_kept, most_kept_by(*each, plan_, room_));
  return make_batch(device, plan_, method_, room_, most_kept);
}

std::size_t Run::most_of_share(std::size_t shares) const {
  std::size_t most = (plan_.problem.problems - 1) / shares + 1;
  const auto bytes = bytes_of_problem(plan_);
  for (const auto& device : devices()) {
    // Each buffer within the largest allocation, and all slots of a device within half of its memory.
    const auto limit =
        std::min(device->info().max_allocation_bytes, device->info().global_memory_bytes / (2 * slots_of_device));
    most = std::min<std::size_t>(most, std::max<std::uint64_t>(1, limit / bytes));
  }
  return most;
}

std::vector<Piece> Run::pieces_of(std::size_t shares) {
  auto pieces = state_.pieces(most_of_share(shares));
  for (const auto& piece : pieces) room_ = std::max(room_, piece.count);
  return pieces;
}

bool Run::search_is_over() const {
  if (watch_.expired()) return true;
  if (!plan_.polishes || !control_.time_limit) return false;
  return watch_.seconds() >= *control_.time_limit - *control_.time_limit / polish_share;
}

std::vector<group::Range> Run::intervals() const {
  std::vector<group::Range> intervals;
  for (const auto& piece : state_.pieces(plan_.problem.problems)) intervals.push_back({0, piece.first, piece.count});
  return intervals;
}

void Run::add_slot() {
  if (!slots_.add(devices().front())) slots_.lost().rethrow();
}

void Run::serve(group::Mailbox& mailbox, std::size_t most,
                const std::function<Bytes(Slot& slot, const group::Order& order)>& work) {
  std::vector<std::string> names;
  for (const auto& device : devices()) names.push_back(device->info().id);
  most = std::min(most, most_of_share(1));
  std::vector<std::shared_ptr<Device>> places;
  for (std::size_t n = 0; n < slots_of_device; ++n)
    for (const auto& device : devices())
      if (n == 0 || (places.size() < plan_.problem.problems && !device->info().launches_are_calls))
        places.push_back(device);
  mailbox.prepared({names.size(), places.size(), most}, names);
  const auto all_devices = mailbox.await_go();
  if (!all_devices) return;
  room_ =
      std::max(room_, std::min<std::size_t>(most, group::RangeQueue::most_of(plan_.problem.problems, *all_devices)));
  for (const auto& device : places) slots_.add_empty(device);
  std::vector<std::uint64_t> launches(places.size());
  group::Places serving(places, slots_.lost(), mailbox,
                        {[&](std::size_t place) {
                           group::require_doubles(std::span(&places[place], 1), plan_.is_double());
                           slots_.fill(slots_.all()[place]);
                         },
                         [&](std::size_t place, const group::Order& order) {
                           auto& slot = slots_.all()[place];
                           auto result = work(slot, order);
                           const auto now = slot.batch->launches();
                           return std::pair(std::move(result), now - std::exchange(launches[place], now));
                         }});
  serving.serve();
  if (devices().size() > 1) parts_ = serving.parts(given_);
}

std::uint32_t Run::begin(Batch& batch, Piece& piece, const std::optional<EvolutionState>& state, const Watch& watch) {
  batch.take(piece.first, piece.count);
  if (state)
    batch.restore(*state, piece.generation.value());
  else
    batch.initialise(watch);
  piece.count = batch.count();
  return piece.generation.value_or(0);
}

std::uint32_t Run::begin(Batch& batch, Piece& piece, const Watch& watch) {
  return begin(batch, piece, piece.generation ? std::optional(state_.state_of(piece)) : std::nullopt, watch);
}

Outcome Run::outcome(const Device& device, Batch& batch, const Piece& piece, std::uint32_t generation,
                     bool keeps_state) {
  Outcome outcome{.generation = generation, .count = piece.count, .summary = batch.summarise()};
  try {
    check(device, batch, piece, outcome);
  } catch (const DeviceError&) {
    require_checkpoint();
    throw;
  }
  if (keeps_state) outcome.state = batch.state();
  return outcome;
}

// Whether what a device seems to do wrong was wrong in the checkpoint.
void Run::require_checkpoint() const {
  const auto& checkpoint = plan_.options.resume;
  if (!checkpoint) return;
  RunState state(plan_, true);
  state.load(*checkpoint);
  state.require_values(*checkpoint);
}

void Run::check(const Device& device, Batch& batch, const Piece& piece, Outcome& outcome) {
  require_sound(plan_, device, outcome.generation, outcome.summary);
  outcome.polished = batch.polish(watch_);
  if (outcome.polished) take_better(*outcome.polished, outcome.summary);
  outcome.unchecked = check_on_host(plan_, device, piece, outcome.summary, search_is_over());
}

void Run::take(const Piece& piece, const Outcome& outcome) {
  if (!outcome.unchecked.empty()) {
    const std::lock_guard lock(mutex_);
    result_.unchecked = outcome.unchecked;
  }
  if (outcome.state) state_.deposit(piece, outcome.generation, *outcome.state);
  state_.finish(piece, outcome.generation, outcome.summary, outcome.polished);
  note_best(outcome.summary);
  note_end(piece);
}

void Run::end(const Device& device, Batch& batch, const Piece& piece, std::uint32_t generation) {
  take(piece, outcome(device, batch, piece, generation, state_.keeps_states()));
  if (is_caller()) report();
}

void Run::note_done(const Piece& piece, std::uint32_t generation, std::size_t running) {
  const std::lock_guard lock(mutex_);
  auto& done = done_[piece.first];
  done.problems = static_cast<double>(piece.count) * generation / std::max(1U, plan_.generations);
  if (done.evaluations == 0) {
    done.state = plan_.first_state(0);
    done.evaluations = std::uint64_t{plan_.settings.population} * piece.count;
  }
  // A device that takes over begins where the last checkpoint is.
  if (generation <= done.generation) return;
  if (plan_.settings.adapt == EVOLUTION_LSHADE)
    for (; done.generation < generation; plan_.count_evaluations(done.state, ++done.generation))
      done.evaluations += running * done.state.alive;
  else
    done.evaluations += std::uint64_t{plan_.settings.population} * running * (generation - done.generation);
  done.generation = generation;
}

void Run::note_end(const Piece& piece) {
  const std::lock_guard lock(mutex_);
  done_[piece.first].problems = static_cast<double>(piece.count);
}

void Run::note_best(const Summary& summary) {
  const auto least = std::min_element(summary.best_values.begin(), summary.best_values.end(), is_better);
  if (least == summary.best_values.end() || !std::isfinite(*least)) return;
  const auto dimensions = static_cast<std::ptrdiff_t>(plan_.problem.dimensions);
  const auto point = summary.best_vectors.begin() + (least - summary.best_values.begin()) * dimensions;
  note_best({*least, {point, point + dimensions}});
}

void Run::note_best(Best best) {
  const std::lock_guard lock(mutex_);
  if (best.value < best_.value) best_ = std::move(best);
}

void Run::report() {
  if (!watch_.report_due()) return;
  double done = 0;
  std::uint64_t evaluations = 0;
  Best best;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [first, piece] : done_) {
      done += piece.problems;
      evaluations += piece.evaluations;
    }
    best = best_;
  }
  const bool has_value = !best.point.empty() && plan_.is_feasible(best.value);
  const auto value = has_value ? std::optional(plan_.turned(best.value)) : std::nullopt;
  try {
    watch_.report("generations", std::min(1.0, done / static_cast<double>(plan_.problem.problems)), value, best.point,
                  evaluations);
  } catch (...) {
    report_failed_ = true;
    throw;
  }
}

void Run::set_report(cluster::Report report, std::optional<std::uint64_t> launches) {
  launches_ = launches;
  for (std::size_t rank = 1; rank < report.per_rank.size(); ++rank)
    for (const auto& failure : report.per_rank[rank].failures)
      result_.failures.push_back(fmt::format("rank {} on {}: {}", rank, report.per_rank[rank].host, failure));
  result_.cluster = std::make_shared<const cluster::Report>(std::move(report));
}

Result Run::finish() {
  computing_.reset();
  if (plan_.options.checkpoint) save();
  state_.fill(result_, watch_.interrupted() ? Ending::interrupted : Ending::time);
  if (plan_.constrained()) set_violations(plan_, watch_.interrupted(), result_);
  for (const auto& slot : slots_.all()) result_.launches += slot.batch ? slot.batch->launches() : 0;
  result_.launches = launches_.value_or(result_.launches);
  const auto own = slots_.lost().failures();
  result_.failures.insert(result_.failures.begin(), own.begin(), own.end());
  if (!launches_) result_.devices = std::move(parts_);
  return std::move(result_);
}

}  // namespace clopt::differential_evolution
