#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <frame/files/utf8.hpp>

namespace clopt::apps {
namespace {

bool begins_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

// Characters that mean something in XML, and those that it cannot hold; file names may be any bytes.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = length_of_character(text.substr(at));
    switch (text[at]) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        if (length == 0)
          result += "\xef\xbf\xbd";  // U+FFFD
        else if (static_cast<unsigned char>(text[at]) < ' ')
          result += ' ';
        else
          result += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string titled(std::string_view element, std::string_view attributes, std::string_view title) {
  if (title.empty()) return fmt::format("<{} {}/>\n", element, attributes);
  return fmt::format("<{} {}><title>{}</title></{}>\n", element, attributes, escaped(title), element);
}

std::string dashed(std::string_view dashes) {
  return dashes.empty() ? std::string() : fmt::format(R"( stroke-dasharray="{}")", escaped(dashes));
}

// At least what the glyph of a character takes in DejaVu Sans, Liberation Sans and their like, in parts of the size.
double glyph_width(char c) {
  if (!begins_a_character(c)) return 0;
  if (static_cast<unsigned char>(c) >= 0x80) return 1.1;
  if (std::string_view("iljI.,:;'|![]() ft").find(c) != std::string_view::npos) return 0.41;
  if (std::string_view("mwMW@%").find(c) != std::string_view::npos) return 1.0;
  if (std::string_view("+<=>~#^").find(c) != std::string_view::npos) return 0.84;
  return (c >= 'A' && c <= 'Z') || c == '&' ? 0.79 : 0.65;
}

// Its middle is left out, so that it takes no more than the room.
std::string shortened_to(std::string_view words, double size, double room) {
  auto kept = words.size();
  std::string text;
  do {
    --kept;
    auto head = (kept + 1) / 2;
    auto tail = words.size() - kept / 2;
    while (head > 0 && !begins_a_character(words[head])) --head;
    while (tail < words.size() && !begins_a_character(words[tail])) ++tail;
    text = fmt::format("{}...{}", words.substr(0, head), words.substr(tail));
  } while (kept > 0 && text_width(text, size) > room);
  return text;
}

}  // namespace

std::string colour_of_hue(double hue, double saturation, double lightness) {
  const double reach = saturation * std::min(lightness, 1 - lightness);
  const auto part = [&](double offset) {
    const double place = std::fmod(offset + hue / 30, 12);
    return std::lround(255 * (lightness - reach * std::clamp(std::min(place - 3, 9 - place), -1.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(8), part(4));
}

std::string_view last_part(std::string_view name) {
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  return name.substr(name.rfind('/', name.size() - 2) + 1);
}

double text_width(std::string_view words, double size) {
  double width = 0;
  for (const char c : words) width += glyph_width(c);
  return width * size;
}

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width,
               std::string_view dashes) {
  body_ += fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{}"{}/>)", x1,
                       y1, x2, y2, escaped(stroke), width, dashed(dashes)) +
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

Svg& Svg::polyline(const std::vector<Point>& points, std::string_view stroke, double width, std::string_view dashes) {
  body_ += R"(<polyline points=")";
  for (const auto& point : points) body_ += fmt::format("{:.2f},{:.2f} ", point.x, point.y);
  body_ += fmt::format(R"(" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"{}/>)", escaped(stroke),
                       width, dashed(dashes)) +
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

double Svg::text_within(double x, double y, double room, std::string_view words, std::string_view anchor, double size) {
  const double width = text_width(words, 1);
  const double fitting = std::clamp(std::floor(10 * room / std::max(width, 1e-9)) / 10, smallest_size, size);
  if (width * fitting <= room || words.size() < 5) {
    text(x, y, words, anchor, fitting);
    return fitting;
  }
  body_ += fmt::format(R"(<text x="{:.2f}" y="{:.2f}" font-size="{}" text-anchor="{}">{}<title>{}</title></text>)", x,
                       y, fitting, anchor, escaped(shortened_to(words, fitting, room)), escaped(words)) +
           "\n";
  return fitting;
}

std::string Svg::str(Background background) const {
  const auto behind = background == Background::white
                          ? Svg(width_, height_).rectangle(0, 0, width_, height_, "white").body_
                          : std::string();
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\">\n{2}{3}</svg>\n",
      width_, height_, behind, body_);
}

}  // namespace clopt::apps
