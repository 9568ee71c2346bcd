#include "output_table.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace clopt::apps::differential_evolution {

namespace {
namespace solver = clopt::differential_evolution;
}

std::vector<double> vector_of(const solver::Result& result, std::size_t problem, std::size_t dimensions) {
  const auto begin = result.parameters.begin() + static_cast<std::ptrdiff_t>(problem * dimensions);
  return {begin, begin + static_cast<std::ptrdiff_t>(dimensions)};
}

OutputTable::OutputTable(const std::string& file, std::size_t dimensions, bool is_fit, bool is_constrained)
    : dimensions_(dimensions) {
  std::vector<std::string> columns{"problem", "value", "generations", "stop", "invalid"};
  if (is_constrained) columns.emplace_back("violation");
  for (std::size_t j = 0; j < dimensions; ++j) columns.push_back(fmt::format("x{}", j));
  for (std::size_t j = 0; j < dimensions && is_fit; ++j) columns.push_back(fmt::format("error_{}", j));
  if (is_fit) columns.insert(columns.end(), {"chi_squared", "converged"});
  writer_.emplace(file, std::move(columns));
}

void OutputTable::write(const solver::Result& result) {
  for (std::size_t k = 0; k < result.values.size(); ++k) {
    std::vector<CsvWriter::Field> row{std::uint64_t{k}, result.values[k], result.generations[k],
                                      std::string(solver::name_of(result.stops[k])), result.invalid[k]};
    if (!result.violations.empty()) row.emplace_back(result.violations[k]);
    for (const double parameter : vector_of(result, k, dimensions_)) row.emplace_back(parameter);
    add_fit(result, k, row);
    writer_->add_later(row);
  }
  writer_->finish();
}

void OutputTable::add_fit(const solver::Result& result, std::size_t k, std::vector<CsvWriter::Field>& row) const {
  if (result.chi_squared.empty()) return;
  for (std::size_t j = 0; j < dimensions_; ++j) row.emplace_back(result.errors[k * dimensions_ + j]);
  row.emplace_back(result.chi_squared[k]);
  row.emplace_back(std::uint64_t{!result.converged.empty() && result.converged[k] != 0});
}

}  // namespace clopt::apps::differential_evolution
