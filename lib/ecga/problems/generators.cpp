/// \file
/// Problems that are made, and finding problems by name.
#include <shared/random.h>
#include <clopt/detail/numbers.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "builtin_problem.hpp"
#include "upper_bound.hpp"

namespace clopt::ecga {
namespace {

// Purposes of random numbers.
constexpr std::uint32_t purpose_of_nk = 0x45430101U;
constexpr std::uint32_t purpose_of_ising = 0x45430102U;

constexpr std::uint32_t steps_of_a_value = 1U << (32 - bits_of_nk_value);

void require_blocks(const char* what, std::uint32_t order, std::uint32_t block, std::uint32_t length) {
  if (order < 2 || order > 32) throw InvalidInput(fmt::format("{} have orders from 2 to 32, not {}", what, order));
  if (length == 0 || length > most_loci)
    throw InvalidInput(fmt::format("`length` is {}; choose from 1 to {}", length, most_loci));
  if (length % block == 0) return;
  const auto above = (length / block + 1) * block;
  throw InvalidInput(fmt::format(
      "{} of order {} take blocks of {} loci, which do not divide the `length` {}; take {}", what, order, block, length,
      length < block ? fmt::format("{}", above) : fmt::format("{} or {}", above - block, above)));
}

// The number behind a word in a name: "trap5" is 5 behind "trap".
std::optional<std::uint32_t> number_behind(std::string_view name, std::string_view word) {
  return name.starts_with(word) ? number_in<std::uint32_t>(name.substr(word.size())) : std::nullopt;
}

struct Reader {
  std::string_view prefix;  // of the file in a problem's name
  Problem (*read)(const std::filesystem::path& file);
};
constexpr Reader readers[] = {{"nk:", read_nk}, {"maxsat:", read_dimacs}, {"ising:", read_ising}};

// Null where a name is not that of a file.
const Reader* reader_of(std::string_view name) {
  const auto* const found = std::ranges::find_if(readers, [&](auto& each) { return name.starts_with(each.prefix); });
  return found == std::end(readers) ? nullptr : found;
}

std::uint32_t required(std::optional<std::uint32_t> length, const std::string& name) {
  if (!length) throw InvalidInput(fmt::format("the `objective` '{}' needs a `length`; give one", printable(name)));
  return *length;
}

Problem of_file(Problem problem, std::optional<std::uint32_t> length, const std::string& name) {
  if (length && *length != problem.length)
    throw InvalidInput(fmt::format("the `objective` '{}' has {} loci, and `length` is {}; leave it out",
                                   printable(name), problem.length, *length));
  return problem;
}

std::uint32_t side_of(std::uint32_t length) {
  const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(length))));
  if (side * side != length)
    throw InvalidInput(fmt::format("a spin glass on a square has a square number of spins, not {}; take {}", length,
                                   std::max(side, 2U) * std::max(side, 2U)));
  return side;
}

}  // namespace

Problem trap(std::uint32_t order, std::uint32_t length) {
  require_blocks("traps", order, order, length);
  return problem_of("trap", {static_cast<double>(order)}, length, length);
}

Problem step_trap(std::uint32_t order, std::uint32_t width, std::uint32_t length) {
  require_blocks("step traps", order, order, length);
  if (width == 0 || width > order)
    throw InvalidInput(fmt::format("a step trap of order {} has steps of 1 to {}, not {}", order, order, width));
  const auto best = (order + (order - width) % width) / width;
  const std::uint32_t blocks = length / order;
  return problem_of("step_trap", {static_cast<double>(order), static_cast<double>(width)}, length,
                    static_cast<double>(best) * blocks);
}

Problem folded_trap(std::uint32_t order, std::uint32_t length) {
  require_blocks("folded traps", order, order, length);
  if (order < 4 || order % 2 != 0)
    throw InvalidInput(fmt::format("folded traps have an even order, 4 or more, not {}", order));
  const std::uint32_t blocks = length / order;
  return problem_of("folded_trap", {static_cast<double>(order)}, length, 5.0 * blocks);
}

Problem cyclic_trap(std::uint32_t order, std::uint32_t length) {
  require_blocks("cyclic traps", order, std::max(order, 2U) - 1, length);
  if (order < 3 || length < 2 * (order - 1))
    throw InvalidInput("cyclic traps have an order of 3 or more, and there are at least two of them");
  const std::uint32_t traps = length / (order - 1);
  return problem_of("cyclic_trap", {static_cast<double>(order)}, length, static_cast<double>(order) * traps);
}

