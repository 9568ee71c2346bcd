#include "offload.hpp"

#include <clopt/error.hpp>
#include <device/solver_devices.hpp>
#include <objective/program.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <utility>

#include <genetic/device_setup.hpp>

namespace clopt::genetic {
namespace {

// Batches of a generation for each device: enough for load balancing, and two of its queues.
constexpr std::uint64_t batches_of_device = 8;
constexpr std::uint64_t most_bytes_of_batch = std::uint64_t{64} << 20;
constexpr std::size_t queues_of_device = 2;
// Of a batch: a limit ends what was not begun.
constexpr double seconds_of_batch = 0.05;

}  // namespace

/// The device that breeds, where individuals and costs are in their places.
template <class Element, class Real>
class Offload<Element, Real>::Own : public group::BatchPlace {
 public:
  explicit Own(Offload& offload) : offload_(offload) {}
  void begin(const group::Batch& batch) override {
    offload_.work_.between_launches();
    done_ = offload_.evaluation_.launch_range(offload_.generation_, batch.first, batch.first + batch.count);
    offload_.work_.queue->flush();
  }
  void finish(const group::Batch&) override { done_.wait(); }

 private:
  Offload& offload_;
  Event done_;
};

/// A queue of another device, with room for a batch.
template <class Element, class Real>
class Offload<Element, Real>::Other : public group::BatchPlace {
 public:
  using Evaluate = operations::Evaluate<Element, Real>;

  Other(const Builder& builder, Offload& offload, Kernel<Evaluate> kernel, const TeamShape& shape, Buffer<Real> tables)
      : offload_(offload),
        kernel_(std::move(kernel)),
        shape_(shape),
        queue_(builder.device.queue()),
        tables_(std::move(tables)) {
    auto& device = builder.device;
    const auto& plan = offload.work_.plan;
    rows_ = zeroed_buffer<Element>(device, *queue_, "individuals", offload.most_ * plan.settings.row);
    costs_ = device.buffer<Real>("costs", offload.most_);
    host_costs_ = HostArray<Real>(device.buffer<Real>("costs on the host", offload.most_, MemoryKind::host_visible));
    settings_ = device.buffer<Settings>("settings of the run", 1);
    queue_->write(settings_, std::span<const Settings>(&plan.settings, 1));
    const auto marks = first_marks(plan.settings);
    marks_ = device.buffer<std::uint32_t>("marks of the run", marks.size());
    queue_->write(marks_, std::span<const std::uint32_t>(marks));
  }

  void begin(const group::Batch& batch) override {
    const auto row = offload_.work_.settings.row;
    queue_->write_later(rows_, offload_.children_.part(batch.first * row, batch.count * row));
    queue_->launch(kernel_, shape_.range(batch.count),
                   {.population = rows_,
                    .costs = costs_,
                    .tables = tables_,
                    .marks = marks_,
                    .settings = settings_,
                    .generation = 1U,
                    .teams = shape_.teams,
                    .first = 0U,
                    .end = static_cast<std::uint32_t>(batch.count)});
    done_ = queue_->read_later(costs_, host_costs_.part(0, batch.count));
    queue_->flush();
  }
  void finish(const group::Batch& batch) override {
    done_.wait();
    // A device that has failed may still write what is its own.
    std::copy_n(host_costs_.data(), batch.count, offload_.costs_.data() + batch.first);
    const std::lock_guard lock(offload_.mutex_);
    offload_.come_.push_back(batch);
  }
  std::uint64_t launches() const { return queue_->counts().launches; }

