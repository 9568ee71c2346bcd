/// \file
/// Problems that are read: NK landscapes, MAXSAT, spin glasses.
#include <clopt/detail/text_reader.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <objective/precision.hpp>

#include "builtin_problem.hpp"

namespace clopt::ecga {
namespace {

/// A file's words, and what a comment `optimum V` has said so far.
class Words : public TextReader {
 public:
  /// \param comment what hides the rest of a line.
  Words(const std::filesystem::path& file, char comment)
      : TextReader(file, {comment, [this](std::string_view text) { read_comment(text); }}) {}

  std::optional<double> optimum() const { return optimum_; }

 private:
  void read_comment(std::string_view text) {
    const auto next = [&] {
      const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
      const auto end = std::min(text.find_first_of(" \t", begin), text.size());
      const auto word = text.substr(begin, end - begin);
      text.remove_prefix(end);
      return word;
    };
    if (next() != "optimum") return;
    const auto word = next();
    const auto value = number_of<double>(word);
    // Words may follow, but no number may be cut.
    if (!value && word.find_first_of("0123456789") != word.npos)
      refuse(fmt::format("'{}' stands where the comment's optimum should, a number", shown(word)));
    if (value && optimum_ && *optimum_ != *value)
      refuse(fmt::format("a comment gives the optimum {}, and an earlier one {}", *value, *optimum_));
    if (value) optimum_ = value;
  }

  std::optional<double> optimum_;
};

/// The most clauses, and the most literals, of a formula.
constexpr std::uint32_t most_clauses = 1U << 24;

bool is_bit_string(std::string_view word) { return !word.empty() && word.find_first_not_of("01") == word.npos; }

/// A bit string that a file says is the best one.
std::string read_solution(Words& words) {
  const auto word = words.word();
  if (!is_bit_string(word) || word.size() > most_loci)
    words.refuse(fmt::format("'{}' stands where a solution should, a digit 0 or 1 a locus", Words::shown(word)));
  return std::string(word);
}

// The files of Goldman and Punch (Parameter-less population pyramid, GECCO 2014): the lowest and the highest sum of
// all, each with a bit string that has it; then 2^(K+1) values a locus, whose neighbours follow it around the ring. A
// locus is the highest bit of its values' index.
Problem read_ring_of_nk(Words& words) {
  const auto least = words.number("the lowest value", -1e30, 1e30);
  const auto length = static_cast<std::uint32_t>(read_solution(words).size());
  const auto most = words.number("the highest value", least, 1e30);
  const auto best = read_solution(words);
  if (best.size() != length)
    words.refuse(fmt::format("the solutions have {} and {} loci; they should have as many", length, best.size()));
  std::vector<double> values;
  while (!words.peek().empty() && values.size() <= (std::size_t{1} << 28))
    values.push_back(words.number("a value", -1e30, 1e30));
  std::uint32_t neighbours = 0;
  while (neighbours < most_neighbours && std::size_t{length} * (2U << neighbours) < values.size()) ++neighbours;
  const std::uint32_t patterns = 2U << neighbours;
  if (values.size() != std::size_t{length} * patterns || neighbours >= length)
    words.refuse(fmt::format("{} values are not 2^(K+1) for each of {} loci, with K below {} and up to {}",
                             values.size(), length, length, most_neighbours));
  std::vector<double> table{static_cast<double>(neighbours)};
  double sum = 0;
  for (std::uint32_t locus = 0; locus < length; ++locus) {
    std::uint32_t chosen = 0;
    for (std::uint32_t k = 0; k <= neighbours; ++k) {
      if (k > 0) table.push_back((locus + k) % length);
      chosen = chosen << 1 | (best[(locus + k) % length] == '1' ? 1 : 0);
    }
    const auto* const own = values.data() + std::size_t{locus} * patterns;
    sum += own[chosen];
    for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
      std::uint32_t turned = 0;
      for (std::uint32_t k = 0; k <= neighbours; ++k) turned |= (pattern >> k & 1) << (neighbours - k);
      table.push_back(own[turned]);
    }
  }
  // These files have six digits, and their authors compare values in parts of 1/65536 of the range.
  const double tolerance = std::max((most - least) / 65536 / 2, 1e-6 * std::abs(most));
  if (std::abs(sum - most) > 100 * tolerance)
    words.refuse(fmt::format("the solution of the header has the value {}, and not {}", sum, most));
  return problem_of("nk", std::move(table), length, std::min(sum, most) - tolerance);
}

// The files of Goldman and Punch: the lowest energy and a bit string that has it, then the number of bonds, and for
// each its spins, from 0, and J.
Problem read_glass_with_ground_state(Words& words) {
  const auto energy = words.number("the lowest energy", -1e30, 1e30);
  const auto best = read_solution(words);
  const auto spins = static_cast<std::uint32_t>(best.size());
  if (spins < 2) words.refuse("a spin glass has 2 spins or more");
  const auto bonds = words.number<std::uint32_t>("the number of bonds", 1, 1U << 22);
  std::vector<double> table{static_cast<double>(bonds)};
  double sum = 0;
  for (std::uint32_t bond = 0; bond < bonds; ++bond) {
    const auto first = words.number<std::uint32_t>("a spin", 0, spins - 1);
    const auto second = words.number<std::uint32_t>("a spin", 0, spins - 1);
    if (first == second) words.refuse(fmt::format("spin {} is bound to itself", first));
    const auto coupling = words.number("a coupling", -1e30, 1e30);
    table.insert(table.end(), {static_cast<double>(first), static_cast<double>(second), coupling});
    sum += best[first] == best[second] ? coupling : -coupling;
  }
  words.require_end();
  if (std::abs(sum + energy) > 1e-6 * std::max(1.0, std::abs(energy)))
    words.refuse(fmt::format("the solution of the header has the energy {}, and not {}", -sum, energy));
  return problem_of("ising", std::move(table), spins, sum);
}

/// Clauses with weights, as they are read.
class WeightedClauses {
 public:
  /// \param weight none: the clause is hard.
  void begin(std::optional<double> weight, Words& words) {
    if (clauses_ == most_clauses) words.refuse("there are more than 2^24 clauses");
    ++clauses_;
    if (!weight) hard_.push_back(table_.size());
    weights_ += weight.value_or(0);
    if (static_cast<double>(hard_.size() + 1) * (weights_ + 1) >= objective::largest_exact_double)
      words.refuse(
          "the weights, and what hard clauses cost, add up to 2^53 or more, which doubles do not hold exactly");
    size_at_ = table_.size() + 1;
    table_.insert(table_.end(), {weight.value_or(0), 0});
  }
  void add(std::int32_t literal, Words& words) {
    if (table_.size() > most_clauses) words.refuse("there are more than 2^24 literals");
    table_.push_back(literal);
    ++table_[size_at_];
    variables_ = std::max(variables_, static_cast<std::uint32_t>(std::abs(literal)));
  }
  std::uint32_t clauses() const { return clauses_; }
  std::uint32_t variables() const { return variables_; }

