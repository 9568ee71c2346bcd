/// \file
/// Problems of permutations that are made, and finding problems by name.
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_tours.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "permutation_objectives.hpp"

namespace clopt::genetic {
namespace {

constexpr std::size_t most_places = 4096;

std::size_t side_of(std::size_t values, const char* what, std::size_t least, std::size_t most) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values))));
  if (side * side != values)
    throw InvalidInput(fmt::format("`{}` has {} numbers, which make no square; give n rows of n", what, values));
  if (side < least || side > most)
    throw InvalidInput(fmt::format("`{}` has {} rows; give {} to {}", what, side, least, most));
  return side;
}

void require_whole(const char* what, double number, std::size_t row, std::size_t column) {
  if (!(number >= 0 && number <= largest_distance && number == std::floor(number)))
    throw InvalidInput(
        fmt::format("`{}` has {} in row {}, column {}; give whole numbers from 0 to 2^24", what, number, row, column));
}

// The value of no permutation is larger (Hardy, Littlewood and Polya 1934, theorem 368): what is on one diagonal meets
// what is on the other.
double largest_sum_of_products(std::span<const double> one, std::span<const double> other, std::size_t side) {
  const auto sorted = [side](std::span<const double> matrix) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < side; ++i) numbers.push_back(matrix[i * side + i]);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      if (i / side != i % side) numbers.push_back(matrix[i]);
    const auto diagonal_end = numbers.begin() + static_cast<std::ptrdiff_t>(side);
    std::sort(numbers.begin(), diagonal_end);
    std::sort(diagonal_end, numbers.end());
    return numbers;
  };
  const auto left = sorted(one);
  const auto right = sorted(other);
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

// Each city's nearest ones, the nearest first; of equally near ones the lower number.
void find_near_cities(const double* distances, std::size_t city, std::size_t count, std::span<double> nearest) {
  const auto distance_to = [&](std::size_t place) { return distances[static_cast<std::size_t>(nearest[place])]; };
  std::size_t found = 0;
  for (std::size_t other = 0; other < count; ++other) {
    if (other == city || (found == nearest.size() && distances[other] >= distance_to(found - 1))) continue;
    auto place = std::min(found, nearest.size() - 1);
    for (; place > 0 && distances[other] < distance_to(place - 1); --place) nearest[place] = nearest[place - 1];
    nearest[place] = static_cast<double>(other);
    found = std::min(found + 1, nearest.size());
  }
}

void add_near_cities(std::vector<double>& table, std::size_t count, bool is_directed) {
  const std::size_t near = shared::genetic_near_count(static_cast<std::uint32_t>(count));
  table.resize(tour_table_size(count, is_directed));
  const auto lists = std::span(table).subspan(count * count);
  for_row_blocks(count, [&](std::size_t first, std::size_t end) {
    for (auto city = first; city < end; ++city)
      find_near_cities(&table[city * count], city, count, lists.subspan(city * near, near));
  });
  if (!is_directed) return;
  const auto back = lists.subspan(count * near);
  for_row_blocks(count, [&](std::size_t first, std::size_t end) {
    std::vector<double> columns((end - first) * count);
    for (std::size_t row = 0; row < count; ++row)
      for (auto city = first; city < end; ++city) columns[(city - first) * count + row] = table[row * count + city];
    for (auto city = first; city < end; ++city)
      find_near_cities(&columns[(city - first) * count], city, count, back.subspan(city * near, near));
  });
}

// Checks a table of distances, of which the diagonal does not matter. \returns whether it is asymmetric.
bool require_distances(std::span<const double> table, std::size_t count) {
  std::atomic<bool> is_directed = false;
  for_pairs(count, [&](std::size_t a, std::size_t b) {
    require_whole("distances", table[a * count + b], a, b);
    require_whole("distances", table[b * count + a], b, a);
    if (table[a * count + b] != table[b * count + a]) is_directed.store(true, std::memory_order_relaxed);
  });
  return is_directed;
}

Problem permutation_problem(std::string_view objective, std::vector<double> table, std::size_t genes) {
  Problem problem{Objective::named(std::string(objective)), static_cast<std::uint32_t>(genes), {}, {}};
  problem.objective.set_table_values(std::move(table));
  return problem;
}

