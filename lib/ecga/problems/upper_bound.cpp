#include "upper_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <ecga/operations.hpp>
#include "parts.hpp"

namespace clopt::ecga {
namespace {

// Values of generated NK landscapes are whole numbers of these.
constexpr double unit_of_nk = 0x1p-12;

// Sums up to here are not rounded, in units of which all their terms are whole numbers.
double exact_up_to(bool is_double) { return is_double ? 0x1p53 : 0x1p24; }

/// What parts add up to at most.
class Sum {
 public:
  void add(double weight) {
    is_whole_ = is_whole_ && weight == std::floor(weight);
    magnitudes_ += std::abs(weight);
    most_ += std::max(weight, 0.0);
  }
  std::optional<double> bound(bool is_double) const {
    return is_whole_ && magnitudes_ <= exact_up_to(is_double) ? std::optional(most_) : std::nullopt;
  }

 private:
  bool is_whole_ = true;
  double magnitudes_ = 0;
  double most_ = 0;
};

// A bond gives its coupling's magnitude at most.
Sum sum_of_bonds(const std::vector<double>& table) {
  Sum sum;
  for (std::size_t at = 3; at < table.size(); at += 3) sum.add(std::abs(table[at]));
  return sum;
}

// \param has_weights whether a weight stands before each clause; a hard one's is negative.
Sum sum_of_clauses(const std::vector<double>& table, bool has_weights) {
  Sum sum;
  for (std::size_t at = 1; at < table.size(); at += 1 + static_cast<std::size_t>(table[at])) {
    sum.add(has_weights ? table[at] : 1);
    if (has_weights) ++at;
  }
  return sum;
}

std::optional<double> bound_of_landscape(const std::vector<double>& table, std::uint32_t length, bool is_double) {
  const auto neighbours = static_cast<std::uint32_t>(table[0]);
  if (neighbours > most_neighbours_of_ring) return std::nullopt;
  double largest = 0;
  auto number = table.begin() + 1;
  for (std::uint32_t locus = 0; locus < length; ++locus) {
    for (std::uint32_t k = 1; k <= neighbours; ++k)
      if (*number++ != (locus + k) % length) return std::nullopt;
    for (std::uint32_t pattern = 0; pattern < 2U << neighbours; ++pattern) {
      const double units = *number++ / unit_of_nk;
      if (units != std::floor(units)) return std::nullopt;
      largest = std::max(largest, std::abs(units));
    }
  }
  return largest * length <= exact_up_to(is_double) ? std::optional(best_of_ring(table, length)) : std::nullopt;
}

}  // namespace

// For each pattern of the first K loci, the best value of a walk around, whose state is the last K loci.
double best_of_ring(const std::vector<double>& table, std::uint32_t length) {
  const auto neighbours = static_cast<std::size_t>(table[0]);
  const std::size_t states = std::size_t{1} << neighbours;
  const std::size_t stride = neighbours + 2 * states;
  // The devices' values: floats.
  const auto value = [&](std::size_t locus, std::size_t pattern) {
    return static_cast<double>(static_cast<float>(table[1 + locus * stride + neighbours + pattern]));
  };
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < states; ++first) {
    // State s at locus i: bit k is locus i + k.
    std::vector<double> now(states, -std::numeric_limits<double>::infinity());
    now[first] = 0;
    for (std::size_t locus = 0; locus < length; ++locus) {
      std::vector<double> next(states, -std::numeric_limits<double>::infinity());
      for (std::size_t pattern = 0; pattern < 2 * states; ++pattern) {
        const double sum = now[pattern & (states - 1)] + value(locus, pattern);
        next[pattern >> 1] = std::max(next[pattern >> 1], sum);
      }
      now = std::move(next);
    }
    best = std::max(best, now[first]);
  }
  return best;
}

std::optional<double> upper_bound(const Problem& problem, bool is_double) {
  const auto kind = parts_kind(problem.objective);
  if (!kind) return std::nullopt;
  const auto& table = problem.objective.table_values();
  if (kind == ECGA_PARTS_NK) return bound_of_landscape(table, problem.length, is_double);
  if (kind == ECGA_PARTS_BONDS) return sum_of_bonds(table).bound(is_double);
  return sum_of_clauses(table, kind == ECGA_PARTS_WEIGHTED).bound(is_double);
}

}  // namespace clopt::ecga
