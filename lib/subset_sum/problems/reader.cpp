#include <fmt/format.h>

#include <array>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <istream>
#include <limits>

#include "decimal.hpp"

namespace clopt::subset_sum {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t shown_characters = 40;

enum class Character : std::uint8_t { other, separator, comment };

// What ends a word: white space, commas, semicolons, and the sign of a comment.
constexpr auto characters = [] {
  std::array<Character, 256> table{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', ',', ';'})
    table[static_cast<unsigned char>(c)] = Character::separator;
  table['#'] = Character::comment;
  return table;
}();
Character kind_of(char c) { return characters[static_cast<unsigned char>(c)]; }

/// Takes a text block by block. A word may lie across blocks, so what was read of it, and its text as far as a message
/// shows it, outlive the block.
class Reader {
 public:
  /// \param takes_weights whether only integers from 1 on are taken.
  Reader(std::string_view name, bool takes_weights) : name_(name), takes_weights_(takes_weights) {}

  void take(std::string_view block) {
    const char* at = block.data();
    const char* const end = at + block.size();
    while (at != end) {
      if (in_comment_) {
        while (at != end && *at != '\n') ++at;
        if (at == end) return;
        in_comment_ = false;
      }
      if (!in_word_) {
        while (at != end && kind_of(*at) == Character::separator) line_ += *at++ == '\n';
        if (at == end) return;
        if (*at == '#') {
          in_comment_ = true;
          continue;
        }
        in_word_ = true;
        number_ = {};
      }
      const char* const begin = at;
      auto number = number_;
      for (; at != end && kind_of(*at) == Character::other; ++at) number.take(*at);
      number_ = number;
      if (at == end) {
        if (earlier_.size() <= shown_characters) earlier_.append(begin, end);
        if (number_.is_bad() && earlier_.size() > shown_characters) refuse(earlier_);
        return;
      }
      accept({begin, at});
    }
  }

  /// The numbers, times the power of ten of the one with the most decimals. \param least decimals, at least.
  Amounts finish(unsigned least) {
    if (in_word_) accept({});
    if (numbers_.empty()) {
      throw InvalidInput(fmt::format("{}: no number found; give at least one {}, with white space between them", name_,
                                     takes_weights_ ? "positive integer" : "weight"));
    }
    const auto decimals = std::max(decimals_.empty() ? 0U : most_decimals_, least);
    for (std::size_t i = 0; decimals > 0 && i < numbers_.size(); ++i) {
      const Decimal number{numbers_[i], decimals_.empty() ? 0U : decimals_[i]};
      const auto scaled = with_decimals(number, decimals);
      if (!scaled)
        throw InvalidInput(
            fmt::format("{}: {} is too large beside numbers with {} decimals; the digits of all of them "
                        "in one unit must not pass 2^63-1",
                        name_, text_of(number), decimals));
      numbers_[i] = *scaled;
    }
    return {std::move(numbers_), 0, decimals};
  }

 private:
  void accept(std::string_view rest) {
    const auto number = number_.value();
    if (!number || (takes_weights_ && (number->digits <= 0 || number_.has_point()))) refuse(earlier_.append(rest));
    // Few texts have decimals: places for them are made at the first.
    if (number->decimals > 0 && decimals_.empty()) decimals_.resize(numbers_.size());
    if (number->decimals > 0 || !decimals_.empty()) {
      decimals_.push_back(static_cast<std::uint8_t>(number->decimals));
      most_decimals_ = std::max(most_decimals_, number->decimals);
    }
    numbers_.push_back(number->digits);
    in_word_ = false;
    earlier_.clear();
  }

  [[noreturn]] void refuse(std::string_view text) const {
    const auto* const wanted = takes_weights_
                                   ? "weights are integers from 1 to 2^63-1"
                                   : "numbers are integers up to 2^63-1 in magnitude, or decimals, such as -12.50, of "
                                     "at most 18 digits";
    throw InvalidInput(fmt::format("{}:{}: '{}' is {}; {}, with white space, commas or semicolons between them", name_,
                                   line_, printable(text, shown_characters, true), fault(), wanted));
  }

  std::string_view fault() const {
    const auto number = number_.value();
    if (!number) return number_.fault();
    if (number->digits < 0) return "negative";
    return number->digits == 0 ? "zero" : "not an integer";
  }

  std::string_view name_;
  bool takes_weights_;
  std::vector<std::int64_t> numbers_;   ///< their digits
  std::vector<std::uint8_t> decimals_;  ///< of each number; empty while there are none
  unsigned most_decimals_ = 0;
  std::string earlier_;  ///< the beginning of a word that began in an earlier block
  DecimalReader number_;
  std::size_t line_ = 1;
  bool in_comment_ = false;
  bool in_word_ = false;
};

Amounts read(std::istream& text, std::string_view name, bool takes_weights, unsigned decimals) {
  if (!text) throw InvalidInput(fmt::format("{}: cannot be opened; is the name right, and is it readable?", name));
  Reader reader(name, takes_weights);
  std::vector<char> block(block_bytes);
  for (bool is_first = true; text; is_first = false) {
    text.read(block.data(), static_cast<std::streamsize>(block.size()));
    std::string_view read(block.data(), static_cast<std::size_t>(text.gcount()));
    if (is_first && read.starts_with(byte_order_mark)) read.remove_prefix(byte_order_mark.size());
    reader.take(read);
  }
  if (text.bad()) throw InvalidInput(fmt::format("{}: reading failed; is it a file, not a folder?", name));
  return reader.finish(decimals);
}

}  // namespace

std::vector<std::uint64_t> read_weights(std::istream& text, std::string_view name) {
  const auto amounts = read(text, name, true, 0);
  return {amounts.numbers.begin(), amounts.numbers.end()};
}

Amounts read_amounts(std::istream& text, std::string_view name, const Decimal& capacity) {
  auto amounts = read(text, name, false, capacity.decimals);
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
