/// \file
/// A frame with two axes, of which a picture may have several.
#pragma once

#include <string>
#include <vector>

#include "svg.hpp"

namespace clopt::apps {

/// Numbers along one side of a panel.
struct Span {
  double least;
  double most;

  /// The least and the greatest of finite numbers, and a twentieth around them; from 0 to 1 without any.
  static Span around(const std::vector<double>& numbers);
  /// At most \p most_ticks round numbers within it. O(most_ticks).
  std::vector<double> ticks(int most_ticks) const;
};

/// A frame in a picture; places are in pixels of the picture, numbers those of the axes.
class Panel {
 public:
  struct Frame {
    double left;
    double top;
    double width;
    double height;
  };

  Panel(Svg& picture, const Frame& frame, const Span& horizontal, const Span& vertical)
      : picture_(picture), frame_(frame), horizontal_(horizontal), vertical_(vertical) {}

  double x(double number) const {
    return frame_.left + (number - horizontal_.least) / (horizontal_.most - horizontal_.least) * frame_.width;
  }
  double y(double number) const {
    return frame_.top + frame_.height - (number - vertical_.least) / (vertical_.most - vertical_.least) * frame_.height;
  }
  /// Draws the frame, its grid, and the numbers beside it. \param has_numbers whether those below are written.
  void draw_axes(bool has_numbers = true) const;
  /// What the axes are, below and beside the frame; an empty text is none.
  void draw_titles(const std::string& below, const std::string& beside) const;

 private:
  Svg& picture_;
  Frame frame_;
  Span horizontal_;
  Span vertical_;
};

}  // namespace clopt::apps
