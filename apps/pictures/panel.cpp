#include "panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axis.hpp"

namespace clopt::apps {
namespace {

constexpr double pixels_of_number_across = 80;
constexpr double pixels_of_number_up = 26;
constexpr double label_size = 11;
constexpr double title_room = 24;  // of the title on the left

/// One number alone is no scale.
std::vector<double> ticks_along(const Span& span, double pixels, double pixels_of_number) {
  const int most = static_cast<int>(pixels / pixels_of_number);
  auto ticks = span.ticks(most);
  return ticks.size() < 2 ? span.ticks(2 * most) : ticks;
}

constexpr int panel_label_digits = 5;

}  // namespace

Span Span::around(const std::vector<double>& numbers) {
  Span span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    span.least = std::min(span.least, number);
    span.most = std::max(span.most, number);
  }
  if (span.least > span.most) return {0, 1};
  double margin = (span.most / 2 - span.least / 2) / 10;
  if (!(margin > 0)) margin = span.least == 0 ? 1 : std::abs(span.least) / 10;
  return {span.least - margin, span.most + margin};
}

std::vector<double> Span::ticks(int most_ticks) const {
  const double rough = (most / 2 - least / 2) / std::max(1, most_ticks) * 2;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double round : {5.0, 2.0, 1.0})
    if (round * power >= rough) step = round * power;
  std::vector<double> result;
  const double first = std::ceil(least / step);
  for (int i = 0; i <= most_ticks + 1 && (first + i) * step <= most; ++i) result.push_back((first + i) * step);
  return result;
}

void Panel::draw_axes(bool has_numbers) const {
  const double bottom = frame_.top + frame_.height;
  const double right = frame_.left + frame_.width;
  const auto across = ticks_along(horizontal_, frame_.width, pixels_of_number_across);
  const auto words_across = tick_labels(across, panel_label_digits);
  for (std::size_t i = 0; i < across.size(); ++i) {
    const double place = x(across[i]);
    picture_.line(place, bottom, place, frame_.top, colour::grid);
    if (has_numbers)
      picture_.text_within(place, bottom + 16, pixels_of_number_across - 4, words_across[i], "middle", label_size);
  }
  const auto up = ticks_along(vertical_, frame_.height, pixels_of_number_up);
  const auto words_up = tick_labels(up, panel_label_digits);
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double place = y(up[i]);
    picture_.line(frame_.left, place, right, place, colour::grid);
    picture_.text_within(frame_.left - 6, place + 4, frame_.left - 6 - title_room, words_up[i], "end", label_size);
  }
  picture_.line(frame_.left, bottom, right, bottom, "black");
  picture_.line(frame_.left, bottom, frame_.left, frame_.top, "black");
}

void Panel::draw_titles(const std::string& below, const std::string& beside) const {
  if (!below.empty())
    picture_.text(frame_.left + frame_.width / 2, frame_.top + frame_.height + 33, below, "middle", 12);
  if (!beside.empty()) picture_.text(frame_.left - 68, frame_.top + frame_.height / 2, beside, "middle", 12, -90);
}

}  // namespace clopt::apps