Problem hiff(std::uint32_t length) {
  if (!std::has_single_bit(length) || length > most_loci)
    throw InvalidInput(fmt::format("hiff needs a power of two as its length, up to {}, not {}", most_loci, length));
  const auto levels = std::countr_zero(length) + 1;
  return problem_of("hiff", {0}, length, static_cast<double>(length) * levels);
}

Problem nearest_neighbour_nk(std::uint32_t neighbours, std::uint32_t length, std::uint64_t seed) {
  if (neighbours > most_neighbours || neighbours >= length || length > most_loci)
    throw InvalidInput(
        fmt::format("an NK landscape of {} loci with {} neighbours is asked for; there may be up to {} "
                    "loci, and up to {} neighbours but fewer than loci",
                    length, neighbours, most_loci, most_neighbours));
  if (has_too_many_values(length, neighbours))
    throw InvalidInput(
        fmt::format("{} loci with {} neighbours have more than 2^28 values; take fewer", length, neighbours));
  std::vector<double> table{static_cast<double>(neighbours)};
  for (std::uint32_t locus = 0; locus < length; ++locus) {
    for (std::uint32_t k = 1; k <= neighbours; ++k) table.push_back((locus + k) % length);
    for (std::uint32_t pattern = 0; pattern < 2U << neighbours; ++pattern) {
      const auto steps = shared::random_at(seed, purpose_of_nk, locus, pattern, neighbours).a / steps_of_a_value;
      table.push_back(steps / static_cast<double>(1U << bits_of_nk_value));
    }
  }
  std::optional<double> optimum;
  if (neighbours <= most_neighbours_of_ring) optimum = best_of_ring(table, length);
  return problem_of("nk", std::move(table), length, optimum);
}

Problem ising(std::uint32_t side, std::uint64_t seed) {
  if (side < 2 || side > 1024)
    throw InvalidInput(fmt::format("a spin glass has a side of 2 to 1024 spins, not {}", side));
  const auto spins = side * side;
  std::vector<double> table{2.0 * spins};
  for (std::uint32_t spin = 0; spin < spins; ++spin) {
    const auto word = shared::random_at(seed, purpose_of_ising, spin, 0, 0).a;
    const auto row = spin / side;
    const auto column = spin % side;
    const std::uint32_t other[] = {row * side + (column + 1) % side, (row + 1) % side * side + column};
    for (unsigned i = 0; i < 2; ++i)
      table.insert(table.end(),
                   {static_cast<double>(spin), static_cast<double>(other[i]), (word >> i & 1) != 0 ? 1.0 : -1.0});
  }
  return problem_of("ising", std::move(table), spins, std::nullopt);
}

std::string problem_names() {
  return "onemax, trapK, step-trapK, folded-trapK, cyclic-trapK (of order K), hiff, nkK (K neighbours), ising, "
         "nk:FILE, "
         "maxsat:FILE, ising:FILE, or FILE.cl";
}

bool is_file_name(std::string_view name) { return reader_of(name) != nullptr; }

Problem find_problem(const std::string& name, std::optional<std::uint32_t> length, std::uint64_t seed) {
  if (const auto* const reader = reader_of(name))
    return of_file(reader->read(name.substr(reader->prefix.size())), length, name);
  if (const auto order = number_behind(name, "trap")) return trap(*order, required(length, name));
  if (const auto order = number_behind(name, "step-trap")) return step_trap(*order, 2, required(length, name));
  if (const auto order = number_behind(name, "folded-trap")) return folded_trap(*order, required(length, name));
  if (const auto order = number_behind(name, "cyclic-trap")) return cyclic_trap(*order, required(length, name));
  if (const auto neighbours = number_behind(name, "nk"))
    return nearest_neighbour_nk(*neighbours, required(length, name), seed);
  if (name == "hiff") return hiff(required(length, name));
  if (name == "ising") return ising(side_of(required(length, name)), seed);
  if (name != "onemax" && !name.ends_with(".cl") && name.find('/') == name.npos)
    throw InvalidInput(fmt::format("there is no `objective` '{}'; there are {}", printable(name), problem_names()));
  Problem problem{Objective::find(name), required(length, name)};
  if (name == "onemax") problem.objective.set_optimum(problem.length);  // here ones are maximised
  return problem;
}

}  // namespace clopt::ecga
