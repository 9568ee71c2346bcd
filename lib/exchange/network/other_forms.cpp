#include "other_forms.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace clopt::exchange {
namespace {

using Statements = std::vector<Statement>;

/// The numbers of a line, as words: whole ones without a fraction, as numpy writes them with one.
using Row = std::vector<std::string>;

// Of NVIDIA's GPUs of today; more between pairs of them are the same links, through switches.
constexpr std::uint64_t most_links_of_a_gpu = 18;

std::string whole(const std::string& word) {
  const auto value = TextReader::number_of<double>(word);
  if (!value || *value != std::floor(*value) || *value < 0 || *value > 0x1p53) return word;
  return std::to_string(static_cast<std::uint64_t>(*value));
}

std::uint64_t node_of(const std::string& word) { return TextReader::number_of<std::uint64_t>(word).value_or(0); }

class OtherForms {
 public:
  OtherForms(const TextReader& reader, Statements statements) : reader_(reader), statements_(std::move(statements)) {}

  Statements read() {
    if (statements_.empty()) return {};
    name_known_forms();
    if (auto links = nvlinks(); !links.empty()) return links;
    if (!take_numbers()) return std::move(statements_);
    return is_matrix() ? links_of_matrix() : links_of_edges();
  }

 private:
  [[noreturn]] void refuse(std::size_t line, std::string_view what) const { reader_.refuse(line, what); }

