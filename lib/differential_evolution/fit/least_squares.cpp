/// \file
/// Levenberg and Marquardt's method, round by round, for all fits of a batch.
#include <shared/differential_evolution/least_squares.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polish.hpp"

namespace clopt::differential_evolution {
namespace {

constexpr std::uint64_t most_rounds = 200;
// Rounds between two checks of how many fits continue.
constexpr std::uint64_t rounds_at_once = 4;
// A short search leaves several minima in a population.
constexpr std::uint64_t usual_rounds = 20;
constexpr std::uint32_t most_starts = 8;
constexpr float first_damping = 0x1p-6F;

template <class Real>
class LeastSquares : public Polisher {
 public:
  LeastSquares(Builder& builder, const Buffers<Real>& buffers, std::size_t room)
      : plan_(builder.plan()),
        buffers_(buffers),
        choose_starts_(builder.plain<operations::ChooseStarts<Real>>()),
        place_points_(builder.plain<operations::PlacePoints<Real>>()),
        find_residuals_(builder.with_objective<operations::FindResiduals<Real>>()),
        find_slopes_(builder.plain<operations::FindSlopes<Real>>()),
        multiply_slopes_(builder.plain<operations::MultiplySlopes<Real>>()),
        try_steps_(builder.plain<operations::TrySteps<Real>>()),
        add_squares_(builder.plain<operations::AddSquares<Real>>()),
        take_steps_(builder.plain<operations::TakeSteps<Real>>()) {
    settings_.parameters = plan_.settings.dimensions;
    settings_.data = static_cast<std::uint32_t>(plan_.problem.columns);
    settings_.columns = plan_.settings.columns;
    settings_.bounded = plan_.settings.bounds == EVOLUTION_UNBOUNDED ? 0 : 1;
    starts_ = fits_of_problem(plan_);
    allocate(builder.device(), room * starts_);
  }

  Polished polish(Queue& queue, std::size_t problems, const Watch& watch) override {
    begin(queue, problems);
    std::uint64_t rounds = plan_.polishes ? rounds_within(plan_.polish_evaluations / starts_) : 0;
    while (rounds != 0 && !watch.expired()) {
      const auto now = std::min(rounds, rounds_at_once);
      for (std::uint64_t n = 0; n < now; ++n) run_round(queue);
      rounds -= now;
      if (!some_run(queue)) break;
    }
    return end(queue, problems);
  }

 private:
  void allocate(Device& device, std::size_t room) {
    const std::size_t n = settings_.parameters;
    const std::size_t points = shared::fit_points(settings_.parameters);
    const std::size_t trials = room * FIT_TRIALS;
    vectors_ = device.buffer<Real>("vectors of fits", room * n);
    values_ = device.buffer<Real>("values of fits", room);
    dampings_ = device.buffer<Real>("dampings of fits", room);
    states_ = device.buffer<shared::fit_state>("states of fits", room);
    points_ = device.buffer<Real>("points of slopes", room * points * n);
    // There are at least as many points as trials.
    residuals_ = device.buffer<Real>("residuals", room * points * settings_.data);
    normal_ = device.buffer<Real>("normal equations", room * n * (n + 1));
    scratch_ = device.buffer<Real>("factors", trials * shared::fit_scratch(settings_.parameters));
    trials_ = device.buffer<Real>("trials of fits", trials * n);
    trial_values_ = device.buffer<Real>("values of trials of fits", trials);
    gains_ = device.buffer<Real>("promised gains", trials);
    lengths_ = device.buffer<Real>("lengths of steps", trials);
  }

  /// Rounds that fit into some evaluations.
  std::uint64_t rounds_within(std::uint64_t evaluations) const {
    return std::min(most_rounds, evaluations / (shared::fit_points(settings_.parameters) + FIT_TRIALS));
  }

  void begin(Queue& queue, std::size_t problems) {
    settings_.starts = starts_;
    settings_.fits = static_cast<std::uint32_t>(problems * starts_);
    queue.launch(choose_starts_, Range::of_items(settings_.fits),
                 {.vectors = buffers_.vectors,
                  .values = buffers_.values,
                  .states = buffers_.states,
                  .starts = vectors_,
                  .start_values = values_,
                  .settings = settings_,
                  .population = plan_.settings.population});
    queue.fill(dampings_, Real{first_damping});
    // Where a launch is lost, these are numbers all the same.
    queue.fill(normal_, Real{0});
    const std::vector<shared::fit_state> states(settings_.fits, shared::fit_state{FIT_MOVED, 0});
    queue.write(states_, std::span<const shared::fit_state>(states));
  }

  void run_round(Queue& queue) {
    make_normal_equations(queue, FIT_TAKES_MOVED);
    const std::uint64_t trials = std::uint64_t{settings_.fits} * FIT_TRIALS;
    queue.launch(try_steps_, Range::of_items(trials),
                 {.normal = normal_,
                  .vectors = vectors_,
                  .bounds = buffers_.bounds,
                  .dampings = dampings_,
                  .states = states_,
                  .scratch = scratch_,
                  .trials = trials_,
                  .gains = gains_,
                  .lengths = lengths_,
                  .settings = settings_,
                  .taken = FIT_TAKES_RUNNING});
    find_residuals(queue, trials_, FIT_TRIALS, FIT_TAKES_RUNNING);
    queue.launch(add_squares_, Range::of_items(trials),
                 {.residuals = residuals_,
                  .states = states_,
                  .values = trial_values_,
                  .settings = settings_,
                  .each = FIT_TRIALS,
                  .taken = FIT_TAKES_RUNNING});
    queue.launch(take_steps_, Range::of_items(settings_.fits),
                 {.trials = trials_,
                  .trial_values = trial_values_,
                  .gains = gains_,
                  .lengths = lengths_,
                  .vectors = vectors_,
                  .values = values_,
                  .dampings = dampings_,
                  .states = states_,
                  .settings = settings_,
                  .taken = FIT_TAKES_RUNNING});
  }

