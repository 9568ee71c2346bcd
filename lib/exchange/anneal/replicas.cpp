#include "replicas.hpp"

#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>

#include <fmt/format.h>
#include <shared/elementary/double.h>

#include <algorithm>
#include <array>
#include <numeric>

#include <device/transfer/upload.hpp>

namespace clopt::exchange {
namespace {

/// The rungs of the ladder: at these temperatures perfect packings were found soonest.
constexpr std::array<double, Replicas::rungs> ladder{0.135, 0.157, 0.183, 0.213};
/// How often an orbit without conflict is passed over for another one.
constexpr double focus = 0.99;
constexpr std::uint32_t heat_bath_draws = 12;
/// Tabu search: how many orbits are drawn to find one in conflict, and for how many moves one is left in peace.
constexpr std::uint32_t tabu_draws = 64;
constexpr std::uint32_t tenure = 10;
constexpr std::uint32_t sweeps_a_launch = 2;
constexpr std::uint32_t most_moves_a_launch = 1024;
constexpr std::uint32_t least_moves_a_launch = 32;
/// Bytes of costs that a replica goes over in a launch, about: a launch stays within a fraction of a second.
constexpr double costs_a_launch = 3e8;
/// What a work-group may take of local memory, so that several of them are resident.
constexpr std::uint64_t local_for_uses = 40 << 10;
constexpr std::uint64_t local_for_distances = 16 << 10;
/// Graphs up to this size are copied into local memory.
constexpr std::uint32_t most_local_nodes = 64;
constexpr std::uint32_t most_local_edges = 128;
/// See kernels_cl/exchange/anneal.cl.
enum Place { all_local, distances_local, all_global, planes };
/// Work-items of a replica whose slots are planes of bits.
constexpr std::uint32_t items_of_planes = 32;
/// Local memory that their kernel takes besides what it is given: what emulated sub-groups share, and a driver's own.
constexpr std::uint64_t local_beside_planes = 512;

std::uint32_t weight_of(double temperature, std::uint32_t level) {
  return static_cast<std::uint32_t>(shared::clopt_exp_double(-static_cast<double>(level) / temperature) * 0x1p30);
}

std::uint32_t most_edges_of(const OrbitTables& tables) {
  std::uint32_t most = 0;
  for (const auto& orbit : tables.orbits) most = std::max(most, orbit.edges);
  return most;
}

// Moves of one launch on a device whose work-items leave after a number of steps of all loops together.
std::uint32_t moves_within_steps(const OrbitTables& tables, std::uint32_t group_size) {
  constexpr std::uint32_t safe_steps = 1 << 14;
  const auto& shape = tables.shape;
  const std::uint32_t most_edges = most_edges_of(tables);
  const std::uint32_t words = (shape.words + group_size - 1) / group_size;
  const std::uint32_t images = (shape.most_hops * shape.order + group_size - 1) / group_size;
  const std::uint32_t steps = words * (shape.most_nodes + most_edges + 20) + tabu_draws * (shape.most_hops + 1) +
                              most_edges + 2 * images + 8 * group_size + 100;
  const std::uint32_t copies = 2 * (shape.links * shape.words / group_size + 1);
  return std::max(1U, (safe_steps - std::min(copies, safe_steps)) / steps);
}

}  // namespace

Replicas::Replicas(Device& device, const OrbitTables& tables, std::uint32_t replicas, std::uint64_t seed, Rule rule,
                   SlotForm form)
    : device_(device), tables_(tables), replicas_(replicas), seed_(seed), rule_(rule), queue_(device.queue()) {
  if (form == SlotForm::bytes || !choose_planes(form)) choose_bytes();
  const auto& shape = tables.shape;
  orbits_ = upload(device, *queue_, "orbits", tables.orbits);
  node_first_ = upload(device, *queue_, "first edges of nodes", tables.node_first);
  edges_ = upload(device, *queue_, "edges of shortest paths", tables.edges);
  cells_ = upload(device, *queue_, "cells of shortest paths", planes_ ? tables.cells : std::vector<SearchCell>());
  link_images_ = upload(device, *queue_, "images of links", tables.link_images);
  slot_images_ = upload(device, *queue_, "images of slots", tables.slot_images);
  order_ = upload(device, *queue_, "order of orbits", placing_order(tables, seed));

  weights_ = device.buffer<std::uint32_t>("weights of costs", std::size_t{replicas} * EXCHANGE_LEVELS);
  slots_ = device.buffer<std::uint32_t>("slots of orbits", std::size_t{replicas} * shape.orbits);
  paths_ = device.buffer<std::uint16_t>("paths of orbits", std::size_t{replicas} * shape.orbits * shape.most_hops);
  stamps_ = device.buffer<std::uint32_t>("last moves", std::size_t{replicas} * shape.orbits);
  uses_ = device.buffer<std::uint32_t>("uses of links", replicas * tables.uses_bytes() / 4);
  made_ = upload(device, *queue_, "moves made", std::vector<std::uint32_t>(replicas));
  host_made_ = HostArray<std::uint32_t>(replicas);
  host_energies_ = HostArray<std::uint32_t>(replicas);
  energies_ = device.buffer<std::uint32_t>("conflicts", replicas);
  state_.slots.assign(std::size_t{replicas} * shape.orbits, EXCHANGE_NOWHERE);
  state_.paths.assign(std::size_t{replicas} * shape.orbits * shape.most_hops, 0);
  state_.stamps.assign(std::size_t{replicas} * shape.orbits, 0);
  state_.energies.assign(replicas, 0);
  for (std::uint32_t i = 0; i < replicas; ++i) state_.temperatures.push_back(i % ladder.size());
  restore(ReplicaState(state_));
}

void require_sound(const Device& device, const OrbitTables& tables, const Problem& problem, const Network& network,
                   const Placing& placing, std::uint32_t energy) {
  const std::size_t hops = tables.shape.most_hops;
  for (std::size_t orbit = 0; orbit < placing.slots.size(); ++orbit)
    if (!is_placement(tables, network, orbit, placing.slots[orbit],
                      std::span(placing.paths).subspan(orbit * hops, hops)))
      report_fault(device, fmt::format("leaves transfer {} where there is no path or slot for it", orbit));
  if (energy != 0) return;
  const auto schedule = expand(tables, network, problem.transfers, placing.slots, placing.paths);
  if (const auto conflicts = count_conflicts(problem, schedule); conflicts != 0)
    report_fault(device, fmt::format("finds no conflicts, and the host finds {}", conflicts));
}

bool Replicas::choose_planes(SlotForm form) {
  const auto& info = device_.info();
  // Emulated sub-groups wait for each other at every step, and those of a driver are known to work at one width alone.
  const auto is_trusted = [&] {
    const auto subgroup = device_.subgroup();
    return subgroup.provider != SubgroupProvider::emulated && subgroup.size == items_of_planes;
  };
  if (tables_.shape.most_cells == 0 || info.max_work_group_size < items_of_planes ||
      tables_.planes_bytes() + local_beside_planes > info.local_memory_bytes || !device_.has_long_loops() ||
      !(form == SlotForm::planes || is_trusted()))
    return false;
  Program program;
  program.defines.set("PLACE", static_cast<int>(planes));
  program.subgroup_size = items_of_planes;
  try {
    planes_ = device_.kernel<operations::Anneal>(program);
  } catch (const BuildError&) {
    return false;  // not every device has sub-groups of this width
  }
  if (planes_->max_group_size() < items_of_planes) {
    planes_.reset();
    return false;
  }
  distances_ = device_.buffer<std::uint32_t>("distances", 1);
  return true;
}

void Replicas::choose_bytes() {
  const auto& shape = tables_.shape;
  const std::uint64_t room = device_.info().local_memory_bytes;
  Place place = all_global;
  if (tables_.distances_bytes() <= std::min(local_for_distances, room / 3)) {
    place = tables_.uses_bytes() + tables_.distances_bytes() <= std::min(local_for_uses, room * 3 / 4)
                ? all_local
                : distances_local;
  }
  if (place != all_global) local_distances_ = tables_.distances_bytes() / 4;
  if (place == all_local) local_uses_ = tables_.uses_bytes() / 4;
  Program program;
  program.defines.set("PLACE", static_cast<int>(place));
  const std::uint32_t most_edges = most_edges_of(tables_);
  if (shape.most_nodes <= most_local_nodes && most_edges <= most_local_edges) {
    program.defines.set("GRAPH_NODES", most_local_nodes);
    program.defines.set("GRAPH_EDGES", most_local_edges);
  }
  bytes_ = device_.kernel<operations::Anneal>(program);
  group_size_ = std::min({32U, shape.words, bytes_->max_group_size()});
  if (shape.words >= 128) group_size_ = std::min(128U, bytes_->max_group_size());
  moves_at_once_ = device_.has_long_loops() ? most_moves_a_launch : moves_within_steps(tables_, group_size_);
  distances_ =
      device_.buffer<std::uint32_t>("distances", place == all_global ? replicas_ * tables_.distances_bytes() / 4 : 1);
}

std::vector<std::uint32_t> Replicas::placing_order(const OrbitTables& tables, std::uint64_t seed) {
  std::vector<std::uint32_t> order(tables.shape.orbits);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = tables.shape.orbits; i > 1; --i)
    std::swap(order[i - 1], order[shared::uniform_at(seed, EXCHANGE_PURPOSE_SWAP, ~std::uint64_t{i}, i)]);
  return order;
}