  // networkx reads these, and Python's exchange() takes its graphs.
  void name_known_forms() const {
    const auto& first = statements_.front().words;
    const auto way = [&](std::string_view form, std::string_view call) {
      refuse(statements_.front().line,
             fmt::format("this is {}, which is not read; in Python, clopt.exchange({}) takes it", form, call));
    };
    const auto has = [&](std::string_view text) {
      return std::any_of(statements_.begin(),
                         statements_.begin() + std::min<std::ptrdiff_t>(3, std::ssize(statements_)),
                         [&](const auto& statement) {
                           return std::any_of(statement.words.begin(), statement.words.end(),
                                              [&](const auto& word) { return word.find(text) != word.npos; });
                         });
    };
    auto name = printable(reader_.name(), 4'096);  // whole, to be copied
    if (name.find_first_of("'\\") != name.npos) name = "FILE";
    if (has("<graphml")) way("GraphML", fmt::format("networkx.read_graphml('{}')", name));
    if (has("<gexf")) way("GEXF", fmt::format("networkx.read_gexf('{}')", name));
    const auto line = statements_.front().line;
    if (has("<system"))
      refuse(
          line,
          "this is NCCL's topology in XML, which is not read; give what `nvidia-smi topo -m` prints on that machine");
    if (first[0].starts_with('<') || first[0].starts_with('{'))
      refuse(line,
             fmt::format("this is {}, which is not read; write a list of edges, two numbers a line, or give Python's "
                         "clopt.exchange() a graph of networkx",
                         first[0].starts_with('<') ? "XML" : "JSON"));
    if (first[0].starts_with('['))
      refuse(line, "these are lists in brackets, which are not read; write the matrix by numpy.savetxt()");
    if (first[0] == "Creator" || (first[0] == "graph" && !has("{")))
      way("GML", fmt::format("networkx.read_gml('{}', label='id')", name));
    if (first[0] == "strict" || first[0].starts_with("graph") || first[0].starts_with("digraph"))
      way("Graphviz's DOT", fmt::format("networkx.nx_pydot.read_dot('{}')", name));
    if (first[0].starts_with("%%MatrixMarket"))
      refuse(line, fmt::format("this is a Matrix Market file, which is not read; write the matrix, in Python by "
                               "numpy.savetxt('net.txt', scipy.io.mmread('{}').toarray())",
                               name));
  }

  // Where a terminal would show words otherwise, nvidia-smi has its codes, also in files.
  static std::string without_codes(const std::string& word) {
    std::string plain;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (word[i] == '\x1b')
        i = static_cast<std::size_t>(
            std::find_if(word.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, word.size())), word.end(),
                         [](char c) { return c >= '@' && c <= '~'; }) -
            word.begin());
      else
        plain += word[i];
    }
    return plain;
  }

  static bool is_gpu(const std::string& word) {
    return word.size() > 3 && word.starts_with("GPU") && std::all_of(word.begin() + 3, word.end(), is_digit);
  }

  // What nvidia-smi prints: a heading of GPUs and other columns, and a row a GPU.
  struct GpuTable {
    std::vector<std::string> gpus;
    std::vector<std::vector<std::uint64_t>> links;
    std::vector<std::size_t> lines;
  };

  void take_gpu(GpuTable& table, std::size_t line, const std::vector<std::string>& words) const {
    const auto number = table.links.size();
    if (number == table.gpus.size() || words[0] != table.gpus[number])
      refuse(line, fmt::format("the row of {} stands where the heading has {}", words[0],
                               number == table.gpus.size() ? std::string("no more") : table.gpus[number]));
    if (words.size() <= table.gpus.size())
      refuse(line, fmt::format("the row has {} columns, and the heading {} GPUs", words.size() - 1, table.gpus.size()));
    auto& row = table.links.emplace_back();
    table.lines.push_back(line);
    for (std::size_t column = 1; column <= table.gpus.size(); ++column) {
      const std::string_view word = words[column];
      const auto links = word.starts_with("NV") ? TextReader::number_of<std::uint64_t>(word.substr(2)) : 0;
      if (!links) refuse(line, fmt::format("'{}' is not a number of NVLinks, as NV2", TextReader::shown(word)));
      row.push_back(*links);
    }
  }

  GpuTable gpu_table() const {
    GpuTable table;
    for (const auto& statement : statements_) {
      std::vector<std::string> words;
      for (const auto& word : statement.words)
        if (auto plain = without_codes(word); !plain.empty()) words.push_back(std::move(plain));
      if (words.empty() || !is_gpu(words[0])) continue;
      if (table.gpus.empty())
        table.gpus.assign(words.begin(), std::find_if_not(words.begin(), words.end(), is_gpu));
      else
        take_gpu(table, statement.line, words);
    }
    return table;
  }

  // Empty where it is another text.
  Statements nvlinks() const {
    const auto table = gpu_table();
    if (table.links.empty()) return {};
    if (table.links.size() != table.gpus.size())
      refuse(table.lines.back(),
             fmt::format("there are {} rows of GPUs, and the heading has {}", table.links.size(), table.gpus.size()));
    std::uint64_t most = 0;
    for (std::size_t a = 0; a < table.links.size(); ++a) {
      std::uint64_t sum = 0;
      for (std::size_t b = 0; b < table.links.size(); ++b) {
        sum += std::min<std::uint64_t>(table.links[a][b], 1'000);
        if (table.links[a][b] != table.links[b][a])
          refuse(table.lines[a], fmt::format("{} has {} NVLinks to {}, and that has {} back", table.gpus[a],
                                             table.links[a][b], table.gpus[b], table.links[b][a]));
      }
      most = std::max(most, sum);
    }
    if (most == 0)
      refuse(table.lines.front(), "no two GPUs are joined by NVLinks (NV1, NV2, ...), and PCIe is not read");
    if (most > most_links_of_a_gpu)
      refuse(table.lines.front(),
             fmt::format(
                 "a GPU has {} NVLinks by these rows, and none has more than {}: they lead to NVSwitches, which are "
                 "not listed; write `nodes`, `link` and `role` statements with the switches as routers",
                 most, most_links_of_a_gpu));
    return links_of(table.links, table.lines);
  }

  // Links of a square of channels, both ways where both are the same.
  static Statements links_of(const std::vector<std::vector<std::uint64_t>>& channels,
                             const std::vector<std::size_t>& lines) {
    Statements links{{lines.front(), {"nodes", std::to_string(channels.size())}}};
    for (std::size_t a = 0; a < channels.size(); ++a)
      for (std::size_t b = 0; b < channels.size(); ++b) {
        const bool both_ways = channels[a][b] == channels[b][a];
        if (channels[a][b] == 0 || a == b || (both_ways && a > b)) continue;
        links.push_back(
            {lines[a],
             {both_ways ? "link" : "arc", std::to_string(a), std::to_string(b), std::to_string(channels[a][b])}});
      }
    return links;
  }

  // The fields of a line, between commas or semicolons where it has some, else between white space.
  Row fields_of(const Statement& statement) const {
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

  // Takes all lines as numbers. \returns false where one has others.
  bool take_numbers() {
    for (const auto& statement : statements_) {
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
    return links_of(channels, lines_);
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
  Statements statements_;
  std::vector<Row> numbers_;
  std::vector<std::size_t> lines_;
};

}  // namespace

std::vector<Statement> in_own_form(const TextReader& reader, std::vector<Statement> statements) {
  return OtherForms(reader, std::move(statements)).read();
}

}  // namespace clopt::exchange
