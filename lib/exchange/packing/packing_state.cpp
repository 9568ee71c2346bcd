#include "packing_state.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <run/record_fields.hpp>

namespace clopt::exchange {
namespace {

using Slot = std::vector<SlotPacker::Path>;

/// All numbers of a packing: slots, then for each side which of them it has.
struct PackedState {
  std::vector<std::uint32_t> paths;    ///< of each slot, how many
  std::vector<std::uint32_t> lengths;  ///< of each path, in links
  std::vector<std::uint32_t> links;    ///< of all paths
  std::vector<std::uint32_t> steps;    ///< of each side
  std::vector<std::uint32_t> slots;    ///< of all sides
  std::vector<double> loads;           ///< of all sides
  std::vector<std::uint32_t> updates;  ///< of each side, as the following
  std::vector<std::uint64_t> priced_hops;
  std::vector<std::uint32_t> next_updates;
  std::vector<std::uint8_t> stuck;
};

template <class Archive>
void fields(Archive& archive, PackedState& numbers) {
  archive("paths", numbers.paths)("lengths", numbers.lengths)("links", numbers.links)("steps", numbers.steps);
  archive("slots", numbers.slots)("loads", numbers.loads)("updates", numbers.updates);
  archive("priced_hops", numbers.priced_hops)("next_updates", numbers.next_updates)("stuck", numbers.stuck);
}

[[noreturn]] void refuse() { throw InvalidInput("its packing is not one of this problem"); }

void require(bool is_right) {
  if (!is_right) refuse();
}

/// Takes numbers one after the other. \throws InvalidInput where there are no more.
template <class T>
class Sequence {
 public:
  explicit Sequence(const std::vector<T>& values) : left_(values) {}
  std::span<const T> take(std::size_t count) {
    require(count <= left_.size());
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  T take() { return take(1).front(); }
  bool empty() const { return left_.empty(); }

 private:
  std::span<const T> left_;
};

SlotPacker::Path path_of(std::span<const std::uint32_t> links, const Problem& problem, const Network& network) {
  require(!links.empty() && *std::max_element(links.begin(), links.end()) < network.links().size());
  for (std::size_t i = 1; i < links.size(); ++i)
    require(network.links()[links[i - 1]].to == network.links()[links[i]].from);
  const Transfer transfer{network.links()[links.front()].from, network.links()[links.back()].to};
  require(std::binary_search(problem.transfers.begin(), problem.transfers.end(), transfer));
  require(network.distance(transfer.from, transfer.to) == links.size());
  return {transfer, {links.begin(), links.end()}};
}

std::vector<Slot> read_slots(const PackedState& numbers, const Problem& problem, const Network& network) {
  Sequence lengths(numbers.lengths);
  Sequence links(numbers.links);
  std::vector<Slot> slots;
  for (const auto count : numbers.paths) {
    auto& slot = slots.emplace_back();
    std::set<std::uint32_t> taken;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto path = links.take(lengths.take());
      for (const auto link : path) require(taken.insert(link).second);
      slot.push_back(path_of(path, problem, network));
    }
    require(!slot.empty());
  }
  require(lengths.empty() && links.empty());
  return slots;
}

}  // namespace

Record state_of(const std::vector<PackedSide>& sides) {
  PackedState numbers;
  std::map<const Slot*, std::uint32_t> known;
  for (const auto& side : sides) {
    for (const auto& slot : side.schedule.slots()) {
      const auto [found, is_new] = known.try_emplace(slot.get(), static_cast<std::uint32_t>(known.size()));
      numbers.slots.push_back(found->second);
      if (!is_new) continue;
      numbers.paths.push_back(static_cast<std::uint32_t>(slot->size()));
      for (const auto& path : *slot) {
        numbers.lengths.push_back(static_cast<std::uint32_t>(path.links.size()));
        numbers.links.insert(numbers.links.end(), path.links.begin(), path.links.end());
      }
    }
    const auto& prices = side.schedule.prices();
    numbers.steps.push_back(side.schedule.steps());
    numbers.loads.insert(numbers.loads.end(), prices.loads().begin(), prices.loads().end());
    numbers.updates.push_back(prices.updates());
    numbers.priced_hops.push_back(side.schedule.priced_hops());
    numbers.next_updates.push_back(side.next_update);
    numbers.stuck.push_back(side.is_stuck ? 1 : 0);
  }
  return record_of(numbers);
}

std::vector<PackedSide> read_sides(const Record& state, const PartialSchedule& empty, std::size_t width,
                                   const Problem& problem, const Network& network) {
  PackedState numbers;
  read_record(state, numbers);
  const auto slots = read_slots(numbers, problem, network);
  const auto count = numbers.steps.size();
  require(count == width && numbers.updates.size() == count && numbers.priced_hops.size() == count);
  require(numbers.next_updates.size() == count && numbers.stuck.size() == count);
  Sequence places(numbers.slots);
  Sequence loads(numbers.loads);
  std::vector<PackedSide> sides;
  for (std::size_t i = 0; i < count; ++i) {
    PackedSide side{empty, numbers.next_updates[i], numbers.stuck[i] != 0};
    for (const auto place : places.take(numbers.steps[i])) {
      require(place < slots.size());
      auto& pool = side.schedule.pool();
      for (const auto& [transfer, links] : slots[place]) {
        require(pool.free_from(transfer.from)[transfer.to] > 0);
        pool.take(transfer);
      }
      side.schedule.add_slot(slots[place]);
    }
    const auto own = loads.take(network.links().size());
    require(std::all_of(own.begin(), own.end(), [](double load) { return load >= 0 && std::isfinite(load); }));
    require(*std::max_element(own.begin(), own.end()) > 0 && numbers.updates[i] > 0);
    require(numbers.priced_hops[i] >= side.schedule.hops_left());
    side.schedule.set_prices({own.begin(), own.end()}, numbers.updates[i], numbers.priced_hops[i]);
    sides.push_back(std::move(side));
  }
  require(places.empty() && loads.empty());
  return sides;
}

}  // namespace clopt::exchange
