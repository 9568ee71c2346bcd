#include "fitness.hpp"

#include <algorithm>
#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>

#include <device/transfer/upload.hpp>
#include <group/batch_team.hpp>
#include <run/tuning.hpp>
#include <support/threads/kept_team.hpp>
#include "gene_rows.hpp"

namespace clopt::exchange {
namespace {

/// Local memory for a histogram: so much that several work-groups are resident.
constexpr std::uint64_t histogram_bytes = 24 << 10;
/// Uses of a link that are to be expected in a slot, at most, for counters of 4 bits.
constexpr std::uint64_t most_uses = 2;
/// Words of local memory that a GPU reads at once.
constexpr std::uint64_t banks = 32;
/// Individuals in a batch, at most, but for devices that many threads feed.
constexpr std::uint32_t most_batch = 4096;
/// A thread needs this many individuals to be worth its start: they share a window of their parents.
constexpr std::uint32_t individuals_a_thread = 128;

// What tune() remembered.
std::uint32_t tuned_group_size(const Device& device) {
  const auto size = tuned<std::uint32_t>(device, "exchange", "group_size");
  return std::clamp(size.value_or(fitness_group_size), 1U, fitness_group_size);
}

}  // namespace

FitnessDevice::FitnessDevice(std::shared_ptr<Device> device, const GeneTable& table, const Population& population,
                             Method method, std::optional<std::uint32_t> group_size)
    : device_(std::move(device)),
      population_(population),
      method_(method),
      places_an_element_(table.footprints.places_an_element) {
  choose_counters(table);
  const auto queue = device_->queue();
  table_ = upload(*device_, *queue, "genes' meaning", table.genes);
  paths_ = upload(*device_, *queue, "paths", table.paths);
  footprints_ = upload(*device_, *queue, "genes' footprints", table.footprints.genes);
  elements_ = upload(*device_, *queue, "elements of footprints", table.footprints.elements);
  // Others read these.
  queue->finish();
  if (method_ == Method::pairs) {
    partition_ = device_->kernel<operations::Partition>();
    pairs_ = device_->kernel<operations::Pairs>();
    sum_slots_ = device_->kernel<operations::SumSlots>();
    group_size_ = std::min({fitness_group_size, partition_.max_group_size(), pairs_.max_group_size()});
  } else {
    links_ = device_->kernel<operations::Links>();
    group_size_ = std::min(group_size.value_or(tuned_group_size(*device_)), links_.max_group_size());
  }
}

// Counters of 4 bits do where no link has more than a few uses to be expected in a slot.
void FitnessDevice::choose_counters(const GeneTable& table) {
  const std::uint64_t room = device_->info().local_memory_bytes;
  const std::uint32_t link_words = (population_.links + 3) / 4;
  const std::uint64_t counters = std::uint64_t{population_.slots} * population_.links;
  const std::uint64_t rows = shared::exchange_rows(population_.slots);
  const std::uint64_t places = table.footprints.places;
  if (room == 0) {  // the host counts in memory like any other, a byte each
    row_words_ = table.footprints.places;
    words_ = link_words;
    return;
  }
  if (places != 0 && population_.hops <= most_uses * counters)
    // The same place is in the same bank in all rows, if there is room: neighbours use different links.
    for (const std::uint64_t row : {(places + banks - 1) / banks * banks, places})
      if (4 * rows * row <= room * 3 / 4) {
        row_words_ = static_cast<std::uint32_t>(row);
        words_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(rows * row, link_words));
        return;
      }
  // A slot at least, or else the kernel does not build, which says why.
  const auto slots = static_cast<std::uint32_t>(std::min(histogram_bytes, room / 2) / 4 / link_words);
  words_ = std::max(link_words, std::min(slots, population_.slots) * link_words);
}

void FitnessDevice::launch_links(Queue& queue, const Buffer<const std::uint32_t>& genes, const Row& row,
                                 const Buffer<std::uint64_t>& fitness, std::uint32_t count) const {
  queue.launch(links_, Range::of_groups(count, group_size_),
               {.genes = genes,
                .footprints = footprints_,
                .elements = elements_,
                .table = table_,
                .paths = paths_,
                .fitness = fitness,
                .population = population_,
                .row = row,
                .places_an_element = places_an_element_,
                .row_words = row_words_,
                .words = words_,
                .uses = Local<std::uint32_t>(words_)});
}

FitnessQueue::FitnessQueue(const FitnessDevice& device, std::uint32_t batch)
    : device_(device), queue_(device.device().queue()) {
  const auto& population = device.population_;
  const std::size_t genes = std::size_t{batch} * population.genes;
  host_genes_ = device.device().buffer<std::uint32_t>("individuals on the host", genes, MemoryKind::host_visible);
  host_fitness_ = device.device().buffer<std::uint64_t>("fitness on the host", batch, MemoryKind::host_visible);
  genes_ = device.device().buffer<std::uint32_t>("individuals", genes);
  fitness_ = device.device().buffer<std::uint64_t>("fitness", batch);
  if (device.method_ != Method::pairs) return;
  members_ = zeroed_buffer<std::uint32_t>(device.device(), *queue_, "genes by slot", genes);
  ends_ =
      zeroed_buffer<std::uint32_t>(device.device(), *queue_, "ends of slots", std::size_t{batch} * population.slots);
  parts_ = device.device().buffer<std::uint64_t>("conflicts of slots", std::size_t{batch} * population.slots);
}

void FitnessQueue::start(std::uint32_t count) {
  queue_->write_later(genes_, HostArray(host_genes_).part(0, std::size_t{count} * device_.population_.genes));
  start_again(count);
}

