#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rank_hops.hpp"

namespace clopt::exchange {
namespace {

/// Where a rank keeps a message: its input 'i', output 'o' or scratch memory 's'.
struct BufferPlace {
  char buffer = 'i';
  std::size_t offset = 0;
};

/// A step of a thread block. `waits_for` is the step that receives what this one sends on.
struct Step {
  char kind;  ///< 's' sends, 'r' receives
  BufferPlace source, target;
  std::optional<std::pair<std::size_t, std::size_t>> waits_for;  ///< thread block and step
  bool is_waited_for = false;
};

/// All steps of a rank with one peer in one direction over one channel.
struct ThreadBlock {
  std::int64_t sends_to = -1;
  std::int64_t receives_from = -1;
  std::uint32_t channel = 0;
  std::vector<Step> steps;
};

struct Rank {
  std::vector<ThreadBlock> blocks;
  std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::size_t> block_of;  ///< by direction, peer, channel
  std::size_t scratch = 0;

  std::size_t block(bool sends, std::uint32_t peer, std::uint32_t channel) {
    const auto [found, is_new] = block_of.try_emplace({sends, peer, channel}, blocks.size());
    if (is_new) {
      blocks.emplace_back();
      blocks.back().channel = channel;
      (sends ? blocks.back().sends_to : blocks.back().receives_from) = peer;
    }
    return found->second;
  }
};

class Msccl {
 public:
  Msccl(const Problem& problem, const Schedule& schedule)
      : problem_(problem), plan_(problem, schedule), ranks_(plan_.ranks) {
    BufferPlace held;
    std::optional<std::pair<std::size_t, std::size_t>> received;
    for (const auto& hop : plan_.hops) add_hop(hop, held, received);
  }

  std::string text() const {
    auto text = fmt::format(
        "<algo name=\"clopt {} {}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
        "inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"{}\">\n",
        escaped(problem_.topology.name), escaped(problem_.pattern), plan_.channels, chunks(), plan_.ranks,
        plan_.is_complete_exchange ? "alltoall" : "custom", most_bytes);
    for (std::uint32_t rank = 0; rank < plan_.ranks; ++rank) write(rank, text);
    return text + "</algo>\n";
  }

  std::string passed_limits() const {
    std::size_t blocks = 0;
    std::size_t steps = 0;
    std::size_t peers = 0;
    std::size_t most_chunks = chunks();
    for (const auto& rank : ranks_) {
      std::map<std::pair<bool, std::uint32_t>, std::size_t> on_channel;
      // One more copies what the rank keeps for itself.
      blocks = std::max(blocks, rank.blocks.size() + 1);
      most_chunks = std::max(most_chunks, rank.scratch);
      for (const auto& block : rank.blocks) {
        steps = std::max(steps, block.steps.size());
        peers = std::max(peers, ++on_channel[{block.sends_to >= 0, block.channel}]);
      }
    }
    // Of msccl.h and msccl_struct.h: MSCCL_MAX_NUM_STEPS, MSCCL_MAX_NUM_THREAD_BLOCKS, MAXCHANNELS,
    // MSCCL_MAX_NUM_THREAD_BLOCKS_PER_CHANNEL, and offsets of 16 bits.
    struct Limit {
      std::string_view what;
      std::size_t found, msccl, rccl;
    };
    std::string text;
    for (const auto& [what, found, msccl, rccl] :
         {Limit{"steps in a thread block", steps, 256, 64}, Limit{"thread blocks in a rank", blocks, 216, 64},
          Limit{"channels", plan_.channels, 32, 32}, Limit{"peers on a channel", peers, 32, 32},
          Limit{"chunks in a buffer", most_chunks, 32768, 32768}})
      if (found > std::min(msccl, rccl))
        text += fmt::format("{}{} {}, of which MSCCL takes {} and RCCL {}", text.empty() ? "" : "; ", found, what,
                            msccl, rccl);
    return text;
  }

