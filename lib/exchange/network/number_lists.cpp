/// \file
/// Topologies of numbers alone: lists of edges and adjacency matrices.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "other_forms.hpp"

namespace clopt::exchange {
namespace {

/// The numbers of a line, as words.
using Row = std::vector<std::string>;

std::uint64_t node_of(const std::string& word) { return TextReader::number_of<std::uint64_t>(word).value_or(0); }

// The fields of a line, between commas or semicolons where it has some, else between white space.
Row fields_of(const Statement& statement) {
  Row fields;
  const auto has_separators = std::any_of(statement.words.begin(), statement.words.end(),
                                          [](const auto& word) { return word.find_first_of(",;") != word.npos; });
  if (!has_separators) {
    fields = statement.words;
  } else {
    fields.emplace_back();
    for (const auto& word : statement.words) {
      // A separator that is missing makes no number of two.
      if (!fields.back().empty()) fields.back() += ' ';
      for (const char c : word)
        if (c == ',' || c == ';')
          fields.emplace_back();
        else
          fields.back() += c;
    }
    for (auto& field : fields)
      if (field.ends_with(' ')) field.pop_back();
  }
  // networkx's data of an edge that has none.
  if (fields.back() == "{}") fields.pop_back();
  return fields;
}

class NumberLists {
 public:
  explicit NumberLists(const TextReader& reader) : reader_(reader) {}

  Statements read(const Statements& statements) {
    if (!take_numbers(statements)) return {};
    return is_matrix() ? links_of_matrix() : links_of_edges();
  }

 private:
  [[noreturn]] void refuse(std::size_t line, std::string_view what) const { reader_.refuse(line, what); }

  // Takes all lines as numbers. \returns false where one has others.
  bool take_numbers(const Statements& statements) {
    for (const auto& statement : statements) {
      auto row = fields_of(statement);
      const auto is_number = [](const auto& field) { return TextReader::number_of<double>(field).has_value(); };
      if (row.empty() || std::none_of(row.begin(), row.end(), is_number)) return false;
      if (std::any_of(row.begin(), row.end(), [](const auto& field) { return field.empty(); }))
        refuse(statement.line, "a field is empty; write 0 where nodes are not joined");
      if (!std::all_of(row.begin(), row.end(), is_number)) return false;
      std::transform(row.begin(), row.end(), row.begin(), whole);
      lines_.push_back(statement.line);
      numbers_.push_back(std::move(row));
    }
    return true;
  }

  bool is_matrix() const {
    const auto size = numbers_.size();
    bool holds = size > 1;
    for (std::size_t a = 0; a < size; ++a)
      holds = holds && numbers_[a].size() == size && (size > 3 || numbers_[a][a] == "0");
    // Two edges may look so.
    return holds && (size > 2 || numbers_[0][1] == numbers_[1][0]);
  }

  Statements links_of_matrix() const {
    std::vector<std::vector<std::uint64_t>> channels;
    for (std::size_t a = 0; a < numbers_.size(); ++a) {
      auto& row = channels.emplace_back();
      for (const auto& word : numbers_[a]) {
        const auto count = TextReader::number_of<std::uint64_t>(word);
        if (!count)
          refuse(lines_[a],
                 fmt::format("'{}' is not a number of channels; the matrix has 0 where nodes are not joined, "
                             "and else 1 or the number of parallel channels",
                             TextReader::shown(word)));
        row.push_back(*count);
      }
      if (row[a] != 0) refuse(lines_[a], fmt::format("node {} is joined to itself: the matrix's diagonal is not 0", a));
    }
    return links_of_square(channels, lines_);
  }

