/// \file
/// Schedules as plans for the executor of MSCCL++.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rank_hops.hpp"

namespace clopt::exchange {
namespace {

using PlanJson = nlohmann::ordered_json;

/// Operations of a rank with one peer in one direction over one channel.
struct PlanBlock {
  std::optional<std::uint32_t> channel;       ///< none: it only copies
  std::vector<std::size_t> remote_buffers{};  ///< by their numbers in the rank
  PlanJson operations = PlanJson::array();
};

/// A chunk of a rank's buffer: input "i", output "o" or scratch memory "s".
struct Chunk {
  std::string buffer;
  std::size_t index = 0;
};

template <class Value>
std::size_t place_in(std::vector<Value>& values, const Value& value) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  values.push_back(value);
  return values.size() - 1;
}

struct PlanRank {
  std::vector<PlanBlock> blocks;
  std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::size_t> block_of;  ///< by direction, peer, channel
  std::vector<std::uint32_t> channels;                                             ///< the peer of each
  std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::uint32_t> channel_of;
  std::vector<std::pair<std::uint32_t, std::string>> remote_buffers;  ///< rank and buffer
  std::vector<std::pair<std::size_t, std::size_t>> semaphores;        ///< blocks that release and acquire
  std::size_t scratch = 0;
};

PlanJson synchronisation(const char* name) {
  return {{"name", name}, {"channel_ids", PlanJson::array({0})}, {"channel_type", "memory"}};
}
PlanJson semaphore(const char* name, std::size_t number) {
  return {{"name", name}, {"semaphore_ids", PlanJson::array({number})}};
}
// All threads of a block wait for each other.
PlanJson joining() { return {{"name", "nop"}}; }
PlanJson local(const Chunk& chunk) { return {{"type", chunk.buffer}, {"index", chunk.index}, {"size", 1}}; }

class Mscclpp {
 public:
  Mscclpp(const Problem& problem, const Schedule& schedule)
      : problem_(problem), plan_(problem, schedule), ranks_(plan_.ranks) {
    make_channels();
    Chunk held;
    std::size_t received = 0;
    for (const auto& hop : plan_.hops) add_hop(hop, held, received);
    if (!has_demands(problem.pattern))
      for (std::uint32_t rank = 0; rank < plan_.ranks; ++rank) {
        // What a rank keeps for itself.
        auto& block = ranks_[rank].blocks.emplace_back();
        block.operations.push_back({{"name", "copy"},
                                    {"src_buff", PlanJson::array({local({"i", rank})})},
                                    {"dst_buff", PlanJson::array({local({"o", rank})})},
                                    {"channel_type", "none"}});
      }
  }

  std::string text() const {
    auto gpus = PlanJson::array();
    for (std::uint32_t rank = 0; rank < plan_.ranks; ++rank) gpus.push_back(gpu(rank));
    const PlanJson plan{{"name", fmt::format("clopt {} {}", problem_.topology.name, problem_.pattern)},
                        {"collective", plan_.is_complete_exchange ? "alltoall" : "custom"},
                        {"protocol", "Simple"},
                        {"inplace", false},
                        {"reuse_resources", false},
                        {"gpus", std::move(gpus)},
                        {"num_threads_per_block", 1024},
                        {"use_double_scratch_buffer", false},
                        {"buffer_alignment", 16},
                        {"min_message_size", 0},
                        {"max_message_size", std::numeric_limits<std::uint64_t>::max()}};
    return plan.dump(1, ' ', false, PlanJson::error_handler_t::replace) + "\n";
  }

  // Of execution_common.hpp: MAX_OPERATION.
  std::string passed_limits() const {
    constexpr std::size_t most_operations = 64;
    std::size_t operations = 0;
    for (const auto& rank : ranks_)
      for (const auto& block : rank.blocks) operations = std::max(operations, block.operations.size());
    if (operations <= most_operations) return {};
    return fmt::format("{} operations in a thread block, of which MSCCL++ takes {}", operations, most_operations);
  }

 private:
  // The k-th channel of a rank to another belongs to the k-th of that one: first those of messages to the higher rank.
  void make_channels() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;
    for (const auto& hop : plan_.hops) {
      auto& count = counts[{hop.from, hop.to}];
      count = std::max(count, hop.channel + 1);
    }
    const auto count_of = [&](std::uint32_t from, std::uint32_t to) {
      const auto found = counts.find({from, to});
      return found == counts.end() ? 0 : found->second;
    };
    for (std::uint32_t rank = 0; rank < plan_.ranks; ++rank)
      for (std::uint32_t peer = 0; peer < plan_.ranks; ++peer)
        for (const bool upwards : {true, false}) {
          const auto [low, high] = std::minmax(rank, peer);
          const auto count = upwards ? count_of(low, high) : count_of(high, low);
          for (std::uint32_t each = 0; each < count; ++each) {
            auto& own = ranks_[rank];
            own.channel_of[{upwards == (rank < peer), peer, each}] = static_cast<std::uint32_t>(own.channels.size());
            own.channels.push_back(peer);
          }
        }
  }

