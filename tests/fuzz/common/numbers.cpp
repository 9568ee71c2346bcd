/// \file
/// The program's files of numbers; an odd first byte allows words of bits.
#include <frame/number_file.hpp>

#include <algorithm>
#include <cmath>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_number_file(std::string_view input) {
  static fuzz::InputFile file;
  const bool bits = fuzz::take_byte(input) % 2 == 1;
  const auto rows = apps::read_rows(file.holding(input).string(), bits);
  fuzz::require(!rows.empty(), "there is a row");
  for (const auto& row : rows)
    fuzz::require(!row.empty() && std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }),
                  "a row has numbers, all finite");
}

const fuzz::Target numbers_target{"numbers", read_number_file};

}  // namespace
