#include "upper_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <objective/precision.hpp>

#include <ecga/operations.hpp>
#include "parts.hpp"

namespace clopt::ecga {
namespace {

// Sums up to here are not rounded, in units of which all their terms are whole numbers.
double exact_up_to(bool is_double) {
  return is_double ? objective::largest_exact_double : objective::largest_exact_float;
}

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
  const auto bonds = static_cast<std::size_t>(table[0]);
  for (std::size_t bond = 1; bond <= bonds; ++bond) sum.add(std::abs(table[3 * bond]));
  return sum;
}

// \param has_weights whether a weight stands before each clause; a hard one's is negative.
Sum sum_of_clauses(const std::vector<double>& table, bool has_weights) {
  Sum sum;
  std::size_t at = 1;
  for (auto clauses = static_cast<std::uint32_t>(table[0]); clauses != 0; --clauses) {
    sum.add(has_weights ? table[at++] : 1);
    at += 1 + static_cast<std::size_t>(table[at]);
  }
  return sum;
}

// Some milliseconds of work at most, since each run looks for its own.
bool is_short(std::uint32_t length, std::uint32_t neighbours) {
  return std::uint64_t{length} << (2 * neighbours) <= std::uint64_t{1} << 22;
}

std::optional<double> bound_of_landscape(const std::vector<double>& table, std::uint32_t length, bool is_double) {
  const auto neighbours = static_cast<std::uint32_t>(table[0]);
  if (neighbours > most_neighbours_of_ring || !is_short(length, neighbours)) return std::nullopt;
  double largest = 0;
  auto number = table.begin() + 1;
  for (std::uint32_t locus = 0; locus < length; ++locus) {
    for (std::uint32_t k = 1; k <= neighbours; ++k)
      if (*number++ != (locus + k) % length) return std::nullopt;
    for (std::uint32_t pattern = 0; pattern < 2U << neighbours; ++pattern) {
      const double units = std::ldexp(*number++, bits_of_nk_value);
      if (units != std::floor(units)) return std::nullopt;
      largest = std::max(largest, std::abs(units));
    }
  }
  return largest * length <= exact_up_to(is_double) ? std::optional(best_of_ring(table, length)) : std::nullopt;
}

}  // namespace

// The best values of walks around from each pattern of the first K loci to each of the last K, which are the state.
double best_of_ring(const std::vector<double>& table, std::uint32_t length) {
  const auto neighbours = static_cast<std::size_t>(table[0]);
  const std::size_t states = std::size_t{1} << neighbours;
  // State s at locus i: bit k is locus i + k. Of each state a value for each first one.
  std::vector<double> now(states * states, -std::numeric_limits<double>::infinity());
  std::vector<double> next(now.size());
  for (std::size_t first = 0; first < states; ++first) now[first * states + first] = 0;
  const auto* values = table.data() + 1 + neighbours;
  for (std::uint32_t locus = 0; locus < length; ++locus, values += neighbours + 2 * states) {
    for (std::size_t state = 0; state < states; ++state) {
      const double low = values[2 * state];
      const double high = values[2 * state + 1];
      const auto* const from_low = now.data() + (2 * state & (states - 1)) * states;
      const auto* const from_high = now.data() + ((2 * state + 1) & (states - 1)) * states;
      auto* const best = next.data() + state * states;
      for (std::size_t first = 0; first < states; ++first)
        best[first] = std::max(from_low[first] + low, from_high[first] + high);
    }
    now.swap(next);
  }
  double best = now[0];
  for (std::size_t first = 1; first < states; ++first) best = std::max(best, now[first * states + first]);
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
