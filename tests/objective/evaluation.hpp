/// \file
/// Evaluates individuals on the device under test.
#pragma once

#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <objective/operations.hpp>
#include <objective/program.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <support/device.hpp>

namespace clopt::test {

/// How individuals lie in the buffer.
enum class Layout { one_by_one, side_by_side };

/// The values of individuals, each a vector of elements; with rows, one for each.
template <class Real, class Gene>
std::vector<Real> evaluate_on(Device& device, const Objective& objective,
                              const std::vector<std::vector<Gene>>& individuals, std::uint32_t genes, Layout layout,
                              const std::vector<std::vector<Real>>& rows = {}, bool compile_for_genes = false) {
  const std::size_t count = individuals.size();
  const std::size_t elements = individuals.at(0).size();
  const bool side_by_side = layout == Layout::side_by_side;
  std::vector<Gene> all(count * elements);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < elements; ++j) all[side_by_side ? j * count + i : i * elements + j] = individuals[i][j];
  std::vector<Real> data;
  for (const auto& row : rows) data.insert(data.end(), row.begin(), row.end());
  const auto columns = static_cast<std::uint32_t>(rows.empty() ? 0 : rows[0].size());
  if (data.empty()) data.push_back(0);

  constexpr bool double_precision = sizeof(Real) == 8;
  objective::require_device(device, objective, double_precision);
  Program program;
  objective::prepare(program, objective, double_precision, compile_for_genes ? genes : 0);
  const auto kernel = objective::build<objective::operations::Evaluate<Gene, Real>>(device, program, objective);
  const auto queue = device.queue();
  const auto tables = objective::upload_tables<Real>(device, *queue, objective);
  const auto gene_buffer = device.buffer<Gene>("genes", all.size());
  const auto row_buffer = device.buffer<Real>("rows", data.size());
  const auto values = device.buffer<Real>("values", count);
  queue->write(gene_buffer, all);
  queue->write(row_buffer, data);
  queue->launch(kernel, Range::of_items(count),
                {.elements = gene_buffer,
                 .rows = row_buffer,
                 .tables = tables,
                 .values = values,
                 .count = std::uint64_t{count},
                 .individual_step = std::uint64_t{side_by_side ? 1 : elements},
                 .row_step = std::uint64_t{columns},
                 .gene_step = static_cast<std::uint32_t>(side_by_side ? count : 1),
                 .gene_count = genes,
                 .column_count = columns});
  std::vector<Real> result(count);
  queue->read(values, std::span<Real>(result));
  queue->finish();
  return result;
}

/// On the device under test.
template <class Real, class Gene>
std::vector<Real> evaluate(const Objective& objective, const std::vector<std::vector<Gene>>& individuals,
                           std::uint32_t genes, Layout layout, const std::vector<std::vector<Real>>& rows = {},
                           bool compile_for_genes = false) {
  return evaluate_on<Real>(device(), objective, individuals, genes, layout, rows, compile_for_genes);
}

/// On the device under test, in every layout and way of compiling, which give the same bits.
template <class Gene>
std::vector<float> evaluate_every_way(const Objective& objective, const std::vector<std::vector<Gene>>& all,
                                      std::uint32_t genes, const std::vector<std::vector<float>>& rows = {}) {
  auto values = evaluate<float>(objective, all, genes, Layout::one_by_one, rows);
  BOOST_TEST(evaluate<float>(objective, all, genes, Layout::side_by_side, rows) == values,
             boost::test_tools::per_element());
  if (platform() != "openmp")
    BOOST_TEST(evaluate<float>(objective, all, genes, Layout::one_by_one, rows, true) == values,
               boost::test_tools::per_element());
  return values;
}

/// What an action complains of.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(nothing thrown)";
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace clopt::test
