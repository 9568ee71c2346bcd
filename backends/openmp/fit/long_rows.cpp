/// \file
/// Twins of kernels_cl/fit/long_rows.cl, and add_sections as it stands: threads take tiles of a row, and the text's own
/// code consecutive data in the lanes of a vector.
#include <fit/operations.hpp>
#include <objective/fit_batch.hpp>
#include <openmp/objective/objective.hpp>

#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include <openmp/work_item.hpp>

#include <algorithm>

namespace clopt::openmp::fit {
namespace {

namespace operations = clopt::fit::operations;
using Work = LongRowsBatch::Work;

template <class real>
struct Sums : WorkItem {
#include <openmp/kernel_text.hpp>

#include <fit/add_sections.cl>

#include <openmp/kernel_text_end.hpp>
};

// Sections that a thread takes at a time.
constexpr std::uint32_t block = 4 * FIT_TILE_SECTIONS;
constexpr std::uint64_t sums_worth_a_thread = 64;

template <class Real>
void begin_twin(const ObjectiveCode& code, const Range&, const operations::BeginLongRows<Real>& arguments) {
  code.fit({.work = Work::begin,
            .numbers = arguments.extents.data(),
            .fits = arguments.work.data(),
            .guesses = arguments.guesses.data(),
            .lower = arguments.lower.data(),
            .upper = arguments.upper.data(),
            .begin = arguments.settings});
}

template <class Real>
void evaluate_twin(const ObjectiveCode& code, const Range&, const operations::EvaluateSections<Real>& arguments) {
  const shared::long_rows_settings settings = arguments.settings;
  for_each_part((settings.count + block - 1) / block, [&](std::size_t part) {
    const auto first = static_cast<std::uint32_t>(part) * block;
    LongRowsBatch batch{.work = Work::evaluate,
                        .rows = arguments.rows.data(),
                        .tables = arguments.tables.data(),
                        // Not written to.
                        .fits = const_cast<Real*>(arguments.work.data()),
                        .parts = arguments.parts.data(),
                        .settings = settings};
    batch.settings.first = settings.first + first;
    batch.settings.count = std::min(block, settings.count - first);
    code.fit(batch);
  });
}

template <class Real>
void advance_twin(const ObjectiveCode& code, const Range&, const operations::AdvanceLongRows<Real>& arguments) {
  code.fit({.work = Work::advance,
            .numbers = arguments.sums.data(),
            .fits = arguments.work.data(),
            .parameters = arguments.parameters.data(),
            .values = arguments.values.data(),
            .states = arguments.states.data(),
            .running = arguments.running.data(),
            .settings = arguments.settings});
}

template <class Real>
void errors_twin(const ObjectiveCode& code, const Range&, const operations::AdvanceErrors<Real>& arguments) {
  code.fit({.work = Work::find_errors,
            .numbers = arguments.sums.data(),
            .fits = arguments.work.data(),
            .errors = arguments.errors.data(),
            .running = arguments.running.data(),
            .settings = arguments.settings});
}

}  // namespace

const Twin begin_long_rows{begin_twin<float>, begin_twin<double>};
const Twin evaluate_sections{evaluate_twin<float>, evaluate_twin<double>};
const Twin add_sections{items_of<operations::AddSections<float>, &Sums<float>::add_sections>(sums_worth_a_thread),
                        items_of<operations::AddSections<double>, &Sums<double>::add_sections>(sums_worth_a_thread)};
const Twin advance_long_rows{advance_twin<float>, advance_twin<double>};
const Twin advance_errors{errors_twin<float>, errors_twin<double>};

}  // namespace clopt::openmp::fit