void FitnessQueue::start_again(std::uint32_t count) {
  count_ = count;
  launch(count);
  done_ = queue_->read_later(fitness_, HostArray(host_fitness_).part(0, count));
  queue_->flush();
}

void FitnessQueue::launch(std::uint32_t count) {
  const auto& population = device_.population_;
  const auto groups = Range::of_groups(count, device_.group_size_);
  if (device_.method_ == Method::pairs) {
    queue_->launch(device_.partition_, groups,
                   {.genes = genes_,
                    .members = members_,
                    .ends = ends_,
                    .population = population,
                    .counts = Local<std::uint32_t>(population.slots)});
    const Range slots{{device_.group_size_, population.slots, count}, {device_.group_size_, 1, 1}};
    queue_->launch(device_.pairs_, slots,
                   {.genes = genes_,
                    .members = members_,
                    .ends = ends_,
                    .table = device_.table_,
                    .paths = device_.paths_,
                    .parts = parts_,
                    .population = population});
    queue_->launch(device_.sum_slots_, Range::of_items(count),
                   {.parts = parts_, .fitness = fitness_, .slots = population.slots, .individuals = count});
  } else {
    device_.launch_links(*queue_, genes_, plain_row(population.genes), fitness_, count);
  }
}

std::span<const std::uint64_t> FitnessQueue::finish() {
  done_.wait();
  return host_fitness_.host().first(std::exchange(count_, 0));
}

/// The devices, and what a call of evaluate() asks of them.
struct FitnessTeam::Members {
  class Place;
  struct Member {
    std::unique_ptr<FitnessDevice> device;
    KeptTeam makers;
  };

  std::vector<Member> members;
  std::vector<Place*> places;
  std::uint32_t batch = 1;
  const MakeGenes* make = nullptr;
  std::span<std::uint64_t> fitness;
  std::unique_ptr<group::BatchTeam> team;

  // Large batches are made by several threads, since a device may be quicker than the one that feeds it.
  void make_batch(ThreadTeam& makers, const group::Batch& own, std::span<std::uint32_t> genes) const {
    const std::size_t genes_each = genes.size() / batch;
    const auto parts = std::clamp<std::uint64_t>(own.count / individuals_a_thread, 1, makers.size());
    makers.run(parts, [&](std::size_t part) {
      const auto first = own.count * part / parts;
      const auto end = own.count * (part + 1) / parts;
      (*make)(static_cast<std::uint32_t>(own.first + first), static_cast<std::uint32_t>(own.first + end),
              genes.data() + first * genes_each);
    });
  }
};

/// A queue, whose batches the member's threads make.
class FitnessTeam::Members::Place : public group::BatchPlace {
 public:
  Place(const Members& all, const Member& own)
      : all_(all), makers_(*own.makers), queue_(std::make_unique<FitnessQueue>(*own.device, all.batch)) {}

  void begin(const group::Batch& taken) override {
    all_.make_batch(makers_, taken, queue_->genes());
    queue_->start(static_cast<std::uint32_t>(taken.count));
  }
  void finish(const group::Batch& taken) override {
    const auto found = queue_->finish();
    std::copy(found.begin(), found.end(), all_.fitness.begin() + static_cast<std::ptrdiff_t>(taken.first));
  }
  FitnessQueue& queue() { return *queue_; }

 private:
  const Members& all_;
  ThreadTeam& makers_;
  std::unique_ptr<FitnessQueue> queue_;
};

FitnessTeam::FitnessTeam(std::span<const std::shared_ptr<Device>> devices, const GeneTable& table,
                         const Population& population, Method method, std::uint32_t most_individuals,
                         std::uint32_t queues, unsigned threads)
    : members_(std::make_unique<Members>()) {
  const unsigned cores = threads > 0 ? threads : usable_cores();
  const unsigned cores_each = std::max(cores / static_cast<unsigned>(devices.size()), 1U);
  // Two batches for each device, also where it has one queue, and more where they would be large.
  const auto parts = static_cast<std::uint32_t>(2 * devices.size());
  members_->batch =
      std::clamp((most_individuals + parts - 1) / parts, 1U, std::max(most_batch, cores_each * individuals_a_thread));
  members_->members.resize(devices.size());
  members_->team = std::make_unique<group::BatchTeam>(devices, [&](std::size_t number) {
    auto& member = members_->members[number];
    member.makers = kept_team(cores_each);
    member.device = std::make_unique<FitnessDevice>(devices[number], table, population, method);
    group::BatchTeam::Places places;
    for (std::uint32_t q = 0; q < queues; ++q) places.push_back(std::make_unique<Members::Place>(*members_, member));
    for (const auto& place : places) members_->places.push_back(static_cast<Members::Place*>(place.get()));
    return places;
  });
}

FitnessTeam::~FitnessTeam() = default;

void FitnessTeam::evaluate(std::uint32_t individuals, const MakeGenes& make, std::span<std::uint64_t> fitness) {
  members_->make = &make;
  members_->fitness = fitness;
  members_->team->run(individuals, members_->batch);
}

void FitnessTeam::fill(const MakeGenes& make) {
  for (auto* place : members_->places) make(0, members_->batch, place->queue().genes().data());
}

std::uint64_t FitnessTeam::launches() const {
  std::uint64_t launches = 0;
  for (auto* place : members_->places) launches += place->queue().launches();
  return launches;
}

std::vector<std::string> FitnessTeam::failures() const { return members_->team->failures(); }
std::vector<DevicePart> FitnessTeam::parts() const { return members_->team->parts(); }

}  // namespace clopt::exchange
