/// \file
/// Texts of objectives, as far as the host reads them: tokens and the comment `clopt:`. They are not compiled.
#include <clopt/objective.hpp>
#include <objective/text.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_objective_text(std::string_view input) {
  static fuzz::InputFile file;
  const auto single = objective::with_single_precision_literals(input);
  fuzz::require(std::count(single.begin(), single.end(), '\n') == std::count(input.begin(), input.end(), '\n'),
                "lines stay where they are");
  fuzz::require(objective::with_single_precision_literals(single) == single, "literals have one suffix");
  objective::lets_nan_through(input);
  for (const auto* word : {"gene_word", "table_value", "f"})
    fuzz::require(objective::mentions(input, word) == (objective::line_of(input, word) != 0),
                  "what is mentioned stands on a line");
  const auto objective = Objective::from_file(file.holding(input));
  fuzz::require(objective.text() == input, "the text is kept");
  if (const auto bounds = objective.usual_bounds())
    fuzz::require(std::isfinite(bounds->lower) && std::isfinite(bounds->upper) && bounds->lower < bounds->upper,
                  "bounds are a range of numbers");
  if (const auto optimum = objective.optimum()) fuzz::require(!std::isnan(*optimum), "an optimum is a number");
}

const fuzz::Target objective_text_target{"objective_text", read_objective_text};

}  // namespace
