/// \file
/// Different subsets of numbers, up to a limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace clopt::subset_sum {

/// Positions of numbers, ascending.
using Subset = std::vector<std::size_t>;

/// Subsets that are different by how they are found. It takes one more than its limit, which shows that there are more.
class SubsetList {
 public:
  explicit SubsetList(std::size_t most) : most_(most) {}

  void add(Subset subset) {
    std::sort(subset.begin(), subset.end());
    subsets_.push_back(std::move(subset));
  }
  bool is_full() const { return subsets_.size() > most_; }
  std::size_t most() const { return most_; }
  const std::vector<Subset>& subsets() const { return subsets_; }

  /// In their order, without the one that is too many.
  std::vector<Subset> take() {
    std::sort(subsets_.begin(), subsets_.end());
    if (is_full()) subsets_.pop_back();
    return std::move(subsets_);
  }

 private:
  std::size_t most_;
  std::vector<Subset> subsets_;
};

}  // namespace clopt::subset_sum
