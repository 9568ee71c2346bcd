/// \file
/// The curve of a fit, which is found by the residuals alone.
#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "root_finding.hpp"

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t pieces_between_data = 8;
constexpr double first_step = 1.0 / 16;       // of the range of the data
constexpr double tolerance_of_curve = 1e-5;   // the same
constexpr double steps_of_rounding = 1 << 3;  // a tolerance is not finer

double side_of(const std::vector<double>& side, std::size_t columns, std::size_t row, std::size_t j, double otherwise) {
  if (side.empty()) return otherwise;
  return side.size() == columns ? side[j] : side[row * columns + j];
}

std::vector<double> part_of(const std::vector<double>& all, std::size_t begin, std::size_t count) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// The row's data; the nearest one before, or else behind, in place of one that is absent.
std::vector<double> without_gaps(std::vector<double> data) {
  const auto is_there = [](double datum) { return std::isfinite(datum); };
  const auto first = std::find_if(data.begin(), data.end(), is_there);
  double last = first == data.end() ? 0 : *first;
  for (double& datum : data) {
    if (!is_there(datum)) datum = last;
    last = datum;
  }
  return data;
}

/// The least and the greatest of numbers, with some room around them.
std::pair<double, double> range_of(const std::vector<double>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  double room = (*most / 2 - *least / 2) / 10;
  if (!(room > 0)) room = *least == 0 ? 1 : std::abs(*least) / 10;
  return {*least - room, *most + room};
}

/// A row's own problem, again and again: each time with other data, and, in a row each, with other places between
/// them.
class CurveSearch {
 public:
  CurveSearch(const Problem& problem, std::size_t row, std::span<const double> parameters, const std::string& precision,
              Device& device)
      : problem_(problem),
        row_(row),
        columns_(problem.columns),
        vector_(parameters.begin(), parameters.end()),
        precision_(precision),
        device_(device) {
    for (std::size_t j = 0; j < columns_; ++j)
      places_.push_back(side_of(problem.abscissa, columns_, row, j, static_cast<double>(j)));
    const bool has_places = problem.objective.is_function() || problem.objective.mentions("abscissa");
    find(has_places ? pieces_between_data : 1);
  }

  FitCurve result() const {
    FitCurve found;
    std::vector<std::pair<double, double>> points;
    for (std::size_t j = 0; j < columns_; ++j) {
      points.emplace_back(places_[j], at_data_[j]);
      for (std::size_t piece = 1; piece < between_.size() / columns_ + 1 && j + 1 < columns_; ++piece)
        points.emplace_back(place(j, piece), between_[(piece - 1) * columns_ + j]);
    }
    std::erase_if(points, [](const auto& point) { return !std::isfinite(point.first); });
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (std::any_of(points.begin(), points.end(), [](const auto& point) { return std::isfinite(point.second); }))
      for (const auto& [place, value] : points) {
        found.places.push_back(place);
        found.curve.push_back(value);
      }
    found.residuals = residuals_of_data(!found.curve.empty());
    found.abscissa = places_;
    return found;
  }

 private:
  /// Data less curve; without a curve what the objective returns.
  std::vector<double> residuals_of_data(bool has_curve) const {
    const auto data = part_of(problem_.data, row_ * columns_, columns_);
    auto found = has_curve ? at_data_ : residuals(without_gaps(data), 0, 1);
    for (std::size_t j = 0; j < columns_; ++j)
      if (has_curve || std::isnan(data[j])) found[j] = data[j] - found[j];
    return found;
  }

  double place(std::size_t j, std::size_t piece) const {
    if (j + 1 == columns_) return places_[j];
    return places_[j] + (places_[j + 1] - places_[j]) * static_cast<double>(piece) / static_cast<double>(pieces_);
  }

  /// First at the data, which a fit comes near to; then between them, beginning on the line from one to the next.
  void find(std::size_t pieces) {
    pieces_ = pieces;
    const auto data = without_gaps(part_of(problem_.data, row_ * columns_, columns_));
    const auto [least, most] = range_of(data);
    const double greatest = std::max(std::abs(least), std::abs(most));
    const double shown = std::min(most - least, std::numeric_limits<double>::max());
    const double epsilon =
        is_double() ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
    const double tolerance = std::max(tolerance_of_curve * shown, steps_of_rounding * epsilon * greatest);
    const double step = std::max(first_step * shown, steps_of_rounding * tolerance);
    at_data_ = find_zeros([&](const auto& numbers) { return residuals(numbers, 0, 1); }, data, step, tolerance);
    if (pieces == 1) return;
    std::vector<double> starts;
    for (std::size_t piece = 1; piece < pieces; ++piece)
      for (std::size_t j = 0; j < columns_; ++j) {
        const double next = at_data_[std::min(j + 1, columns_ - 1)];
        const double part = static_cast<double>(piece) / static_cast<double>(pieces);
        const double start = at_data_[j] + (next - at_data_[j]) * part;
        starts.push_back(std::isfinite(start) ? start : data[j]);
      }
    between_ =
        find_zeros([&](const auto& numbers) { return residuals(numbers, 1, pieces - 1); }, starts, step, tolerance);
  }

  bool is_double() const { return precision_ == "double"; }

  /// The residuals of other data, at the places of some pieces.
  std::vector<double> residuals(const std::vector<double>& data, std::size_t first_piece, std::size_t pieces) const {
    const double most = is_double() ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
    Problem all{problem_.objective};
    all.dimensions = problem_.dimensions;
    all.lower = problem_.lower;
    all.upper = problem_.upper;
    all.columns = columns_;
    all.problems = pieces;
    std::vector<double> parameters;
    for (std::size_t piece = first_piece; piece < first_piece + pieces; ++piece) {
      parameters.insert(parameters.end(), vector_.begin(), vector_.end());
      for (std::size_t j = 0; j < columns_; ++j) {
        all.data.push_back(std::clamp(data[all.data.size()], -most, most));
        const double here = place(j, piece);
        if (pieces_ > 1) all.abscissa.push_back(std::isfinite(here) ? std::clamp(here, -most, most) : 0);
        const double sigma = side_of(problem_.sigma, columns_, row_, j, 1);
        if (!problem_.sigma.empty()) all.sigma.push_back(sigma > 0 && std::isfinite(sigma) ? sigma : 1);
      }
    }
    return differential_evolution::residuals(all, parameters, precision_, device_);
  }

  const Problem& problem_;
  std::size_t row_;
  std::size_t columns_;
  std::vector<double> vector_;
  const std::string& precision_;
  Device& device_;
  std::size_t pieces_ = 1;
  std::vector<double> places_;
  std::vector<double> at_data_;  ///< the curve
  std::vector<double> between_;  ///< the same at the first place behind each datum, then at the second, ...
};

}  // namespace

FitCurve fit_curve(const Problem& problem, std::size_t row, std::span<const double> parameters,
                   const std::string& precision, Device& device) {
  const auto rows = problem.columns == 0 ? 0 : problem.data.size() / problem.columns;
  if (row >= rows) throw InvalidInput(fmt::format("there is no `row` {} among {}; they count from 0", row, rows));
  return CurveSearch(problem, row, parameters, precision, device).result();
}

}  // namespace clopt::differential_evolution
