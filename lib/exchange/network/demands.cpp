/// \file
/// Messages of unequal size, as matrices and tables have them.
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <support/files/table.hpp>
#include "other_forms.hpp"
#include "pattern.hpp"

namespace clopt::exchange {
namespace {

constexpr std::string_view prefix = "demand";

bool is_number(const std::string& field) { return TextReader::number_of<double>(field).has_value(); }

// White space where the first line has nothing else between its fields; else what read_table() finds.
std::string_view separator_of(std::string_view text) {
  while (true) {
    const auto begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const auto end = std::min(text.find_first_of("\r\n", begin), text.size());
    if (begin == text.size() || text[begin] != '#')
      return text.substr(0, end).find_first_of(",;\t") == text.npos ? " " : "";
    text.remove_prefix(end);
  }
}

/// Reads the demands of a topology's nodes.
class DemandReader {
 public:
  DemandReader(std::string_view text, std::string name, const Topology& topology)
      : name_(std::move(name)), table_(read_table(text, name_, 1, separator_of(text))), topology_(topology) {}

  std::vector<Demand> read() {
    const auto& heading = table_.heading.fields;
    if (heading.empty()) throw InvalidInput(fmt::format("{}: there are no demands; {}", name_, forms));
    if (std::all_of(heading.begin(), heading.end(), is_number))
      read_matrix();
    else
      read_list();
    return std::move(demands_);
  }

 private:
  static constexpr std::string_view forms =
      "give a square of whole numbers, from the row's node to the column's, or a table with the columns from, to and "
      "slots";

  [[noreturn]] void refuse(const TableRow& row, std::string_view what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, row.line, what));
  }

  std::uint64_t slots(const TableRow& row, const std::string& field) const {
    const auto number = TextReader::number_of<std::uint64_t>(whole(field));
    if (!number || *number > most_slots)
      refuse(row, fmt::format("'{}' is not a demand, a whole number of up to {} slots; give demands in units of what a "
                              "link carries in a slot",
                              TextReader::shown(field), most_slots));
    return *number;
  }

  // A row for each node, or for each one that does not only route, in their order.
  std::vector<std::uint32_t> nodes_of(std::size_t rows) const {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < topology_.nodes; ++node)
      if (rows == topology_.nodes || topology_.roles[node] != Role::router) nodes.push_back(node);
    if (nodes.size() == rows) return nodes;
    const auto routers = topology_.nodes - nodes.size();
    refuse(table_.rows.back(),
           fmt::format("there are {} rows, and topology '{}' has {} nodes{}; {}", rows, printable(topology_.name),
                       topology_.nodes,
                       routers > 0 ? fmt::format(", of which {} only route and may be left out", routers) : "", forms));
  }

  void read_matrix() {
    auto& rows = table_.rows;
    rows.insert(rows.begin(), table_.heading);
    const auto nodes = nodes_of(rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const auto& fields = rows[a].fields;
      if (fields.size() != rows.size())
        refuse(rows[a], fmt::format("{} numbers in a matrix of {} rows; {}", fields.size(), rows.size(), forms));
      for (std::size_t b = 0; b < rows.size(); ++b) add(rows[a], {nodes[a], nodes[b], slots(rows[a], fields[b])});
    }
  }

  std::size_t column(std::string_view name) const {
    if (const auto found = table_.find(name, name_)) return *found;
    refuse(table_.heading, fmt::format("the first line is {}, neither numbers alone nor names with '{}'; {}",
                                       table_.names(), name, forms));
  }

  std::uint32_t node(const TableRow& row, const std::string& field) const {
    const auto number = TextReader::number_of<std::uint64_t>(whole(field));
    if (!number || *number >= topology_.nodes)
      refuse(row, fmt::format("'{}' is not a node, which are 0 to {}", TextReader::shown(field), topology_.nodes - 1));
    return static_cast<std::uint32_t>(*number);
  }

  void read_list() {
    const std::array columns{column("from"), column("to"), column("slots")};
    for (const auto& row : table_.rows)
      add(row,
          {node(row, row.fields[columns[0]]), node(row, row.fields[columns[1]]), slots(row, row.fields[columns[2]])});
  }

  void add(const TableRow& row, const Demand& demand) {
    if (demand.slots > 0) {
      if (const auto obstacle = obstacle_of(demand, topology_); !obstacle.empty()) refuse(row, obstacle);
    }
    const auto [found, is_new] = lines_.try_emplace({demand.from, demand.to}, row.line);
    if (!is_new)
      refuse(row, fmt::format("the demand from {} to {} is given twice, first in line {}", demand.from, demand.to,
                              found->second));
    if (demand.slots > 0) demands_.push_back(demand);
  }

  std::string name_;
  Table table_;
  const Topology& topology_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> lines_;
  std::vector<Demand> demands_;
};

}  // namespace

std::string obstacle_of(const Demand& demand, const Topology& topology) {
  for (const auto node : {demand.from, demand.to})
    if (node >= topology.nodes) return fmt::format("{} is not a node, which are 0 to {}", node, topology.nodes - 1);
  if (demand.from == demand.to) return fmt::format("node {} has a message for itself", demand.from);
  // A node that is taken out of use becomes a router.
  if (!may_send(topology.roles[demand.from]))
    return fmt::format("node {} may not send, by its role or since it was taken out; leave its demands out",
                       demand.from);
  if (!may_receive(topology.roles[demand.to]))
    return fmt::format("node {} may not receive, by its role or since it was taken out; leave its demands out",
                       demand.to);
  return {};
}

bool has_demands(std::string_view pattern) { return pattern.substr(0, pattern.find(':')) == prefix; }

std::vector<Demand> read_demands(std::istream& text, const std::string& name, const Topology& topology) {
  const auto content = TextReader(text, name).rest();
  return DemandReader(content, name, topology).read();
}

std::string write_demands(const std::vector<Demand>& demands) {
  std::string text = "from,to,slots\n";
  for (const auto& each : demands) text += fmt::format("{},{},{}\n", each.from, each.to, each.slots);
  return text;
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
  std::erase_if(demands, [](const Demand& demand) { return demand.slots == 0; });
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
