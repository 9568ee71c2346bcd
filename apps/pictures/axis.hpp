/// \file
/// An axis of a plot: a range of numbers on a range of pixels.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace clopt::apps {

/// A range of numbers on a range of pixels, logarithmic where that shows more.
class Axis {
 public:
  /// Takes a number in, which is finite.
  void take_in(double value);
  /// Ends taking in: the range has some size then, even for one value. It becomes logarithmic where the numbers are
  /// above 0, or 0, and those above it span three powers of ten or more. \param may_be_logarithmic whether it may.
  void settle(bool may_be_logarithmic);
  /// Makes some room on both sides, so that no curve runs along the frame.
  void widen();
  /// Where it stands in the picture.
  void set_pixels(double from, double to);

  double from() const { return from_; }
  double to() const { return to_; }
  bool is_logarithmic() const { return logarithmic_; }
  /// The pixel of a number. Of a logarithmic axis that has a 0, this is its end, apart from all others.
  double place(double value) const;
  /// At most a dozen round numbers on it; 0 is the first where a logarithmic axis has it.
  std::vector<double> ticks() const;

 private:
  bool has_zero() const { return logarithmic_ && zero_; }

  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
  double least_positive_ = std::numeric_limits<double>::infinity();
  double from_ = 0;
  double to_ = 1;
  bool logarithmic_ = false;
  bool zero_ = false;
};

/// What to write at round numbers: as few digits as distinguish them, \p digits at least.
std::vector<std::string> tick_labels(const std::vector<double>& ticks, int digits);

/// Where labels of round numbers would be long: the first of them as a text, which is subtracted from all; else empty.
std::string take_offset(std::vector<double>& ticks, int digits);

/// A ratio of the largest to the least value, from which an axis is logarithmic.
inline constexpr double logarithmic_from = 1e3;

}  // namespace clopt::apps
