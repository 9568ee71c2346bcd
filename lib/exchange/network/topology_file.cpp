#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <locale>
#include <optional>
#include <sstream>

#include <support/names.hpp>
#include "text.hpp"

namespace clopt::exchange {
namespace {

constexpr Names<Role, 4> role_names{
    {{{Role::both, "both"}, {Role::sender, "sender"}, {Role::receiver, "receiver"}, {Role::router, "router"}}}};

struct Statement {
  std::size_t line = 0;
  std::vector<std::string> words;
};

class TopologyReader {
 public:
  explicit TopologyReader(const std::string& name) : name_(printable(name)) {}

  Topology read(std::istream& text) {
    std::vector<Statement> statements;
    std::string line;
    while (std::getline(text, line)) {
      ++lines_;
      Statement statement{lines_, {}};
      std::istringstream words(line.substr(0, line.find('#')));
      words.imbue(std::locale::classic());
      for (std::string word; words >> word;) statement.words.push_back(word);
      if (!statement.words.empty()) statements.push_back(std::move(statement));
    }
    if (text.bad()) throw InvalidInput(fmt::format("{}: reading failed; is it a file, not a folder?", name_));
    take_nodes(statements);
    for (const auto& statement : statements) take(statement);
    return finish();
  }

 private:
  [[noreturn]] void refuse(std::size_t line, std::string_view what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line, what));
  }

  void require_words(const Statement& statement, std::size_t count, std::string_view form) const {
    if (statement.words.size() != count)
      refuse(statement.line, fmt::format("'{}' has {} words after it; write `{}`", printable(statement.words[0]),
                                         statement.words.size() - 1, form));
  }

  // Links may stand before the number of nodes, so that is looked for first.
  void take_nodes(const std::vector<Statement>& statements) {
    for (const auto& statement : statements) {
      if (statement.words[0] != "nodes") continue;
      require_words(statement, 2, "nodes N");
      if (topology_.nodes_line != 0)
        refuse(statement.line, fmt::format("`nodes` is given twice, first in line {}", topology_.nodes_line));
      const auto count = number_in<std::uint64_t>(statement.words[1]);
      if (!count || *count < 1 || *count > most_nodes)
        refuse(statement.line, fmt::format("'{}' is not a number of nodes; give an integer from 1 to {}",
                                           printable(statement.words[1]), most_nodes));
      topology_.nodes = static_cast<std::uint32_t>(*count);
      topology_.nodes_line = statement.line;
    }
    if (topology_.nodes_line == 0)
      refuse(std::max<std::size_t>(lines_, 1), "the file ends without `nodes N`, the number of nodes");
    topology_.roles.assign(topology_.nodes, Role::both);
    role_lines_.assign(topology_.nodes, 0);
    link_lines_.resize(topology_.nodes);
  }

  std::uint32_t node(const Statement& statement, std::size_t word) const {
    const auto number = number_in<std::uint64_t>(statement.words[word]);
    if (!number || *number >= topology_.nodes)
      refuse(statement.line, fmt::format("'{}' is not a node; nodes are 0 to {}", printable(statement.words[word]),
                                         topology_.nodes - 1));
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
    const auto number = number_in<std::uint64_t>(statement.words[3]);
    if (!number || *number < 1 || *number > most_channels)
      refuse(statement.line,
             fmt::format("'{}' is not a number of parallel channels; give 1 to {}, or leave it out for 1",
                         printable(statement.words[3]), most_channels));
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
                                         printable(role)));
  }

  void take(const Statement& statement) {
    const auto& word = statement.words[0];
    if (word == "link")
      take_link(statement, true);
    else if (word == "arc")
      take_link(statement, false);
    else if (word == "role")
      take_role(statement);
    else if (word != "nodes")
      refuse(statement.line,
             fmt::format("there is no statement '{}'; write nodes, link, arc or role", printable(word)));
  }

  Topology finish() {
    std::sort(topology_.links.begin(), topology_.links.end());
    return std::move(topology_);
  }

  std::string name_;
  std::size_t lines_ = 0;
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
  if (!text)
    throw InvalidInput(fmt::format("{}: cannot be opened; is the name right, and is it readable?", printable(name)));
  auto topology = TopologyReader(name).read(text);
  topology.name = name;
  return topology;
}

}  // namespace clopt::exchange
