#include "checkpoint_problem.hpp"

#include <utility>

#include "checkpoint_numbers.hpp"

namespace clopt::apps {
namespace {

constexpr const char* table_array = "table";

}  // namespace

Json description_of_problem(const Objective& objective) {
  Json description{{"name", objective.name()}};
  if (objective.optimum()) description["optimum"] = *objective.optimum();
  return description;
}

void keep_table(Record& state, const Objective& objective) {
  keep_rows(state, table_array, objective.table_values(), objective.table_values().size());
}

Objective kept_objective(const Checkpoint& checkpoint, const Json& description) {
  try {
    auto objective = Objective::named(description.at("name").get<std::string>());
    if (description.contains("optimum")) objective.set_optimum(description.at("optimum").get<double>());
    auto table = kept_rows(checkpoint, table_array);
    if (table)
      objective.set_table_values(std::move(table->numbers));
    else if (objective.mentions("table_value"))
      checkpoint.refuse("it does not hold the whole problem");
    return objective;
  } catch (const nlohmann::json::exception&) {
    checkpoint.refuse("it does not hold the whole problem");
  }
}

}  // namespace clopt::apps