std::uint32_t Replicas::moves_of(const OrbitTables& tables) {
  const double costs = static_cast<double>(tables.edges.size()) / tables.shape.orbits * 4 * tables.shape.words;
  const double most = std::min<double>(most_moves_a_launch, double{sweeps_a_launch} * tables.shape.orbits);
  return static_cast<std::uint32_t>(std::max(std::min(costs_a_launch / costs, most), double{least_moves_a_launch}));
}

void Replicas::restore(const ReplicaState& state) {
  state_ = state;
  const auto& shape = tables_.shape;
  std::vector<std::uint32_t> words(uses_.size());
  auto* const uses = reinterpret_cast<std::uint8_t*>(words.data());
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    if (state.slots[i] == EXCHANGE_NOWHERE) continue;
    const std::size_t replica = i / shape.orbits;
    const std::size_t orbit = i % shape.orbits;
    for (std::uint32_t hop = 0; hop < tables_.orbits[orbit].hops; ++hop)
      for (std::uint32_t a = 0; a < shape.order; ++a) {
        const auto link = tables_.link_images[std::size_t{state.paths[i * shape.most_hops + hop]} * shape.order + a];
        const auto slot = tables_.slot_images[std::size_t{state.slots[i]} * shape.order + a];
        ++uses[replica * tables_.uses_bytes() + std::size_t{link} * 4 * shape.words + slot];
      }
  }
  queue_->write_later(uses_, HostArray(std::move(words)));
  queue_->write_later(slots_, state.slots);
  queue_->write_later(paths_, state.paths);
  queue_->write_later(stamps_, state.stamps);
  queue_->write_later(energies_, state.energies);
}

