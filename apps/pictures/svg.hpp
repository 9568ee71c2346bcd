/// \file
/// Pictures: a small writer of SVG, and line plots.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::apps {

/// Colours that colour-blind people can distinguish (Okabe and Ito), and two greys.
namespace colour {
inline constexpr const char* blue = "#0072B2";
inline constexpr const char* vermilion = "#D55E00";
inline constexpr const char* green = "#009E73";
inline constexpr const char* purple = "#CC79A7";
inline constexpr const char* orange = "#E69F00";
inline constexpr const char* sky_blue = "#56B4E9";
inline constexpr const char* grid = "#e6e6e6";
inline constexpr const char* axis = "#888888";
}  // namespace colour

/// What lies behind a picture.
enum class Background { white, none };

/// A picture in the making. Lengths are in pixels from the upper left corner; colours are CSS.
class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  Svg& line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1,
            std::string_view dashes = {});
  Svg& rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view title = {});
  Svg& circle(double x, double y, double radius, std::string_view fill, std::string_view title = {});
  struct Point {
    double x;
    double y;
  };
  /// \param dashes lengths of dashes and gaps by turns, "6 3"; empty: no gaps.
  Svg& polyline(const std::vector<Point>& points, std::string_view stroke, double width = 1.5,
                std::string_view dashes = {});
  /// \param anchor "start", "middle" or "end"; \param turn degrees clockwise around its position.
  Svg& text(double x, double y, std::string_view words, std::string_view anchor = "start", double size = 12,
            double turn = 0);

  /// Text from left to right in some room: smaller than \p size, down to smallest_size, where that makes it fit, and
  /// else cut in its middle, with the whole of it as title. \returns the size.
  double text_within(double x, double y, double room, std::string_view words, std::string_view anchor = "start",
                     double size = 12);
  static constexpr double smallest_size = 9;

  double width() const { return width_; }
  /// The whole file; clopt::write_file() writes it.
  std::string str(Background background = Background::white) const;

 private:
  double width_;
  double height_;
  std::string body_;
};

/// A colour as SVG's readers all know it, "#rrggbb". \param hue in degrees; \param saturation, \param lightness from 0
/// to 1.
std::string colour_of_hue(double hue, double saturation, double lightness);

/// What a title has of a name: of a file the last part of its path.
std::string_view last_part(std::string_view name);

/// Room that a text takes from left to right, in pixels, at least what usual fonts without serifs take.
double text_width(std::string_view words, double size);

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
  /// Continues from numbers(). \returns whether they are those of a plot with as many curves.
  bool restore(const std::vector<double>& numbers);

  /// The picture. The first curve is the one that matters most. The vertical axis is logarithmic where all is above 0,
  /// or 0, and what is above spans three powers of ten or more. A flat tail is cut to a tenth of what is before it.
  /// Where the other curves would flatten the first one (penalties of the worst individuals), the axis ends beyond it,
  /// what lies further out is drawn at the edge, and a line there says up to where it goes. \param room in pixels
  /// beside it, for another picture.
  Svg draw(double room = 0) const;
  /// That room is the right end of the picture, and as high as draw_height.
  static constexpr double draw_width = 860;
  static constexpr double draw_height = 480;
  /// Pictures of as many plots, side by side in rows, with the same axes. \param room as for draw().
  static Svg draw_side_by_side(const std::string& title, const std::vector<const LinePlot*>& plots, double room = 0);

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
  struct Box;
  struct Range;
  Range range() const;
  double last_change() const;
  void draw_into(Svg& picture, const Box& box, const Range& range) const;
  void draw_legend(Svg& picture, double x, double y, bool is_row) const;
  std::string title_;
  std::string x_title_;
  std::string y_title_;
  std::vector<Curve> curves_;
  std::vector<Mark> marks_;
};

}  // namespace clopt::apps
