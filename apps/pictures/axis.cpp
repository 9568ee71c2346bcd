#include "axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "panel.hpp"

namespace clopt::apps {
namespace {

constexpr int most_ticks = 8;
constexpr std::size_t longest_label = 8;
constexpr double room_of_zero = 0.06;  ///< the part of a logarithmic axis between 0 and the least number above it

}  // namespace

void Axis::take_in(double value) {
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  if (value > 0) least_positive_ = std::min(least_positive_, value);
  zero_ = zero_ || value == 0;
}

void Axis::settle(bool may_be_logarithmic) {
  if (least_ > most_) least_ = 0, most_ = 1;
  logarithmic_ = may_be_logarithmic && least_ >= 0 && most_ / least_positive_ >= logarithmic_from;
  if (logarithmic_) least_ = least_positive_;
  if (least_ == most_) {
    const double around = least_ == 0 ? 1 : std::abs(least_) / 10;
    least_ -= around;
    most_ += around;
  }
}

void Axis::widen() {
  constexpr double part = 0.03;
  if (logarithmic_) {
    const double factor = std::pow(most_ / least_, part);
    least_ = std::max(least_ / factor, std::numeric_limits<double>::min());
    most_ = std::min(most_ * factor, std::numeric_limits<double>::max());
  } else {
    const double room = part * (most_ / 2 - least_ / 2);
    constexpr double largest = std::numeric_limits<double>::max();
    least_ = std::max(least_, room - largest) - room;
    most_ = std::min(most_, largest - room) + room;
  }
}

void Axis::set_pixels(double from, double to) {
  from_ = from;
  to_ = to;
}

double Axis::place(double value) const {
  if (has_zero() && value <= 0) return from_;
  value = std::clamp(value, least_, most_);
  // Halves, so that a range of all numbers is not infinite.
  const double part = logarithmic_ ? (std::log(value) - std::log(least_)) / (std::log(most_) - std::log(least_))
                                   : (value / 2 - least_ / 2) / (most_ / 2 - least_ / 2);
  return from_ + (has_zero() ? room_of_zero + (1 - room_of_zero) * part : part) * (to_ - from_);
}

std::vector<double> Axis::ticks() const {
  if (!logarithmic_) return Span{least_, most_}.ticks(most_ticks);
  const double first = std::ceil(std::log10(least_));
  const double last = std::floor(std::log10(most_));
  const double step = std::max(1.0, std::ceil((last - first) / most_ticks));
  std::vector<double> result;
  if (has_zero()) result.push_back(0);
  for (double power = first; power <= last; power += step) result.push_back(std::pow(10, power));
  if (result.size() > 2) return result;
  // Parts of a power of ten.
  result.clear();
  for (double power = first - 1; power <= last + 1; ++power)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double value = factor * std::pow(10, power); value >= least_ && value <= most_) result.push_back(value);
  return result.size() > 1 ? result : Span{least_, most_}.ticks(most_ticks);
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks, int digits) {
  std::vector<std::string> labels;
  const auto is_clear = [&] {
    return std::adjacent_find(labels.begin(), labels.end()) == labels.end() ||
           std::adjacent_find(ticks.begin(), ticks.end()) != ticks.end();
  };
  for (int precision = digits; labels.empty() || !is_clear(); ++precision) {
    labels.clear();
    for (const double tick : ticks) labels.push_back(fmt::format("{:.{}g}", tick == 0 ? 0.0 : tick, precision));
    if (ticks.empty() || precision == std::numeric_limits<double>::max_digits10) break;
  }
  return labels;
}

std::string take_offset(std::vector<double>& ticks, int digits) {
  const auto labels = tick_labels(ticks, digits);
  if (std::all_of(labels.begin(), labels.end(), [](const auto& each) { return each.size() <= longest_label; }))
    return {};
  const double first = ticks.front();
  for (double& tick : ticks) tick -= first;
  // Of the difference no more digits are right than of the numbers.
  const double step = ticks.back() / static_cast<double>(std::max<std::size_t>(1, ticks.size() - 1));
  const double unit = std::pow(10, std::floor(std::log10(step)) - 1);
  if (unit > 0)
    for (double& tick : ticks) tick = std::round(tick / unit) * unit;
  return fmt::format("{}", first);
}

}  // namespace clopt::apps
