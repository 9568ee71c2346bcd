/// \file
/// Files of weights and amounts. Behind a first byte of 1, the next one says how far the text lies before the end of
/// the reader's first block.
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

constexpr std::size_t block = std::size_t{1} << 18;
constexpr std::uint64_t most_weight = std::numeric_limits<std::int64_t>::max();

std::string text_of(std::string_view input) {
  std::string padding;
  if (input.starts_with('\x01')) {
    input.remove_prefix(1);
    padding.assign(block - fuzz::take_byte(input), '\n');
  }
  return padding + std::string(input);
}

void read_amounts(const std::string& content) {
  std::istringstream text(content);
  const auto amounts = subset_sum::read_amounts(text, "input", {});
  fuzz::require(!amounts.numbers.empty(), "there is a number");
  std::string written;
  for (const auto number : amounts.numbers) written += subset_sum::text_of({number, amounts.decimals}) + "\n";
  std::istringstream again(written);
  const auto same = subset_sum::read_amounts(again, "again", {});
  fuzz::require(same.numbers == amounts.numbers && same.decimals == amounts.decimals,
                "amounts that are written are read the same");
}

void read_weights(std::string_view input) {
  const auto content = text_of(input);
  read_amounts(content);
  std::istringstream text(content);
  const auto weights = subset_sum::read_weights(text, "input");
  fuzz::require(!weights.empty(), "there is a weight");
  fuzz::require(std::all_of(weights.begin(), weights.end(), [](auto w) { return w >= 1 && w <= most_weight; }),
                "weights are within their range");
  std::istringstream again(fmt::format("{}", fmt::join(weights, "\n")));
  fuzz::require(subset_sum::read_weights(again, "again") == weights, "weights that are written are read the same");
}

const fuzz::Target weights_target{"weights", read_weights};

}  // namespace
