/// \file
/// Descriptions of topologies, and of patterns on them: a line each.
#include <clopt/exchange.hpp>

#include <algorithm>
#include <cctype>
#include <string>

#include "target.hpp"

namespace {

using namespace clopt;

// Larger networks take longer, rightly.
constexpr std::uint32_t many_nodes = 256;

// Whether a number of a text lies above those that are tried and within those that are allowed.
bool asks_for_much(std::string_view text) {
  std::uint64_t number = 0;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number = std::min<std::uint64_t>(10 * number + static_cast<std::uint64_t>(c - '0'), exchange::most_nodes + 1);
      continue;
    }
    if (number > many_nodes && number <= exchange::most_nodes) return true;
    number = 0;
  }
  return number > many_nodes && number <= exchange::most_nodes;
}

void read_topology_text(std::string_view input) {
  const auto line = input.find('\n');
  const auto text = input.substr(0, line);
  if (asks_for_much(text)) return;
  const auto topology = exchange::make_topology(text, 1);
  fuzz::require(topology.nodes >= 1 && topology.nodes <= exchange::most_nodes, "the number of nodes is in its range");
  fuzz::require(topology.roles.size() == topology.nodes, "every node has a role");
  for (const auto& link : topology.links)
    fuzz::require(link.from < topology.nodes && link.to < topology.nodes && link.from != link.to,
                  "a link joins two nodes");
  fuzz::require(
      std::adjacent_find(topology.links.begin(), topology.links.end(), std::greater_equal<>()) == topology.links.end(),
      "links ascend");
  if (line == input.npos || topology.nodes > many_nodes) return;
  const auto problem = exchange::make_problem(topology, input.substr(line + 1));
  fuzz::require(!problem.transfers.empty(), "a problem has a transfer");
}

const fuzz::Target topology_text_target{"topology_text", read_topology_text};

}  // namespace
