#include "sweep.hpp"
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/kernels/build_ahead.hpp>
#include <subset_sum/operations.hpp>
#include <support/process/memory.hpp>
#include <support/stopwatch.hpp>
#include "best_sum.hpp"
#include "bit_vector.hpp"
#include "checkpoint_sweep.hpp"
#include "limit_check.hpp"
#include "sparse_sweep.hpp"
#include "sweep_launcher.hpp"
#include "vector_sweep.hpp"
#include "walk_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace clopt::subset_sum {
namespace {

// The work of one launch that takes several items, some tens of milliseconds.
constexpr std::uint64_t capacities_in_launch = std::uint64_t{1} << 33;

// Memory of one capacity: two bits and the item that reached it first. The items are the largest buffer.
constexpr double bytes_a_capacity = 4 + 2.0 / 8;
constexpr double bytes_of_largest_buffer = 4;

/// The paper's implementation 3 (chapter 5.4) with words of one size, and the vector g.
template <class Word>
class BitSweep {
 public:
  BitSweep(const ReducedProblem& reduced, std::optional<std::uint32_t> work_groups, Device& device, const Watch& watch)
      : reduced_(reduced),
        work_groups_(work_groups),
        device_(device),
        watch_(watch),
        ranges_(item_ranges(reduced)),
        queue_(device.queue()),
        limit_check_(*queue_, watch),
        launches_(device, *queue_) {
    for (std::size_t i = 0; i < reduced.size(); ++i)
      steps_.push_back({reduced.weights[i], ranges_[i].first, ranges_[i].last});
  }

  Found run() {
    build();
    allocate();
    found_.complete = sweep();
    if (found_.complete) {
      const auto sum =
          best_bit_on_device(device_, *queue_, vectors_[current_], {reduced_.low, reduced_.high}, reduced_.complement);
      if (!sum) throw InternalError("k3: the sweep reached no sum that is wanted");
      found_.sum = *sum;
      launches_.require_all();
      take_items();
    }
    found_.launches = queue_->counts().launches;
    return std::move(found_);
  }

 private:
  static constexpr std::uint64_t bits = 8 * sizeof(Word);

  std::uint64_t words() const { return reduced_.high / bits + 1; }

  bool in_place() const { return sweeps_in_place<Word>(device_.info()); }

  void build() {
    BuildAhead builds;
    if (in_place())
      sweep_items_ = device_.kernel<operations::SweepItems>();
    else
      launcher_.emplace(device_, *queue_, launches_, true);
    if (launcher_ && work_groups_) launcher_->limit(*work_groups_);
    walk_back_ = device_.kernel<operations::WalkBack>();
    builds.finish();
  }

  void allocate() {
    for (std::size_t i = 0; i < (in_place() ? 1 : 2); ++i) {
      vectors_[i] = device_.buffer<Word>("reached capacities", words());
      queue_->fill(vectors_[i], 0);
      queue_->fill(vectors_[i], 1, 0, 1);  // the empty sum
      found_.recovery_bytes += vectors_[i].bytes();
    }
    first_item_ = device_.buffer<std::uint32_t>("first items", words() * bits);
    found_.recovery = "table";
    found_.recovery_bytes += first_item_.bytes();
  }

  // Algorithm 17. Returns whether every item was swept.
  bool sweep() {
    if constexpr (std::is_same_v<Word, std::uint64_t>)
      if (in_place()) return sweep_together();
    launcher_->begin(steps_, device_.buffer<SweepStep>("steps", steps_.size()));
    for (std::size_t i = 0; i < steps_.size();) {
      if (!limit_check_.proceed(ranges_[i].size(), part(i))) return false;
      const auto taken = launcher_->launch(vectors_[current_], vectors_[1 - current_], &first_item_, i, steps_.size());
      if (taken.launched) current_ = 1 - current_;
      for (const auto end = i + taken.items; i < end; ++i) found_.capacities_swept += ranges_[i].size();
    }
    queue_->finish();
    return true;
  }

  double part(std::size_t item) const { return static_cast<double>(item) / static_cast<double>(reduced_.size()); }