ReplicaState Replicas::state() const {
  ReplicaState state = state_;
  queue_->read(slots_, std::span(state.slots));
  queue_->read(paths_, std::span(state.paths));
  queue_->read(stamps_, std::span(state.stamps));
  const auto& shape = tables_.shape;
  for (std::size_t i = 0; i < state.slots.size(); ++i)
    if (state.slots[i] != EXCHANGE_NOWHERE && state.slots[i] >= tables_.orbits[i % shape.orbits].slots)
      report_fault(device_, fmt::format("has a transfer in slot {}, which is not there", state.slots[i]));
  for (const auto link : state.paths)
    if (link >= shape.links) report_fault(device_, fmt::format("has a transfer on link {} of {}", link, shape.links));
  return state;
}

void Replicas::start() {
  const std::uint64_t orbits = tables_.shape.orbits;
  const std::uint32_t moves = moves_of(tables_);
  started_ = true;
  if (!is_placed()) {
    launch({seed_, state_.moves, static_cast<std::uint32_t>(std::min<std::uint64_t>(orbits - state_.moves, moves)), 1,
            1, 0, 0, 0});
  } else if (rule_ == Rule::tabu) {
    launch({seed_, state_.moves, moves, 0, tabu_draws, ~0U, tenure, 0});
  } else {
    launch({seed_, state_.moves, moves, 0, heat_bath_draws, static_cast<std::uint32_t>(focus * 0x1p32), 0, 0});
  }
}

bool Replicas::finish() {
  if (!std::exchange(started_, false)) return false;
  done_.wait();
  if (is_behind()) {
    if (!bytes_) choose_bytes();
    launch_bytes(started_moves_);
    done_.wait();
    ++ended_by_bytes_;
  }
  state_.energies.assign(host_energies_.begin(), host_energies_.end());
  if (rule_ == Rule::heat_bath && is_placed()) exchange_temperatures();
  return true;
}

bool Replicas::is_behind() const {
  return planes_ && std::any_of(host_made_.begin(), host_made_.end(),
                                [this](std::uint32_t made) { return made < started_moves_.count; });
}

