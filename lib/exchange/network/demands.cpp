/// \file
/// Messages of unequal size, as matrices and tables have them.
#include <clopt/detail/characters.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "other_forms.hpp"
#include "pattern.hpp"

namespace clopt::exchange {
namespace {

constexpr std::string_view prefix = "demand";

using Row = std::vector<std::string>;

bool is_number(const std::string& field) { return TextReader::number_of<double>(field).has_value(); }

/// Reads the demands of a topology's nodes.
class DemandReader {
 public:
  DemandReader(std::istream& text, const std::string& name, const Topology& topology)
      : text_(text, name, {.comment = '#'}), topology_(topology) {}

  std::vector<Demand> read() {
    for (const auto& statement : statements_of(text_)) {
      rows_.push_back(fields_in(statement));
      lines_.push_back(statement.line);
    }
    if (rows_.empty()) text_.refuse("there are no demands; " + std::string(forms));
    if (std::all_of(rows_[0].begin(), rows_[0].end(), is_number))
      read_matrix();
    else
      read_table();
    return std::move(demands_);
  }

 private:
  static constexpr std::string_view forms =
      "give a square of whole numbers, from the row's node to the column's, or a table with the columns from, to and "
      "slots";

  [[noreturn]] void refuse(std::size_t row, std::string_view what) const { text_.refuse(lines_[row], what); }

  std::uint64_t slots(std::size_t row, const std::string& field) const {
    const auto number = TextReader::number_of<std::uint64_t>(whole(field));
    if (!number || *number > most_slots)
      refuse(row, fmt::format("'{}' is not a demand, a whole number of slots from 0 to {}; give demands in units of "
                              "what a link carries in a slot",
                              TextReader::shown(field), most_slots));
    return *number;
  }

  // A row for each node, or for each one that is not a router, in their order.
  std::vector<std::uint32_t> nodes_of_rows() const {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < topology_.nodes; ++node)
      if (rows_.size() == topology_.nodes || topology_.roles[node] != Role::router) nodes.push_back(node);
    if (nodes.size() == rows_.size()) return nodes;
    const auto routers = topology_.nodes - nodes.size();
    refuse(rows_.size() - 1,
           fmt::format("there are {} rows, and topology '{}' has {} nodes{}; {}", rows_.size(),
                       printable(topology_.name), topology_.nodes,
                       routers > 0 ? fmt::format(", {} of them routers, which may be left out", routers) : "", forms));
  }

  void read_matrix() {
    const auto nodes = nodes_of_rows();
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      if (rows_[a].size() != rows_.size())
        refuse(a, fmt::format("{} numbers in a matrix of {} rows; {}", rows_[a].size(), rows_.size(), forms));
      for (std::size_t b = 0; b < rows_.size(); ++b) add(a, {nodes[a], nodes[b], slots(a, rows_[a][b])});
    }
  }

  std::size_t column(std::string_view name) const {
    const auto is_it = [&](const std::string& field) {
      auto text = lower(field);
      std::erase(text, '"');
      return text == name;
    };
    const auto count = std::count_if(rows_[0].begin(), rows_[0].end(), is_it);
    if (count != 1)
      refuse(0, fmt::format("{} column is called '{}'; {}", count == 0 ? "no" : "more than one", name, forms));
    return static_cast<std::size_t>(std::find_if(rows_[0].begin(), rows_[0].end(), is_it) - rows_[0].begin());
  }

  std::uint32_t node(std::size_t row, const std::string& field) const {
    const auto number = TextReader::number_of<std::uint64_t>(whole(field));
    if (!number || *number >= topology_.nodes)
      refuse(row, fmt::format("'{}' is not a node, which are 0 to {}", TextReader::shown(field), topology_.nodes - 1));
    return static_cast<std::uint32_t>(*number);
  }

  void read_table() {
    const std::array columns{column("from"), column("to"), column("slots")};
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const auto& row = rows_[i];
      if (row.size() != rows_[0].size())
        refuse(i, fmt::format("{} fields under a heading of {}", row.size(), rows_[0].size()));
      add(i, {node(i, row[columns[0]]), node(i, row[columns[1]]), slots(i, row[columns[2]])});
    }
  }

  void add(std::size_t row, const Demand& demand) {
    if (demand.slots == 0) return;
    if (const auto obstacle = obstacle_of(demand, topology_); !obstacle.empty()) refuse(row, obstacle);
    demands_.push_back(demand);
  }

  TextReader text_;
  const Topology& topology_;
  std::vector<Row> rows_;
  std::vector<std::size_t> lines_;
  std::vector<Demand> demands_;
};

}  // namespace

std::string obstacle_of(const Demand& demand, const Topology& topology) {
  for (const auto node : {demand.from, demand.to})
    if (node >= topology.nodes) return fmt::format("{} is not a node, which are 0 to {}", node, topology.nodes - 1);
  if (demand.from == demand.to) return fmt::format("node {} has a message for itself", demand.from);
  if (!may_send(topology.roles[demand.from])) return fmt::format("node {} may not send", demand.from);
  if (!may_receive(topology.roles[demand.to])) return fmt::format("node {} may not receive", demand.to);
  return {};
}

bool has_demands(std::string_view pattern) { return pattern.substr(0, pattern.find(':')) == prefix; }

std::vector<Demand> read_demands(std::istream& text, const std::string& name, const Topology& topology) {
  return DemandReader(text, name, topology).read();
}

std::vector<Demand> demands_of(const Problem& problem) {
  std::vector<Demand> demands;
  for (const auto& [from, to] : problem.transfers) {
    if (demands.empty() || demands.back().from != from || demands.back().to != to) demands.push_back({from, to, 0});
    ++demands.back().slots;
  }
  return demands;
}

Problem make_problem(Topology topology, std::string_view pattern, std::vector<Demand> demands) {
  const auto refuse = [&](std::string_view why) {
    throw InvalidInput(
        fmt::format("pattern '{}' on topology '{}': {}", printable(pattern), printable(topology.name), why));
  };
  if (!has_demands(pattern)) refuse("demands have a pattern 'demand', or 'demand:' and a name");
  std::sort(demands.begin(), demands.end());
  std::uint64_t count = 0;
  const Demand* before = nullptr;
  for (const auto& each : demands) {
    if (const auto obstacle = obstacle_of(each, topology); !obstacle.empty()) refuse(obstacle);
    if (before != nullptr && before->from == each.from && before->to == each.to)
      refuse(fmt::format("the demand from {} to {} is given twice", each.from, each.to));
    before = &each;
    if (each.slots > most_slots)
      refuse(fmt::format("the demand from {} to {} is {} slots, and the most are {}; give demands in larger units",
                         each.from, each.to, each.slots, most_slots));
    count += each.slots;
    if (count > most_transfers)
      refuse(
          fmt::format("there are more than {} transfers of a slot each; give demands in larger units", most_transfers));
  }
  if (count == 0) refuse("no node has a message for another");
  Problem problem{std::move(topology), std::string(pattern), {}};
  problem.transfers.reserve(count);
  for (const auto& each : demands) problem.transfers.insert(problem.transfers.end(), each.slots, {each.from, each.to});
  require_paths(problem);
  return problem;
}

}  // namespace clopt::exchange
