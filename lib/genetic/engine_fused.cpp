// What `fused` does: islands that live in local memory, and broods that do.
#include "builder.hpp"
#include "engine.hpp"

namespace clopt::genetic {
namespace {

// Lanes of a fused team: fewer cannot draw all that a pair needs at once, more have little to do.
constexpr std::uint32_t fewest_fused_lanes = 4;
constexpr std::uint32_t most_fused_lanes = 16;
// Units of bits that each of them takes, and which are on their way at the same time.
constexpr std::uint32_t units_of_lane = 2;
// Work-items of the work-group that has an island in local memory, and of one that has a brood there.
constexpr std::uint32_t home_group = 1024;
constexpr std::uint32_t brood_group = 128;
// Pairs of a brood, at most: many share the work out evenly. Local memory for it, where several are to fit.
constexpr std::uint64_t most_brood = 32;
constexpr std::uint64_t brood_bytes = std::uint64_t{24} << 10;
// Work-groups that each compute unit is to have before broods grow.
constexpr std::uint32_t broods_of_unit = 2;
// Bytes of random numbers drawn ahead: they stay in the caches of large devices.
constexpr std::uint64_t most_ahead = std::uint64_t{24} << 20;
// Generations of a launch of the fused kernel, where nothing else bounds them.
constexpr std::uint32_t most_generations_at_once = 1024;
// Where loops may end early, and a watchdog ends long launches.
constexpr std::uint32_t few_generations_at_once = 16;
// What emulated sub-groups take of local memory, and what a driver may.
constexpr std::uint64_t reserved_local_memory = 9216;

// The width of sub-groups does not depend on the kernel there, so that it may be made for a shape.
bool is_shaped_first(const Builder& builder) {
  return builder.is_gpu() && builder.device.info().subgroup.provider == SubgroupProvider::ptx;
}

void fix_shape(Program& program, std::uint32_t lanes, const TeamShape& shape) {
  program.defines.set("GENETIC_FIXED_LANES", lanes).set("GENETIC_FIXED_ITEMS", shape.group_size);
}

}  // namespace

template <class Element, class Real>
void Engine<Element, Real>::build_at_home(const Builder& builder) {
  const auto& info = builder.device.info();
  auto program = builder.of_stage(crossing);
  const auto most_items = std::min(home_group, info.max_work_group_size);
  if (is_shaped_first(builder)) {
    shape_home(info.subgroup.size, most_items);
    fix_shape(program, fused_lanes_, fused_shape_);
  }
  generations_ = builder.build(generations<Element, Real>, program);
  if (!is_shaped_first(builder))
    shape_home(generations_.subgroup_size(), std::min(most_items, generations_.max_group_size()));
  most_at_once_ =
      info.has_long_loops && !info.has_execution_timeout ? most_generations_at_once : few_generations_at_once;
  if (run_.kind == GENETIC_BITS && !info.launches_are_calls)
    draw_ahead_ = builder.device.kernel(genetic::draw_ahead, builder.without_objective());
}

template <class Element, class Real>
void Engine<Element, Real>::build_brood(const Builder& builder) {
  const auto& info = builder.device.info();
  auto program = builder.of_stage(crossing);
  const auto most_items = std::min(brood_group, info.max_work_group_size);
  const auto most_pairs = std::min(most_brood, brood_room(builder.device));
  // Where there are many pairs, selection has more use for work-items of its own.
  selects_apart_ =
      !is_shaped_first(builder) || run_.kind != GENETIC_BITS || run_.selection != GENETIC_ROULETTE || has_sections_;
  sums_up_ = bred_is_all() && run_.population <= most_without_survey && run_.islands <= most_summed_up;
  if (sums_up_) program.defines.set("GENETIC_SUMS_UP", 1U);
  if (selects_apart_) {
    program.defines.set("GENETIC_CHOSEN", 1U);
    select_ = builder.device.kernel(select_parents<Real>, builder.without_objective());
  }
  if (is_shaped_first(builder)) {
    shape_brood(info, info.subgroup.size, most_items, most_pairs);
    fix_shape(program, fused_lanes_, fused_shape_);
  }
  breed_ = builder.build(genetic::breed<Element, Real>, program);
  if (!is_shaped_first(builder))
    shape_brood(info, breed_.subgroup_size(), std::min(most_items, breed_.max_group_size()), most_pairs);
}

template <class Element, class Real>
void Engine<Element, Real>::allocate_ahead(Device& device) {
  const auto tries = std::uint64_t{GENETIC_AHEAD_TRIES} * 4;
  const auto masks = shared::genetic_ahead_row(run_.units);
  const auto bytes = pairs_ * (tries * sizeof(std::uint32_t) + masks * sizeof(std::uint64_t));
  if (draw_ahead_)
    most_at_once_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_ahead / bytes, 1, most_at_once_));
  const auto count = draw_ahead_ ? pairs_ * most_at_once_ : 0;
  tries_ahead_ = device.buffer<std::uint32_t>("tries drawn ahead", std::max<std::uint64_t>(count * tries, 1));
  masks_ahead_ = device.buffer<std::uint64_t>("genes drawn ahead", std::max<std::uint64_t>(count * masks, 1));
}

