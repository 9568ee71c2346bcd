#include "block_length.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/ecga.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <string_view>

namespace clopt::ecga {
namespace {

constexpr std::string_view trap_name = "trap";
constexpr std::uint32_t most_order = 32;

}  // namespace

Objective find_objective(const std::string& name) {
  if (!name.starts_with(trap_name) || name.find('.') != std::string::npos) return Objective::find(name);
  const auto order = number_in<std::uint32_t>(std::string_view(name).substr(trap_name.size()));
  if (!order || *order < 2 || *order > most_order)
    throw InvalidInput(
        fmt::format("there is no `objective` '{}'; traps are trapK with K from 2 to {}", printable(name), most_order));
  auto objective = Objective::named(std::string(trap_name));
  objective.set_table_values({static_cast<double>(*order)});
  return objective;
}

std::uint32_t block_length(const Objective& objective) {
  if (!objective.is_builtin() || objective.name() != trap_name || objective.table_values().empty()) return 1;
  const double order = objective.table_values().front();
  if (!(order >= 2 && order <= most_order))
    throw InvalidInput(fmt::format("the `objective` trap has the order {}; give one from 2 to {}", order, most_order));
  return static_cast<std::uint32_t>(order);
}

}  // namespace clopt::ecga
