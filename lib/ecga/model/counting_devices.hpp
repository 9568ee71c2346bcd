/// \file
/// The devices of a run, which share the counting of pairs.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "pair_device.hpp"
#include "pair_division.hpp"
#include "tree_device.hpp"

namespace clopt::ecga {

/// Bands that this process counts.
struct Bands {
  std::vector<Band> own;
  /// Twice the pairs of this rank's part, where ranks share the table.
  std::optional<std::uint64_t> twice_pairs{};

  /// Whether none of the devices counts all.
  bool are_shared() const { return twice_pairs || own.size() > 1; }
};

/// Devices that count pairs. The first one has the population; each of the others has the selected population's rows,
/// and all count bands of the table. Only pairs that gain come back. A device has two bands at a time: while the pairs
/// of the one are read and collected, the other is counted. A device that fails is left out from then on, and its bands
/// go to the others; a failure of the first one ends the run on these devices.
class CountingDevices {
 public:
  /// One of the devices, with two lists of pairs that gain.
  struct Counter {
    std::shared_ptr<Device> device;  ///< of all but the first
    std::array<Buffer<Edge>, 2> lists;
    std::array<std::vector<Edge>, 2> room;  ///< for the pairs of a list, until they are read
    std::array<HostArray<Edge>, 2> found;
    std::array<Event, 2> read;
    std::array<std::size_t, 2> expected{64, 256};  ///< pairs of a list that does not grow, and of one that does
    bool has_rows = false;                         ///< of the population as it is now
    bool has_counted = false;                      ///< rows of it, in layers
    bool has_begun = false;                        ///< to count pairs of it
    bool failed = false;
    std::unique_ptr<PairDevice> pairs;
    std::unique_ptr<TreeDevice> trees;
    std::unique_ptr<Queue> queue;   ///< of all but the first
    std::unique_ptr<Queue> reader;  ///< reads while the other queue works; none where a launch is a call

    /// Begins to read what the queue's work so far leaves in a buffer, while the queue continues.
    template <class T>
    Event read_beside(const Buffer<T>& from, const HostArray<std::type_identity_t<T>>& to) const {
      if (!reader) return pairs->queue().read_later(from, to);
      reader->wait_for(pairs->queue().record());
      pairs->queue().flush();
      auto event = reader->read_later(from, to);
      reader->flush();
      return event;
    }
    /// Begins to read more of what was there at the last read_beside().
    template <class T>
    Event read_more(const Buffer<T>& from, const HostArray<std::type_identity_t<T>>& to) const {
      return (reader ? *reader : pairs->queue()).read_later(from, to);
    }
  };

  /// What is done with bands. Each function gives work to one device's queue, and waits for nothing.
  struct BandTask {
    std::function<void(Counter&)> prepare;
    std::function<void(Counter&, Band)> count;
    /// Lists the pairs that gain, of one band. \param edges to be emptied first.
    std::function<void(Counter&, Band, const Buffer<Edge>& edges)> find;
    /// Called whenever the first device was given a band, to give its queue work for the time in which the host
    /// collects pairs; or empty.
    std::function<void()> keep_busy;
    /// Whether pairs that a device lists may be looked up: their number, and those that were read.
    std::function<bool(std::size_t count, std::span<const Edge>)> are_sound;
    /// How many pairs find() lists at most, however many it counts; none: a list that is too short is made longer and
    /// found again.
    std::optional<std::size_t> most_listed{};
  };

  /// \param queue of the first device.
  CountingDevices(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
                  const Logarithms& logarithms);

  /// Takes further devices. One that has no room for its tables, or whose work-groups are too small, is left out, as
  /// one that failed. \param least_shared bits of pairs from which a pass is shared; none: what pays on such devices.
  void add(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared);
  /// Shares passes with other ranks from now on. To be called once all devices are added.
  void share_with(Peers& peers);
  /// Calls functions between the launches of long counts: of the first device on the thread of share(), of the others
  /// on any thread. What they throw leaves share(). To be called once all devices are added.
  void call_between_launches(std::function<void()> of_first, const std::function<void()>& of_others);
  /// The first device.
  Counter& first() { return counters_.front(); }
  const Counter& first() const { return counters_.front(); }
  bool is_alone() const;
  /// The devices that were left out, and why: "opencl:0: CL_OUT_OF_RESOURCES".
  const std::vector<std::string>& failures() const { return failures_; }
  /// To be called when the population has changed.
  void forget_rows();
  /// Discards the counts.
  void forget_counts();

  /// Cuts a table, or this rank's part of it, into bands for all devices that are alike in pairs. \param fewest of a
  /// band. \param row_pairs about how many pairs of rows are to be counted: where these are few, one device is quicker
  /// alone. \param among_ranks whether ranks share it.
  Bands cut(const Table& table, std::uint32_t fewest, double row_pairs, bool among_ranks) const;
  /// Whether the caller says which passes are shared.
  bool shares_as_asked() const { return least_shared_.has_value(); }
  /// The ranks that share passes; 1 where there are no others.
  std::size_t ranks() const { return parts_ ? parts_->ranks() : 1; }
  /// Whether the first device counts pairs of rows so quickly that it may do so before it is known that they are
  /// needed. \param row_pairs as cut() has them.
  bool may_count_ahead(double row_pairs) const;
  /// Begins a task on the first device, which is to do it alone; share() of the same task only waits for it. Any other
  /// task, and a new population, discard it. The task must outlive its work.
  void begin(Band band, const BandTask& task);
  /// Whether a task was begun, and neither shared nor discarded.
  bool is_begun(const BandTask& task) const { return begun_ == &task; }
  /// Does a task on bands, each of them on one of the devices, and collects the pairs that gain, in any order, those of
  /// other ranks too.
  /// \param with_rows whether all copies' rows are needed; with_counted: those in layers.
  /// \returns how many there are, also where the lists were too short. \throws DeviceError if the first device fails.
  std::size_t share(const Bands& bands, const BandTask& task, bool with_rows, bool with_counted,
                    std::vector<Edge>& edges);

 private:
  struct SharedBands;

  static void make_reader(Counter& counter);
  std::uint32_t able_devices() const;
  double bits_of(double row_pairs) const;
  void discard_begun();
  bool are_processors() const;
  std::vector<Band> cut_for_devices(const Table& table, Band part, std::uint32_t fewest, double row_pairs) const;
  std::size_t share_among_devices(std::span<const Band> bands, const BandTask& task, bool with_rows, bool with_counted,
                                  std::vector<Edge>& edges);
  void work(Counter& counter, SharedBands& shared, std::optional<Band> first_band, bool was_begun = false);
  void start(Counter& counter, const BandTask& task, std::size_t side, Band band);
  void finish(Counter& counter, SharedBands& shared, std::size_t side, Band band);
  void load_helpers(bool with_rows, bool with_counted);
  template <class Target>
  void broadcast(const Buffer<std::uint32_t>& from, std::size_t words, const Target& target);
  template <class Work>
  void try_with(Counter& counter, const Work& work);
  void note_failure(const Device& device, const std::string& what);
  void leave_out(Counter& counter);

  Dimensions dimensions_;
  Counting counting_;
  const Logarithms& logarithms_;
  std::optional<double> least_shared_;
  std::optional<PairDivision> parts_;  ///< of ranks
  double least_among_ranks_ = 0;       ///< bits of pairs from which they share a pass
  std::vector<std::string> failures_;
  const BandTask* begun_ = nullptr;
  std::array<Buffer<std::uint32_t>, 2> staging_;
  std::vector<Counter> counters_;
};

}  // namespace clopt::ecga