 private:
  // Of a rank's input and output.
  std::size_t chunks() const { return plan_.ranks * plan_.width; }

  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;  ///< more than any buffer has

  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
      const bool plain = c >= ' ' && c <= '~' && c != '<' && c != '>' && c != '&' && c != '"';
      result += plain ? std::string(1, c) : fmt::format("&#{};", static_cast<unsigned char>(c));
    }
    return result;
  }

  // `held` is where the sender has the message, `received` the step that brought it.
  void add_hop(const Hop& hop, BufferPlace& held, std::optional<std::pair<std::size_t, std::size_t>>& received) {
    const auto& transfer = problem_.transfers[hop.transfer];
    if (hop.number == 0) {
      held = {'i', plan_.place_of(transfer.to, hop.transfer)};
      received.reset();
    }
    auto& from = ranks_[hop.from];
    auto& to = ranks_[hop.to];
    const BufferPlace target =
        hop.last ? BufferPlace{'o', plan_.place_of(transfer.from, hop.transfer)} : BufferPlace{'s', to.scratch++};
    if (received) from.blocks[received->first].steps[received->second].is_waited_for = true;
    from.blocks[from.block(true, hop.to, hop.channel)].steps.push_back({'s', held, target, received, false});
    const auto block = to.block(false, hop.from, hop.channel);
    to.blocks[block].steps.push_back({'r', held, target, std::nullopt, false});
    received = {block, to.blocks[block].steps.size() - 1};
    held = target;
  }

  void write(std::uint32_t rank, std::string& text) const {
    const auto& here = ranks_[rank];
    text += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", rank, chunks(), chunks(),
                        here.scratch);
    std::size_t id = 0;
    for (const auto& block : here.blocks) {
      text += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id++, block.sends_to,
                          block.receives_from, block.channel);
      std::size_t number = 0;
      for (const auto& step : block.steps) write(step, number++, text);
      text += "    </tb>\n";
    }
    // What a rank keeps for itself, of which demands have nothing.
    if (!has_demands(problem_.pattern)) {
      text += fmt::format("    <tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", id);
      write({'c', {'i', rank}, {'o', rank}, std::nullopt, false}, 0, text);
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }

  static void write(const Step& step, std::size_t number, std::string& text) {
    text += fmt::format(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"1\" "
        "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
        number, step.kind == 'c' ? "cpy" : std::string(1, step.kind), step.source.buffer, step.source.offset,
        step.target.buffer, step.target.offset, step.waits_for ? static_cast<std::int64_t>(step.waits_for->first) : -1,
        step.waits_for ? static_cast<std::int64_t>(step.waits_for->second) : -1, step.is_waited_for ? 1 : 0);
  }

  const Problem& problem_;
  RankHops plan_;
  std::vector<Rank> ranks_;
};

}  // namespace

std::string to_msccl(const Problem& problem, const Schedule& schedule) { return Msccl(problem, schedule).text(); }

std::string msccl_limits(const Problem& problem, const Schedule& schedule) {
  return Msccl(problem, schedule).passed_limits();
}

std::string to_anynet(const Topology& topology) {
  std::string text;
  for (std::uint32_t node = 0; node < topology.nodes; ++node) {
    std::string line;
    if (topology.roles[node] != Role::router) line += fmt::format(" node {}", node);
    for (const auto& link : topology.links) {
      if (link.from != node) continue;
      if (!std::binary_search(topology.links.begin(), topology.links.end(), Link{link.to, link.from}))
        throw InvalidInput(
            fmt::format("BookSim's anynet has no one-way links, and the one from {} to {} is; write the "
                        "schedule as .json or .xml",
                        link.from, link.to));
      if (std::count(topology.links.begin(), topology.links.end(), link) > 1)
        throw InvalidInput(
            fmt::format("BookSim's anynet has no parallel channels, and the link from {} to {} has some; write the "
                        "schedule as .json or .xml",
                        link.from, link.to));
      if (link.from < link.to) line += fmt::format(" router {}", link.to);
    }
    if (!line.empty()) text += fmt::format("router {}{}\n", node, line);
  }
  return text;
}

}  // namespace clopt::exchange
