/// \file
/// Groups of symmetries of a network that act freely on the wanted transfers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <exchange/network/network.hpp>

namespace clopt::exchange {

/// A map of the nodes onto themselves that takes links to links and wanted transfers to wanted transfers. One that
/// reverses takes a link from u to v to the link from the image of v to that of u, transfers likewise.
struct Symmetry {
  std::vector<std::uint32_t> image;
  bool reverses = false;
  auto operator<=>(const Symmetry&) const = default;

  bool is_identity() const;
  /// The image of a link or transfer.
  template <class Pair>
  Pair operator()(const Pair& pair) const {
    return reverses ? Pair{image[pair.to], image[pair.from]} : Pair{image[pair.from], image[pair.to]};
  }
};

/// The symmetry that does \p second after \p first.
Symmetry after(const Symmetry& second, const Symmetry& first);

/// A group of symmetries of which none but the identity leaves a wanted transfer where it is.
struct SymmetryGroup {
  std::vector<Symmetry> elements;  ///< the identity first
  std::uint32_t order() const { return static_cast<std::uint32_t>(elements.size()); }
  bool reverses() const;
  /// The number of element a after element b, at a * order() + b. O(nodes * order^2 * log(order)).
  std::vector<std::uint32_t> products() const;
};

/// The group of the identity alone.
SymmetryGroup trivial_group(std::uint32_t nodes);

/// What the elements of groups are.
enum class GroupKind : std::uint8_t { any, involutions };  ///< involutions: each undoes itself

/// Some groups of at most a given order, the trivial one first, then by ascending order. Symmetries are sampled by
/// backtracking with bounded effort, so that on a network with very many symmetries not all groups are found, and
/// another seed finds others. \param most_order at least 1.
std::vector<SymmetryGroup> find_groups(const Network& network, std::span<const Transfer> transfers,
                                       std::uint32_t most_order, std::uint64_t seed, GroupKind kind = GroupKind::any);

}  // namespace clopt::exchange
