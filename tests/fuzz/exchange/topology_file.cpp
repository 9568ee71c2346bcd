/// \file
/// Topologies in files.
#include <clopt/exchange.hpp>

#include <sstream>
#include <string>

#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

constexpr std::uint32_t few_nodes = 64;

void read_topology_file(std::string_view input) {
  exchange::Topology topology;
  fuzz::read_with_any_ends(input, [&](std::string_view content) {
    std::istringstream text{std::string(content)};
    topology = exchange::read_topology(text, "input");
    return exchange::write_topology(topology);
  });
  fuzz::require(topology.nodes >= 1 && topology.nodes <= exchange::most_nodes, "the number of nodes is in its range");
  fuzz::require(topology.roles.size() == topology.nodes, "every node has a role");
  std::istringstream again(exchange::write_topology(topology));
  const auto same = exchange::read_topology(again, "again");
  fuzz::require(same.nodes == topology.nodes && same.links == topology.links && same.roles == topology.roles,
                "a topology that is written is read the same");
  if (topology.nodes > few_nodes) return;
  const auto problem = exchange::make_problem(topology, "all-to-all");
  fuzz::require(!problem.transfers.empty(), "a problem has a transfer");
}

const fuzz::Target topology_file_target{"topology_file", read_topology_file};

}  // namespace
