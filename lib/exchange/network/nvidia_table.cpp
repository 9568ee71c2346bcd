/// \file
/// What `nvidia-smi topo -m` prints: a heading of GPUs and other columns, and a row a GPU.
#include <clopt/detail/characters.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "other_forms.hpp"

namespace clopt::exchange {
namespace {

// Of NVIDIA's GPUs of today; more between pairs of them are the same links, through switches.
constexpr std::uint64_t most_links_of_a_gpu = 18;

// Where a terminal would show words otherwise, nvidia-smi has its codes, also in files.
std::string without_codes(const std::string& word) {
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

bool is_gpu(const std::string& word) {
  return word.size() > 3 && word.starts_with("GPU") && std::all_of(word.begin() + 3, word.end(), is_digit);
}

struct GpuTable {
  std::vector<std::string> gpus;
  std::vector<std::vector<std::uint64_t>> links;
  std::vector<std::size_t> lines;
};

void take_gpu(const TextReader& reader, GpuTable& table, std::size_t line, const std::vector<std::string>& words) {
  const auto number = table.links.size();
  if (number == table.gpus.size() || words[0] != table.gpus[number])
    reader.refuse(line, fmt::format("the row of {} stands where the heading has {}", TextReader::shown(words[0]),
                                    number == table.gpus.size() ? std::string("no more") : table.gpus[number]));
  if (words.size() <= table.gpus.size())
    reader.refuse(line,
                  fmt::format("the row has {} columns, and the heading {} GPUs", words.size() - 1, table.gpus.size()));
  auto& row = table.links.emplace_back();
  table.lines.push_back(line);
  for (std::size_t column = 1; column <= table.gpus.size(); ++column) {
    const std::string_view word = words[column];
    const auto links = word.starts_with("NV") ? TextReader::number_of<std::uint64_t>(word.substr(2)) : 0;
    if (!links) reader.refuse(line, fmt::format("'{}' is not a number of NVLinks, as NV2", TextReader::shown(word)));
    row.push_back(*links);
  }
}

GpuTable gpu_table(const TextReader& reader, const Statements& statements) {
  GpuTable table;
  for (const auto& statement : statements) {
    std::vector<std::string> words;
    for (const auto& word : statement.words)
      if (auto plain = without_codes(word); !plain.empty()) words.push_back(std::move(plain));
    if (words.empty() || !is_gpu(words[0])) continue;
    if (table.gpus.empty())
      table.gpus.assign(words.begin(), std::find_if_not(words.begin(), words.end(), is_gpu));
    else
      take_gpu(reader, table, statement.line, words);
  }
  return table;
}

void require_direct_links(const TextReader& reader, const GpuTable& table) {
  std::uint64_t most = 0;
  for (std::size_t a = 0; a < table.links.size(); ++a) {
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < table.links.size(); ++b) {
      sum += std::min<std::uint64_t>(table.links[a][b], 1'000);
      if (table.links[a][b] != table.links[b][a])
        reader.refuse(table.lines[a], fmt::format("{} has {} NVLinks to {}, and that has {} back", table.gpus[a],
                                                  table.links[a][b], table.gpus[b], table.links[b][a]));
    }
    most = std::max(most, sum);
  }
  if (most == 0)
    reader.refuse(table.lines.front(), "no two GPUs are joined by NVLinks (NV1, NV2, ...), and PCIe is not read");
  if (most > most_links_of_a_gpu)
    reader.refuse(
        table.lines.front(),
        fmt::format("a GPU has {} NVLinks by these rows, and none has more than {}: they lead to NVSwitches, which are "
                    "not listed; write `nodes`, `link` and `role` statements with the switches as routers",
                    most, most_links_of_a_gpu));
}

}  // namespace

Statements nvlinks_of(const TextReader& reader, const Statements& statements) {
  const auto table = gpu_table(reader, statements);
  if (table.links.empty()) return {};
  if (table.links.size() != table.gpus.size())
    reader.refuse(table.lines.back(), fmt::format("there are {} rows of GPUs, and the heading has {}",
                                                  table.links.size(), table.gpus.size()));
  require_direct_links(reader, table);
  return links_of_square(table.links, table.lines);
}

}  // namespace clopt::exchange