  bool sweep_together() {
    const auto on_device = device_.buffer<SweepStep>("steps", steps_.size());
    queue_->write(on_device, steps_);
    for (std::size_t i = 0; i < steps_.size();) {
      if (!limit_check_.proceed(capacities_in_launch, part(i))) return false;
      const auto first = i;
      std::uint64_t work = 0;
      while (i < steps_.size() && work < capacities_in_launch) work += ranges_[i++].size();
      queue_->launch(sweep_items_, clopt::Range::of_items(1, 1),
                     {.reached = vectors_[0],
                      .first_item = first_item_,
                      .steps = on_device,
                      .first_step = static_cast<std::uint32_t>(first),
                      .step_count = static_cast<std::uint32_t>(i - first),
                      .launches = launches_.next()});
      found_.capacities_swept += work;
    }
    queue_->finish();
    return true;
  }

  void take_items() {
    watch_.report("recovery", 0, static_cast<double>(found_.sum));
    const Stopwatch stopwatch;
    auto positions = walk_back_on_device(device_, *queue_, walk_back_, first_item_, reduced_, found_.sum, watch_);
    found_.complete = positions.has_value();
    if (positions) found_.positions = std::move(*positions);
    found_.recovery_seconds = stopwatch.seconds();
  }

  const ReducedProblem& reduced_;
  std::optional<std::uint32_t> work_groups_;
  Device& device_;
  const Watch& watch_;
  std::vector<Range> ranges_;
  std::vector<SweepStep> steps_;
  std::unique_ptr<Queue> queue_;
  LimitCheck limit_check_;
  LaunchCount launches_;
  std::optional<SweepLauncher<Word>> launcher_;
  Kernel<operations::SweepItems> sweep_items_;
  Kernel<operations::WalkBack> walk_back_;
  std::array<Buffer<Word>, 2> vectors_;
  Buffer<std::uint32_t> first_item_;
  std::size_t current_ = 0;
  Found found_;
};

Found sweep_with_table(const ReducedProblem& reduced, unsigned word_bits, const SweepMethod& method, Device& device,
                       const Watch& watch) {
  const auto groups = method.work_groups;
  if (groups && device.info().launches_are_calls)
    throw InvalidInput(fmt::format("`work_groups` is {}, and {} ({}) has none; limit its threads", *groups,
                                   device.info().id, device.info().name));
  if (word_bits == 16) return BitSweep<std::uint16_t>(reduced, groups, device, watch).run();
  // In place, words of 32 and 64 bits are the same memory, swept the same way.
  if (word_bits == 64 || device.info().launches_are_calls)
    return BitSweep<std::uint64_t>(reduced, groups, device, watch).run();
  return BitSweep<std::uint32_t>(reduced, groups, device, watch).run();
}

// What solvers may take of a device's memory; some is others'.
std::uint64_t usable_memory(const Device& device) { return device.info().global_memory_bytes / 10 * 9; }

// Asking what is left of the host's memory takes some tens of microseconds, which small sweeps do without.
constexpr double bytes_to_ask_for = 1 << 26;

}  // namespace

double memory_left(const Device& device, double need) {
  const auto usable = usable_memory(device);
  const bool is_host = device.info().kind == DeviceKind::cpu && need > bytes_to_ask_for;
  return static_cast<double>(is_host ? std::min(usable, available_memory()) : usable);
}