  /// A hard clause that does not hold costs more than all others together give.
  Problem problem(std::uint32_t variables, std::optional<double> optimum) {
    for (const auto at : hard_) table_[at] = -(weights_ + 1);
    table_.insert(table_.begin(), clauses_);
    return problem_of("weighted_maxsat", std::move(table_), variables, optimum);
  }

 private:
  std::vector<double> table_;
  std::vector<std::size_t> hard_;  ///< where their weights are
  std::size_t size_at_ = 0;
  std::uint32_t clauses_ = 0;
  std::uint32_t variables_ = 0;
  double weights_ = 0;
};

void read_literals(Words& words, std::int32_t most, WeightedClauses& clauses) {
  while (const auto literal = words.number<std::int32_t>("a literal, or the 0 that ends a clause,", -most, most))
    clauses.add(literal, words);
}

// A weight is a whole number; a soft one that is larger than values hold is refused with the sum.
std::uint64_t read_weight(Words& words, std::uint64_t least = 0) {
  return words.number<std::uint64_t>("a clause's weight", least, std::numeric_limits<std::uint64_t>::max());
}

// WCNF with a header: `p wcnf VARIABLES CLAUSES [TOP]`, and each clause begins with its weight; those of TOP are hard.
Problem read_wcnf_with_header(Words& words) {
  const auto variables = words.number<std::uint32_t>("the number of variables", 1, most_loci);
  const auto count = words.number<std::uint32_t>("the number of clauses", 1, most_clauses);
  const auto header = words.line();
  std::optional<std::uint64_t> top;
  if (!words.peek().empty() && words.line() == header) {
    top = read_weight(words, 1);
    words.require_end_of_line();
  }
  WeightedClauses clauses;
  while (clauses.clauses() < count) {
    const auto weight = read_weight(words);
    clauses.begin(top && weight >= *top ? std::nullopt : std::optional(static_cast<double>(weight)), words);
    read_literals(words, static_cast<std::int32_t>(variables), clauses);
  }
  words.require_end();
  return clauses.problem(variables, words.optimum());
}

// WCNF as the MaxSAT Evaluations have it since 2022: no header, hard clauses begin with an h.
Problem read_wcnf_without_header(Words& words) {
  WeightedClauses clauses;
  while (!words.peek().empty()) {
    const bool is_hard = words.peek() == "h";
    if (is_hard) words.word();
    clauses.begin(is_hard ? std::nullopt : std::optional(static_cast<double>(read_weight(words))), words);
    read_literals(words, static_cast<std::int32_t>(most_loci), clauses);
  }
  if (clauses.variables() == 0) words.refuse("there is no literal in any clause");
  return clauses.problem(clauses.variables(), words.optimum());
}

}  // namespace

