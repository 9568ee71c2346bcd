#include "precision.hpp"

#include <clopt/detail/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "magnitude.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

constexpr std::string_view sums_pass = "sums of whole numbers may pass 2^24, up to which floats are exact";
constexpr std::string_view number_passes = "floats round a whole number of it";

bool is_whole(double number) { return number == std::floor(number) && std::isfinite(number); }

// What bounds a text's values.
struct Numbers {
  double largest = 1;  // of those that are whole
  bool is_rounded = false;
  std::size_t products = 0;  // but those of an index
  std::size_t loops = 0;

  void add(double number) {
    if (!is_whole(number)) return;
    largest = std::max(largest, std::abs(number));
    is_rounded = is_rounded || static_cast<double>(static_cast<float>(number)) != number;
  }
};

Numbers numbers_of(const Objective& objective) {
  Numbers all;
  for (const auto& [name, value] : objective.constants()) all.add(value);
  const auto& values = objective.table_values();
  for (const auto& [name, place] : objective.tables()) {
    const auto table = std::span(values).subspan(place.first, place.second);
    // Where some have digits behind the point, sums have no exact value anyway.
    if (std::all_of(table.begin(), table.end(), is_whole))
      for (const double value : table) all.add(value);
  }
  const bool has_masks = objective.form() == ObjectiveForm::count || objective.form() == ObjectiveForm::word;
  const auto tokens = tokens_of(objective.text());
  std::size_t behind_index = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const bool chooses = token.text == "gene" || objective.tables().contains(std::string(token.text));
    if (i + 1 < tokens.size() && ((chooses && tokens[i + 1].text == "(") || tokens[i + 1].text == "["))
      behind_index = std::max(behind_index, behind_group(tokens, i + 1));
    if (token.kind == Token::Kind::number)
      if (const auto number = literal_of(token.text, has_masks)) all.add(*number);
    if (token.text == "for" || token.text == "while") ++all.loops;
    const bool shifts = token.text == "<" && i + 1 < tokens.size() && tokens[i + 1].text == "<";
    const bool multiplies = token.text == "*" || token.text == "pow" || shifts;
    if (multiplies && i >= behind_index) ++all.products;
  }
  return all;
}

double sum_of_magnitudes(std::span<const double> table, std::size_t first, std::size_t step) {
  double sum = 0;
  for (auto i = first; i < table.size(); i += step) sum += is_whole(table[i]) ? std::abs(table[i]) : 0;
  return sum;
}

// The weights of weighted_maxsat, of which hard clauses have negative ones.
double sum_of_weights(std::span<const double> table) {
  double sum = 0;
  for (std::size_t at = 1; at + 1 < table.size(); at += 2 + static_cast<std::size_t>(table[at + 1]))
    sum += std::abs(table[at]);
  return sum;
}

// The mean of all assignments, below which good ones are.
double mean_of_assignments(std::span<const double> table, std::size_t genes) {
  const auto matrix = genes * genes;
  const auto pairs = static_cast<double>(genes) * static_cast<double>(genes - 1);
  return sum_of_magnitudes(table.first(matrix), 0, 1) / pairs * sum_of_magnitudes(table.subspan(matrix), 0, 1);
}

double largest_of_builtin(const Objective& objective, std::uint64_t genes) {
  const auto& name = objective.name();
  const auto count = static_cast<double>(genes);
  const std::span<const double> table(objective.table_values());
  if (name == "hiff") return count * (std::log2(count) + 1);
  if (name == "ising") return sum_of_magnitudes(table, 3, 3);
  if (name == "nk") {
    if (!std::all_of(table.begin(), table.end(), is_whole)) return 1;
    const auto magnitudes = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return count * std::abs(*std::max_element(table.begin(), table.end(), magnitudes));
  }
  if (name == "weighted_maxsat") return sum_of_weights(table);
  if (name == "assignment" && genes > 1 && table.size() == 2 * genes * genes)
    return mean_of_assignments(table, static_cast<std::size_t>(genes));
  return objective.kind() == GeneKind::bits ? count : 1;
}

bool text_passes(const Objective& objective, std::uint64_t genes, double largest_gene) {
  const auto all = numbers_of(objective);
  if (objective.kind() == GeneKind::reals) return all.is_rounded;
  if (objective.form() != ObjectiveForm::count && objective.form() != ObjectiveForm::word) {
    if (const auto found = largest_value(objective, genes, largest_gene)) return *found > largest_exact_float;
    if (all.products != 0) return true;
  }
  const auto count = static_cast<double>(genes);
  const double largest = std::max(all.largest, largest_gene);
  // An index, or the ones of a word, may be multiplied, and end a loop.
  const double factor = std::max({largest, count, 32.0});
  const double term = std::pow(factor, static_cast<double>(all.products)) * (all.products == 0 ? largest : factor);
  return term * count * std::pow(factor, static_cast<double>(all.loops)) > largest_exact_float;
}

}  // namespace

// Numbers in hexadecimal that counts and words have are mostly masks.
std::optional<double> literal_of(std::string_view word, bool has_masks) {
  const bool is_hexadecimal = word.size() > 1 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
  if (is_hexadecimal && has_masks) return std::nullopt;
  if (is_hexadecimal) {
    // Also without a point or an exponent. A suffix is left over.
    double number = 0;
    std::from_chars(word.data() + 2, word.data() + word.size(), number, std::chars_format::hex);
    return number;
  }
  while (!word.empty() && std::string_view("uUlLfF").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return number_in<double>(word);
}

std::string why_doubles(const Objective& objective, std::uint64_t genes, double largest_gene) {
  if (objective.is_function()) return "it is a function, whose values are doubles";
  if (objective.has_violation()) return "floats resolve no small violations";
  if (objective.is_fit()) return {};
  const bool passes = objective.is_builtin() ? largest_of_builtin(objective, genes) > largest_exact_float
                                             : text_passes(objective, genes, largest_gene);
  if (!passes) return {};
  return std::string(objective.kind() == GeneKind::reals ? number_passes : sums_pass);
}

std::vector<std::shared_ptr<Device>> with_doubles(std::span<const std::shared_ptr<Device>> devices,
                                                  bool double_precision, std::vector<std::string>& failures) {
  std::vector<std::shared_ptr<Device>> able;
  if (double_precision)
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(able),
                 [](const auto& device) { return device->info().has_double; });
  if (able.empty()) return {devices.begin(), devices.end()};
  for (const auto& device : devices)
    if (!device->info().has_double)
      failures.push_back(fmt::format("{}: it has no doubles, which this run needs", device->info().id));
  return able;
}

}  // namespace clopt::objective
