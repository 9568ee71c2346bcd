#include "amount_reader.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "decimal.hpp"

namespace clopt::subset_sum {
namespace {

using namespace std::string_view_literals;

// Signs and the code that they stand for; a code stands for itself. Longer ones come first.
constexpr std::array currency_signs{
    std::pair{"US$"sv, "USD"sv},     std::pair{"HK$"sv, "HKD"sv},     std::pair{"NZ$"sv, "NZD"sv},
    std::pair{"CA$"sv, "CAD"sv},     std::pair{"C$"sv, "CAD"sv},      std::pair{"A$"sv, "AUD"sv},
    std::pair{"R$"sv, "BRL"sv},      std::pair{"S$"sv, "SGD"sv},      std::pair{"$"sv, "USD"sv},
    std::pair{"\u20ac"sv, "EUR"sv},  std::pair{"\u00a3"sv, "GBP"sv},  std::pair{"\u00a5"sv, "JPY"sv},
    std::pair{"\u20b9"sv, "INR"sv},  std::pair{"\u20bd"sv, "RUB"sv},  std::pair{"\u20a9"sv, "KRW"sv},
    std::pair{"\u20aa"sv, "ILS"sv},  std::pair{"\u20ba"sv, "TRY"sv},  std::pair{"\u20b4"sv, "UAH"sv},
    std::pair{"z\u0142"sv, "PLN"sv}, std::pair{"K\u010d"sv, "CZK"sv}, std::pair{"kr."sv, "kr"sv},
    std::pair{"kr"sv, "kr"sv},       std::pair{"Fr."sv, "CHF"sv},     std::pair{"SFr."sv, "CHF"sv}};
constexpr std::array currency_codes{"AUD"sv, "BRL"sv, "CAD"sv, "CHF"sv, "CNY"sv, "CZK"sv, "DKK"sv, "EUR"sv,
                                    "GBP"sv, "HKD"sv, "HUF"sv, "IDR"sv, "ILS"sv, "INR"sv, "JPY"sv, "KRW"sv,
                                    "MXN"sv, "NOK"sv, "NZD"sv, "PLN"sv, "RON"sv, "RUB"sv, "SEK"sv, "SGD"sv,
                                    "THB"sv, "TRY"sv, "UAH"sv, "USD"sv, "ZAR"sv};

constexpr std::array narrow_spaces{" "sv, "\u00a0"sv, "\u2009"sv, "\u202f"sv};
constexpr std::array apostrophes{"'"sv, "\u2019"sv};
constexpr std::array minus_signs{"-"sv, "\u2212"sv};

template <class Texts>
std::size_t length_of_first(std::string_view text, const Texts& texts) {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](auto each) { return text.starts_with(each); });
  return found == texts.end() ? 0 : found->size();
}

template <class Texts>
std::size_t length_of_last(std::string_view text, const Texts& texts) {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](auto each) { return text.ends_with(each); });
  return found == texts.end() ? 0 : found->size();
}

void trim(std::string_view& text) {
  while (const auto length = length_of_first(text, narrow_spaces)) text.remove_prefix(length);
  while (const auto length = length_of_last(text, narrow_spaces)) text.remove_suffix(length);
}

// The code of the currency that a text begins or ends with, and how many bytes it has there.
std::pair<std::string_view, std::size_t> currency_of(std::string_view text, bool at_end) {
  const auto has = [&](std::string_view each) { return at_end ? text.ends_with(each) : text.starts_with(each); };
  for (const auto code : currency_codes)
    if (has(code)) return {code, code.size()};
  for (const auto& [sign, code] : currency_signs)
    if (has(sign)) return {code, sign.size()};
  return {{}, 0};
}

