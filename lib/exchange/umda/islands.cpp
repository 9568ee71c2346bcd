#include "islands.hpp"

#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <support/stopwatch.hpp>
#include <support/threads/thread_team.hpp>

namespace clopt::exchange {
namespace {

// Seconds between two checks of the limits.
constexpr double shortest_step = 0.01;

// Another one for each island; that of the first one is the run's.
std::uint64_t seed_of(std::uint64_t seed, std::size_t island) { return seed + 0x9e37'79b9'7f4a'7c15U * island; }

}  // namespace

std::string IslandFailed::reason() const {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& each) {
    return each.what();
  }
}

/// A device, or all of them for one island, and the islands that it has.
struct Islands::Place {
  std::unique_ptr<FitnessTeam> team;   ///< where the host has the populations
  std::vector<DeviceUmda*> on_device;  ///< the islands, where the device has them
  std::vector<std::size_t> islands;    ///< their numbers
};

Islands::Islands(const SearchTask& task, std::span<const std::shared_ptr<Device>> devices, const GeneTable& table,
                 const Population& population)
    : task_(task),
      devices_(devices.begin(), devices.end()),
      table_(table),
      range_(task.islands.value_or(WorkRange{0, task.options.islands})) {
  make_places(population);
}

Islands::~Islands() = default;

void Islands::make_places(const Population& population) {
  const auto count = static_cast<std::size_t>(range_.count);
  const bool is_one = task_.options.islands == 1;
  const bool is_on_device = task_.parsed.offload == Offload::device;
  const std::size_t used = is_one ? 1 : std::min(devices_.size(), count);
  const unsigned threads = task_.options.threads != 0 ? task_.options.threads : usable_cores();
  places_ = std::vector<Place>(used);
  done_ = std::vector<group::Done>(used);
  threads_ = std::make_unique<DeviceThreads>(used);
  islands_.resize(count);
  migrants_.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    places_[n % used].islands.push_back(n);
    ++done_[n % used].items;
  }
  on_all_devices([&](Place& place, std::size_t number) {
    const auto own = is_one ? std::span(devices_) : std::span(devices_).subspan(number, 1);
    if (!is_on_device)
      place.team = std::make_unique<FitnessTeam>(
          own, table_, population, task_.parsed.method, population.individuals, task_.options.queues,
          is_one ? task_.options.threads : std::max(1U, threads / static_cast<unsigned>(used)));
    for (const auto n : place.islands) {
      auto island_population = population;
      island_population.seed = seed_of(population.seed, number_of(n));
      if (place.team) {
        islands_[n] = make_host_umda(*place.team, table_, island_population);
      } else {
        auto made = make_device_umda(own.front(), table_, island_population);
        place.on_device.push_back(made.get());
        islands_[n] = std::move(made);
      }
    }
  });
}

void Islands::on_all_devices(const std::function<void(Place& place, std::size_t number)>& work) {
  std::mutex mutex;
  std::optional<IslandFailed> failed;
  threads_->run([&](std::size_t number) {
    const Stopwatch stopwatch;
    try {
      work(places_[number], number);
      done_[number].seconds += stopwatch.seconds();
    } catch (const DeviceError& error) {
      const std::lock_guard lock(mutex);
      if (!failed || number < failed->device)
        failed = IslandFailed{number, describe_failure(*devices_[number], error), std::current_exception()};
    }
  });
  if (!failed) return;
  // All devices of one island on the host have failed.
  if (task_.options.islands == 1 && task_.parsed.offload == Offload::host) std::rethrow_exception(failed->error);
  throw IslandFailed(*failed);
}

void Islands::start(std::span<const UmdaState> states) {
  on_all_devices([&](const Place& place, std::size_t) {
    for (const auto n : place.islands) islands_[n]->start(states.empty() ? nullptr : &states[n]);
    collect_migrants(place, states.empty() ? 0 : states.front().generation);
  });
  generation_ = islands_.front()->generation();
  meet();
}

void Islands::meet() {
  const auto best = this->best();
  IslandStatus own;
  own.least_conflicts = islands_[best]->extremes().least;
  if (own.least_conflicts == 0) own.found = IslandStatus::found_by(islands_[best]->generation(), number_of(best));
  own.step = static_cast<std::uint32_t>(pacing_.steps());
  status_ = task_.peer_islands ? task_.peer_islands->combine(own) : own;
}

// Whether individuals migrate before the generation after this one is made.
bool Islands::migrates_after(std::uint32_t generation) const {
  const auto every = task_.options.islands == 1 ? 0 : task_.options.migrate_every;
  return every != 0 && generation != 0 && generation % every == 0;
}

// Asks for the migrants as soon as there are some, while other devices are still at work. Of islands of which one has
// found a schedule none will be needed.
void Islands::collect_migrants(const Place& place, std::uint32_t generation) {
  if (!migrates_after(generation)) return;
  for (const auto n : place.islands) migrants_[n] = islands_[n]->best();
}

