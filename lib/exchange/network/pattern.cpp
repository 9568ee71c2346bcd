#include "pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "network.hpp"
#include "text.hpp"

namespace clopt::exchange {
namespace {

/// The senders and receivers that a pattern names, of those nodes that may be such.
class Pattern {
 public:
  Pattern(const Topology& topology, std::string_view text) : topology_(topology), text_(text) {
    for (std::uint32_t node = 0; node < topology.nodes; ++node) {
      if (may_send(topology.roles[node])) senders_.push_back(node);
      if (may_receive(topology.roles[node])) receivers_.push_back(node);
    }
    const auto colon = text.find(':');
    choose(text.substr(0, colon),
           colon == std::string_view::npos ? std::nullopt : std::optional(text.substr(colon + 1)));
  }

  std::vector<Transfer> transfers() const {
    std::vector<Transfer> transfers;
    for (const auto from : senders_)
      for (const auto to : receivers_)
        if (from != to) transfers.push_back({from, to});
    if (transfers.empty()) refuse("no node has a message for another");
    return transfers;
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw InvalidInput(fmt::format("pattern '{}' on topology '{}': {}; give one of {}", printable(text_),
                                   printable(topology_.name), why, fmt::join(pattern_classes(), ", ")));
  }

  void choose(std::string_view kind, std::optional<std::string_view> which) {
    if (kind == "all-to-all" || kind == "all-to-all-broadcast") {
      if (which) refuse("it names no node");
    } else if (kind == "scatter" || kind == "one-to-all" || kind == "broadcast") {
      senders_ = {sender(which.value_or(""))};
    } else if (kind == "gather" || kind == "all-to-one") {
      receivers_ = {receiver(which.value_or(""))};
    } else if (kind == "many-to-many") {
      const auto parts = split(which.value_or(""), ':');
      if (parts.size() != 2) refuse("it names its senders, a colon, and its receivers");
      senders_ = list(parts[0], &Pattern::sender);
      receivers_ = list(parts[1], &Pattern::receiver);
    } else if (has_demands(text_)) {
      refuse("demands are numbers, which read_demands() reads of a file");
    } else {
      refuse("there is no such pattern");
    }
  }

  std::uint32_t node(std::string_view text) const {
    const auto number = number_in<std::uint64_t>(text);
    if (!number || *number >= topology_.nodes)
      refuse(fmt::format("'{}' is not a node, which are 0 to {}", printable(text), topology_.nodes - 1));
    return static_cast<std::uint32_t>(*number);
  }
  std::uint32_t sender(std::string_view text) const {
    const auto found = node(text);
    if (!may_send(topology_.roles[found])) refuse(fmt::format("node {} may not send", found));
    return found;
  }
  std::uint32_t receiver(std::string_view text) const {
    const auto found = node(text);
    if (!may_receive(topology_.roles[found])) refuse(fmt::format("node {} may not receive", found));
    return found;
  }

  // Nodes and ranges of nodes: "0,4-7".
  std::vector<std::uint32_t> list(std::string_view text, std::uint32_t (Pattern::*read)(std::string_view) const) const {
    std::vector<std::uint32_t> nodes;
    for (const auto part : split(text, ',')) {
      const auto dash = part.find('-');
      const auto first = (this->*read)(part.substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : (this->*read)(part.substr(dash + 1));
      if (last < first) refuse(fmt::format("'{}' is not a range of nodes", printable(part)));
      for (auto each = first; each <= last; ++each) nodes.push_back((this->*read)(std::to_string(each)));
      if (nodes.size() > topology_.nodes) break;
    }
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end())
      refuse(fmt::format("'{}' names a node twice", printable(text)));
    return nodes;
  }

  const Topology& topology_;
  std::string_view text_;
  std::vector<std::uint32_t> senders_;
  std::vector<std::uint32_t> receivers_;
};

}  // namespace

const std::vector<std::string>& pattern_classes() {
  static const std::vector<std::string> classes{
      "all-to-all",  "all-to-all-broadcast", "broadcast:ROOT",  "scatter:ROOT",
      "gather:ROOT", "one-to-all:ROOT",      "all-to-one:ROOT", "many-to-many:SENDERS:RECEIVERS",
      "demand:FILE"};
  return classes;
}

void require_paths(const Problem& problem) {
  const Network network(problem.topology);
  for (const auto& transfer : problem.transfers)
    if (network.distance(transfer.from, transfer.to) == Network::unreachable) {
      const auto& name = problem.topology.name;
      const auto line = problem.topology.nodes_line;
      throw InvalidInput(fmt::format(
          "{}: node {} has a message for node {}, and there is no path; join them, or give a "
          "pattern or roles without this pair",
          line > 0 ? fmt::format("{}:{}", printable(name), line) : fmt::format("topology '{}'", printable(name)),
          transfer.from, transfer.to));
    }
}

Problem make_problem(Topology topology, std::string_view pattern) {
  Problem problem{std::move(topology), std::string(pattern), {}};
  problem.transfers = Pattern(problem.topology, pattern).transfers();
  require_paths(problem);
  return problem;
}

}  // namespace clopt::exchange
