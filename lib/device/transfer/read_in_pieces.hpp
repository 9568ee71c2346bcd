/// \file
/// Large reads that the host needs once, such as for a checksum.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace clopt {

/// What read_in_pieces() has on the host at a time, twice, at most: more makes transfers no faster.
inline constexpr std::size_t most_bytes_of_piece = std::size_t{1} << 20;

/// The size of a piece, by the bytes to read in all: all of them if they fit into one piece; else about a 32nd, a power
/// of two, since page-locked memory takes a driver a millisecond for each MiB, and a piece some microseconds.
constexpr std::size_t bytes_of_piece(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{1} << 17;
  return bytes <= most_bytes_of_piece ? most_bytes_of_piece
                                      : std::clamp(std::bit_floor(bytes / 32), least, most_bytes_of_piece);
}

/// Memory that transfers are fastest to; other memory where the device has none left, which costs no result.
template <class Element>
HostArray<Element> fast_memory(Device& device, const std::string& name, std::size_t count) {
  try {
    return HostArray<Element>(device.buffer<Element>(name, count, MemoryKind::host_visible));
  } catch (const OutOfMemory&) {
    return HostArray<Element>(count);
  }
}

/// \p count elements of a piece of memory, from a byte on, which share it.
template <class Element>
HostArray<Element> elements_of(const HostArray<std::uint64_t>& memory, std::size_t first_byte, std::size_t count) {
  static_assert(alignof(Element) <= alignof(std::uint64_t));
  auto* const begin = reinterpret_cast<std::byte*>(memory.data()) + first_byte;
  return HostArray<Element>(std::make_shared<HostArray<std::uint64_t>>(memory), reinterpret_cast<Element*>(begin),
                            count);
}

/// Reads buffers one after the other by way of the same memory.
class PieceReader {
 public:
  PieceReader(Device& device, Queue& queue) : device_(device), queue_(queue) {}

  /// Gives all elements of a buffer to a function, in their order, a span after the other. The next piece is read
  /// meanwhile, into memory that transfers are fastest to. What is in the queue before is done first. \param most
  /// elements of a piece; 0: as bytes_of_piece() says. \throws DeviceError
  template <class T, class Function>
  void read(const Buffer<T>& from, const Function& take, std::size_t most = 0) {
    using Element = std::remove_const_t<T>;
    if (from.size() == 0) return;
    read<Element>(
        from.memory()->name(), from.size(), most != 0 ? most : bytes_of_piece(from.size() * sizeof(T)) / sizeof(T),
        [&](std::size_t first, const HostArray<Element>& to) { return queue_.read_later(from, to, first); }, take);
  }

  /// The same for elements that are read as \p begin says: `begin(first, to)` begins to read as many as \p to has,
  /// from number \p first on, by the reader's queue, and returns the event of their being there; the piece before may
  /// still be on its way. \param name of the memory. \param count of all elements.
  template <class Element, class Begin, class Function>
  void read(const std::string& name, std::size_t count, std::size_t most, const Begin& begin, const Function& take) {
    if (count == 0) return;
    const auto piece = std::clamp<std::size_t>(most, 1, count);
    if (piece == count && 2 * piece * sizeof(Element) > memory_.size() * sizeof(std::uint64_t)) {
      const HostArray<Element> whole(piece);
      begin(0, whole).wait();
      queue_.finish();
      return take(std::span<const Element>(whole.data(), piece));
    }
    const auto count_at = [&](std::size_t first) { return std::min(piece, count - first); };
    const auto both = memory<Element>(name, 2 * piece);
    const std::array halves{both.part(0, piece), both.part(piece)};
    auto next = begin(0, halves[0].part(0, piece));
    for (std::size_t first = 0, turn = 0; first < count; first += piece, turn = 1 - turn) {
      const auto event = std::exchange(next, {});
      if (const auto after = first + piece; after < count) {
        next = begin(after, halves[1 - turn].part(0, count_at(after)));
        queue_.flush();
      }
      event.wait();
      take(std::span<const Element>(halves[turn].data(), count_at(first)));
    }
  }

 private:
  template <class Element>
  HostArray<Element> memory(const std::string& name, std::size_t count) {
    if (memory_.size() * sizeof(std::uint64_t) < count * sizeof(Element))
      memory_ = fast_memory<std::uint64_t>(device_, name, (count * sizeof(Element) - 1) / sizeof(std::uint64_t) + 1);
    return elements_of<Element>(memory_, 0, count);
  }

  Device& device_;
  Queue& queue_;
  HostArray<std::uint64_t> memory_;
};

/// Reads a single buffer as PieceReader does.
template <class T, class Function>
void read_in_pieces(Device& device, Queue& queue, const Buffer<T>& from, const Function& take, std::size_t most = 0) {
  PieceReader(device, queue).read(from, take, most);
}

}  // namespace clopt