void Replicas::advance() {
  start();
  finish();
}

void Replicas::launch(SearchMoves moves) {
  std::vector<std::uint32_t> weights;
  weights.reserve(weights_.size());
  for (const auto rung : state_.temperatures)
    for (std::uint32_t level = 0; level < EXCHANGE_LEVELS; ++level)
      weights.push_back(rule_ == Rule::tabu ? level == 0 : weight_of(ladder[rung], level));
  queue_->write_later(weights_, HostArray(std::move(weights)));
  state_.moves = moves.first + moves.count;
  started_moves_ = moves;
  if (!planes_) return launch_bytes(moves);
  queue_->launch(*planes_, Range::of_groups(replicas_, items_of_planes),
                 arguments(moves, tables_.planes_bytes() / 4, 1));
  queue_->read_later(made_, host_made_);
  done_ = queue_->read_later(energies_, host_energies_);
  queue_->flush();
}

operations::Anneal Replicas::arguments(const SearchMoves& moves, std::size_t local_uses,
                                       std::size_t local_distances) const {
  return {.orbits = orbits_,
          .node_first = node_first_,
          .edges = edges_,
          .cells = cells_,
          .link_images = link_images_,
          .slot_images = slot_images_,
          .weights = weights_,
          .order = order_,
          .slots = slots_,
          .paths = paths_,
          .stamps = stamps_,
          .uses = uses_,
          .distances = distances_,
          .energies = energies_,
          .made = made_,
          .shape = tables_.shape,
          .moves = moves,
          .local_uses = Local<std::uint32_t>(local_uses),
          .local_distances = Local<std::uint32_t>(local_distances)};
}

// By bytes: for the replicas that have not made all the moves. A launch is cut into pieces only on devices without long
// loops, which have no planes: else made_, which counts from the first move of all, would be cleared by the first
// piece.
void Replicas::launch_bytes(SearchMoves moves) {
  const std::uint64_t end = moves.first + moves.count;
  for (; moves.first < end; moves.first += moves.count) {
    moves.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(moves_at_once_, end - moves.first));
    queue_->launch(*bytes_, Range::of_groups(replicas_, group_size_), arguments(moves, local_uses_, local_distances_));
  }
  done_ = queue_->read_later(energies_, host_energies_);
  queue_->flush();
}

// Replica exchange (Swendsen and Wang, 1986) between neighbouring rungs of each ladder of replicas.
void Replicas::exchange_temperatures() {
  const std::uint64_t round = state_.moves / moves_of(tables_);
  for (std::uint32_t first = 0; first + ladder.size() <= replicas_; first += ladder.size()) {
    std::array<std::uint32_t, ladder.size()> at{};
    for (std::uint32_t i = 0; i < ladder.size(); ++i) at[state_.temperatures[first + i]] = first + i;
    for (std::uint32_t rung = round % 2; rung + 1 < ladder.size(); rung += 2) {
      const double cooler = state_.energies[at[rung]];
      const double warmer = state_.energies[at[rung + 1]];
      const double exponent = (1 / ladder[rung] - 1 / ladder[rung + 1]) * (cooler - warmer);
      const auto draw = shared::random_at(seed_, EXCHANGE_PURPOSE_SWAP, first + rung, static_cast<std::uint32_t>(round),
                                          static_cast<std::uint32_t>(round >> 32));
      const double fraction = static_cast<double>(draw.a) * 0x1p-32;
      if (exponent >= 0 || fraction < shared::clopt_exp_double(exponent))
        std::swap(state_.temperatures[at[rung]], state_.temperatures[at[rung + 1]]);
    }
  }
}

std::size_t Replicas::best() const {
  return static_cast<std::size_t>(std::min_element(state_.energies.begin(), state_.energies.end()) -
                                  state_.energies.begin());
}

std::uint32_t Replicas::energy() const { return state_.energies[best()]; }

Placing Replicas::best_placing() const {
  const std::size_t orbits = tables_.shape.orbits;
  const std::size_t hops = orbits * tables_.shape.most_hops;
  Placing placing{std::vector<std::uint32_t>(orbits), std::vector<std::uint16_t>(hops)};
  queue_->read(slots_, std::span(placing.slots), best() * orbits);
  queue_->read(paths_, std::span(placing.paths), best() * hops);
  return placing;
}

}  // namespace clopt::exchange
