/// \file
/// Twins of kernels_cl/fit: threads take blocks of rows, and the text's own code as many rows as a vector has lanes.
#include <fit/operations.hpp>
#include <objective/fit_batch.hpp>
#include <openmp/objective/objective.hpp>

#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <algorithm>

namespace clopt::openmp::fit {
namespace {

namespace operations = clopt::fit::operations;

// Rows that a thread takes at a time. The last ones of a block leave lanes without a row, so that blocks are large as
// long as all threads have one.
constexpr std::uint32_t most_rows = 2048;
constexpr std::uint32_t many_rows = 128;
constexpr std::uint32_t least_rows = 16;
constexpr std::uint32_t most_blocks_of_thread = 4;

std::uint32_t rows_of_block(std::uint32_t count) {
  if (threads() == 1) return most_rows;
  const auto blocks = threads() * std::clamp(count / (threads() * many_rows), 1U, most_blocks_of_thread);
  return std::min(std::max((count + blocks - 1) / blocks, least_rows), most_rows);
}

void for_blocks(const ObjectiveCode& code, FitBatch batch, const shared::fit_rows_settings& settings) {
  const auto block = rows_of_block(settings.count);
  for_each_part((settings.count + block - 1) / block, [&](std::size_t part) {
    auto own = batch;
    own.settings = settings;
    own.settings.first = settings.first + static_cast<std::uint32_t>(part) * block;
    own.settings.count = std::min(block, settings.count - static_cast<std::uint32_t>(part) * block);
    code.fit(own);
  });
}

template <class Real>
void fit_rows_twin(const ObjectiveCode& code, const Range&, const operations::FitRows<Real>& arguments) {
  for_blocks(code,
             {arguments.rows.data(), arguments.tables.data(), arguments.guesses.data(), arguments.lower.data(),
              arguments.upper.data(), arguments.parameters.data(), arguments.values.data(), arguments.states.data(),
              nullptr, arguments.settings},
             arguments.settings);
}

template <class Real>
void find_errors_twin(const ObjectiveCode& code, const Range&, const operations::FindErrors<Real>& arguments) {
  for_blocks(code,
             {arguments.rows.data(), arguments.tables.data(), arguments.parameters.data(), arguments.lower.data(),
              arguments.upper.data(), nullptr, nullptr, nullptr, arguments.errors.data(), arguments.settings},
             arguments.settings);
}

}  // namespace

const Twin fit_rows{fit_rows_twin<float>, fit_rows_twin<double>};
const Twin find_errors{find_errors_twin<float>, find_errors_twin<double>};

}  // namespace clopt::openmp::fit
