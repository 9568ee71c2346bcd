#include "topology.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <frame/output/output.hpp>

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;

std::vector<std::uint32_t> node_numbers(const std::string& option, const std::string& text, char separator) {
  std::vector<std::uint32_t> numbers;
  std::istringstream parts(text + separator);
  for (std::string part; std::getline(parts, part, separator);) {
    const bool is_number = !part.empty() && part.size() <= 5 && std::all_of(part.begin(), part.end(), is_digit);
    if (!is_number)
      throw InvalidInput(fmt::format("--{} {}: '{}' is not a node's number", option, printable(text), printable(part)));
    numbers.push_back(*number_in<std::uint32_t>(part));
  }
  return numbers;
}

bool is_class(const std::string& text) {
  const auto kind = text.substr(0, text.find(':') + 1);
  const auto& classes = solver::topology_classes();
  return !kind.empty() &&
         std::any_of(classes.begin(), classes.end(), [&](const auto& each) { return each.starts_with(kind); });
}

}  // namespace

Faults read_faults(const Options& options) {
  Faults faults;
  if (const auto links = options.text("without-links")) {
    std::istringstream parts(*links + ",");
    for (std::string part; std::getline(parts, part, ',');) {
      const auto nodes = node_numbers("without-links", part, '-');
      if (nodes.size() != 2)
        throw InvalidInput(fmt::format("--without-links {}: '{}' is not a link; write two nodes, as 0-1",
                                       printable(*links), printable(part)));
      const solver::Link link{std::min(nodes[0], nodes[1]), std::max(nodes[0], nodes[1])};
      if (std::find(faults.links.begin(), faults.links.end(), link) != faults.links.end())
        throw InvalidInput(fmt::format("--without-links {}: '{}' is given twice", printable(*links), printable(part)));
      faults.links.push_back(link);
    }
  }
  if (const auto nodes = options.text("without-nodes")) faults.nodes = node_numbers("without-nodes", *nodes, ',');
  return faults;
}

solver::Topology read_topology(const std::string& text, std::uint64_t seed, const Faults& faults,
                               const std::string& network) {
  std::error_code ignored;
  auto topology = [&] {
    if (!network.empty()) {
      std::istringstream statements(network);
      return solver::read_topology(statements, text);
    }
    if (is_class(text)) return solver::make_topology(text, seed);
    if (text.find(':') != std::string::npos && !std::filesystem::exists(text, ignored))
      return solver::make_topology(text, seed);  // its message lists the classes
    if (std::filesystem::is_directory(text, ignored))
      throw InvalidInput(fmt::format("{} is a folder; give a file, or one of {}", printable(text),
                                     fmt::join(solver::topology_classes(), ", ")));
    std::ifstream file(text, std::ios::binary);
    return solver::read_topology(file, text);
  }();
  for (const auto& link : faults.links) solver::remove_link(topology, link.from, link.to);
  for (const auto node : faults.nodes) solver::remove_node(topology, node);
  return topology;
}

solver::Problem problem_of(solver::Topology topology, const std::string& pattern, const std::string& demands) {
  if (!solver::has_demands(pattern)) return solver::make_problem(std::move(topology), pattern);
  const auto read = [&](std::istream& text, const std::string& name) {
    auto numbers = solver::read_demands(text, name, topology);
    return solver::make_problem(std::move(topology), pattern, std::move(numbers));
  };
  if (!demands.empty()) {
    std::istringstream text(demands);
    return read(text, pattern);
  }
  const auto colon = pattern.find(':');
  if (colon == pattern.npos || colon + 1 == pattern.size())
    throw InvalidInput(fmt::format("--pattern {}: it names no file; write demand:FILE", printable(pattern)));
  const auto file = pattern.substr(colon + 1);
  std::ifstream text(file, std::ios::binary);
  return read(text, file);
}

}  // namespace clopt::apps::exchange