  void make_normal_equations(Queue& queue, std::uint32_t taken) {
    const std::uint64_t n = settings_.parameters;
    const std::uint32_t points = shared::fit_points(settings_.parameters);
    queue.launch(place_points_, Range::of_items(settings_.fits * points * n),
                 {.vectors = vectors_,
                  .bounds = buffers_.bounds,
                  .states = states_,
                  .points = points_,
                  .settings = settings_,
                  .taken = taken});
    find_residuals(queue, points_, points, taken);
    queue.launch(
        find_slopes_, Range::of_items(settings_.fits * n * settings_.data),
        {.points = points_, .states = states_, .residuals = residuals_, .settings = settings_, .taken = taken});
    queue.launch(
        multiply_slopes_, Range::of_items(settings_.fits * n * (n + 1)),
        {.residuals = residuals_, .states = states_, .normal = normal_, .settings = settings_, .taken = taken});
  }

  void find_residuals(Queue& queue, const Buffer<Real>& points, std::uint32_t each, std::uint32_t taken) {
    queue.launch(find_residuals_, Range::of_items(std::uint64_t{settings_.fits} * each * settings_.data),
                 {.points = points,
                  .rows = buffers_.rows,
                  .tables = buffers_.tables,
                  .states = states_,
                  .residuals = residuals_,
                  .settings = settings_,
                  .each = each,
                  .taken = taken});
  }

  std::vector<shared::fit_state> states(Queue& queue) {
    std::vector<shared::fit_state> states(settings_.fits);
    queue.read(states_, std::span(states));
    return states;
  }
  bool some_run(Queue& queue) {
    const auto all = states(queue);
    return std::any_of(all.begin(), all.end(),
                       [](const auto& state) { return shared::fit_takes(FIT_TAKES_RUNNING, state.phase) != 0; });
  }

  /// Of each problem the best fit, and the normal equations there.
  Polished end(Queue& queue, std::size_t problems) {
    const std::size_t n = settings_.parameters;
    const auto values = numbers_of(queue, values_, settings_.fits);
    const auto vectors = numbers_of(queue, vectors_, settings_.fits * n);
    const auto all = states(queue);
    Polished polished;
    for (std::size_t k = 0; k < problems; ++k) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(k * starts_);
      const auto least = std::min_element(first, first + starts_);
      const auto best = static_cast<std::size_t>(least - values.begin());
      const auto vector = vectors.begin() + static_cast<std::ptrdiff_t>(best * n);
      polished.values.push_back(*least);
      polished.vectors.insert(polished.vectors.end(), vector, vector + static_cast<std::ptrdiff_t>(n));
      polished.converged.push_back(all[best].phase == FIT_CONVERGED && std::isfinite(*least) ? 1 : 0);
      polished.evaluations.push_back(0);
      for (std::size_t fit = k * starts_; fit < (k + 1) * starts_; ++fit)
        polished.evaluations.back() += all[fit].evaluations;
    }
    settings_.starts = 1;
    settings_.fits = static_cast<std::uint32_t>(problems);
    const std::vector<Real> best_vectors(polished.vectors.begin(), polished.vectors.end());
    queue.write(vectors_, std::span<const Real>(best_vectors));
    make_normal_equations(queue, FIT_TAKES_ALL);
    polished.normal = numbers_of(queue, normal_, problems * n * (n + 1));
    return polished;
  }

  const Plan& plan_;
  const Buffers<Real>& buffers_;
  shared::fit_settings settings_{};
  std::uint32_t starts_ = 1;
  Kernel<operations::ChooseStarts<Real>> choose_starts_;
  Kernel<operations::PlacePoints<Real>> place_points_;
  Kernel<operations::FindResiduals<Real>> find_residuals_;
  Kernel<operations::FindSlopes<Real>> find_slopes_;
  Kernel<operations::MultiplySlopes<Real>> multiply_slopes_;
  Kernel<operations::TrySteps<Real>> try_steps_;
  Kernel<operations::AddSquares<Real>> add_squares_;
  Kernel<operations::TakeSteps<Real>> take_steps_;
  Buffer<Real> vectors_;
  Buffer<Real> values_;
  Buffer<Real> dampings_;
  Buffer<shared::fit_state> states_;
  Buffer<Real> points_;
  Buffer<Real> residuals_;
  Buffer<Real> normal_;
  Buffer<Real> scratch_;
  Buffer<Real> trials_;
  Buffer<Real> trial_values_;
  Buffer<Real> gains_;
  Buffer<Real> lengths_;
};

}  // namespace

// Few evaluations are better spent on one that ends.
std::uint32_t fits_of_problem(const Plan& plan) {
  if (!plan.polishes) return 1;
  const auto one = usual_rounds * (shared::fit_points(plan.settings.dimensions) + FIT_TRIALS);
  const auto affordable = std::clamp<std::uint64_t>(plan.polish_evaluations / one, 1, most_starts);
  const auto least = plan.settings.least_population;
  return std::min(static_cast<std::uint32_t>(affordable), least != 0 ? least : plan.settings.population);
}

template <class Real>
std::unique_ptr<Polisher> make_least_squares(Builder& builder, const Buffers<Real>& buffers, std::size_t room) {
  return std::make_unique<LeastSquares<Real>>(builder, buffers, room);
}

template std::unique_ptr<Polisher> make_least_squares(Builder&, const Buffers<float>&, std::size_t);
template std::unique_ptr<Polisher> make_least_squares(Builder&, const Buffers<double>&, std::size_t);

}  // namespace clopt::differential_evolution