// A generation in local memory must need nothing from other work-groups, and no wheel with sections.
template <class Element, class Real>
bool Engine<Element, Real>::fits_local_memory(const Device& device, const Plan& plan) const {
  if (run_.elites != 0 || migrate_every_ != 0 || measure_) return false;
  if (run_.islands > 1 && (run_.has_target != 0 || plan.host_watches_stagnation)) return false;
  if (device.info().launches_are_calls) return true;
  const auto permutations =
      run_.kind == GENETIC_PERMUTATION ? std::uint64_t{run_.population} * ((run_.genes + 31) / 32) : 0;
  const auto bytes = std::uint64_t{2} * run_.population * (run_.row * sizeof(Element) + sizeof(Real)) +
                     permutations * sizeof(std::uint32_t);
  return !has_sections_ && bytes + reserved_local_memory <= device.info().local_memory_bytes;
}

template <class Element, class Real>
std::uint64_t Engine<Element, Real>::brood_room(const Device& device) const {
  if (run_.kind != GENETIC_BITS) return most_brood;
  const auto pair = std::uint64_t{run_.units} * (2 * sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 8;
  const auto local = device.info().local_memory_bytes;
  return std::min(brood_bytes, local - std::min(local, reserved_local_memory)) / pair;
}

template <class Element, class Real>
std::uint32_t Engine<Element, Real>::lanes_of_team(std::uint32_t width) const {
  const auto useful = run_.kind == GENETIC_BITS ? (run_.units + units_of_lane - 1) / units_of_lane : run_.genes;
  return std::min(std::bit_floor(std::max(1U, width)),
                  std::clamp(std::bit_ceil(useful), fewest_fused_lanes, most_fused_lanes));
}

template <class Element, class Real>
void Engine<Element, Real>::shape_home(std::uint32_t width, std::uint32_t most_items) {
  fused_lanes_ = lanes_of_team(width);
  const auto most = std::max(most_items / width * width, fused_lanes_);
  const auto items = (std::uint64_t{run_.pairs} * fused_lanes_ + width - 1) / width * width;
  fused_shape_.group_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(items, most));
  fused_shape_.teams = fused_shape_.group_size / fused_lanes_;
}

template <class Element, class Real>
void Engine<Element, Real>::shape_brood(const DeviceInfo& info, std::uint32_t width, std::uint32_t most_items,
                                        std::uint64_t most_pairs) {
  fused_lanes_ = lanes_of_team(width);
  // As many pairs as whole sub-groups take at once, or more where there are enough for the whole device.
  const auto together = std::max(1U, width / fused_lanes_);
  const auto share = pairs_ / (std::uint64_t{info.compute_units} * broods_of_unit);
  pairs_each_ = static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(share, together), most_pairs));
  const auto items = (pairs_each_ * fused_lanes_ + width - 1) / width * width;
  fused_shape_.group_size = std::min(items, std::max(most_items / width * width, fused_lanes_));
  fused_shape_.teams = fused_shape_.group_size / fused_lanes_;
}

