#include "root_finding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace clopt::differential_evolution {
namespace {

constexpr int most_calls = 80;
constexpr double longest_change = 64;  // of the first step
constexpr double rounding = 1e-3;      // of what the first step changes
constexpr double no_zero = std::numeric_limits<double>::quiet_NaN();

/// The search for one zero.
class ZeroSearch {
 public:
  ZeroSearch(double start, double step, double tolerance) : next_(start), step_(step), tolerance_(tolerance) {}

  bool has_ended() const { return has_ended_; }
  double zero() const { return zero_; }
  /// Where the function is wanted next.
  double next() const { return next_; }

  void take(double value) {
    if (value == 0) return end(next_);
    if (!std::isfinite(value)) return step_back();
    take(Point{next_, value});
    if (other_)
      choose_between();
    else
      choose_by_secant();
  }

 private:
  struct Point {
    double x;
    double value;
    bool is_apart_from(const Point& point) const { return std::signbit(value) != std::signbit(point.value); }
  };

  void end(double zero) {
    zero_ = zero;
    has_ended_ = true;
  }

  /// There is no value: nearer to where there was one.
  void step_back() {
    if (!last_) return end(no_zero);
    const double nearer = last_->x / 2 + next_ / 2;
    if (nearer == last_->x || nearer == next_) return end(no_zero);
    next_ = nearer;
  }

  void take(const Point& point) {
    if (last_ && point.is_apart_from(*last_)) {
      if (!other_) greatest_ = std::max(std::abs(point.value), std::abs(last_->value));
      other_ = last_;
    } else if (other_) {
      // The end that stays where it is counts half, so that it moves, too.
      other_->value /= 2;
    }
    previous_ = last_;
    last_ = point;
  }

  void choose_by_secant() {
    if (!previous_) {
      next_ = last_->x + step_;
      return;
    }
    const double change = -last_->value * (last_->x - previous_->x) / (last_->value - previous_->value);
    if (!first_change_) first_change_ = std::abs(last_->value - previous_->value);
    // Equal values: of rounding alone, or far from any zero.
    if (!std::isfinite(change)) return end(std::abs(last_->value) < rounding * *first_change_ ? last_->x : no_zero);
    if (std::abs(change) <= tolerance_) return end(last_->x + change);
    const double longest = longest_change * step_ + std::abs(last_->x);
    next_ = last_->x + std::clamp(change, -longest, longest);
  }

  void choose_between() {
    const double width = std::abs(other_->x - last_->x);
    const bool is_slow = width > width_ / 2;
    width_ = width;
    const double change = -last_->value * (other_->x - last_->x) / (other_->value - last_->value);
    next_ = last_->x + (is_slow ? (other_->x - last_->x) / 2 : change);
    if (std::abs(change) > tolerance_ && width > tolerance_ && next_ != last_->x && next_ != other_->x) return;
    // Beside a pole values grow.
    end(std::abs(last_->value) <= greatest_ ? last_->x + change : no_zero);
  }

  double next_;
  double step_;
  double tolerance_;
  bool has_ended_ = false;
  double zero_ = no_zero;
  double width_ = std::numeric_limits<double>::infinity();
  double greatest_ = 0;  // of the values where the signs became different
  std::optional<double> first_change_;
  std::optional<Point> last_;
  std::optional<Point> previous_;
  std::optional<Point> other_;  // where the sign is another than at the last one
};

}  // namespace

std::vector<double> find_zeros(const Values& values, const std::vector<double>& starts, double step, double tolerance) {
  std::vector<ZeroSearch> searches;
  searches.reserve(starts.size());
  for (const double start : starts) searches.emplace_back(start, step, tolerance);
  const auto continues = [](const ZeroSearch& search) { return !search.has_ended(); };
  std::vector<double> numbers(starts.size());
  for (int call = 0; call < most_calls && std::any_of(searches.begin(), searches.end(), continues); ++call) {
    std::transform(searches.begin(), searches.end(), numbers.begin(), [](const auto& search) { return search.next(); });
    const auto found = values(numbers);
    for (std::size_t n = 0; n < searches.size(); ++n)
      if (continues(searches[n])) searches[n].take(found[n]);
  }
  std::vector<double> zeros;
  zeros.reserve(starts.size());
  for (const auto& search : searches) zeros.push_back(search.zero());
  return zeros;
}

}  // namespace clopt::differential_evolution
