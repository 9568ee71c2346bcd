/// \file
/// How a device's summary of its problems comes to the host.
#pragma once

#include <device/transfer/read_in_pieces.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "batch.hpp"

namespace clopt::differential_evolution {

/// What the kernel `summarise` writes of each problem, and memory of the host for all of it together. Made while a
/// device works: memory that transfers are fastest to takes a driver some tenths of a millisecond, and memory that was
/// not written yet a processor more than what is copied there.
template <class Real>
class SummaryBuffers {
 public:
  /// \param room problems at most. \param states of these.
  SummaryBuffers(Device& device, const Buffer<State>& states, std::size_t room, std::uint32_t dimensions)
      : dimensions_(dimensions),
        memory_(memory_of(device, room * (sizeof(State) + sizeof(std::uint64_t) + (2 + dimensions_) * sizeof(Real)))),
        states_(states, part<State>(room)),
        digests_(device.buffer<std::uint64_t>("digests", room), part<std::uint64_t>(room)),
        best_(device.buffer<Real>("best values", room), part<Real>(room)),
        worst_(device.buffer<Real>("worst values", room), part<Real>(room)),
        vectors_(device.buffer<Real>("best vectors", room * dimensions), part<Real>(room * dimensions)) {
    summary_.states.resize(room);
    summary_.best_values.resize(room);
    summary_.worst_values.resize(room);
    summary_.best_vectors.resize(room * dimensions);
    summary_.digests.resize(room);
  }

  const Buffer<Real>& best() const { return best_.device; }
  const Buffer<Real>& worst() const { return worst_.device; }
  const Buffer<Real>& vectors() const { return vectors_.device; }
  const Buffer<std::uint64_t>& digests() const { return digests_.device; }
  /// Those of the first problems, after the kernel.
  Summary read(Queue& queue, std::size_t count) {
    const auto numbers = count * dimensions_;
    const auto begin = [&](const auto& part, std::size_t size) {
      return queue.read_later(part.device, part.host.part(0, size));
    };
    const std::array reads{begin(states_, count), begin(best_, count), begin(worst_, count), begin(vectors_, numbers),
                           begin(digests_, count)};
    queue.flush();
    // One wait for all of them: that for the last one.
    for (auto each = reads.rbegin(); each != reads.rend(); ++each) each->wait();
    auto summary = std::exchange(summary_, {});
    const auto take = [](const auto& part, std::size_t size, auto& to) {
      to.assign(part.host.begin(), part.host.begin() + size);
    };
    take(states_, count, summary.states);
    take(best_, count, summary.best_values);
    take(worst_, count, summary.worst_values);
    take(vectors_, numbers, summary.best_vectors);
    take(digests_, count, summary.digests);
    return summary;
  }

 private:
  /// With less or more, memory that transfers are fastest to takes longer to get than it saves.
  static constexpr std::size_t least_fast_bytes = std::size_t{1} << 16;
  static constexpr std::size_t most_fast_bytes = std::size_t{4} << 20;

  // What follows the states is aligned, too.
  static_assert(sizeof(State) % sizeof(std::uint64_t) == 0);

  template <class Element>
  struct MirroredArray {
    MirroredArray(Buffer<Element> on_device, HostArray<Element> on_host)
        : device(std::move(on_device)), host(std::move(on_host)) {}
    Buffer<Element> device;
    HostArray<Element> host;
  };

  // In words, as the largest elements need it.
  static HostArray<std::uint64_t> memory_of(Device& device, std::size_t bytes) {
    const auto words = bytes / sizeof(std::uint64_t) + 1;
    if (bytes < least_fast_bytes || bytes > most_fast_bytes) return HostArray<std::uint64_t>(words);
    return fast_memory<std::uint64_t>(device, "summary on the host", words);
  }

  // The next part of the memory: those of larger elements first.
  template <class Element>
  HostArray<Element> part(std::size_t count) {
    const auto first_byte = taken_;
    taken_ += count * sizeof(Element);
    return elements_of<Element>(memory_, first_byte, count);
  }

  std::size_t dimensions_;
  HostArray<std::uint64_t> memory_;
  std::size_t taken_ = 0;  ///< bytes
  MirroredArray<State> states_;
  MirroredArray<std::uint64_t> digests_;
  MirroredArray<Real> best_;
  MirroredArray<Real> worst_;
  MirroredArray<Real> vectors_;
  Summary summary_;  ///< whose memory is for the next read()
};

}  // namespace clopt::differential_evolution
