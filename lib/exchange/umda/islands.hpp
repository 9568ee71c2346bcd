/// \file
/// Populations that evolve side by side and give each other their best individuals: islands of the paper's algorithm,
/// which it leaves to future work (section 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <device/device_threads.hpp>
#include <exchange/search.hpp>
#include <group/lost_devices.hpp>
#include <run/pacing.hpp>
#include "fitness.hpp"
#include "peer_islands.hpp"
#include "umda.hpp"

namespace clopt::exchange {

/// Thrown where a device has failed: islands that it had are lost.
struct IslandFailed {
  std::size_t device;  ///< its place among the devices
  std::string what;
  std::exception_ptr error;

  /// What the error says.
  std::string reason() const;
};

/// The islands of a run, or a rank's part of them among those of others. One island has all devices for its
/// individuals' fitness, or the first one for everything; of several each is one device's. Every Options::migrate_every
/// generations the best individual of each island takes the place of the worst one of the next island, of the last one
/// that of the first one. What an island is after a generation does not depend on the devices.
class Islands {
 public:
  /// \throws IslandFailed, as all others.
  Islands(const SearchTask& task, std::span<const std::shared_ptr<Device>> devices, const GeneTable& table,
          const Population& population);
  ~Islands();
  Islands(const Islands&) = delete;
  Islands& operator=(const Islands&) = delete;

  /// Makes the first populations, or takes those of a state; empty: none.
  void start(std::span<const UmdaState> states);
  /// Makes a generation of each island, or some more, at most \p most; none of one that has an individual without
  /// conflicts. To be called where none has.
  void advance(std::uint32_t most);

  /// The generation of all islands; once one has found a schedule, that in which the first one has.
  std::uint32_t generation() const { return status_.has_found() ? status_.generation() : generation_; }
  /// Where all are, those of other ranks too.
  const IslandStatus& status() const { return status_; }
  /// The place of the best one here: of those that have the fewest conflicts the one that had them first, and of these
  /// the first.
  std::size_t best() const;
  /// Conflicts of all individuals here.
  std::vector<std::uint64_t> fitness();
  std::vector<UmdaState> states();
  /// An island's individuals, while the islands are there.
  std::unique_ptr<PopulationView> view(std::size_t island) const;
  std::size_t size() const { return islands_.size(); }
  /// Refuses the conflicts that an island's device counts of its best individual, where the host counts others.
  void require(std::size_t island, std::uint64_t counted, std::uint64_t by_host) const;

  std::string how() const;
  std::uint64_t launches() const;
  /// Devices of one island that failed while others did its work.
  std::vector<std::string> failures() const;
  /// What each device has done, where there are several.
  std::vector<DevicePart> parts() const;

 private:
  struct Place;
  class IslandView;
  std::uint32_t number_of(std::size_t n) const { return static_cast<std::uint32_t>(range_.first + n); }
  void make_places(const Population& population);
  void meet();
  void on_all_devices(const std::function<void(Place& place, std::size_t number)>& work);
  template <class Work>
  void on_device_of(std::size_t island, const Work& work) const;
  bool migrates_after(std::uint32_t generation) const;
  void collect_migrants(const Place& place, std::uint32_t generation);
  void exchange_migrants();

  const SearchTask& task_;
  std::vector<std::shared_ptr<Device>> devices_;
  const GeneTable& table_;
  std::vector<Place> places_;      ///< of islands, by devices
  std::vector<group::Done> done_;  ///< by places
  std::unique_ptr<DeviceThreads> threads_;
  std::vector<std::unique_ptr<Umda>> islands_;
  std::vector<Migrant> migrants_;  ///< that leave each island before the next generation, where any do
  const WorkRange range_;
  std::uint32_t generation_ = 0;
  Pacing pacing_{1, 1,
                 Umda::longest_step};  ///< generations between two checks of the limits, as this rank would have it
  IslandStatus status_;
};

}  // namespace clopt::exchange
