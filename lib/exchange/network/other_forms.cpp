#include "other_forms.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace clopt::exchange {
namespace {

// networkx reads these, and Python's exchange() takes its graphs.
void name_known_forms(const TextReader& reader, const Statements& statements) {
  const auto& first = statements.front().words;
  const auto way = [&](std::string_view form, std::string_view call) {
    reader.refuse(statements.front().line,
                  fmt::format("this is {}, which is not read; in Python, clopt.exchange({}) takes it", form, call));
  };
  const auto has = [&](std::string_view text) {
    return std::any_of(statements.begin(), statements.begin() + std::min<std::ptrdiff_t>(3, std::ssize(statements)),
                       [&](const auto& statement) {
                         return std::any_of(statement.words.begin(), statement.words.end(),
                                            [&](const auto& word) { return word.find(text) != word.npos; });
                       });
  };
  auto name = printable(reader.name(), 4'096);  // whole, to be copied
  if (name.find_first_of("'\\") != name.npos) name = "FILE";
  if (has("<graphml")) way("GraphML", fmt::format("networkx.read_graphml('{}')", name));
  if (has("<gexf")) way("GEXF", fmt::format("networkx.read_gexf('{}')", name));
  const auto line = statements.front().line;
  if (has("<system"))
    reader.refuse(
        line,
        "this is NCCL's topology in XML, which is not read; give what `nvidia-smi topo -m` prints on that machine");
  if (first[0].starts_with('<') || first[0].starts_with('{'))
    reader.refuse(
        line, fmt::format("this is {}, which is not read; write a list of edges, two numbers a line, or give Python's "
                          "clopt.exchange() a graph of networkx",
                          first[0].starts_with('<') ? "XML" : "JSON"));
  if (first[0].starts_with('['))
    reader.refuse(line, "these are lists in brackets, which are not read; write the matrix by numpy.savetxt()");
  if (first[0] == "Creator" || (first[0] == "graph" && !has("{")))
    way("GML", fmt::format("networkx.read_gml('{}', label='id')", name));
  if (first[0] == "strict" || first[0].starts_with("graph") || first[0].starts_with("digraph"))
    way("Graphviz's DOT", fmt::format("networkx.nx_pydot.read_dot('{}')", name));
  if (first[0].starts_with("%%MatrixMarket"))
    reader.refuse(line, fmt::format("this is a Matrix Market file, which is not read; write the matrix, in Python by "
                                    "numpy.savetxt('net.txt', scipy.io.mmread('{}').toarray())",
                                    name));
}

}  // namespace

Statements links_of_square(const std::vector<std::vector<std::uint64_t>>& channels,
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

Statements in_own_form(const TextReader& reader, Statements statements) {
  if (statements.empty()) return statements;
  name_known_forms(reader, statements);
  if (auto links = nvlinks_of(reader, statements); !links.empty()) return links;
  if (auto links = links_of_numbers(reader, statements); !links.empty()) return links;
  return statements;
}

}  // namespace clopt::exchange