  // A receiver reports that its buffers may be written, and the sender waits for that.
  std::size_t block(PlanRank& rank, bool sends, std::uint32_t peer, std::uint32_t channel) {
    const auto [found, is_new] = rank.block_of.try_emplace({sends, peer, channel}, rank.blocks.size());
    if (is_new) {
      auto& own = rank.blocks.emplace_back();
      own.channel = rank.channel_of.at({sends, peer, channel});
      own.operations.push_back(synchronisation(sends ? "rlxwait" : "rlxsignal"));
      own.operations.push_back(joining());
    }
    return found->second;
  }

  // `held` is where the sender has the message, `received` its block that has received it.
  void add_hop(const Hop& hop, Chunk& held, std::size_t& received) {
    const auto& transfer = problem_.transfers[hop.transfer];
    const bool is_first = hop.number == 0;
    if (is_first) held = {"i", plan_.place_of(transfer.to, hop.transfer)};
    auto& from = ranks_[hop.from];
    auto& to = ranks_[hop.to];
    const Chunk target = hop.last ? Chunk{"o", plan_.place_of(transfer.from, hop.transfer)} : Chunk{"s", to.scratch++};
    const auto sending = block(from, true, hop.to, hop.channel);
    auto& sends = from.blocks[sending];
    if (!is_first) {
      const auto number = place_in(from.semaphores, {received, sending});
      from.blocks[received].operations.push_back(semaphore("sem_release", number));
      sends.operations.push_back(semaphore("sem_acquire", number));
      sends.operations.push_back(joining());
    }
    const auto buffer = place_in(sends.remote_buffers, place_in(from.remote_buffers, {hop.to, target.buffer}));
    sends.operations.push_back(
        {{"name", "put"},
         {"src_buff", PlanJson::array({local(held)})},
         {"dst_buff", PlanJson::array({PlanJson{{"buffer_id", buffer}, {"index", target.index}, {"size", 1}}})},
         {"channel_type", "memory"}});
    sends.operations.push_back(joining());
    sends.operations.push_back(synchronisation("signal"));
    received = block(to, false, hop.from, hop.channel);
    to.blocks[received].operations.push_back(synchronisation("wait"));
    to.blocks[received].operations.push_back(joining());
    held = target;
  }

  PlanJson gpu(std::uint32_t rank) const {
    const auto& here = ranks_[rank];
    const auto chunks = plan_.ranks * plan_.width;
    auto blocks = PlanJson::array();
    for (const auto& each : here.blocks) {
      auto channels = PlanJson::array();
      auto buffers = PlanJson::array();
      if (each.channel)
        channels.push_back({{"channel_type", "memory"}, {"channel_ids", PlanJson::array({*each.channel})}});
      if (!each.remote_buffers.empty())
        buffers.push_back({{"access_channel_type", "memory"}, {"remote_buffer_ids", each.remote_buffers}});
      blocks.push_back({{"id", blocks.size()},
                        {"ops", each.operations},
                        {"channels", std::move(channels)},
                        {"remote_buffer_refs", std::move(buffers)}});
    }
    auto remote_buffers = PlanJson::array();
    for (const auto& [owner, buffer] : here.remote_buffers)
      remote_buffers.push_back(
          {{"rank", owner}, {"type", buffer}, {"access_channel_types", PlanJson::array({"memory"})}});
    auto semaphores = PlanJson::array();
    for (std::size_t i = 0; i < here.semaphores.size(); ++i) semaphores.push_back({{"init_value", 0}});
    auto channels = PlanJson::array();
    if (!here.channels.empty()) channels.push_back({{"channel_type", "memory"}, {"connected_to", here.channels}});
    return {{"id", rank},
            {"input_chunks", chunks},
            {"output_chunks", chunks},
            {"scratch_chunks", here.scratch},
            {"threadblocks", std::move(blocks)},
            {"channels", std::move(channels)},
            {"remote_buffers", std::move(remote_buffers)},
            {"semaphores", std::move(semaphores)}};
  }

  const Problem& problem_;
  RankHops plan_;
  std::vector<PlanRank> ranks_;
};

}  // namespace

std::string to_mscclpp(const Problem& problem, const Schedule& schedule) { return Mscclpp(problem, schedule).text(); }

std::string mscclpp_limits(const Problem& problem, const Schedule& schedule) {
  return Mscclpp(problem, schedule).passed_limits();
}

}  // namespace clopt::exchange
