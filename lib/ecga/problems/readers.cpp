/// \file
/// Problems that are read: NK landscapes, MAXSAT, spin glasses.
#include <clopt/detail/numbers.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "builtin_problem.hpp"

namespace clopt::ecga {
namespace {

/// The words of a file, one after the other, with the line that each stands in.
class Words {
 public:
  /// \param comment the letter that hides the rest of a line: `#` anywhere, another one that begins the line.
  Words(const std::filesystem::path& file, char comment) : file_(file), stream_(file), comment_(comment) {
    std::error_code ignored;
    if (!stream_ || std::filesystem::is_directory(file, ignored))
      throw InvalidInput(fmt::format("{} cannot be read", file.string()));
  }

  /// The next word; none at the file's end.
  std::optional<std::string> next() {
    while (at_ == line_.size()) {
      if (!std::getline(stream_, line_)) {
        line_.clear();
        at_ = 0;
        return std::nullopt;
      }
      ++number_;
      at_ = 0;
      if (comment_ == '#') {
        const auto begin = std::min(line_.find('#'), line_.size());
        read_comment(std::string_view(line_).substr(begin));
        line_.resize(begin);
      }
      skip();
      if (comment_ != '#' && at_ < line_.size() && line_[at_] == comment_) {
        read_comment(std::string_view(line_).substr(at_));
        at_ = line_.size();
      }
    }
    const auto end = std::min(line_.find_first_of(" \t\r,;", at_), line_.size());
    auto word = line_.substr(at_, end - at_);
    word_at_ = at_;
    at_ = end;
    skip();
    return word;
  }

  /// The next word as a number. \param what it is, for messages.
  template <class Number>
  Number number(const char* what, Number least, Number most) {
    const auto word = next();
    if (!word) refuse(fmt::format("the file ends where {} should stand", what));
    const auto value = number_in<Number>(*word);
    if (!value || *value < least || *value > most)
      refuse(fmt::format("'{}' stands where {} should, a number from {} to {}", shown(*word), what, least, most));
    return *value;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", file_.string(), number_, what));
  }

  /// The next word, which stays the next one.
  std::optional<std::string> peek() {
    auto word = next();
    if (word) at_ = word_at_;
    return word;
  }

  /// What a comment `optimum V` has said so far.
  std::optional<double> optimum() const { return optimum_; }
  std::size_t line() const { return number_; }

  void require_end() {
    if (const auto word = next()) refuse(fmt::format("'{}' stands after the end of the data", shown(*word)));
  }

  static std::string shown(const std::string& word) {
    std::string text;
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return text;
  }

 private:
  // `text` begins with the letter of the comment.
  void read_comment(std::string_view text) {
    std::istringstream words(std::string(text.substr(std::min<std::size_t>(text.size(), 1))));
    words.imbue(std::locale::classic());
    std::string word;
    double value = 0;
    if (words >> word >> value && word == "optimum" && std::isfinite(value)) optimum_ = value;
  }

  void skip() { at_ = std::min(line_.find_first_not_of(" \t\r,;", at_), line_.size()); }