Problem read_nk(const std::filesystem::path& file) {
  {
    // A second word that is too long for a number of neighbours is a solution.
    Words first(file, '#');
    first.word();
    const auto second = first.word();
    Words words(file, '#');
    if (second.size() > 2 && is_bit_string(second)) return read_ring_of_nk(words);
  }
  Words words(file, '#');
  const auto length = words.number<std::uint32_t>("the number of loci", 1, most_loci);
  const auto neighbours =
      words.number<std::uint32_t>("the number of neighbours", 0, std::min(most_neighbours, length - 1));
  if (has_too_many_values(length, neighbours))
    words.refuse(fmt::format("{} loci with {} neighbours have more than 2^28 values", length, neighbours));
  std::vector<double> table{static_cast<double>(neighbours)};
  for (std::uint32_t locus = 0; locus < length; ++locus) {
    for (std::uint32_t k = 0; k < neighbours; ++k) {
      const auto neighbour = words.number<std::uint32_t>("a neighbour", 0, length - 1);
      const auto first = table.end() - k;
      if (neighbour == locus || std::find(first, table.end(), neighbour) != table.end())
        words.refuse(fmt::format("locus {} has the neighbour {} twice, or is its own", locus, neighbour));
      table.push_back(neighbour);
    }
    for (std::uint32_t pattern = 0; pattern < 2U << neighbours; ++pattern)
      table.push_back(words.number("a value", -1e30, 1e30));
  }
  words.require_end();
  return problem_of("nk", std::move(table), length, words.optimum());
}

Problem read_dimacs(const std::filesystem::path& file) {
  Words words(file, 'c');
  const auto begin = words.peek();
  const bool is_weight = !begin.empty() && begin.find_first_not_of("0123456789") == begin.npos;
  if (begin == "h" || (is_weight && file.extension() == ".wcnf")) return read_wcnf_without_header(words);
  if (words.word() != "p") words.refuse("'p cnf VARIABLES CLAUSES' should stand before the clauses");
  const auto kind = words.word();
  if (kind == "wcnf") return read_wcnf_with_header(words);
  if (kind != "cnf") words.refuse(fmt::format("the format is '{}', and cnf and wcnf can be read", Words::shown(kind)));
  const auto variables = words.number<std::uint32_t>("the number of variables", 1, most_loci);
  const auto clauses = words.number<std::uint32_t>("the number of clauses", 1, most_clauses);
  words.require_end_of_line();
  const auto most = static_cast<std::int32_t>(variables);
  std::vector<double> table{static_cast<double>(clauses)};
  for (std::uint32_t clause = 0; clause < clauses; ++clause) {
    const auto size_at = table.size();
    table.push_back(0);
    while (const auto literal = words.number<std::int32_t>("a literal, or the 0 that ends a clause,", -most, most))
      table.push_back(literal);
    if (table.size() > (std::size_t{1} << 24)) words.refuse("there are more than 2^24 literals");
    table[size_at] = static_cast<double>(table.size() - size_at - 1);
  }
  // Files of SATLIB end with lines `%` and `0`.
  auto word = words.word();
  if (word == "%" && (word = words.word()) == "0") word = words.word();
  if (!word.empty())
    words.refuse(
        fmt::format("'{}' stands after the {} clauses that the header announces", Words::shown(word), clauses));
  return problem_of("maxsat", std::move(table), variables, words.optimum());
}

Problem read_ising(const std::filesystem::path& file) {
  Words words(file, '#');
  // An energy, which is at most 0, cannot be a number of spins.
  if (const auto first = words.peek(); first.starts_with('-') || first.starts_with('0'))
    return read_glass_with_ground_state(words);
  const auto spins = words.number<std::uint32_t>("the number of spins", 2, most_loci);
  const auto bonds = words.number<std::uint32_t>("the number of bonds", 1, 1U << 22);
  std::vector<double> table{static_cast<double>(bonds)};
  for (std::uint32_t bond = 0; bond < bonds; ++bond) {
    const auto first = words.number<std::uint32_t>("a spin", 1, spins);
    const auto second = words.number<std::uint32_t>("a spin", 1, spins);
    if (first == second) words.refuse(fmt::format("spin {} is bound to itself", first));
    table.insert(table.end(), {first - 1.0, second - 1.0, words.number("a coupling", -1e30, 1e30)});
  }
  words.require_end();
  return problem_of("ising", std::move(table), spins, words.optimum());
}

}  // namespace clopt::ecga