template <class Element, class Real>
void Engine<Element, Real>::launch_brood() {
  const auto from = generation_ % 2;
  const std::uint64_t pairs = run_.kind == GENETIC_BITS ? pairs_each_ : 1;
  const std::uint64_t units = run_.kind == GENETIC_BITS ? run_.units : 1;
  queue_->launch(breed_, Range::of_groups(std::uint64_t{run_.islands} * brood_groups(), fused_shape_.group_size),
                 populations_[from], populations_[1 - from], costs_[from], costs_[1 - from], limits_, parents_, best_,
                 marks_, numbers_, tables_, surveyed_, surveyed_places_, scratch_, settings_,
                 static_cast<std::uint32_t>(generation_ + 1), std::uint32_t{sums_up_}, pairs_each_, fused_lanes_,
                 LocalMemory<std::uint64_t>{2 * pairs * units}, LocalMemory<std::uint32_t>{pairs * units},
                 LocalMemory<std::uint32_t>{2 * pairs});
}

template <class Element, class Real>
void Engine<Element, Real>::draw_ahead(std::uint64_t count) {
  if (!draw_ahead_) return;
  const auto slots = std::max(run_.units, GENETIC_AHEAD_TRIES);
  queue_->launch(draw_ahead_, Range::of_items(count * pairs_ * slots), tries_ahead_, masks_ahead_, settings_,
                 static_cast<std::uint32_t>(generation_), static_cast<std::uint32_t>(count));
}

template <class Element, class Real>
void Engine<Element, Real>::advance_in_local_memory(std::uint64_t generation) {
  const auto elements = std::size_t{2} * run_.population * run_.row;
  const auto words = run_.kind == GENETIC_PERMUTATION ? std::size_t{run_.population} * ((run_.genes + 31) / 32) : 1;
  while (generation_ < generation) {
    const auto count = std::min<std::uint64_t>(generation - generation_, most_at_once_);
    draw_ahead(count);
    queue_->launch(generations_, Range::of_groups(run_.islands, fused_shape_.group_size), populations_[0],
                   populations_[1], costs_[0], costs_[1], limits_, best_, marks_, numbers_, tables_, tries_ahead_,
                   masks_ahead_, settings_, static_cast<std::uint32_t>(generation_), static_cast<std::uint32_t>(count),
                   fused_lanes_, LocalMemory<std::uint64_t>{(elements * sizeof(Element) + 7) / 8},
                   LocalMemory<Real>{std::size_t{2} * run_.population}, LocalMemory<std::uint32_t>{words});
    generation_ += count;
  }
}

// The members of this file, for each type of genes and of costs.
#define CLOPT_FUSED(Element, Real)                                                                                  \
  template bool Engine<Element, Real>::fits_local_memory(const Device&, const Plan&) const;                         \
  template std::uint64_t Engine<Element, Real>::brood_room(const Device&) const;                                    \
  template std::uint32_t Engine<Element, Real>::lanes_of_team(std::uint32_t) const;                                 \
  template void Engine<Element, Real>::shape_home(std::uint32_t, std::uint32_t);                                    \
  template void Engine<Element, Real>::shape_brood(const DeviceInfo&, std::uint32_t, std::uint32_t, std::uint64_t); \
  template void Engine<Element, Real>::build_at_home(const Builder&);                                               \
  template void Engine<Element, Real>::build_brood(const Builder&);                                                 \
  template void Engine<Element, Real>::allocate_ahead(Device&);                                                     \
  template void Engine<Element, Real>::launch_brood();                                                              \
  template void Engine<Element, Real>::draw_ahead(std::uint64_t);                                                   \
  template void Engine<Element, Real>::advance_in_local_memory(std::uint64_t);
CLOPT_FUSED(std::uint32_t, float)
CLOPT_FUSED(std::uint32_t, double)
CLOPT_FUSED(std::int32_t, float)
CLOPT_FUSED(std::int32_t, double)
CLOPT_FUSED(float, float)
CLOPT_FUSED(double, double)
#undef CLOPT_FUSED

}  // namespace clopt::genetic
