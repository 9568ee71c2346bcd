/// \file
/// Twins of kernels_cl/differential_evolution/least_squares.cl and residuals.cl: a part is a fit.
#include <shared/differential_evolution/least_squares.h>
#include <differential_evolution/operations.hpp>
#include <openmp/objective/objective.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <cstdint>
#include <span>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

/// Calls a function for each fit that an operation takes. \param work multiplications of a fit, or so.
template <class Function>
void for_fits(const shared::fit_settings& settings, std::span<const shared::fit_state> states, std::uint32_t taken,
              std::uint64_t work, const Function& function) {
  constexpr std::uint64_t worth_a_thread = 1 << 14;
  for_each_index(settings.fits, worth_a_thread / (work + 1) + 1, [&](std::uint64_t fit) {
    if (shared::fit_takes(taken, states[fit].phase) != 0) function(fit);
  });
}

template <class Real>
void choose_starts_twin(const Range&, const operations::ChooseStarts<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint64_t population = arguments.population;
  const std::uint64_t parameters = settings.parameters;
  for (std::uint64_t fit = 0; fit < settings.fits; ++fit) {
    const auto problem = fit / settings.starts;
    const auto& state = arguments.states[problem];
    const auto i =
        shared::fit_start(static_cast<std::uint32_t>(fit % settings.starts), settings.starts, state.best, state.alive);
    arguments.start_values[fit] = arguments.values[problem * population + i];
    for (std::uint64_t k = 0; k < parameters; ++k)
      arguments.starts[fit * parameters + k] = arguments.vectors[(problem * parameters + k) * population + i];
  }
}

std::uint64_t points_of(const shared::fit_settings& settings) { return shared::fit_points(settings.parameters); }

template <class Real>
void place_points_twin(const Range&, const operations::PlacePoints<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint32_t parameters = settings.parameters;
  for_fits(settings, arguments.states, arguments.taken, points_of(settings) * parameters, [&](std::uint64_t fit) {
    Real* to = arguments.points.data() + fit * points_of(settings) * parameters;
    for (std::uint32_t point = 0; point < points_of(settings); ++point)
      for (std::uint32_t k = 0; k < parameters; ++k)
        *to++ = shared::fit_coordinate<Real>(point, k, arguments.vectors[fit * parameters + k], arguments.bounds[k],
                                             arguments.bounds[parameters + k], settings.bounded);
  });
}

template <class Real>
void find_residuals_twin(const ObjectiveCode& code, const Range&, const operations::FindResiduals<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint64_t each = arguments.each;
  for_fits(settings, arguments.states, arguments.taken, each * settings.data * 16, [&](std::uint64_t fit) {
    ObjectiveBatch batch{};
    batch.genes = arguments.points.data() + fit * each * settings.parameters;
    batch.rows = arguments.rows.data() + fit / settings.starts * settings.columns;
    batch.tables = arguments.tables.data();
    batch.values = arguments.residuals.data() + fit * each * settings.data;
    batch.count = each;
    batch.individual_step = settings.parameters;
    batch.gene_step = 1;
    batch.gene_count = settings.parameters;
    batch.column_count = settings.columns;
    code.residuals(batch);
  });
}

template <class Real>
void find_slopes_twin(const Range&, const operations::FindSlopes<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint32_t parameters = settings.parameters;
  for_fits(
      settings, arguments.states, arguments.taken, std::uint64_t{parameters} * settings.data, [&](std::uint64_t fit) {
        for (std::uint32_t k = 0; k < parameters; ++k) {
          const auto above = fit * points_of(settings) + 1 + 2 * k;
          const Real width = arguments.points[above * parameters + k] - arguments.points[(above + 1) * parameters + k];
          Real* const own = arguments.residuals.data() + above * settings.data;
          for (std::uint32_t j = 0; j < settings.data; ++j)
            own[j] = shared::fit_slope<Real>(own[j], own[settings.data + j], width);
        }
      });
}