 private:
  Offload& offload_;
  Kernel<Evaluate> kernel_;
  const TeamShape shape_;
  std::unique_ptr<Queue> queue_;
  Buffer<Real> tables_;  ///< of the device's places
  Buffer<Element> rows_;
  Buffer<Real> costs_;
  HostArray<Real> host_costs_;
  Buffer<Settings> settings_;
  Buffer<std::uint32_t> marks_;
  Event done_;
};

template <class Element, class Real>
Offload<Element, Real>::Offload(const Builder& builder, Work<Element, Real>& work,
                                Evaluation<Element, Real>& evaluation, std::span<const std::shared_ptr<Device>> others)
    : work_(work),
      evaluation_(evaluation),
      seconds_each_(evaluation.seconds() / static_cast<double>(work.individuals)) {
  const auto row_bytes = std::uint64_t{work.settings.row} * sizeof(Element);
  const auto batches = batches_of_device * (1 + others.size());
  most_ = std::clamp<std::uint64_t>(work.individuals / batches, 1,
                                    std::max<std::uint64_t>(1, most_bytes_of_batch / row_bytes));
  // Where the device that breeds transfers them the quickest.
  children_ = HostArray<Element>(builder.device.template buffer<Element>(
      "individuals on the host", work.individuals * work.settings.row, MemoryKind::host_visible));
  costs_ = HostArray<Real>(work.individuals);
  std::vector<std::shared_ptr<Device>> devices{non_owning(builder.device)};
  devices.insert(devices.end(), others.begin(), others.end());
  team_ = std::make_unique<group::BatchTeam>(devices, [&](std::size_t number) {
    if (number != 0) return places_of(builder, devices[number]);
    group::BatchTeam::Places places;
    for (std::size_t n = 0; n < queues_of_device; ++n) places.push_back(std::make_unique<Own>(*this));
    return places;
  });
}

template <class Element, class Real>
group::BatchTeam::Places Offload<Element, Real>::places_of(const Builder& builder,
                                                           const std::shared_ptr<Device>& device) {
  try {
    objective::require_device(*device, builder.objective, builder.plan.double_precision);
  } catch (const InvalidInput& error) {
    throw DeviceError(error.what());
  }
  device->begin_self_test("genetic");
  const auto chosen = choose_granularity(*device, builder.plan, false).granularity;
  // What comes to another device is packed.
  const auto granularity = chosen == Granularity::gene ? Granularity::group : chosen;
  const Builder own{*device, builder.objective, builder.options, builder.plan, granularity};
  const auto team = team_of(granularity, Stage::evaluation);
  const auto kernel = own.build<operations::Evaluate<Element, Real>>(own.of_team(team));
  const auto shape = shape_of(team, builder.options, kernel, builder.plan.settings);
  const auto tables = objective::upload_tables<Real>(*device, builder.objective);
  group::BatchTeam::Places places;
  for (std::size_t n = 0; n < queues_of_device; ++n)
    places.push_back(std::make_unique<Other>(own, *this, kernel, shape, tables));
  for (const auto& place : places) others_.push_back(static_cast<Other*>(place.get()));
  return places;
}

template <class Element, class Real>
void Offload<Element, Real>::evaluate(std::uint64_t generation, std::uint64_t individuals) {
  const auto& b = work_.buffers;
  auto& queue = *work_.queue;
  std::uint32_t stop = 0;
  queue.read(b.marks, std::span(&stop, 1), GENETIC_STOP);
  if (stop < generation) return;
  generation_ = generation;
  come_.clear();
  queue.read(b.populations[generation % 2], children_.part(0, individuals * work_.settings.row));
  const Stopwatch stopwatch;
  team_->run(individuals, most_within(seconds_of_batch), [this] { work_.between_launches(); });
  // The others have its batches, but all breeding is its own.
  team_->require_first();
  seconds_each_ = stopwatch.seconds() * static_cast<double>(team_->size()) / static_cast<double>(individuals);
  for (const auto& batch : come_)
    queue.write_later(b.costs[generation % 2], costs_.part(batch.first, batch.count), batch.first);
}

template <class Element, class Real>
std::uint64_t Offload<Element, Real>::most_within(double seconds) const {
  if (seconds_each_ <= 0) return most_;
  return static_cast<std::uint64_t>(std::clamp(seconds / seconds_each_, 1.0, static_cast<double>(most_)));
}

template <class Element, class Real>
std::uint64_t Offload<Element, Real>::launches() const {
  std::uint64_t launches = 0;
  for (const auto* other : others_) launches += other->launches();
  return launches;
}

#define CLOPT_OFFLOAD(Element, Real) template class Offload<Element, Real>
CLOPT_GENETIC_TYPES(CLOPT_OFFLOAD);
#undef CLOPT_OFFLOAD

}  // namespace clopt::genetic