namespace {

struct Need {
  double bytes;
  double largest_buffer;
};

Need table_need(const ReducedProblem& reduced) {
  const auto capacities = static_cast<double>(reduced.high);
  return {bytes_a_capacity * capacities, bytes_of_largest_buffer * capacities};
}

// The largest of the buffers has two thirds of it, at most.
Need checkpoint_need(const ReducedProblem& reduced) {
  const auto bytes = static_cast<double>(checkpoint_bytes(reduced.high));
  return {bytes, bytes / 3 * 2};
}

bool fits(const Need& need, const Device& device) {
  return need.bytes <= memory_left(device, need.bytes) &&
         need.largest_buffer <= static_cast<double>(device.info().max_allocation_bytes);
}

enum class Form { table, checkpoints, host };

bool fits_host(const ReducedProblem& reduced) {
  return static_cast<double>(checkpoint_bytes(reduced.high)) <= static_cast<double>(available_memory());
}

// A processor sweeps several times faster where it need not write items; elsewhere the table costs little.
Form form_of(const ReducedProblem& reduced, const SweepMethod& method, const Device& device) {
  if (!is_k3(name_of(method.method)) || method.recovery == Recovery::table || method.work_groups) return Form::table;
  if (method.recovery == Recovery::host) return Form::host;
  if (method.recovery == Recovery::checkpoints) return Form::checkpoints;
  if (!device.info().launches_are_calls && fits(table_need(reduced), device)) return Form::table;
  return fits(checkpoint_need(reduced), device) || !fits_host(reduced) ? Form::checkpoints : Form::host;
}

std::string refusal(const ReducedProblem& reduced, const SweepMethod& method, const Device& device, Form form) {
  const auto capacities = [&](std::string_view what, double bytes) {
    return fmt::format("{} with {} needs {:.0f} bytes for capacities up to {}", name_of(method.method), what, bytes,
                       reduced.high);
  };
  if (form == Form::host) {
    if (fits_host(reduced)) return {};
    return fmt::format(
        "{}, and the host has {}; use `method` auto",
        capacities("pieces of a vector of the host's", static_cast<double>(checkpoint_bytes(reduced.high))),
        available_memory());
  }
  const bool by_table = form == Form::table;
  const auto need = by_table ? table_need(reduced) : checkpoint_need(reduced);
  if (fits(need, device)) return {};
  const bool less = by_table && fits(checkpoint_need(reduced), device);
  return fmt::format("{}, and {} ({}) has {:.0f}, {} for one buffer; use {}",
                     capacities(by_table ? "a table" : "checkpoints", need.bytes), device.info().id, device.info().name,
                     memory_left(device, need.bytes), device.info().max_allocation_bytes,
                     less                 ? "`method` k3-32 with `recovery` checkpoints"
                     : fits_host(reduced) ? "`method` k3-32 with `recovery` host"
                                          : "`method` auto");
}

// The list becomes bits where these fit the device, else the host.
Found sweep_by_list(const ReducedProblem& reduced, const SweepMethod& method, Device& device, const Watch& watch) {
  constexpr unsigned word_bits = 64;
  const bool on_device = fits(checkpoint_need(reduced), device);
  Continue dense;
  if (on_device || fits_host(reduced))
    dense = [&](const NamedSums& known) {
      return on_device ? sweep_with_checkpoints(reduced, word_bits, device, watch, {}, &known)
                       : sweep_in_pieces(reduced, word_bits, device, watch, {}, &known);
    };
  return sweep_sparsely(reduced, device, watch,
                        {std::min(sums_that_fit(device), method.most_sums.value_or(~std::uint64_t{0}))}, dense);
}

}  // namespace

std::string sweep_refusal(const ReducedProblem& reduced, const SweepMethod& method, const Device& device) {
  return refusal(reduced, method, device, form_of(reduced, method, device));
}

Found sweep_on_device(const ReducedProblem& reduced, const SweepMethod& method, Device& device, const Watch& watch) {
  if (method.method == Method::sparse) return sweep_by_list(reduced, method, device, watch);
  const auto form = form_of(reduced, method, device);
  if (method.work_groups && (method.recovery == Recovery::checkpoints || method.recovery == Recovery::host))
    throw InvalidInput("`work_groups` is of `recovery` table; leave one of them out");
  if (const auto why = refusal(reduced, method, device, form); !why.empty()) throw InvalidInput(why);
  if (method.method == Method::k1) return sweep_by_items(reduced, device, watch);
  if (method.method == Method::k2) return sweep_by_blocks(reduced, method.barrier, device, watch);
  const unsigned word_bits = method.method == Method::k3_16 ? 16 : method.method == Method::k3_32 ? 32 : 64;
  switch (form) {
    case Form::table: return sweep_with_table(reduced, word_bits, method, device, watch);
    case Form::checkpoints: return sweep_with_checkpoints(reduced, word_bits, device, watch);
    case Form::host: break;
  }
  return sweep_in_pieces(reduced, word_bits, device, watch);
}

std::uint64_t sweep_memory(const Device& device) {
  // The largest of the buffers has two thirds of it, at most.
  return std::min(usable_memory(device), device.info().max_allocation_bytes / 2 * 3);
}

}  // namespace clopt::subset_sum
