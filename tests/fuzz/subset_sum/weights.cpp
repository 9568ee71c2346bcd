/// \file
/// Files of weights and amounts. Behind a first byte of 1, the next one says how far the text lies before the end of
/// the reader's first block, if less than 64: to read so much takes most of the time. Behind one of 2, the first line
/// is a capacity.
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

constexpr std::size_t block = std::size_t{1} << 18;
constexpr unsigned most_before = 64;
constexpr std::uint64_t most_weight = std::numeric_limits<std::int64_t>::max();

/// What an input is made of.
struct File {
  std::string text;
  subset_sum::Decimal capacity{};
};

File file_of(std::string_view input) {
  File file;
  if (input.starts_with('\x01')) {
    input.remove_prefix(1);
    const auto before = fuzz::take_byte(input);
    if (before < most_before) file.text.assign(block - before, '\n');
  } else if (input.starts_with('\x02')) {
    input.remove_prefix(1);
    const auto line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    file.capacity = subset_sum::decimal_of(line);
    const auto same = subset_sum::decimal_of(subset_sum::text_of(file.capacity));
    fuzz::require(same.digits == file.capacity.digits && same.decimals == file.capacity.decimals,
                  "a capacity that is written is read the same");
  }
  file.text += input;
  return file;
}

void read_amounts(const File& file) {
  std::istringstream text(file.text);
  const auto amounts = subset_sum::read_amounts(text, "input", file.capacity);
  fuzz::require(!amounts.numbers.empty(), "there is a number");
  std::string written;
  for (const auto number : amounts.numbers) written += subset_sum::text_of({number, amounts.decimals}) + "\n";
  std::istringstream again(written);
  const auto same = subset_sum::read_amounts(again, "again", {amounts.capacity, amounts.decimals});
  fuzz::require(same.numbers == amounts.numbers && same.decimals == amounts.decimals,
                "amounts that are written are read the same");
  fuzz::require(same.capacity == amounts.capacity, "a capacity in the amounts' unit stays");
}

void read_weights(const File& file) {
  const auto weights = fuzz::read_with_any_ends(file.text, [](std::string_view content) {
    std::istringstream text{std::string(content)};
    return subset_sum::read_weights(text, "input");
  });
  fuzz::require(!weights.empty(), "there is a weight");
  fuzz::require(std::all_of(weights.begin(), weights.end(), [](auto w) { return w >= 1 && w <= most_weight; }),
                "weights are within their range");
  std::istringstream again(fmt::format("{}", fmt::join(weights, "\n")));
  fuzz::require(subset_sum::read_weights(again, "again") == weights, "weights that are written are read the same");
}

// A file that one of them refuses is given to the other one, too.
void read_both(std::string_view input) {
  const auto file = file_of(input);
  try {
    read_amounts(file);
  } catch (const InvalidInput&) {
    read_weights(file);
    throw;
  }
  read_weights(file);
}

const fuzz::Target weights_target{"weights", read_both};

}  // namespace