std::optional<std::string> file_after(const std::string& name, std::string_view word) {
  return name.starts_with(word) ? std::optional(name.substr(word.size())) : std::nullopt;
}

Problem require_genes(Problem problem, std::optional<std::uint32_t> genes, const std::string& name) {
  if (genes && *genes != problem.genes)
    throw InvalidInput(fmt::format("the `objective` '{}' has {} genes, and `genes` is {}; leave it out",
                                   printable(name), problem.genes, *genes));
  return problem;
}

}  // namespace

Problem tour(std::span<const double> distances) {
  auto table = empty_tour_table(side_of(distances.size(), "distances", 3, most_cities), true);
  std::copy(distances.begin(), distances.end(), table.begin());
  return tour_of(std::move(table));
}

Problem tour_of(std::vector<double> table) {
  const auto count = side_of(table.size(), "distances", 3, most_cities);
  for (std::size_t a = 0; a < count; ++a) table[a * count + a] = 0;
  const bool is_directed = require_distances(table, count);
  const double largest = *std::max_element(table.begin(), table.end());
  // The local search adds up a part of a directed tour and some edges.
  if (largest * static_cast<double>(is_directed ? count + 4 : count) > largest_sum)
    throw InvalidInput(fmt::format("`distances` reach {}, and {} of them pass 2^31; divide them", largest, count));
  add_near_cities(table, count, is_directed);
  return permutation_problem(tour_name, std::move(table), count);
}

Problem assignment(std::span<const double> distances, std::span<const double> flows) {
  const auto count = side_of(distances.size(), "distances", 1, most_places);
  if (flows.size() != distances.size())
    throw InvalidInput(
        fmt::format("`flows` has {} numbers, and `distances` {}; give as many", flows.size(), distances.size()));
  for (std::size_t i = 0; i < distances.size(); ++i) {
    require_whole("distances", distances[i], i / count, i % count);
    require_whole("flows", flows[i], i / count, i % count);
  }
  if (const auto most = largest_sum_of_products(distances, flows, count); most > largest_sum)
    throw InvalidInput(
        fmt::format("the products of `flows` and `distances` may come to {}, which passes 2^31; divide them", most));
  std::vector<double> table(distances.begin(), distances.end());
  table.insert(table.end(), flows.begin(), flows.end());
  return permutation_problem(assignment_name, std::move(table), count);
}

Problem find_problem(const std::string& name, std::optional<std::uint32_t> genes, std::uint64_t seed) {
  if (const auto file = file_after(name, "tour:"))
    return require_genes(make_tour(read_cities(*file)).problem, genes, name);
  if (const auto file = file_after(name, "qap:")) return require_genes(read_qaplib(*file), genes, name);
  try {
    auto problem = ecga::find_problem(name, genes, seed);
    return {std::move(problem.objective), problem.length, {}, {}};
  } catch (const InvalidInput& error) {
    // What is a length there are genes here.
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find("`length`", at)) != std::string::npos;)
      message.replace(at, 8, "`genes`");
    throw InvalidInput(message);
  }
}

std::optional<double> optimum_of(const Problem& problem) {
  const auto& objective = problem.objective;
  if (objective.is_builtin() && objective.name() == "hiff" && std::has_single_bit(problem.genes))
    return static_cast<double>(problem.genes) * (std::countr_zero(problem.genes) + 1);
  return objective.optimum();
}

bool is_problem_name(const std::string& name) {
  if (name.starts_with("tour:") || name.starts_with("qap:") || ecga::is_file_name(name)) return true;
  if (name.ends_with(".cl") || name.find('/') != std::string::npos) return false;
  const auto names = Objective::names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return false;
  for (const char* word : {"trap", "step-trap", "folded-trap", "cyclic-trap", "nk", "ising"})
    if (name.starts_with(word)) return true;
  return false;
}

std::string problem_names() {
  return "tour:FILE (CSV, TSPLIB), qap:FILE (QAPLIB), trapK, step-trapK, folded-trapK, cyclic-trapK (of order K), nkK "
         "(K "
         "neighbours), ising, nk:FILE, maxsat:FILE, ising:FILE";
}

}  // namespace clopt::genetic
