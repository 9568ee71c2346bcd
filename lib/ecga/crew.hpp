/// \file
/// The devices of a run, which share out the tiles of pairs.
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
#include "tree_device.hpp"

namespace clopt::ecga {

/// A part of the table of pairs: some new groups, or loci, or blocks, and all pairs of these with earlier ones.
struct Band {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Devices that count pairs. The first one has the population; each of the others has the selected population's rows,
/// and all count bands of the table. Only pairs that gain come back. A device has two bands at a time: while the pairs
/// of the one are read and put together, the other is counted. A device that fails is left out from then on, and its
/// bands go to the others; only the first one must last.
class Crew {
 public:
  /// One of the devices, with two lists of pairs that gain.
  struct Member {
    std::shared_ptr<Device> device;  ///< of a helper
    std::unique_ptr<Queue> queue;    ///< of a helper
    std::unique_ptr<Queue> reader;   ///< reads while the other queue works; none where a launch is a call
    std::unique_ptr<PairDevice> pairs;
    std::unique_ptr<TreeDevice> trees;
    std::array<Buffer<Edge>, 2> lists;
    std::array<std::vector<Edge>, 2> found;
    std::array<Event, 2> read;
    std::array<std::size_t, 2> expected{64, 256};  ///< pairs of a list that does not grow, and of one that does
    bool has_rows = false;                         ///< of the population as it is now
    bool has_counted = false;                      ///< rows of it, in layers
    bool has_begun = false;                        ///< to count pairs of it
    bool failed = false;

    /// Begins to read what the queue's work so far leaves in a buffer, while the queue goes on.
    template <class T>
    Event read_beside(const Buffer<T>& from, std::span<std::type_identity_t<T>> to) const {
      if (!reader) return pairs->queue().read_later(from, to);
      reader->wait_for(pairs->queue().record());
      pairs->queue().flush();
      const auto event = reader->read_later(from, to);
      reader->flush();
      return event;
    }
    /// Begins to read more of what was there at the last read_beside().
    template <class T>
    Event read_more(const Buffer<T>& from, std::span<std::type_identity_t<T>> to) const {
      return (reader ? *reader : pairs->queue()).read_later(from, to);
    }
  };

  /// What is done with bands. Each function gives work to one device's queue, and waits for nothing.
  struct Job {
    std::function<void(Member&)> prepare;
    std::function<void(Member&, Band)> count;
    /// Lists the pairs that gain, of one band. \param edges to be emptied first.
    std::function<void(Member&, Band, const Buffer<Edge>& edges)> find;
    /// Called whenever the first device has a band's work, so that it gets more to do while the host is busy; or empty.
    std::function<void()> behind;
    bool lists_grow = true;  ///< whether a list that is too short is made longer and found again
  };

  /// \param queue of the first device.
  Crew(Device& device, Queue& queue, const Shape& shape, Counting counting, const Logarithms& logarithms);

  /// Takes further devices. One that has no room for its tables is left out, as one that failed.
  /// \param least_shared bits of pairs from which a pass is shared; none: what pays on such devices.
  void enlist(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared);
  /// The first device.
  Member& first() { return members_.front(); }
  const Member& first() const { return members_.front(); }
  bool is_alone() const;
  std::uint32_t lost() const { return lost_; }
  /// What the first device that was left out lacked or said.
  const std::string& reason() const { return reason_; }
  /// The population is another one.
  void forget_rows();
  /// What was counted is not wanted any more.
  void forget_counts();
  double build_seconds() const;

  /// Cuts [0, count) into bands for all devices that are alike in pairs, where each of them has pairs with all before
  /// it and \p others more. \param fewest of a band. \param row_pairs about how many pairs of rows are to be counted:
  /// where these are few, one device is quicker alone.
  std::vector<Band> cut(std::uint32_t count, std::uint64_t others, std::uint32_t fewest, double row_pairs) const;
  /// Does a job on bands, each of them on one of the devices, and collects the pairs that gain, in any order.
  /// \param with_rows whether all copies' rows are wanted; with_counted: those in layers.
  /// \returns how many there are, also where the lists were too short. \throws DeviceError if the first device fails.
  std::size_t share(std::span<const Band> bands, const Job& job, bool with_rows, bool with_counted,
                    std::vector<Edge>& edges);

 private:
  struct Turn;

  static void make_reader(Member& member);
  void work(Member& member, Turn& turn, std::optional<Band> first_band);
  void start(Member& member, const Job& job, std::size_t side, Band band);
  void finish(Member& member, Turn& turn, std::size_t side, Band band);
  void load_helpers(bool with_rows, bool with_counted);
  template <class Target>
  void broadcast(const Buffer<std::uint32_t>& from, std::size_t words, const Target& target);
  template <class Work>
  void try_with(Member& member, const Work& work);
  void lose(const DeviceError& error);
  void leave_out(Member& member);

  Shape shape_;
  Counting counting_;
  const Logarithms& logarithms_;
  std::vector<Member> members_;
  std::array<Buffer<std::uint32_t>, 2> staging_;
  std::optional<double> least_shared_;
  std::uint32_t lost_ = 0;
  std::string reason_;
};

}  // namespace clopt::ecga