// Groups of three digits behind one to three; or, as in India, of two before the last one.
bool are_groups(const std::vector<std::size_t>& sizes) {
  if (sizes.size() < 2) return true;
  const auto inner = sizes[1];
  return sizes.front() >= 1 && sizes.front() <= inner && sizes.back() == 3 && (inner == 3 || inner == 2) &&
         std::all_of(sizes.begin() + 1, sizes.end() - 1, [&](std::size_t size) { return size == inner; });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

void check_format(const AmountsFormat& format) {
  const auto require = [](bool holds, std::string_view name, std::string_view value, std::string_view wanted) {
    if (!holds) throw InvalidInput(fmt::format("`{}` is '{}'; give {}", name, printable(value), wanted));
  };
  const auto& [column, label, decimal, thousands, separator] = format;
  require(decimal.empty() || is_one_of(decimal, {".", ","}), "decimal", decimal, "a point or a comma");
  require(thousands.empty() || is_one_of(thousands, {",", ".", " ", "'", "_"}), "thousands", thousands,
          "one of , . ' _ and a space");
  require(separator.empty() || is_one_of(separator, {",", ";", "|", ":", "/", "\t", " "}), "separator", separator,
          "one of , ; | : / a space and a tab");
  const auto usual = decimal.empty() ? "." : decimal;
  if (usual == thousands)
    throw InvalidInput(
        fmt::format("`thousands` and `decimal` are both '{}'{}; give two characters", usual,
                    decimal.empty() ? ", which is what decimals follow where nothing else is given" : ""));
  if (!separator.empty() && is_one_of(separator, {usual, thousands}))
    throw InvalidInput(fmt::format("`separator` and `{}` are both '{}'; give two characters",
                                   separator == thousands ? "thousands" : "decimal", printable(separator)));
}

std::size_t AmountReader::length_of_thousands(std::string_view text, std::string_view thousands) {
  if (thousands.empty()) return 0;
  if (thousands == " ") return length_of_first(text, narrow_spaces);
  if (thousands == "'") return length_of_first(text, apostrophes);
  return text.starts_with(thousands) ? thousands.size() : 0;
}

bool AmountReader::is_currency(std::string_view word) {
  const auto [code, length] = currency_of(word, false);
  return length != 0 && length == word.size();
}

bool AmountReader::note_currency(std::string_view currency) {
  if (currency_.empty()) currency_ = currency;
  if (currency_ == currency) return true;
  fault_ = fmt::format("is in {}, and an amount before in {}; give amounts of one currency", currency, currency_);
  return false;
}

bool AmountReader::take_currency(std::string_view word) {
  fault_.clear();
  if (!is_currency(word)) return false;
  note_currency(currency_of(word, false).first);
  return true;
}

std::optional<Decimal> AmountReader::read(std::string_view text) {
  fault_ = "is not a number";
  if (text.size() > 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  trim(text);
  bool is_negative = text.starts_with('(') && text.ends_with(')');
  bool has_sign = is_negative;
  if (is_negative) {
    text = text.substr(1, text.size() - 2);
    trim(text);
  }
  std::string_view currency;
  const auto take_currency_at = [&](bool end) {
    const auto [code, length] = currency_of(text, end);
    if (length == 0 || !currency.empty()) return;
    currency = code;
    end ? text.remove_suffix(length) : text.remove_prefix(length);
    trim(text);
  };
  take_currency_at(false);
  if (const auto minus = length_of_first(text, minus_signs); !has_sign && (minus != 0 || text.starts_with('+'))) {
    has_sign = true;
    is_negative = minus != 0;
    text.remove_prefix(std::max<std::size_t>(minus, 1));
    trim(text);
  }
  take_currency_at(false);
  take_currency_at(true);
  const auto minus = length_of_last(text, minus_signs);
  // The price `5.-` is not negative.
  if (minus != 0 && !has_sign && text.size() > minus && is_digit(text[text.size() - minus - 1])) {
    is_negative = true;
    text.remove_suffix(minus);
    take_currency_at(true);
  }
  const auto amount = read_digits(text, is_negative);
  if (!amount || (!currency.empty() && !note_currency(currency))) return std::nullopt;
  return amount;
}

std::optional<Decimal> AmountReader::read_digits(std::string_view text, bool is_negative) {
  const char decimal = format_.decimal.empty() ? '.' : format_.decimal.front();
  DecimalReader reader;
  if (is_negative) reader.take('-');
  std::vector<std::size_t> groups{0};
  bool is_right = !text.empty() && text.front() != '-';
  for (std::size_t at = 0; is_right && at < text.size();) {
    const auto length =
        reader.has_point() || groups.back() == 0 ? 0 : length_of_thousands(text.substr(at), format_.thousands);
    if (length != 0) {
      groups.push_back(0);
      at += length;
      continue;
    }
    const char c = text[at++];
    is_right = c == decimal || c != '.';
    if (is_digit(c) && !reader.has_point()) ++groups.back();
    reader.take(c == decimal ? '.' : c);
  }
  if (is_right && !are_groups(groups)) {
    fault_ = fmt::format("has groups of digits that are not of three, which `thousands` {} stands between",
                         format_.thousands == " " ? "' '" : format_.thousands);
    return std::nullopt;
  }
  auto number = is_right ? reader.value() : std::nullopt;
  if (!number) {
    fault_ = fault_of_digits(text);
    if (fault_.empty()) fault_ = fmt::format("is {}", is_right ? reader.fault() : "not a number");
  }
  return number;
}

// What a person may have meant by a text that is not a number; empty where nothing suggests itself.
std::string AmountReader::fault_of_digits(std::string_view text) const {
  const auto between_digits = [&](std::size_t at, std::size_t length) {
    return at > 0 && at + length < text.size() && is_digit(text[at - 1]) && is_digit(text[at + length]);
  };
  const auto point = text.find('.');
  if (format_.decimal == "," && format_.thousands != "." && point != text.npos && between_digits(point, 1))
    return "has a point between two digits: give `thousands` ., or leave `decimal` out";
  if (const auto comma = text.find(','); comma != text.npos && between_digits(comma, 1))
    return format_.decimal == "," || format_.thousands == ","
               ? std::string("is not a number in this format: check `decimal` and `thousands`")
               : fmt::format(
                     "has a comma between two digits: give `decimal` ,{} or `thousands` , or `separator` , to "
                     "say what it is",
                     point < comma ? " with `thousands` ." : "");
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return !is_letter(c); });
  for (std::size_t at = 0; is_plain && at < text.size(); ++at) {
    for (const std::string_view thousands : {" ", "'", "_"})
      if (const auto length = length_of_thousands(text.substr(at), thousands);
          length != 0 && between_digits(at, length) && format_.thousands != thousands)
        return fmt::format("has '{}' between two digits: give `thousands` {}", thousands,
                           thousands == " "   ? "' '"
                           : thousands == "'" ? "\"'\""
                                              : thousands);
  }
  if (std::count(text.begin(), text.end(), '.') > 1 && is_plain && format_.thousands != ".")
    return "is not a number; give `thousands` . and `decimal` , where points stand between groups of digits";
  return {};
}

}  // namespace clopt::subset_sum
