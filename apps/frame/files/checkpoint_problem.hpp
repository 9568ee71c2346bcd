/// \file
/// What a checkpoint keeps of a problem that was found by a name, such as tour:FILE: the run is resumed without the
/// file.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/objective.hpp>

#include <frame/output/output.hpp>

namespace clopt::apps {

/// The field `problem_data` of a checkpoint's parameters: all of the objective but its table.
Json description_of_problem(const Objective& objective);

/// Adds the objective's table to a checkpoint; the objective must live until that is written.
void keep_table(Record& state, const Objective& objective);

/// The objective again. \param description of description_of_problem(). \throws InvalidInput where the checkpoint does
/// not hold all of it.
Objective kept_objective(const Checkpoint& checkpoint, const Json& description);

}  // namespace clopt::apps
