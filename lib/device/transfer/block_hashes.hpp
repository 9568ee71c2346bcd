/// \file
/// The checksum of a buffer that stays on its device.
#pragma once

#include <clopt/device.hpp>
#include <generated/operations/checksums.hpp>
#include <support/numbers/checksum.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace clopt {

/// Makes the checksums of a buffer's blocks where the buffer lies: the host reads eight bytes in place of 256 KiB. It
/// makes that of one block too, since no solver's known answer asks for it.
class BlockHashes {
 public:
  /// Bytes from which it is quicker than read_in_pieces() on a GPU, which takes a tenth of a millisecond for each MiB:
  /// one more kernel is built, and cached kernels take a driver a millisecond.
  static constexpr std::size_t least_bytes = std::size_t{1} << 23;

  /// Builds the kernel, or begins to, and takes the memory. \param bytes of a buffer, at most. \throws OutOfMemory,
  /// BuildError
  BlockHashes(Device& device, std::size_t bytes);

  /// Whether work-groups are large enough, and the host's order of bytes is the checksum's. To be asked once the kernel
  /// is built.
  bool is_able() const;

  /// The checksums of a buffer's whole blocks. \throws DeviceError, also where the host finds another one for the last
  /// of them.
  template <class T>
  std::vector<std::uint64_t> of_blocks(Queue& queue, const Buffer<T>& from) const {
    constexpr auto block = Checksum::block_bytes / sizeof(T);
    static_assert(Checksum::block_bytes % sizeof(T) == 0);
    const auto blocks = from.size() / block;
    if (blocks == 0) return {};
    const auto words = Buffer<std::uint64_t>(from.memory(), blocks * Checksum::block_bytes / sizeof(std::uint64_t));
    auto hashes = hash(queue, words, blocks);
    std::vector<std::remove_const_t<T>> last(block);
    queue.read(from, std::span(last), (blocks - 1) * block);
    Checksum of_last;
    of_last.add(std::span<const std::remove_const_t<T>>(last));
    require_same(hashes.back(), of_last.value());
    return hashes;
  }

  /// Adds all elements of a buffer to a checksum that begins with them. \throws DeviceError as of_blocks().
  template <class T>
  void add(Queue& queue, const Buffer<T>& from, Checksum& checksum) const {
    const auto hashes = of_blocks(queue, from);
    const auto whole = hashes.size() * (Checksum::block_bytes / sizeof(T));
    std::vector<std::remove_const_t<T>> rest(from.size() - whole);
    if (!rest.empty()) queue.read(from, std::span(rest), whole);
    checksum.add_blocks(hashes);
    checksum.add(std::span<const std::remove_const_t<T>>(rest));
  }

 private:
  std::vector<std::uint64_t> hash(Queue& queue, const Buffer<std::uint64_t>& words, std::size_t blocks) const;

  void require_same(std::uint64_t found, std::uint64_t on_host) const;

  Device& device_;
  Kernel<checksums::operations::HashBlocks> hash_blocks_;
  Buffer<std::uint64_t> hashes_;
};

}  // namespace clopt
