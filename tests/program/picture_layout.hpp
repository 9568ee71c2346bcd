/// \file
/// Checks a picture's texts: whether they lie in its frame, and apart from each other.
#pragma once

#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace clopt::test {

/// The elements of a picture, which is text in UTF-8: Boost's parser would take any bytes.
inline boost::property_tree::ptree parsed_picture(const std::string& text) {
  BOOST_CHECK_NO_THROW(nlohmann::json(text).dump());
  std::istringstream stream(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

/// How broad a text is in DejaVu Sans, in parts of its size: the letters of ASCII by the font's advance widths, in
/// thousandths; all others as broad as the broadest of Latin, Greek and Cyrillic that are not two letters in one.
inline double breadth_of(const std::string& words) {
  static constexpr std::array<int, 95> widths{
      318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
      636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
      575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
      611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
      278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
  double sum = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xc0)
      sum += 1.1;
    else if (byte >= ' ' && byte < 0x7f)
      sum += widths[byte - ' '] / 1000.0;
  }
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
