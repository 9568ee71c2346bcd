/// \file
/// Problems whose values are computed here, too.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace clopt::test {

using Genes = std::vector<unsigned>;
using Value = std::function<double(const Genes&)>;

/// A problem, and its value by another program.
struct Known {
  ecga::Problem problem;
  Value value;
};

/// An NK landscape whose neighbours follow around the ring.
inline Known ring_of_nk(ecga::Problem problem) {
  const auto table = problem.objective.table_values();
  return {std::move(problem), [=](const Genes& genes) {
            const auto neighbours = static_cast<std::size_t>(table[0]);
            double sum = 0;
            for (std::size_t locus = 0; locus < genes.size(); ++locus) {
              std::size_t pattern = 0;
              for (std::size_t k = 0; k <= neighbours; ++k)
                pattern += std::size_t{genes[(locus + k) % genes.size()]} << k;
              sum += table[1 + neighbours + locus * (neighbours + (2U << neighbours)) + pattern];
            }
            return sum;
          }};
}

inline Known nk(std::uint32_t neighbours, std::uint32_t length) {
  return ring_of_nk(ecga::nearest_neighbour_nk(neighbours, length, 3));
}

inline Known spin_glass(std::uint32_t side) {
  auto problem = ecga::ising(side, 5);
  const auto table = problem.objective.table_values();
  return {problem, [=](const Genes& genes) {
            double sum = 0;
            for (std::size_t bond = 1; bond < table.size(); bond += 3)
              sum += table[bond + 2] * (1 - 2 * static_cast<double>(genes[std::size_t(table[bond])] ^
                                                                    genes[std::size_t(table[bond + 1])]));
            return sum;
          }};
}

using Clauses = std::vector<std::vector<int>>;

/// A formula. \param weights of clauses, a hard one's below 0; none: each counts as one.
inline Known formula_of(const Clauses& clauses, const std::vector<double>& weights, std::uint32_t length) {
  std::vector<double> table{static_cast<double>(clauses.size())};
  for (std::size_t clause = 0; clause < clauses.size(); ++clause) {
    if (!weights.empty()) table.push_back(weights[clause]);
    table.push_back(static_cast<double>(clauses[clause].size()));
    table.insert(table.end(), clauses[clause].begin(), clauses[clause].end());
  }
  ecga::Problem problem{Objective::named(weights.empty() ? "maxsat" : "weighted_maxsat"), length};
  problem.objective.set_table_values(table);
  return {problem, [=](const Genes& genes) {
            double sum = 0;
            for (std::size_t clause = 0; clause < clauses.size(); ++clause) {
              bool holds = false;
              for (const auto literal : clauses[clause])
                holds |= (genes[static_cast<std::size_t>(std::abs(literal)) - 1] != 0) == (literal > 0);
              const double weight = weights.empty() ? 1 : weights[clause];
              if (weight > 0 ? holds : !holds) sum += weight;
            }
            return sum;
          }};
}

/// Numbers below what is asked for.
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : draw_(seed) {}
  std::uint32_t below(std::uint32_t count) { return (draw_ = draw_ * 1664525U + 1013904223U) / 65536 % count; }

 private:
  std::uint32_t draw_;
};

/// Clauses of one to four literals, some with a variable twice. \param hard the weight of every fifth one; 0: none has
/// one.
inline Known formula(std::uint32_t length, double hard) {
  Clauses clauses;
  std::vector<double> weights;
  Draws draws(12345);
  for (std::uint32_t clause = 0; clause < 4 * length; ++clause) {
    clauses.emplace_back();
    for (std::uint32_t literal = 0; literal <= clause % 4; ++literal) {
      const auto variable = static_cast<int>(draws.below(length)) + 1;
      clauses.back().push_back(draws.below(2) != 0 ? variable : -variable);
    }
    if (hard != 0) weights.push_back(clause % 5 == 0 ? -hard : static_cast<double>(clause % 7));
  }
  return formula_of(clauses, weights, length);
}

/// Clauses of three literals, of which an individual that is drawn satisfies at least one.
inline Known satisfiable(std::uint32_t length, std::uint32_t count) {
  Draws draws(7);
  Genes hidden(length);
  for (auto& gene : hidden) gene = draws.below(2);
  Clauses clauses(count);
  for (auto& clause : clauses)
    for (int k = 0; k < 3; ++k) {
      const auto variable = draws.below(length);
      const bool holds = k == 0 ? hidden[variable] != 0 : draws.below(2) != 0;
      clause.push_back((static_cast<int>(variable) + 1) * (holds ? 1 : -1));
    }
  return formula_of(clauses, {}, length);
}

}  // namespace clopt::test