  std::filesystem::path file_;
  std::ifstream stream_;
  char comment_;
  std::string line_;
  std::size_t at_ = 0;
  std::size_t word_at_ = 0;  ///< of the last word
  std::size_t number_ = 0;
  std::optional<double> optimum_;
};

/// The most clauses, and the most literals, of a formula.
constexpr std::uint32_t most_clauses = 1U << 24;
/// Values are floats, which hold whole numbers up to here.
constexpr double most_exact = 1U << 24;

bool is_bit_string(const std::string& word) {
  return !word.empty() && word.find_first_not_of("01") == std::string::npos;
}

/// A bit string that a file says is the best one.
std::string read_solution(Words& words) {
  const auto word = words.next();
  if (!word || !is_bit_string(*word) || word->size() > most_loci)
    words.refuse(fmt::format("'{}' stands where a solution should, a digit 0 or 1 a locus",
                             word ? Words::shown(*word) : std::string()));
  return *word;
}

// The files of Goldman and Punch (Parameter-less population pyramid, GECCO 2014): the lowest and the highest sum of
// all, each with a bit string that has it; then 2^(K+1) values a locus, whose neighbours follow it around the ring. A
// locus is the highest bit of its values' index.
Problem read_ring_of_nk(Words& words) {
  const auto least = words.number<double>("the lowest value", -1e30, 1e30);
  const auto length = static_cast<std::uint32_t>(read_solution(words).size());
  const auto most = words.number<double>("the highest value", least, 1e30);
  const auto best = read_solution(words);
  if (best.size() != length)
    words.refuse(fmt::format("the solutions have {} and {} loci; they should have as many", length, best.size()));
  std::vector<double> values;
  while (words.peek() && values.size() <= (std::size_t{1} << 28))
    values.push_back(words.number<double>("a value", -1e30, 1e30));
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
  const auto energy = words.number<double>("the lowest energy", -1e30, 1e30);
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
    const auto coupling = words.number<double>("a coupling", -1e30, 1e30);
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
    if (weights_ >= most_exact)
      words.refuse("the weights add up to 2^24 or more, which values of single precision do not hold exactly");
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

double read_weight(Words& words) {
  // A weight is a whole number; what is larger than values hold is refused with the sum.
  const auto weight = words.number<std::uint64_t>("a clause's weight", 0, std::uint64_t{1} << 62);
  return static_cast<double>(weight);
}

// WCNF with a header: `p wcnf VARIABLES CLAUSES [TOP]`, and each clause begins with its weight; those of TOP are hard.
Problem read_wcnf_with_header(Words& words) {
  const auto variables = words.number<std::uint32_t>("the number of variables", 1, most_loci);
  const auto count = words.number<std::uint32_t>("the number of clauses", 1, most_clauses);
  const auto header = words.line();
  const auto word = words.peek();
  double top = std::numeric_limits<double>::infinity();
  if (word && words.line() == header) top = read_weight(words);
  WeightedClauses clauses;
  while (clauses.clauses() < count) {
    const auto weight = read_weight(words);
    clauses.begin(weight >= top ? std::nullopt : std::optional(weight), words);
    read_literals(words, static_cast<std::int32_t>(variables), clauses);
  }
  words.require_end();
  return clauses.problem(variables, words.optimum());
}

// WCNF as the MaxSAT Evaluations have it since 2022: no header, hard clauses begin with an h.
Problem read_wcnf_without_header(Words& words) {
  WeightedClauses clauses;
  while (const auto word = words.peek()) {
    const bool is_hard = *word == "h";
    if (is_hard) words.next();
    clauses.begin(is_hard ? std::nullopt : std::optional(read_weight(words)), words);
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
    first.next();
    const auto second = first.next();
    Words words(file, '#');
    if (second && second->size() > 2 && is_bit_string(*second)) return read_ring_of_nk(words);
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
      table.push_back(words.number<double>("a value", -1e30, 1e30));
  }
  words.require_end();
  return problem_of("nk", std::move(table), length, words.optimum());
}

Problem read_dimacs(const std::filesystem::path& file) {
  Words words(file, 'c');
  const auto begin = words.peek();
  const bool is_weight = begin && begin->find_first_not_of("0123456789") == std::string::npos;
  if (begin && (*begin == "h" || (is_weight && file.extension() == ".wcnf"))) return read_wcnf_without_header(words);
  const auto p = words.next();
  if (!p || *p != "p") words.refuse("'p cnf VARIABLES CLAUSES' should stand before the clauses");
  const auto kind = words.next();
  if (kind && *kind == "wcnf") return read_wcnf_with_header(words);
  if (!kind || *kind != "cnf")
    words.refuse(fmt::format("the format is '{}', and cnf and wcnf can be read", kind ? Words::shown(*kind) : ""));
  const auto variables = words.number<std::uint32_t>("the number of variables", 1, most_loci);
  const auto clauses = words.number<std::uint32_t>("the number of clauses", 1, most_clauses);
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
  if (const auto word = words.next(); word && *word != "%")
    words.refuse(
        fmt::format("'{}' stands after the {} clauses that the header announces", Words::shown(*word), clauses));
  return problem_of("maxsat", std::move(table), variables, words.optimum());
}

Problem read_ising(const std::filesystem::path& file) {
  Words words(file, '#');
  // An energy, which is at most 0, cannot be a number of spins.
  if (const auto first = words.peek(); first && (first->starts_with('-') || first->starts_with('0')))
    return read_glass_with_ground_state(words);
  const auto spins = words.number<std::uint32_t>("the number of spins", 2, most_loci);
  const auto bonds = words.number<std::uint32_t>("the number of bonds", 1, 1U << 22);
  std::vector<double> table{static_cast<double>(bonds)};
  for (std::uint32_t bond = 0; bond < bonds; ++bond) {
    const auto first = words.number<std::uint32_t>("a spin", 1, spins);
    const auto second = words.number<std::uint32_t>("a spin", 1, spins);
    if (first == second) words.refuse(fmt::format("spin {} is bound to itself", first));
    table.insert(table.end(), {first - 1.0, second - 1.0, words.number<double>("a coupling", -1e30, 1e30)});
  }
  words.require_end();
  return problem_of("ising", std::move(table), spins, words.optimum());
}

}  // namespace clopt::ecga
