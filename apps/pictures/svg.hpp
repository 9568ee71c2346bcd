/// \file
/// Pictures: a small writer of SVG, and line plots.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::apps {

/// A picture in the making. Lengths are in pixels from the upper left corner; colours are CSS.
class Svg {
 public:
  Svg(double width, double height);

  Svg& line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1);
  Svg& rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view title = {});
  Svg& circle(double x, double y, double radius, std::string_view fill, std::string_view title = {});
  struct Point {
    double x;
    double y;
  };
  Svg& polyline(const std::vector<Point>& points, std::string_view stroke, double width = 1.5);
  /// \param anchor "start", "middle" or "end"; \param turn degrees clockwise around its position.
  Svg& text(double x, double y, std::string_view words, std::string_view anchor = "start", double size = 12,
            double turn = 0);

  /// The whole file; clopt::write_file() writes it.
  std::string str() const;

 private:
  double width_;
  double height_;
  std::string body_;
};

/// Curves over generations, or over anything that only grows.
class LinePlot {
 public:
  LinePlot(std::string title, std::string x_title, std::string y_title);

  /// \returns the number of a new curve.
  std::size_t curve(std::string name);
  /// Adds a point; \p x is at least the last one's. What is not finite is left out. Any number of points takes little
  /// memory and shows its extremes: neighbours are joined where there are more than a picture can show.
  void add(std::size_t curve, double x, double y);
  /// A horizontal line, such as a target.
  void mark(std::string name, double y);

  bool empty() const;

  /// The points of all curves as numbers, for a checkpoint.
  std::vector<double> numbers() const;
  /// Goes on from numbers(). \returns whether they are those of a plot with as many curves.
  bool restore(const std::vector<double>& numbers);

  /// The picture. The vertical axis is logarithmic where all is above 0 and spans three powers of ten or more.
  Svg draw() const;

 private:
  struct Point {
    double x;
    double least;
    double most;
    double last;
  };
  struct Curve {
    std::string name;
    std::vector<Point> points;
    std::size_t joined = 1;   ///< how many values a point stands for
    std::size_t pending = 0;  ///< how many the last one has
  };
  struct Mark {
    std::string name;
    double y;
  };
  std::string title_;
  std::string x_title_;
  std::string y_title_;
  std::vector<Curve> curves_;
  std::vector<Mark> marks_;
};

}  // namespace clopt::apps
