/// \file
/// Problems whose values are computed here, too.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

namespace clopt::test {

using Genes = std::vector<unsigned>;
using Value = std::function<double(const Genes&)>;

/// A problem, and its value by another program.
struct Known {
  ecga::Problem problem;
  Value value;
};

inline Known nk(std::uint32_t neighbours, std::uint32_t length) {
  auto problem = ecga::nearest_neighbour_nk(neighbours, length, 3);
  const auto table = problem.objective.table_values();
  return {problem, [=](const Genes& genes) {
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

/// Clauses of one to four literals, some with a variable twice. \param hard the weight of every fifth one; 0: none has
/// one.
inline Known formula(std::uint32_t length, double hard) {
  std::vector<std::vector<int>> clauses;
  std::uint32_t draw = 12345;
  const auto next = [&](std::uint32_t count) { return (draw = draw * 1664525U + 1013904223U) / 65536 % count; };
  for (std::uint32_t clause = 0; clause < 4 * length; ++clause) {
    clauses.emplace_back();
    for (std::uint32_t literal = 0; literal <= clause % 4; ++literal) {
      const auto variable = static_cast<int>(next(length)) + 1;
      clauses.back().push_back(next(2) != 0 ? variable : -variable);
    }
  }
  const auto weight = [=](std::size_t clause) {
    return hard == 0 ? 1.0 : clause % 5 == 0 ? -hard : static_cast<double>(clause % 7);
  };
  std::vector<double> table{static_cast<double>(clauses.size())};
  for (std::size_t clause = 0; clause < clauses.size(); ++clause) {
    if (hard != 0) table.push_back(weight(clause));
    table.push_back(static_cast<double>(clauses[clause].size()));
    table.insert(table.end(), clauses[clause].begin(), clauses[clause].end());
  }
  ecga::Problem problem{Objective::named(hard == 0 ? "maxsat" : "weighted_maxsat"), length};
  problem.objective.set_table_values(table);
  return {problem, [=](const Genes& genes) {
            double sum = 0;
            for (std::size_t clause = 0; clause < clauses.size(); ++clause) {
              bool holds = false;
              for (const auto literal : clauses[clause])
                holds |= (genes[static_cast<std::size_t>(std::abs(literal)) - 1] != 0) == (literal > 0);
              if (weight(clause) > 0 ? holds : !holds) sum += weight(clause);
            }
            return sum;
          }};
}

}  // namespace clopt::test