  // Lists may begin with the number of nodes; with that of edges behind it this may be an edge as well.
  std::optional<std::uint64_t> take_heading() {
    const auto first = numbers_.front();
    if (first.size() > 2 || numbers_.size() < 2) return std::nullopt;
    const auto nodes = node_of(first[0]);
    std::uint64_t largest = 0;
    for (std::size_t i = 1; i < numbers_.size(); ++i)
      for (std::size_t k = 0; k < std::min<std::size_t>(2, numbers_[i].size()); ++k)
        largest = std::max(largest, node_of(numbers_[i][k]));
    if (largest >= nodes) return std::nullopt;
    if (first.size() == 2) {
      if (node_of(first[1]) == numbers_.size() - 1)
        refuse(lines_.front(), fmt::format("this is an edge, or the numbers of nodes and edges; write {} alone for the "
                                           "latter, or begin with another edge",
                                           nodes));
      return std::nullopt;
    }
    numbers_.erase(numbers_.begin());
    lines_.erase(lines_.begin());
    return nodes;
  }

  // What other tables look like that have two or three numbers a line.
  void require_edges() const {
    bool counts = numbers_.size() > 2;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& edge = numbers_[i];
      if (edge.size() < 2 || edge.size() > 3)
        refuse(
            lines_[i],
            fmt::format("{} numbers; a list of edges has two nodes a line, and the number of parallel channels behind "
                        "them where there are several, and a matrix as many numbers as lines, without headings",
                        edge.size()));
      if (edge.size() != numbers_.front().size())
        refuse(lines_[i], "some lines have two numbers and some three; give each edge its number of channels, or none");
      for (std::size_t k = 0; k < 2; ++k)
        if (node_of(edge[k]) >= most_nodes)
          refuse(lines_[i], fmt::format("{} is not a node's number from 0 to {}", edge[k], most_nodes - 1));
      counts = counts && edge.size() == 3 && node_of(edge[0]) == node_of(numbers_.front()[0]) + i;
    }
    // A ring with its channels counts so, too.
    if (counts && !std::all_of(numbers_.begin(), numbers_.end() - 1,
                               [](const auto& edge) { return node_of(edge[1]) == node_of(edge[0]) + 1; }))
      refuse(lines_.front(), "the first column counts the lines; leave it out");
  }

  Statements links_of_edges() {
    const auto heading = take_heading();
    std::uint64_t nodes = 0;
    std::uint64_t least = ~std::uint64_t{0};
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> channels;
    require_edges();
    for (auto& edge : numbers_) {
      edge.resize(3, "1");
      for (std::size_t k = 0; k < 2; ++k) {
        nodes = std::max(nodes, node_of(edge[k]) + 1);
        least = std::min(least, node_of(edge[k]));
      }
      channels.emplace(std::pair(node_of(edge[0]), node_of(edge[1])), edge[2]);
    }
    if (least != 0 && !heading)
      refuse(lines_.front(), fmt::format("no edge has the node 0, and nodes count from 0; the least is {}", least));
    const auto reverse = [&](const Row& edge) { return channels.find({node_of(edge[1]), node_of(edge[0])}); };
    const auto in_both = static_cast<std::size_t>(std::count_if(
        numbers_.begin(), numbers_.end(), [&](const auto& edge) { return reverse(edge) != channels.end(); }));
    if (in_both != 0 && in_both != numbers_.size())
      refuse(lines_.front(),
             fmt::format("{} of {} edges stand in both orders, and the others in one: write `arc A B` for one way and "
                         "`link A B` for both, behind `nodes N`",
                         in_both, numbers_.size()));
    Statements links{{lines_.front(), {"nodes", std::to_string(heading.value_or(nodes))}}};
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& edge = numbers_[i];
      const bool is_arc = in_both != 0 && reverse(edge)->second != edge[2];
      if (in_both != 0 && !is_arc && node_of(edge[0]) > node_of(edge[1])) continue;
      links.push_back({lines_[i], {is_arc ? "arc" : "link", edge[0], edge[1], edge[2]}});
    }
    return links;
  }

  const TextReader& reader_;
  std::vector<Row> numbers_;
  std::vector<std::size_t> lines_;
};

}  // namespace

std::string whole(const std::string& word) {
  const auto value = TextReader::number_of<double>(word);
  if (!value || *value != std::floor(*value) || *value < 0 || *value > 0x1p53) return word;
  return std::to_string(static_cast<std::uint64_t>(*value));
}

Statements links_of_numbers(const TextReader& reader, const Statements& statements) {
  return NumberLists(reader).read(statements);
}

}  // namespace clopt::exchange
