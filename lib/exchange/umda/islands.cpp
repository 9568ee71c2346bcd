#include "islands.hpp"

#include <clopt/error.hpp>
#include <device/doubt.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include <support/stopwatch.hpp>
#include <support/thread_team.hpp>

namespace clopt::exchange {
namespace {

// Seconds between two looks at the limits, and the most generations.
constexpr double shortest_step = 0.01;
constexpr std::uint32_t longest_step = 32;

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
  const bool is_on_device = task_.choice.offload == Offload::device;
  const std::size_t used = is_one ? 1 : std::min(devices_.size(), count);
  const unsigned threads = task_.options.threads != 0 ? task_.options.threads : usable_cores();
  places_ = std::vector<Place>(used);
  islands_.resize(count);
  for (std::size_t n = 0; n < count; ++n) places_[n % used].islands.push_back(n);
  on_all_devices([&](std::size_t number) {
    auto& place = places_[number];
    const auto own = is_one ? std::span(devices_) : std::span(devices_).subspan(number, 1);
    if (!is_on_device)
      place.team = std::make_unique<FitnessTeam>(
          own, table_, population, task_.choice.method, population.individuals, task_.options.queues,
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

// A thread for each device, but where there is one.
template <class Work>
void Islands::on_all_devices(const Work& work) {
  std::mutex mutex;
  std::optional<IslandFailed> failed;
  std::exception_ptr fault;
  const auto attempt = [&](std::size_t number) {
    try {
      work(number);
    } catch (const DeviceError& error) {
      const std::lock_guard lock(mutex);
      if (!failed || number < failed->device)
        failed = IslandFailed{number, describe_failure(*devices_[number], error), std::current_exception()};
    } catch (...) {
      const std::lock_guard lock(mutex);
      fault = std::current_exception();
    }
  };
  {
    std::vector<std::future<void>> others;
    for (std::size_t number = 1; number < places_.size(); ++number)
      others.push_back(std::async(std::launch::async, attempt, number));
    attempt(0);
  }
  if (fault) std::rethrow_exception(fault);
  if (!failed) return;
  // All devices of one island on the host have failed.
  if (task_.options.islands == 1 && task_.choice.offload == Offload::host) std::rethrow_exception(failed->error);
  throw IslandFailed(*failed);
}

void Islands::start(std::span<const UmdaState> states) {
  on_all_devices([&](std::size_t number) {
    for (const auto n : places_[number].islands) islands_[n]->start(states.empty() ? nullptr : &states[n]);
  });
  generation_ = islands_.front()->generation();
  meet();
}

void Islands::meet() {
  const auto best = this->best();
  const auto own_fitness = islands_[best]->fitness();
  IslandStand own;
  own.least_conflicts = *std::min_element(own_fitness.begin(), own_fitness.end());
  if (own.least_conflicts == 0) own.found = IslandStand::found_by(islands_[best]->generation(), number_of(best));
  own.step = step_;
  stand_ = task_.other_islands ? task_.other_islands->meet(own) : own;
}

namespace {

cluster::Bytes encode(const Migrant& migrant) {
  return cluster::Writer().add(migrant.fitness).add(migrant.genes).take();
}

Migrant decode_migrant(const cluster::Bytes& text) {
  cluster::Reader message(text);
  const auto fitness = message.take<std::uint64_t>();
  return {fitness, message.list<std::uint32_t>()};
}

}  // namespace

void Islands::migrate() {
  // The one that goes to each, and that which goes to the first one of all.
  std::vector<Migrant> migrants(islands_.size() + 1);
  on_all_devices([&](std::size_t number) {
    for (const auto n : places_[number].islands) migrants[n + 1] = islands_[n]->best();
  });
  migrants.front() = task_.other_islands ? decode_migrant(task_.other_islands->pass_on(encode(migrants.back())))
                                         : std::move(migrants.back());
  on_all_devices([&](std::size_t number) {
    for (const auto n : places_[number].islands) islands_[n]->take(migrants[n]);
  });
}

// Individuals migrate before the next generation is made, so that a run that goes on after a limit is as one that has
// had none.
void Islands::advance(std::uint32_t most) {
  const auto every = task_.options.islands == 1 ? 0 : task_.options.migrate_every;
  if (every != 0 && generation_ != 0 && generation_ % every == 0) migrate();
  auto count = std::min(most, stand_.step);
  if (every != 0) count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, every - generation_ % every));
  const auto end = generation_ + count;
  const Stopwatch stopwatch;
  on_all_devices([&](std::size_t number) {
    for (const auto n : places_[number].islands) {
      auto& island = *islands_[n];
      const auto has_found = [&] {
        const auto fitness = island.fitness();
        return std::find(fitness.begin(), fitness.end(), 0U) != fitness.end();
      };
      while (island.generation() < end && !has_found()) island.advance(end - island.generation());
    }
  });
  if (stopwatch.seconds() < shortest_step) step_ = std::min(2 * step_, longest_step);
  if (stopwatch.seconds() > 4 * shortest_step) step_ = std::max(step_ / 2, 1U);
  generation_ = end;
  meet();
}

std::size_t Islands::best() const {
  const auto key = [this](std::size_t n) {
    const auto own = islands_[n]->fitness();
    return std::pair(*std::min_element(own.begin(), own.end()), islands_[n]->generation());
  };
  std::size_t best = 0;
  for (std::size_t n = 1; n < islands_.size(); ++n)
    if (key(n) < key(best)) best = n;
  return best;
}

std::vector<std::uint64_t> Islands::fitness() const {
  std::vector<std::uint64_t> all;
  for (const auto& island : islands_) all.insert(all.end(), island->fitness().begin(), island->fitness().end());
  return all;
}

std::vector<UmdaState> Islands::states() {
  std::vector<UmdaState> states(islands_.size());
  on_all_devices([&](std::size_t number) {
    for (const auto n : places_[number].islands) states[n] = islands_[n]->state();
  });
  return states;
}

// A device that has the population may be wrong about it; the host's own counts are checked by the run.
void Islands::require(std::size_t island, std::uint64_t counted, std::uint64_t told) const {
  if (task_.choice.offload == Offload::host) return;
  const bool may_be_less = task_.network.has_parallel_channels();
  if (may_be_less ? counted <= told : counted == told) return;
  const auto number = island % places_.size();
  try {
    doubt(*devices_[number], fmt::format("counts {} conflicts of its best individual, and the host {}", told, counted));
  } catch (const DeviceError& error) {
    throw IslandFailed{number, describe_failure(*devices_[number], error), std::current_exception()};
  }
}

std::string Islands::how() const {
  const auto count = task_.options.islands;
  return fmt::format("univariate marginal distributions, {}{}",
                     task_.choice.offload == Offload::device
                         ? std::string("all on the device")
                         : fmt::format("fitness by {}", name_of(task_.choice.method)),
                     count == 1 ? std::string() : fmt::format(", {} islands", count));
}

double Islands::build_seconds() const {
  double seconds = 0;
  for (const auto& place : places_) {
    double own = place.team ? place.team->build_seconds() : 0;
    for (const auto* island : place.on_device) own += island->build_seconds();
    seconds = std::max(seconds, own);
  }
  return seconds;
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

}  // namespace clopt::exchange