template <class Real>
void multiply_slopes_twin(const Range&, const operations::MultiplySlopes<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint32_t parameters = settings.parameters;
  const auto work = std::uint64_t{parameters} * (parameters + 1) / 2 * settings.data;
  for_fits(settings, arguments.states, arguments.taken, work, [&](std::uint64_t fit) {
    const Real* const own = arguments.residuals.data() + fit * points_of(settings) * settings.data;
    const auto slope = [&](std::uint32_t k) { return own + std::uint64_t{1 + 2 * k} * settings.data; };
    for (std::uint32_t a = 0; a < parameters; ++a) {
      Real* const row = arguments.normal.data() + (fit * parameters + a) * (parameters + 1);
      for (std::uint32_t b = 0; b <= a; ++b) row[b] = shared::fit_product<Real>(slope(a), slope(b), settings.data);
      row[parameters] = shared::fit_product<Real>(slope(a), own, settings.data);
    }
  });
}

template <class Real>
void try_steps_twin(const Range&, const operations::TrySteps<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint32_t parameters = settings.parameters;
  const auto work = shared::fit_scratch(parameters) * (parameters + 1) * FIT_TRIALS;
  for_fits(settings, arguments.states, arguments.taken, work, [&](std::uint64_t fit) {
    for (std::uint32_t t = 0; t < FIT_TRIALS; ++t) {
      const auto id = fit * FIT_TRIALS + t;
      const auto promise = shared::fit_step<Real>(
          arguments.normal.data() + fit * parameters * (parameters + 1), arguments.vectors.data() + fit * parameters,
          arguments.bounds.data(), parameters, settings.bounded, shared::fit_damping<Real>(arguments.dampings[fit], t),
          arguments.scratch.data() + id * shared::fit_scratch(parameters), arguments.trials.data() + id * parameters);
      arguments.gains[id] = promise.gain;
      arguments.lengths[id] = promise.length;
    }
  });
}

template <class Real>
void add_squares_twin(const Range&, const operations::AddSquares<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint64_t each = arguments.each;
  for_fits(settings, arguments.states, arguments.taken, each * settings.data, [&](std::uint64_t fit) {
    for (auto id = fit * each; id < (fit + 1) * each; ++id) {
      const Real* const own = arguments.residuals.data() + id * settings.data;
      arguments.values[id] = shared::fit_product<Real>(own, own, settings.data);
    }
  });
}

template <class Real>
void take_steps_twin(const Range&, const operations::TakeSteps<Real>& arguments) {
  const shared::fit_settings settings = arguments.settings;
  const std::uint32_t parameters = settings.parameters;
  for_fits(settings, arguments.states, arguments.taken, parameters, [&](std::uint64_t fit) {
    const auto first = fit * FIT_TRIALS;
    const auto outcome =
        shared::fit_choice<Real>(arguments.gains.data() + first, arguments.lengths.data() + first,
                                 arguments.trial_values.data() + first, arguments.values[fit], arguments.dampings[fit]);
    auto& state = arguments.states[fit];
    state.evaluations += FIT_TRIALS + (state.phase == FIT_MOVED ? shared::fit_points(parameters) : 0);
    state.phase = outcome.phase;
    arguments.dampings[fit] = outcome.damping;
    if (outcome.best == FIT_TRIALS) return;
    arguments.values[fit] = arguments.trial_values[first + outcome.best];
    for (std::uint32_t k = 0; k < parameters; ++k)
      arguments.vectors[fit * parameters + k] = arguments.trials[(first + outcome.best) * parameters + k];
  });
}

}  // namespace

const Twin choose_starts{choose_starts_twin<float>, choose_starts_twin<double>};
const Twin place_points{place_points_twin<float>, place_points_twin<double>};
const Twin find_residuals{find_residuals_twin<float>, find_residuals_twin<double>};
const Twin find_slopes{find_slopes_twin<float>, find_slopes_twin<double>};
const Twin multiply_slopes{multiply_slopes_twin<float>, multiply_slopes_twin<double>};
const Twin try_steps{try_steps_twin<float>, try_steps_twin<double>};
const Twin add_squares{add_squares_twin<float>, add_squares_twin<double>};
const Twin take_steps{take_steps_twin<float>, take_steps_twin<double>};

}  // namespace clopt::openmp::differential_evolution
