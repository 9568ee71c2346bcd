#include "amounts_list.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "decimal.hpp"

namespace clopt::subset_sum {

Amounts AmountsList::finish(std::string_view name, const Decimal& capacity, const Decimal& tolerance) {
  const auto decimals = std::max({most_decimals_, capacity.decimals, tolerance.decimals});
  const auto scaled = [&](const Decimal& number, std::string_view what) {
    const auto digits = with_decimals(number, decimals);
    if (!digits)
      throw InvalidInput(
          fmt::format("{}: {}{} is too large beside numbers with {} decimals; the digits of all of them in one unit "
                      "must not pass 2^63-1",
                      name, what, text_of(number), decimals));
    return *digits;
  };
  for (std::size_t i = 0; decimals > 0 && i < numbers_.size(); ++i)
    numbers_[i] = scaled({numbers_[i], decimals_.empty() ? 0U : decimals_[i]}, "");
  return {std::move(numbers_), scaled(capacity, "the capacity "), decimals, scaled(tolerance, "the tolerance ")};
}

}  // namespace clopt::subset_sum
