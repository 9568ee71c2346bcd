/// \file
/// Genetic runs that resume from hostile checkpoints: each kind of genes, and ways of execution.
#include <clopt/genetic.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "resume.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

constexpr std::uint32_t genes = 7;

fuzz::ResumeCase genetic_case(const Objective& objective, const genetic::Options& options) {
  const bool has_bounds = objective.kind() == GeneKind::reals || objective.kind() == GeneKind::integers;
  const std::vector<double> lower(has_bounds ? 1 : 0, -2);
  const std::vector<double> upper(has_bounds ? 1 : 0, 2);
  const genetic::Problem problem{objective, genes, lower, upper};
  return {[=](std::shared_ptr<CheckpointWriter> checkpoint) {
            auto begun = options;
            begun.generations = 2;
            begun.checkpoint = std::move(checkpoint);
            genetic::solve(problem, begun, fuzz::one_thread());
          },
          [=](std::shared_ptr<const Checkpoint> checkpoint) {
            auto resumed = options;
            resumed.generations = 4;
            resumed.keep_population = true;
            resumed.statistics = [](const genetic::Statistics&) {};
            resumed.resume = std::move(checkpoint);
            RunControl control;
            control.progress = [](const Progress&) { return true; };
            const auto result = genetic::solve(problem, resumed, fuzz::one_thread(), control);
            fuzz::require(result.genes.size() == genes, "the best individual has all genes");
          }};
}

// What a caller's function may rely on.
double value_of_integers(std::span<const std::int32_t> integers) {
  fuzz::require(std::all_of(integers.begin(), integers.end(), [](auto gene) { return gene >= -2 && gene <= 2; }),
                "integers lie within their bounds");
  return integers[0] - integers[1];
}

double value_of_order(std::span<const std::uint32_t> order) {
  std::vector<bool> seen(genes);
  for (const auto number : order) {
    fuzz::require(number < genes && !seen[number], "a permutation has each number once");
    seen[number] = true;
  }
  return order[0];
}

double value_of_bits(std::span<const std::uint32_t> words, std::size_t bits) {
  fuzz::require(bits == genes && words.size() == 1 && words[0] >> genes == 0, "there are zeros beyond the last gene");
  return words[0];
}

std::vector<fuzz::ResumeCase> genetic_cases() {
  genetic::Options plain;
  plain.preset = "paper";
  plain.population = 5;
  plain.granularity = "thread";
  auto islands = plain;
  islands.granularity = "group";
  islands.islands = 2;
  islands.migrate_every = 1;
  islands.elites = 1;
  auto limited = islands;
  limited.granularity = "fused";
  limited.selection = "rank";
  limited.stagnation = 2;
  limited.target = 1;
  auto exact = plain;
  exact.precision = "double";
  exact.selection = "tournament";
  auto universal = plain;
  universal.granularity = "hybrid";
  universal.selection = "sus";
  return {genetic_case(Objective::named("onemax"), plain),
          genetic_case(Objective::named("onemax"), limited),
          genetic_case(Objective::from_bit_function(value_of_bits), islands),
          genetic_case(Objective::named("sphere"), islands),
          genetic_case(Objective::named("rastrigin"), exact),
          genetic_case(Objective::from_integer_function(value_of_integers), plain),
          genetic_case(Objective::from_integer_function(value_of_integers), universal),
          genetic_case(Objective::from_permutation_function(value_of_order), plain),
          genetic_case(Objective::from_permutation_function(value_of_order), islands)};
}

const fuzz::Target resume_genetic_target{"resume_genetic", fuzz::resume<genetic_cases>};

}  // namespace
