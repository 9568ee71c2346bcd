#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <support/names.hpp>
#include "other_forms.hpp"

namespace clopt::exchange {
namespace {

constexpr Names<Role, 4> role_names{
    {{{Role::both, "both"}, {Role::sender, "sender"}, {Role::receiver, "receiver"}, {Role::router, "router"}}}};

class TopologyReader {
 public:
  TopologyReader(std::istream& text, const std::string& name) : text_(text, name, {.comment = '#'}) {}

  Topology read() {
    std::vector<Statement> statements;
    while (text_.next_line()) {
      Statement statement{text_.line(), {}};
      for (auto word = text_.word_of_line(); !word.empty(); word = text_.word_of_line())
        statement.words.emplace_back(word);
      if (!statement.words.empty()) statements.push_back(std::move(statement));
    }
    statements = in_own_form(text_, std::move(statements));
    take_nodes(statements);
    for (const auto& statement : statements) take(statement);
    std::sort(topology_.links.begin(), topology_.links.end());
    return std::move(topology_);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, std::string_view what) const { text_.refuse(line, what); }

  void require_words(const Statement& statement, std::size_t count, std::string_view form) const {
    if (statement.words.size() != count)
      refuse(statement.line, fmt::format("'{}' has {} words after it; write `{}`",
                                         TextReader::shown(statement.words[0]), statement.words.size() - 1, form));
  }

  // Links may stand before the number of nodes, so that is looked for first.
  void take_nodes(const std::vector<Statement>& statements) {
    for (const auto& statement : statements) {
      if (statement.words[0] != "nodes") continue;
      require_words(statement, 2, "nodes N");
      if (topology_.nodes_line != 0)
        refuse(statement.line, fmt::format("`nodes` is given twice, first in line {}", topology_.nodes_line));
      const auto count = TextReader::number_of<std::uint64_t>(statement.words[1]);
      if (!count || *count < 1 || *count > most_nodes)
        refuse(statement.line, fmt::format("'{}' is not a number of nodes; give an integer from 1 to {}",
                                           TextReader::shown(statement.words[1]), most_nodes));
      topology_.nodes = static_cast<std::uint32_t>(*count);
      topology_.nodes_line = statement.line;
    }
    if (topology_.nodes_line == 0) {
      for (const auto& statement : statements) require_known(statement);
      refuse(text_.line(), "the file ends without `nodes N`, the number of nodes");
    }
    topology_.roles.assign(topology_.nodes, Role::both);
    role_lines_.assign(topology_.nodes, 0);
    link_lines_.resize(topology_.nodes);
  }

  std::uint32_t node(const Statement& statement, std::size_t word) const {
    const auto number = TextReader::number_of<std::uint64_t>(statement.words[word]);
    if (!number || *number >= topology_.nodes)
      refuse(statement.line, fmt::format("'{}' is not a node; nodes are 0 to {}",
                                         TextReader::shown(statement.words[word]), topology_.nodes - 1));
    return static_cast<std::uint32_t>(*number);
  }

  void add_link(std::size_t line, std::uint32_t from, std::uint32_t to, std::uint32_t channels) {
    auto& lines = link_lines_[from];
    if (lines.empty()) lines.resize(topology_.nodes);
    if (lines[to] != 0)
      refuse(line, fmt::format("the link from {} to {} is given twice, first in line {}; for parallel channels give "
                               "their number behind the nodes, `link {} {} 2`",
                               from, to, lines[to], from, to));
    lines[to] = line;
    topology_.links.insert(topology_.links.end(), channels, {from, to});
  }

  // The third number of a link; 1 where it has none.
  std::uint32_t channels(const Statement& statement) const {
    if (statement.words.size() < 4) return 1;
    const auto number = TextReader::number_of<std::uint64_t>(statement.words[3]);
    if (!number || *number < 1 || *number > most_channels)
      refuse(statement.line,
             fmt::format("'{}' is not a number of parallel channels; give 1 to {}, or leave it out for 1",
                         TextReader::shown(statement.words[3]), most_channels));
    return static_cast<std::uint32_t>(*number);
  }

  void take_link(const Statement& statement, bool both_ways) {
    if (statement.words.size() != 4)
      require_words(statement, 3, both_ways ? "link A B [CHANNELS]" : "arc A B [CHANNELS]");
    const auto a = node(statement, 1);
    const auto b = node(statement, 2);
    if (a == b) refuse(statement.line, fmt::format("node {} is joined to itself", a));
    const auto count = channels(statement);
    add_link(statement.line, a, b, count);
    if (both_ways) add_link(statement.line, b, a, count);
  }

  void take_role(const Statement& statement) {
    require_words(statement, 3, "role A sender|receiver|router");
    const auto at = node(statement, 1);
    if (role_lines_[at] != 0)
      refuse(statement.line, fmt::format("node {} has its role twice, first in line {}", at, role_lines_[at]));
    role_lines_[at] = statement.line;
    const auto& role = statement.words[2];
    if (role == "sender")
      topology_.roles[at] = Role::sender;
    else if (role == "receiver")
      topology_.roles[at] = Role::receiver;
    else if (role == "router")
      topology_.roles[at] = Role::router;
    else
      refuse(statement.line, fmt::format("there is no role '{}'; choose sender, receiver or router, or leave the "
                                         "statement out for a node that sends and receives",
                                         TextReader::shown(role)));
  }

  void take(const Statement& statement) {
    const auto& word = statement.words[0];
    if (word == "link")
      take_link(statement, true);
    else if (word == "arc")
      take_link(statement, false);
    else if (word == "role")
      take_role(statement);
    else
      require_known(statement);
  }

  void require_known(const Statement& statement) const {
    const auto& word = statement.words[0];
    if (word != "nodes" && word != "link" && word != "arc" && word != "role")
      refuse(statement.line,
             fmt::format("there is no statement '{}'; write nodes, link, arc or role, or give a list of edges or an "
                         "adjacency matrix, of numbers alone",
                         TextReader::shown(word)));
  }

  TextReader text_;
  Topology topology_;
  std::vector<std::size_t> role_lines_;
  std::vector<std::vector<std::size_t>> link_lines_;  ///< of a node: the line of its link to each other; or empty
};

}  // namespace

std::string_view name_of(Role role) { return role_names.of(role); }

std::string write_topology(const Topology& topology) {
  auto text = fmt::format("nodes {}\n", topology.nodes);
  const auto channels = [&](const Link& link) {
    const auto [first, end] = std::equal_range(topology.links.begin(), topology.links.end(), link);
    return static_cast<std::size_t>(end - first);
  };
  for (std::size_t i = 0; i < topology.links.size();) {
    const auto [from, to] = topology.links[i];
    const auto count = channels({from, to});
    const bool both_ways = channels({to, from}) == count;
    if (!both_ways || from < to)
      text += fmt::format("{} {} {}{}\n", both_ways ? "link" : "arc", from, to,
                          count > 1 ? fmt::format(" {}", count) : std::string());
    i += count;
  }
  for (std::uint32_t node = 0; node < topology.nodes; ++node)
    if (topology.roles[node] != Role::both) text += fmt::format("role {} {}\n", node, name_of(topology.roles[node]));
  return text;
}

Topology read_topology(std::istream& text, const std::string& name) {
  auto topology = TopologyReader(text, name).read();
  topology.name = name;
  return topology;
}

}  // namespace clopt::exchange
