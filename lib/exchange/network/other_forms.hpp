/// \file
/// Topologies in the forms that other programs write.
#pragma once

#include <clopt/detail/text_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clopt::exchange {

/// A line of a topology's text that has words.
struct Statement {
  std::size_t line = 0;
  std::vector<std::string> words;
};

using Statements = std::vector<Statement>;

/// A whole number without the fraction that numpy writes; another word as it is.
std::string whole(const std::string& word);

/// The statements that read_topology() describes, of a list of edges, an adjacency matrix, or what
/// `nvidia-smi topo -m` prints; other texts come back as they are. O(words).
/// \param reader of the text, whose name messages have.
/// \throws InvalidInput for a form that is known and not read, with the way to convert it.
Statements in_own_form(const TextReader& reader, Statements statements);

/// Links of a square of channels, both ways where both are the same. \param lines of its rows.
Statements links_of_square(const std::vector<std::vector<std::uint64_t>>& channels,
                           const std::vector<std::size_t>& lines);

/// The NVLinks of what `nvidia-smi topo -m` prints; nothing of another text. \throws InvalidInput
Statements nvlinks_of(const TextReader& reader, const Statements& statements);

/// The links of a list of edges or an adjacency matrix; nothing of a text that has more than numbers.
/// \throws InvalidInput for one that can be read in two ways.
Statements links_of_numbers(const TextReader& reader, const Statements& statements);

}  // namespace clopt::exchange
