/// \file
/// Looks at a picture's texts: whether they lie in its frame, and apart from each other.
#pragma once

#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace clopt::test {

inline boost::property_tree::ptree parsed_picture(const std::string& text) {
  std::istringstream stream(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

/// How broad letters of DejaVu Sans are, in parts of their size; narrow ones are less than half as broad as others.
inline double breadth_of(const std::string& words) {
  double sum = 0;
  for (const char c : words) sum += std::string(" .,:;'|!ijlftI()[]").find(c) != std::string::npos ? 0.36 : 0.62;
  return sum;
}

/// A text, and the room it takes.
struct PictureText {
  std::string words;
  double left, top, right, bottom;
  bool meets(const PictureText& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

inline std::vector<PictureText> texts_of(const boost::property_tree::ptree& picture) {
  std::vector<PictureText> texts;
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "text") continue;
    const auto words = element.get_value<std::string>();
    const auto x = element.get<double>("<xmlattr>.x");
    const auto y = element.get<double>("<xmlattr>.y");
    const auto size = element.get<double>("<xmlattr>.font-size");
    const auto anchor = element.get<std::string>("<xmlattr>.text-anchor");
    const double length = size * breadth_of(words);
    const double before = anchor == "start" ? 0 : anchor == "end" ? length : length / 2;
    const bool is_turned = element.get<std::string>("<xmlattr>.transform", "").starts_with("rotate(-90");
    if (is_turned)
      texts.push_back({words, x - 0.8 * size, y - length + before, x + 0.2 * size, y + before});
    else
      texts.push_back({words, x - before, y - 0.8 * size, x - before + length, y + 0.2 * size});
  }
  return texts;
}

/// All texts lie in the frame, and no two on each other. \returns the picture.
inline boost::property_tree::ptree check_layout(const std::string& text) {
  auto picture = parsed_picture(text);
  const auto width = picture.get<double>("svg.<xmlattr>.width");
  const auto height = picture.get<double>("svg.<xmlattr>.height");
  const auto texts = texts_of(picture);
  BOOST_TEST(!texts.empty());
  for (const auto& each : texts) {
    const bool is_inside = each.left >= 0 && each.top >= 0 && each.right <= width && each.bottom <= height;
    BOOST_TEST(is_inside, "'" << each.words << "' is cut: " << each.left << " to " << each.right << ", " << each.top
                              << " to " << each.bottom << " in " << width << " x " << height);
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = i + 1; j < texts.size(); ++j)
      BOOST_TEST(!texts[i].meets(texts[j]), "'" << texts[i].words << "' lies on '" << texts[j].words << "'");
  return picture;
}

}  // namespace clopt::test
