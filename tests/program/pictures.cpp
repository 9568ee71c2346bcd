#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <pictures/svg.hpp>

using clopt::apps::LinePlot;
using clopt::apps::Svg;

namespace {

boost::property_tree::ptree parsed(const std::string& text) {
  std::istringstream stream(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

/// Every point of a picture's curves.
std::vector<Svg::Point> points_of(const std::string& text) {
  std::vector<Svg::Point> points;
  const auto tree = parsed(text);
  for (const auto& [name, element] : tree.get_child("svg")) {
    if (name != "polyline") continue;
    std::istringstream numbers(element.get<std::string>("<xmlattr>.points"));
    for (Svg::Point point{}; numbers >> point.x && numbers.ignore() && numbers >> point.y;) points.push_back(point);
  }
  return points;
}

void lies_within(const std::string& text, std::size_t least_points) {
  const auto points = points_of(text);
  BOOST_TEST(points.size() >= least_points);
  for (const auto& [x, y] : points) {
    BOOST_TEST((x >= 0 && x <= 860));
    BOOST_TEST((y >= 0 && y <= 480));
  }
}

std::string drawn(const std::vector<double>& values) {
  LinePlot plot("title", "x", "y");
  const auto curve = plot.curve("curve");
  for (std::size_t i = 0; i < values.size(); ++i) plot.add(curve, static_cast<double>(i), values[i]);
  return plot.draw().str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pictures)

BOOST_AUTO_TEST_CASE(words_cannot_break_a_picture) {
  Svg svg(100, 50);
  svg.text(1, 2, "<a> & \"b\" \x01").rectangle(1, 2, 3, 4, "red", "</title>").circle(1, 2, 3, "blue", "1 < 2");
  const auto tree = parsed(svg.str());
  BOOST_TEST(tree.get<std::string>("svg.text") == "<a> & \"b\"  ");
  BOOST_TEST(tree.get<std::string>("svg.circle.title") == "1 < 2");
  BOOST_TEST(tree.get<int>("svg.<xmlattr>.width") == 100);
}

BOOST_AUTO_TEST_CASE(any_curve_lies_within_its_picture) {
  const double huge = std::numeric_limits<double>::max();
  lies_within(drawn({}), 0);
  lies_within(drawn({5}), 1);
  lies_within(drawn({0, 0, 0}), 3);
  lies_within(drawn({-3, 2, 7, 1}), 4);
  lies_within(drawn({1e9, 1e3, 1, 1e-9}), 4);
  lies_within(drawn({-huge, huge, 0}), 3);
  lies_within(drawn({std::nan(""), 1, std::numeric_limits<double>::infinity(), 2}), 2);
  lies_within(drawn({std::numeric_limits<double>::denorm_min(), huge}), 2);
}

BOOST_AUTO_TEST_CASE(many_points_keep_their_extremes) {
  LinePlot plot("title", "x", "y");
  const auto curve = plot.curve("curve");
  constexpr int many = 300'007;
  for (int i = 0; i < many; ++i) plot.add(curve, i, i == 123'456 ? 1000 : i == 222'222 ? -1000 : 0);
  const auto text = plot.draw().str();
  BOOST_TEST(text.size() < 300'000U);
  double top = 480;
  double bottom = 0;
  double right = 0;
  for (const auto& [x, y] : points_of(text)) {
    top = std::min(top, y);
    bottom = std::max(bottom, y);
    right = std::max(right, x);
  }
  const auto two = points_of(drawn({1000, -1000}));
  BOOST_TEST(top == two[0].y);
  BOOST_TEST(bottom == two[1].y);
  BOOST_TEST(right == two[1].x);
}

BOOST_AUTO_TEST_CASE(goes_on_from_its_numbers) {
  for (const int many : {0, 1, 5, 2048, 2049, 10'001}) {
    LinePlot whole("title", "x", "y");
    LinePlot first("title", "x", "y");
    LinePlot second("title", "x", "y");
    for (auto* plot : {&whole, &first, &second}) {
      plot->curve("one");
      plot->curve("two");
    }
    for (int i = 0; i < 2 * many; ++i) {
      auto& part = i < many ? first : second;
      if (i == many) BOOST_TEST(second.restore(first.numbers()));
      for (auto* plot : {&whole, &part}) {
        plot->add(0, i, i % 7);
        if (i % 3 == 0) plot->add(1, i, -i);
      }
    }
    BOOST_TEST(second.draw().str() == whole.draw().str());
  }
  LinePlot plot("title", "x", "y");
  plot.curve("one");
  for (const std::vector<double>& wrong :
       {std::vector<double>{}, {1, 1, 1}, {-1, 1, 1}, {0.5, 1, 1}, {0, 1, 1, 5}, {1e300, 1, 1}, {std::nan(""), 1, 1}})
    BOOST_TEST(!plot.restore(wrong));
}

BOOST_AUTO_TEST_CASE(a_mark_is_seen) {
  LinePlot plot("title", "x", "y");
  BOOST_TEST(plot.empty());
  plot.add(plot.curve("curve"), 0, 1);
  BOOST_TEST(!plot.empty());
  plot.mark("target", -50);
  const auto text = plot.draw().str();
  BOOST_TEST(text.find(">target<") != std::string::npos);
  BOOST_TEST(text.find(">-50<") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