// To the next island: each migrant takes the place of that which has left there.
void Islands::exchange_migrants() {
  auto& first = migrants_.front();
  std::rotate(migrants_.begin(), migrants_.end() - 1, migrants_.end());
  if (task_.peer_islands) first = clopt::decode<Migrant>(task_.peer_islands->pass_on(encode(first)));
}

// Individuals migrate before the next generation is made, so that a run that is resumed after a limit is as one that
// has had none.
void Islands::advance(std::uint32_t most) {
  const bool migrates = migrates_after(generation_);
  if (migrates) exchange_migrants();
  const auto every = task_.options.islands == 1 ? 0 : task_.options.migrate_every;
  auto count = std::min({most, status_.step, Umda::longest_step});
  if (every != 0) count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, every - generation_ % every));
  const auto end = generation_ + count;
  const Stopwatch stopwatch;
  // Those of one device are all begun before one is waited for.
  on_all_devices([&](const Place& place, std::size_t) {
    for (const auto n : place.islands) {
      if (migrates) islands_[n]->take(migrants_[n]);
      islands_[n]->begin(end);
    }
    for (const auto n : place.islands) islands_[n]->finish();
    collect_migrants(place, end);
  });
  pacing_.keep_within(shortest_step, 4 * shortest_step, stopwatch.seconds());
  generation_ = end;
  meet();
}

std::size_t Islands::best() const {
  const auto key = [this](std::size_t n) {
    return std::pair(islands_[n]->extremes().least, islands_[n]->generation());
  };
  std::size_t best = 0;
  for (std::size_t n = 1; n < islands_.size(); ++n)
    if (key(n) < key(best)) best = n;
  return best;
}

std::vector<std::uint64_t> Islands::fitness() {
  std::vector<std::uint64_t> all;
  for (std::size_t n = 0; n < islands_.size(); ++n) {
    const auto own = view(n)->fitness();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<UmdaState> Islands::states() {
  std::vector<UmdaState> states(islands_.size());
  on_all_devices([&](const Place& place, std::size_t) {
    for (const auto n : place.islands) states[n] = islands_[n]->state();
  });
  return states;
}

// Something that is asked of an island's device.
template <class Work>
void Islands::on_device_of(std::size_t island, const Work& work) const {
  const auto number = island % places_.size();
  try {
    work();
  } catch (const DeviceError& error) {
    throw IslandFailed{number, describe_failure(*devices_[number], error), std::current_exception()};
  }
}

/// Asks the island, whose device may fail.
class Islands::IslandView : public PopulationView {
 public:
  IslandView(const Islands& islands, std::size_t island)
      : islands_(islands), island_(island), own_(*islands.islands_[island]) {}
  std::uint32_t generation() const override { return own_.generation(); }
  std::span<const std::uint64_t> fitness() override {
    std::span<const std::uint64_t> fitness;
    islands_.on_device_of(island_, [&] { fitness = own_.fitness(); });
    return fitness;
  }
  const Extremes& extremes() const override { return own_.extremes(); }
  Migrant best() override {
    Migrant best;
    islands_.on_device_of(island_, [&] { best = own_.best(); });
    return best;
  }
  void for_each_genes(const TakeGenes& take) override {
    islands_.on_device_of(island_, [&] { own_.for_each_genes(take); });
  }

 private:
  const Islands& islands_;
  std::size_t island_;
  Umda& own_;
};

std::unique_ptr<PopulationView> Islands::view(std::size_t island) const {
  return std::make_unique<IslandView>(*this, island);
}

// A device that has the population may be wrong about it; the host's own counts are checked by the run.
void Islands::require(std::size_t island, std::uint64_t counted, std::uint64_t by_host) const {
  if (task_.parsed.offload == Offload::host) return;
  const bool may_be_less = task_.network.has_parallel_channels();
  if (may_be_less ? counted <= by_host : counted == by_host) return;
  on_device_of(island, [&] {
    report_fault(*devices_[island % places_.size()],
                 fmt::format("counts {} conflicts of its best individual, and the host {}", by_host, counted));
  });
}

std::string Islands::how() const {
  const auto count = task_.options.islands;
  return fmt::format("univariate marginal distributions, {}{}",
                     task_.parsed.offload == Offload::device
                         ? std::string("all on the device")
                         : fmt::format("fitness by {}", name_of(task_.parsed.method)),
                     count == 1 ? std::string() : fmt::format(", {} islands", count));
}

std::uint64_t Islands::launches() const {
  std::uint64_t launches = 0;
  for (const auto& place : places_) {
    if (place.team) launches += place.team->launches();
    for (const auto* island : place.on_device) launches += island->launches();
  }
  return launches;
}

std::vector<std::string> Islands::failures() const {
  return task_.options.islands == 1 && places_.front().team ? places_.front().team->failures()
                                                            : std::vector<std::string>();
}

std::vector<DevicePart> Islands::parts() const {
  if (devices_.size() == 1) return {};
  if (task_.options.islands == 1 && places_.front().team) return places_.front().team->parts();
  return group::parts_of(devices_, std::span(devices_).first(places_.size()), done_, group::LostDevices());
}

}  // namespace clopt::exchange
