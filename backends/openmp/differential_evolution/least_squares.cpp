/// \file
/// Twins of kernels_cl/differential_evolution/least_squares.cl and residuals.cl: a part is a fit, but for those that
/// are compiled as they stand.
#include <shared/differential_evolution/least_squares.h>
#include <differential_evolution/operations.hpp>
#include <openmp/objective/objective.hpp>

#include <openmp/work_item.hpp>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

template <class real>
struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <differential_evolution/least_squares.cl>

#include <openmp/kernel_text_end.hpp>
};

/// Items that are worth a thread: some 2^14 multiplications. \param work multiplications of an item, or so.
constexpr std::uint64_t worth_a_thread(std::uint64_t work) { return (1 << 14) / (work + 1) + 1; }
constexpr auto copies_worth_a_thread = [](const auto& arguments) {
  return worth_a_thread(arguments.settings->parameters);
};
constexpr auto steps_worth_a_thread = [](const auto& arguments) {
  const std::uint64_t parameters = arguments.settings->parameters;
  return worth_a_thread(parameters * parameters * parameters);
};
constexpr auto sums_worth_a_thread = [](const auto& arguments) { return worth_a_thread(arguments.settings->data); };

/// Calls a function for each fit that an operation takes. \param work multiplications of a fit, or so.
template <class Function>
void for_fits(const shared::fit_settings& settings, std::span<const shared::fit_state> states, std::uint32_t taken,
              std::uint64_t work, const Function& function) {
  for_each_index(settings.fits, worth_a_thread(work), [&](std::uint64_t fit) {
    if (shared::fit_takes(taken, states[fit].phase) != 0) function(fit);
  });
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

}  // namespace

const Twin place_points{place_points_twin<float>, place_points_twin<double>};
const Twin find_residuals{find_residuals_twin<float>, find_residuals_twin<double>};
const Twin find_slopes{find_slopes_twin<float>, find_slopes_twin<double>};
const Twin multiply_slopes{multiply_slopes_twin<float>, multiply_slopes_twin<double>};
const Twin choose_starts{
    items_of<operations::ChooseStarts<float>, &Items<float>::choose_starts>(copies_worth_a_thread),
    items_of<operations::ChooseStarts<double>, &Items<double>::choose_starts>(copies_worth_a_thread)};
const Twin try_steps{items_of<operations::TrySteps<float>, &Items<float>::try_steps>(steps_worth_a_thread),
                     items_of<operations::TrySteps<double>, &Items<double>::try_steps>(steps_worth_a_thread)};
const Twin add_squares{items_of<operations::AddSquares<float>, &Items<float>::add_squares>(sums_worth_a_thread),
                       items_of<operations::AddSquares<double>, &Items<double>::add_squares>(sums_worth_a_thread)};
const Twin take_steps{items_of<operations::TakeSteps<float>, &Items<float>::take_steps>(copies_worth_a_thread),
                      items_of<operations::TakeSteps<double>, &Items<double>::take_steps>(copies_worth_a_thread)};

}  // namespace clopt::openmp::differential_evolution
