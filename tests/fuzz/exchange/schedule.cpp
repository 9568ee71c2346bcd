/// \file
/// Schedules in files, and the checker that judges them.
#include <clopt/exchange.hpp>

#include <sstream>
#include <string>

#include "target.hpp"

namespace {

using namespace clopt;

void read_schedule_file(std::string_view input) {
  static const auto problem = exchange::make_problem(exchange::make_topology("mesh:3"), "all-to-all");
  std::istringstream text{std::string(input)};
  const auto schedule = exchange::read_schedule(text, "input");
  exchange::check(problem, schedule);
  std::istringstream again(exchange::to_json(schedule));
  const auto same = exchange::read_schedule(again, "again");
  fuzz::require(exchange::checksum_of(same) == exchange::checksum_of(schedule) && same.topology == schedule.topology &&
                    same.pattern == schedule.pattern && same.seed == schedule.seed &&
                    same.without_links == schedule.without_links && same.without_nodes == schedule.without_nodes,
                "a schedule that is written is read the same");
}

const fuzz::Target schedule_target{"schedule", read_schedule_file};

}  // namespace
