/// \file
/// Topologies in the forms that other programs write.
#pragma once

#include <clopt/detail/text_reader.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace clopt::exchange {

/// A line of a topology's text that has words.
struct Statement {
  std::size_t line = 0;
  std::vector<std::string> words;
};

/// The statements that read_topology() describes, of a list of edges, an adjacency matrix, or what
/// `nvidia-smi topo -m` prints; other texts come back as they are. O(words).
/// \param reader of the text, whose name messages have.
/// \throws InvalidInput for a form that is known and not read, with the way to convert it.
std::vector<Statement> in_own_form(const TextReader& reader, std::vector<Statement> statements);

}  // namespace clopt::exchange
