/// \file
/// Finding a program's objective, and the twin of kernels_cl/objective.
#include "objective.hpp"

#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "builtin.hpp"
#include "compiler.hpp"

#include <clopt/error.hpp>
#include <objective/host_objective.hpp>
#include <objective/operations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace clopt::openmp {
namespace {

// The name of the built-in objective that a program's text is, without constants or tables of a user's; else empty.
std::string builtin_name(const Program& program) {
  const auto text = program.texts.find("objective_text.cl");
  if (text == program.texts.end())
    throw BuildError("an operation with an objective is built with a program that has none");
  constexpr std::string_view begin = "#include \"builtin_objectives/";
  constexpr std::string_view end = ".cl\"\n";
  const std::string& whole = text->second;
  if (!whole.starts_with(begin) || !whole.ends_with(end)) return {};
  return whole.substr(begin.size(), whole.size() - begin.size() - end.size());
}

}  // namespace

std::shared_ptr<const ObjectiveCode> objective_code(const Program& program) {
  const bool double_precision = program.defines.find("OBJECTIVE_DOUBLE") == "1";
  if (const auto host = std::dynamic_pointer_cast<const clopt::objective::HostObjective>(program.host_function)) {
    const auto evaluate = [host, double_precision](std::span<const ObjectiveBatch> batches) {
      host->evaluate(batches, double_precision);
    };
    if (host->takes_whole_generations()) return std::make_shared<ObjectiveCode>(evaluate);
    return std::make_shared<ObjectiveCode>(
        [evaluate](const ObjectiveBatch& batch) {
          evaluate({&batch, 1});
        },
        false, [host, double_precision](const ObjectiveBatch& batch) { host->residuals(batch, double_precision); });
  }
  if (const auto builtin = find_builtin_objective(builtin_name(program), double_precision))
    return std::make_shared<ObjectiveCode>(builtin, true);
  return std::make_shared<ObjectiveCode>(compile_objective(program), program.objective,
                                         program.defines.find("OBJECTIVE_EXACT") == "1");
}

namespace objective {
namespace {

namespace operations = clopt::objective::operations;
using std::uint32_t;
using std::uint64_t;

// Individuals that a thread takes at a time.
constexpr uint64_t portion = 512;

template <class Gene, class Real>
void evaluate_all(const ObjectiveCode& code, const Range&, const operations::Evaluate<Gene, Real>& arguments) {
  const uint64_t count = arguments.count;
  const auto part = [&](uint64_t first, uint64_t size) {
    return ObjectiveBatch{arguments.elements.data() + first * arguments.individual_step,
                          arguments.rows.data() + first * arguments.row_step,
                          arguments.tables.data(),
                          arguments.values.data() + first,
                          size,
                          arguments.individual_step,
                          arguments.row_step,
                          arguments.gene_step,
                          arguments.gene_count,
                          arguments.column_count};
  };
  if (code.whole_generations()) return code.evaluate(part(0, count));
  for_each_part((count + portion - 1) / portion, [&](std::size_t index) {
    const auto first = index * portion;
    code.evaluate(part(first, std::min(portion, count - first)));
  });
}

template <class Gene, class Real>
Implementation implementation() {
  return &evaluate_all<Gene, Real>;
}

}  // namespace

const Twin evaluate{implementation<float, float>(),        implementation<double, double>(),
                    implementation<uint32_t, float>(),     implementation<uint32_t, double>(),
                    implementation<std::int32_t, float>(), implementation<std::int32_t, double>()};

}  // namespace objective
}  // namespace clopt::openmp
