#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "decimal.hpp"

namespace clopt::subset_sum {
namespace {

/// Takes the numbers of a text.
class Reader {
 public:
  /// \param takes_weights whether only integers from 1 on are taken.
  Reader(std::istream& text, std::string_view name, bool takes_weights)
      : text_(text, name, {.comment = '#', .has_commas = true}), takes_weights_(takes_weights) {
    for (auto word = text_.word(); !word.empty(); word = text_.word()) take(word);
    if (numbers_.empty())
      throw InvalidInput(fmt::format("{}: no number found; give at least one {}, with white space between them", name,
                                     takes_weights_ ? "positive integer" : "weight"));
  }

  /// The numbers, times the power of ten of the one with the most decimals. \param least decimals, at least.
  Amounts finish(unsigned least) {
    const auto decimals = std::max(decimals_.empty() ? 0U : most_decimals_, least);
    for (std::size_t i = 0; decimals > 0 && i < numbers_.size(); ++i) {
      const Decimal number{numbers_[i], decimals_.empty() ? 0U : decimals_[i]};
      const auto scaled = with_decimals(number, decimals);
      if (!scaled)
        throw InvalidInput(
            fmt::format("{}: {} is too large beside numbers with {} decimals; the digits of all of them "
                        "in one unit must not pass 2^63-1",
                        text_.name(), text_of(number), decimals));
      numbers_[i] = *scaled;
    }
    return {std::move(numbers_), 0, decimals};
  }

 private:
  void take(std::string_view word) {
    // Most are integers of few digits.
    std::int64_t integer = 0;
    const auto* const end = word.data() + word.size();
    if (const auto [stop, error] = std::from_chars(word.data(), end, integer);
        error == std::errc{} && stop == end && (integer > 0 || !takes_weights_) &&
        integer != std::numeric_limits<std::int64_t>::min()) {
      add({integer, 0});
      return;
    }
    DecimalReader reader;
    for (const char c : word) reader.take(c);
    const auto number = reader.value();
    if (!number || (takes_weights_ && (number->digits <= 0 || reader.has_point()))) refuse(word, reader);
    add(*number);
  }

  void add(const Decimal& number) {
    // Few texts have decimals: places for them are made at the first.
    if (number.decimals > 0 && decimals_.empty()) decimals_.resize(numbers_.size());
    if (number.decimals > 0 || !decimals_.empty()) {
      decimals_.push_back(static_cast<std::uint8_t>(number.decimals));
      most_decimals_ = std::max(most_decimals_, number.decimals);
    }
    numbers_.push_back(number.digits);
  }

  [[noreturn]] void refuse(std::string_view word, const DecimalReader& reader) const {
    const auto* const wanted = takes_weights_
                                   ? "weights are integers from 1 to 2^63-1"
                                   : "numbers are integers up to 2^63-1 in magnitude, or decimals, such as -12.50, of "
                                     "at most 18 digits";
    text_.refuse(fmt::format("'{}' is {}; {}, with white space, commas or semicolons between them",
                             TextReader::shown(word), fault(reader), wanted));
  }

  static std::string_view fault(const DecimalReader& reader) {
    const auto number = reader.value();
    if (!number) return reader.fault();
    if (number->digits < 0) return "negative";
    return number->digits == 0 ? "zero" : "not an integer";
  }

  TextReader text_;
  bool takes_weights_;
  std::vector<std::int64_t> numbers_;   ///< their digits
  std::vector<std::uint8_t> decimals_;  ///< of each number; empty while there are none
  unsigned most_decimals_ = 0;
};

}  // namespace

std::vector<std::uint64_t> read_weights(std::istream& text, std::string_view name) {
  const auto amounts = Reader(text, name, true).finish(0);
  return {amounts.numbers.begin(), amounts.numbers.end()};
}

Amounts read_amounts(std::istream& text, std::string_view name, const Decimal& capacity) {
  auto amounts = Reader(text, name, false).finish(capacity.decimals);
  const auto scaled = with_decimals(capacity, amounts.decimals);
  if (!scaled)
    throw InvalidInput(
        fmt::format("{}: the capacity {} is too large beside numbers with {} decimals; the digits of all "
                    "of them in one unit must not pass 2^63-1",
                    name, text_of(capacity), amounts.decimals));
  amounts.capacity = *scaled;
  return amounts;
}

}  // namespace clopt::subset_sum
