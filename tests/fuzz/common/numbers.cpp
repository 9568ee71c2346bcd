/// \file
/// The program's files of numbers; the first byte says whether words of bits or missing numbers are allowed.
#include <frame/files/number_file.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_number_file(std::string_view input) {
  static fuzz::InputFile file;
  const auto form = fuzz::take_byte(input) % 4;
  const bool has_gaps = form == 2;
  using Rows = std::vector<std::vector<double>>;
  Rows rows;
  // NaN is no equal of itself.
  const auto comparable = [](const Rows& all) {
    auto changed = all;
    for (auto& row : changed)
      std::replace_if(
          row.begin(), row.end(), [](double each) { return std::isnan(each); }, -1.5);
    return changed;
  };
  fuzz::read_with_any_ends(input, [&](std::string_view text) {
    const auto path = file.holding(text).string();
    rows = has_gaps ? apps::read_rows_with_gaps(path) : apps::read_rows(path, form != 0);
    return comparable(rows);
  });
  fuzz::require(!rows.empty(), "there is a row");
  const auto is_allowed = [=](double number) { return std::isfinite(number) || (has_gaps && std::isnan(number)); };
  for (const auto& row : rows)
    fuzz::require(!row.empty() && std::all_of(row.begin(), row.end(), is_allowed),
                  "a row has numbers, all finite but those that are missing");
}

const fuzz::Target numbers_target{"numbers", read_number_file};

}  // namespace
