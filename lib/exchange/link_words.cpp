#include "link_words.hpp"

#include <algorithm>

namespace clopt::exchange {
namespace {

constexpr std::uint32_t links_a_word = EXCHANGE_LINKS_A_WORD;
/// The words that an addition can name.
constexpr std::uint32_t most_words = 255;
/// Additions of a path.
constexpr std::size_t most_of_path = 255;
/// Elements of four additions, of all paths.
constexpr std::size_t most_additions = std::size_t{1} << 24;
/// Paths of a gene that tell which links go together, about: spread evenly over all of them.
constexpr std::uint32_t paths_that_tell = 64;

/// How often two links are on one path, each gene having the same weight.
std::vector<float> count_together(std::uint32_t links, std::span<const Gene> genes,
                                  std::span<const std::uint16_t> paths) {
  std::vector<float> together(std::size_t{links} * links);
  for (const auto& gene : genes) {
    const std::uint32_t step = (gene.paths + paths_that_tell - 1) / paths_that_tell;
    const float weight = static_cast<float>(step) / static_cast<float>(gene.paths);
    for (std::uint32_t k = 0; k < gene.paths; k += step) {
      const auto path = paths.subspan(gene.first + std::size_t{k} * gene.hops, gene.hops);
      for (const auto a : path)
        for (const auto b : path) together[std::size_t{a} * links + b] += weight;
    }
  }
  return together;
}

}  // namespace

LinkWords share_out_links(std::uint32_t links, std::span<const Gene> genes, std::span<const std::uint16_t> paths) {
  const auto together = count_together(links, genes, paths);
  LinkWords shared{0, std::vector<std::uint16_t>(links), std::vector<std::uint8_t>(links)};
  std::vector<bool> done(links);
  for (std::uint32_t left = links; left > 0; ++shared.words) {
    // A word begins with the busiest link of those that are left, and takes those that go with its links most often.
    std::vector<float> affinity(links);
    for (std::uint32_t link = 0; link < links; ++link) affinity[link] = together[std::size_t{link} * links + link];
    for (std::uint32_t counter = 0; counter < links_a_word && left > 0; ++counter, --left) {
      std::uint32_t best = links;
      for (std::uint32_t link = 0; link < links; ++link)
        if (!done[link] && (best == links || affinity[link] > affinity[best])) best = link;
      done[best] = true;
      shared.word[best] = static_cast<std::uint16_t>(shared.words);
      shared.counter[best] = static_cast<std::uint8_t>(counter);
      if (counter == 0) std::fill(affinity.begin(), affinity.end(), 0.0F);
      for (std::uint32_t link = 0; link < links; ++link) affinity[link] += together[std::size_t{best} * links + link];
    }
  }
  return shared;
}

PathWords make_path_words(std::uint32_t links, std::span<const Gene> genes, std::span<const std::uint16_t> paths) {
  if (links > most_words * links_a_word) return {};
  const LinkWords shared = share_out_links(links, genes, paths);
  PathWords made{shared.words, {}, {}};
  std::vector<std::uint32_t> additions;
  for (const auto& gene : genes) {
    // Every path of a gene takes as much room as the one with the most additions.
    std::vector<std::vector<std::uint32_t>> own(gene.paths);
    std::size_t most = 0;
    for (std::uint32_t k = 0; k < gene.paths; ++k) {
      for (const auto link : paths.subspan(gene.first + std::size_t{k} * gene.hops, gene.hops)) {
        const auto place = std::find_if(own[k].begin(), own[k].end(),
                                        [&](std::uint32_t one) { return one >> 24 == shared.word[link]; });
        const std::uint32_t addition = 1U << 4 * shared.counter[link];
        if (place == own[k].end())
          own[k].push_back(std::uint32_t{shared.word[link]} << 24 | addition);
        else
          *place += addition;
      }
      most = std::max(most, own[k].size());
    }
    if (most > most_of_path) return {};
    // Memory comes in pieces of two elements.
    if (most > 4 && made.additions.size() % 2 != 0) made.additions.push_back({});
    made.genes.push_back(static_cast<std::uint32_t>(most << 24 | made.additions.size()));
    for (auto& path : own) {
      path.resize((most + 3) / 4 * 4);
      for (std::size_t i = 0; i < path.size(); i += 4)
        made.additions.push_back({path[i], path[i + 1], path[i + 2], path[i + 3]});
    }
    if (made.additions.size() >= most_additions) return {};
  }
  return made;
}

}  // namespace clopt::exchange
