/// \file
/// Tables that a resumed run continues with. The first byte says up to which generation rows are kept.
#include <clopt/detail/csv.hpp>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void continue_with_table(std::string_view input) {
  static fuzz::InputFile file;
  const std::string header = "generation,best\n";
  const auto kept = fuzz::take_byte(input);
  {
    CsvWriter table(file.holding(input), {"generation", "best"}, kept);
    table.add({std::uint64_t{kept} + 1, 0.5});
    table.finish();
    fuzz::require(table.failure().empty(), "a row can be added");
  }
  auto text = test::read_file(file.path());
  const auto row = std::to_string(kept + 1) + ",0.5\n";
  fuzz::require(text.starts_with(header) && text.ends_with(row), "a table has its header first and its new row last");
  text.resize(text.size() - row.size());
  fuzz::require(text == header || input.starts_with(text), "what was there before stays as it was");
  fuzz::require(text.ends_with('\n'), "rows that stay are whole");
}

const fuzz::Target csv_target{"csv", continue_with_table};

}  // namespace
