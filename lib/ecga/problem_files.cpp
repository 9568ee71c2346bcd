/// \file
/// Problems that are read: NK landscapes, MAXSAT, spin glasses.
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "problem_parts.hpp"

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
      if (!std::getline(stream_, line_)) return std::nullopt;
      ++number_;
      at_ = 0;
      if (comment_ == '#') line_.resize(std::min(line_.find('#'), line_.size()));
      skip();
      if (comment_ != '#' && at_ < line_.size() && line_[at_] == comment_) at_ = line_.size();
    }
    const auto end = std::min(line_.find_first_of(" \t\r,;", at_), line_.size());
    auto word = line_.substr(at_, end - at_);
    at_ = end;
    skip();
    return word;
  }

  /// The next word as a number. \param what it is, for messages.
  template <class Number>
  Number number(const char* what, Number least, Number most) {
    const auto word = next();
    if (!word) refuse(fmt::format("the file ends where {} should stand", what));
    Number value{};
    const auto* end = word->data() + word->size();
    const auto [stop, error] = std::from_chars(word->data(), end, value);
    if (error != std::errc{} || stop != end || !(value >= least && value <= most))
      refuse(fmt::format("'{}' stands where {} should, a number from {} to {}", shown(*word), what, least, most));
    return value;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", file_.string(), number_, what));
  }

  void require_end() {
    if (const auto word = next()) refuse(fmt::format("'{}' stands after the end of the data", shown(*word)));
  }

  static std::string shown(const std::string& word) {
    std::string text;
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return text;
  }

 private:
  void skip() { at_ = std::min(line_.find_first_not_of(" \t\r,;", at_), line_.size()); }

  std::filesystem::path file_;
  std::ifstream stream_;
  char comment_;
  std::string line_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

}  // namespace

Problem read_nk(const std::filesystem::path& file) {
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
  return problem_of("nk", std::move(table), length);
}

Problem read_dimacs(const std::filesystem::path& file) {
  Words words(file, 'c');
  const auto p = words.next();
  if (!p || *p != "p") words.refuse("'p cnf VARIABLES CLAUSES' should stand before the clauses");
  const auto kind = words.next();
  if (!kind || *kind != "cnf")
    words.refuse(fmt::format("the format is '{}', and only cnf can be read: all clauses weigh the same",
                             kind ? Words::shown(*kind) : ""));
  const auto variables = words.number<std::uint32_t>("the number of variables", 1, most_loci);
  const auto clauses = words.number<std::uint32_t>("the number of clauses", 1, 1U << 24);
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
  return problem_of("maxsat", std::move(table), variables);
}

Problem read_ising(const std::filesystem::path& file) {
  Words words(file, '#');
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
  return problem_of("ising", std::move(table), spins);
}

}  // namespace clopt::ecga
