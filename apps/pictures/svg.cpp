#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace clopt::apps {
namespace {

// Characters that mean something in XML, and those that it cannot hold.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  return result;
}

std::string titled(std::string_view element, std::string_view attributes, std::string_view title) {
  if (title.empty()) return fmt::format("<{} {}/>\n", element, attributes);
  return fmt::format("<{} {}><title>{}</title></{}>\n", element, attributes, escaped(title), element);
}

}  // namespace

Svg::Svg(double width, double height) : width_(width), height_(height) { rectangle(0, 0, width, height, "white"); }

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width) {
  body_ += fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{}"/>)", x1,
                       y1, x2, y2, escaped(stroke), width) +
           "\n";
  return *this;
}

Svg& Svg::rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view title) {
  body_ += titled("rect",
                  fmt::format(R"(x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}")", x, y, width, height,
                              escaped(fill)),
                  title);
  return *this;
}

Svg& Svg::circle(double x, double y, double radius, std::string_view fill, std::string_view title) {
  body_ += titled("circle", fmt::format(R"(cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="{}")", x, y, radius, escaped(fill)),
                  title);
  return *this;
}

Svg& Svg::polyline(const std::vector<Point>& points, std::string_view stroke, double width) {
  body_ += R"(<polyline points=")";
  for (const auto& point : points) body_ += fmt::format("{:.2f},{:.2f} ", point.x, point.y);
  body_ +=
      fmt::format(R"(" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"/>)", escaped(stroke), width) +
      "\n";
  return *this;
}

Svg& Svg::text(double x, double y, std::string_view words, std::string_view anchor, double size, double turn) {
  const auto turned = turn == 0 ? std::string() : fmt::format(" transform=\"rotate({} {:.2f} {:.2f})\"", turn, x, y);
  body_ += fmt::format(R"(<text x="{:.2f}" y="{:.2f}" font-size="{}" text-anchor="{}"{}>{}</text>)", x, y, size, anchor,
                       turned, escaped(words)) +
           "\n";
  return *this;
}

std::string Svg::str() const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\">\n{2}</svg>\n",
      width_, height_, body_);
}

}  // namespace clopt::apps
