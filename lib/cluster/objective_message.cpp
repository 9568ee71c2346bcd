#include "objective_message.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clopt::cluster {

void add_objective(Writer& message, const Objective& objective) {
  message.add(std::uint8_t{objective.is_builtin()}).add(objective.name()).add(objective.text());
  message.add(objective.kind()).add(objective.direction());
  const auto bounds = objective.usual_bounds();
  message.add(std::uint8_t{bounds.has_value()});
  if (bounds) message.add(bounds->lower).add(bounds->upper);
  message.add(objective.optimum());
  message.add(std::uint64_t{objective.constants().size()});
  for (const auto& [name, value] : objective.constants()) message.add(name).add(value);
  message.add(std::uint64_t{objective.tables().size()});
  for (const auto& [name, place] : objective.tables())
    message.add(name).add(std::uint64_t{place.first}).add(std::uint64_t{place.second});
  message.add(objective.table_values());
}

Objective take_objective(Reader& message) {
  const bool is_builtin = message.take<std::uint8_t>() != 0;
  const auto name = message.text();
  auto text = message.text();
  auto objective = is_builtin ? Objective::named(name) : Objective::from_text(std::move(text), name);
  objective.set_kind(message.take<GeneKind>());
  if (const auto direction = message.optional<Direction>()) objective.set_direction(*direction);
  if (message.take<std::uint8_t>() != 0) {
    const auto lower = message.take<double>();
    objective.set_usual_bounds({lower, message.take<double>()});
  }
  if (const auto optimum = message.optional<double>()) objective.set_optimum(*optimum);
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    const auto constant = message.text();
    objective.constant(constant, message.take<double>());
  }
  // Tables are added in the order in which they lie.
  std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> tables;
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    auto table = message.text();
    const auto first = message.take<std::uint64_t>();
    tables[first] = {std::move(table), message.take<std::uint64_t>()};
  }
  const auto values = message.list<double>();
  for (const auto& [first, table] : tables) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    objective.table(table.first, {begin, begin + static_cast<std::ptrdiff_t>(table.second)});
  }
  if (tables.empty() && !values.empty()) objective.set_table_values(values);
  return objective;
}

}  // namespace clopt::cluster
