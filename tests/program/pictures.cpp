#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <pictures/svg.hpp>
#include <support/folder.hpp>

#include "picture_layout.hpp"
#include "run.hpp"

using clopt::apps::LinePlot;
using clopt::apps::Svg;
using clopt::test::check_layout;

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

/// The texts of a picture, or those of them that end at their place, as the numbers beside an axis do.
std::multiset<std::string> words_of(const std::string& text, const std::string& anchor = {}) {
  std::multiset<std::string> words;
  const auto tree = parsed(text);
  for (const auto& [name, element] : tree.get_child("svg"))
    if (name == "text" && (anchor.empty() || element.get<std::string>("<xmlattr>.text-anchor") == anchor))
      words.insert(element.get_value<std::string>());
  return words;
}

/// The colours that all readers of SVG know.
void has_plain_colours(const std::string& text) {
  const std::regex colour("(fill|stroke)=\"([^\"]*)\"");
  const std::regex plain("#[0-9a-fA-F]{6}|black|white|none");
  for (std::sregex_iterator found(text.begin(), text.end(), colour), end; found != end; ++found)
    BOOST_TEST(std::regex_match((*found)[2].str(), plain), (*found)[2].str());
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

BOOST_AUTO_TEST_CASE(continues_from_its_numbers) {
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

BOOST_AUTO_TEST_CASE(texts_lie_in_the_frame_and_apart) {
  const double huge = std::numeric_limits<double>::max();
  const std::string long_title(300, 'W');
  const std::vector<std::vector<double>> many{{},
                                              {5},
                                              {0, 0, 0},
                                              {-3, 2, 7, 1},
                                              {1e9, 1e3, 1, 1e-9},
                                              {-huge, huge, 0},
                                              {1234567, 1234568},
                                              {1e-300, 2e-300, 1.5e-300},
                                              {999, 1000.5}};
  for (const auto& values : many)
    for (const std::string& title : {std::string("title"), long_title, std::string(90, 'm') + "\xc3\xa4"}) {
      LinePlot plot(title, "generation", "value");
      for (const char* name : {"best so far", "best", "mean", "worst"}) {
        const auto curve = plot.curve(name);
        for (std::size_t i = 0; i < values.size(); ++i)
          plot.add(curve, static_cast<double>(i) * 1e5, values[i] / static_cast<double>(curve + 1));
      }
      plot.mark("target", 1);
      check_layout(plot.draw().str());
      check_layout(LinePlot::draw_side_by_side(title, {&plot, &plot, &plot, &plot}).str());
    }
  check_layout(LinePlot::draw_side_by_side("nothing", {}).str());
}

BOOST_AUTO_TEST_CASE(penalties_do_not_flatten_the_best) {
  // The best falls from -10 to -15, and the worst is a penalty of 1e9 all the time.
  LinePlot plot("title", "x", "y");
  for (const char* name : {"best", "mean", "worst"}) plot.curve(name);
  for (int i = 0; i < 100; ++i) {
    plot.add(0, i, -10 - 5 * i / 99.0);
    plot.add(1, i, 1e6 / (i + 1.0));
    plot.add(2, i, 1e9);
  }
  const auto text = plot.draw().str();
  const auto picture = check_layout(text);
  double top = 480;
  double bottom = 0;
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "polyline") continue;
    for (const auto& [x, y] :
         points_of("<svg><polyline points=\"" + element.get<std::string>("<xmlattr>.points") + "\"/></svg>")) {
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
    break;
  }
  BOOST_TEST(bottom - top > 100);
  BOOST_TEST(text.find("values go up to 1e+09") != std::string::npos);
  lies_within(text, 300);
  // Where the axis is logarithmic, it says so.
  BOOST_TEST(drawn({1, 10, 1e5}).find("y, logarithmic") != std::string::npos);
  BOOST_TEST(drawn({1, 10, 100}).find("logarithmic") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(curves_that_lie_on_each_other_are_distinguished) {
  LinePlot plot("title", "x", "y");
  for (const char* name : {"one", "two", "three", "four"}) plot.add(plot.curve(name), 0, 1);
  std::set<std::string> looks;
  const auto picture = parsed(plot.draw().str());
  for (const auto& [name, element] : picture.get_child("svg"))
    if (name == "polyline")
      looks.insert(element.get<std::string>("<xmlattr>.stroke-dasharray", "") + "/" +
                   element.get<std::string>("<xmlattr>.stroke-width") + "/" +
                   element.get<std::string>("<xmlattr>.stroke"));
  BOOST_TEST(looks.size() == 4U);
}

BOOST_AUTO_TEST_CASE(titles_are_shortened_and_kept_whole_beside) {
  Svg svg(200, 50);
  const std::string words = "a title that is by far too long for the two hundred pixels that there are for it";
  const auto size = svg.text_within(10, 20, 180, words, "start", 15);
  BOOST_TEST(size == Svg::smallest_size);
  const auto picture = check_layout(svg.str());
  BOOST_TEST(picture.get<std::string>("svg.text.title") == words);
  BOOST_TEST(picture.get<std::string>("svg.text").find("...") != std::string::npos);
  Svg other(400, 50);
  BOOST_TEST(other.text_within(10, 20, 380, "short", "start", 15) == 15);
}

BOOST_AUTO_TEST_CASE(schedules_and_models_are_readable) {
  const clopt::test::TemporaryFolder folder;
  const auto file = (folder.path() / "picture.svg").string();
  for (const char* name : {"ring:2", "mesh:4x4", "hypercube:2", "hypercube:3", "hypercube:6", "ring:24"}) {
    BOOST_TEST_REQUIRE(
        clopt::test::run({"exchange", "--topology", name, "--plot", file, "--time-limit", "100"}).status == 0);
    check_layout(clopt::test::read_file(file));
    has_plain_colours(clopt::test::read_file(file));
  }
  // A run of many generations is folded.
  const auto text = folder.file("flat.cl", "real objective(individual x) { return 1; }\n");
  for (const char* generations : {"1", "30", "91", "700"}) {
    const auto outcome =
        clopt::test::run({"ecga", "--objective", text, "--length", "12", "--population", "101", "--tournament", "1",
                          "--stagnation", "0", "--generations", generations, "--model", file});
    BOOST_TEST_REQUIRE(outcome.status == 0);
    const auto picture = check_layout(clopt::test::read_file(file));
    has_plain_colours(clopt::test::read_file(file));
    BOOST_TEST(picture.get<double>("svg.<xmlattr>.height") <= 1100);
    BOOST_TEST(picture.get<double>("svg.<xmlattr>.width") <= 1600);
  }
}

BOOST_AUTO_TEST_CASE(subsets_are_readable) {
  const clopt::test::TemporaryFolder folder;
  const auto file = (folder.path() / "picture.svg").string();
  // Around the numbers that have names, and those that have bars.
  for (const std::size_t count : {1U, 2U, 7U, 32U, 33U, 200U, 201U, 1000U}) {
    std::string table = "name,amount\n";
    for (std::size_t i = 0; i < count; ++i)
      table += "invoice " + std::to_string(1000 * i) + "," + std::to_string(i * i % 97) + ".50\n";
    const auto numbers = folder.file("numbers.csv", table);
    for (const char* capacity : {"0.49", "37.5", "1e6"}) {
      clopt::test::run({"subset-sum", numbers, "--column", "amount", "--label", "name", "--capacity", capacity,
                        "--device", "openmp:0", "--plot", file});
      const auto text = clopt::test::read_file(file);
      check_layout(text);
      has_plain_colours(text);
    }
  }
  const auto negative = folder.file("negative.txt", "5 -3 8 2 -1 0\n");
  BOOST_TEST(clopt::test::run({"subset-sum", negative, "--capacity=-2", "--plot", file}).status == 0);
  const auto picture = check_layout(clopt::test::read_file(file));
  // The frame's bars lie within it, those of negative numbers below 0 too.
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "rect" || element.count("title") == 0) continue;
    BOOST_TEST(element.get<double>("<xmlattr>.height") >= 0);
    BOOST_TEST(element.get<double>("<xmlattr>.y") + element.get<double>("<xmlattr>.height") <= 324.01);
  }
}

BOOST_AUTO_TEST_CASE(curves_of_many_runs_differ) {
  LinePlot plot("title", "x", "y");
  for (int i = 0; i < 18; ++i) {
    const auto curve = plot.curve("curve " + std::to_string(i));
    plot.add(curve, 0, i);
    plot.add(curve, 1, i);
  }
  std::set<std::string> styles;
  const auto tree = parsed(plot.draw().str());
  for (const auto& [name, element] : tree.get_child("svg"))
    if (name == "polyline")
      styles.insert(element.get<std::string>("<xmlattr>.stroke") + element.get("<xmlattr>.stroke-dasharray", ""));
  BOOST_TEST(styles.size() == 18U);
}

BOOST_AUTO_TEST_CASE(a_background_is_left_out_on_request) {
  Svg svg(40, 30);
  svg.circle(10, 10, 3, "black");
  const auto usual = svg.str();
  const auto bare = svg.str(clopt::apps::Background::none);
  BOOST_TEST(usual.find("fill=\"white\"") < usual.find("<circle"));
  BOOST_TEST(bare.find("white") == std::string::npos);
  BOOST_TEST(bare.find("<circle") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(colours_are_those_of_hues) {
  using clopt::apps::colour_of_hue;
  // Corners of the cube of colours, and a shade of each kind (CSS Color 4, section 7).
  BOOST_TEST(colour_of_hue(0, 1, 0.5) == "#ff0000");
  BOOST_TEST(colour_of_hue(60, 1, 0.5) == "#ffff00");
  BOOST_TEST(colour_of_hue(120, 1, 0.5) == "#00ff00");
  BOOST_TEST(colour_of_hue(240, 1, 0.5) == "#0000ff");
  BOOST_TEST(colour_of_hue(300, 1, 0.25) == "#800080");
  BOOST_TEST(colour_of_hue(77, 0, 0.2) == "#333333");
  BOOST_TEST(colour_of_hue(210, 0.5, 0.75) == "#9fbfdf");
}

BOOST_AUTO_TEST_CASE(numbers_of_an_axis_differ) {
  for (const auto& values :
       {std::vector<double>{1e6, 1e6 + 4}, {1e6 + 1e-4, 1e6 + 2e-4}, {-1e9 - 3, -1e9}, {1e12, 1e12 + 1}}) {
    const auto words = words_of(drawn(values), "end");
    BOOST_TEST(std::set<std::string>(words.begin(), words.end()).size() == words.size());
    BOOST_TEST(words.size() > 3U);
  }
  // Long ones are differences.
  const auto words = words_of(drawn({1e6 + 1e-4, 1e6 + 2e-4}));
  const auto title =
      std::find_if(words.begin(), words.end(), [](const auto& each) { return each.starts_with("y, above "); });
  BOOST_TEST_REQUIRE((title != words.end()));
  BOOST_TEST(std::abs(std::stod(title->substr(9)) - (1e6 + 1e-4)) < 2e-5);
  BOOST_TEST(words.count("2e-05") == 1U);
}

BOOST_AUTO_TEST_CASE(zeros_are_marked_on_a_logarithmic_axis) {
  const auto text = drawn({1e3, 1, 1e-3, 0, 0});
  check_layout(text);
  BOOST_TEST(text.find("y, logarithmic") != std::string::npos);
  BOOST_TEST(words_of(text).count("0") == 2U);  // across and up
  const auto points = points_of(text);
  // 0 lies below all others, and apart.
  BOOST_TEST(points[3].y > points[2].y + 10);
  BOOST_TEST(points[4].y == points[3].y);
  BOOST_TEST(drawn({-1, 1e3, 1}).find("logarithmic") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(flat_tails_are_cut) {
  std::vector<double> values(1001, 2);
  for (std::size_t i = 0; i < 100; ++i) values[i] = 102.0 - static_cast<double>(i);
  const auto text = drawn(values);
  check_layout(text);
  BOOST_TEST(words_of(text).count("nothing changes from here to 1000") == 1U);
  BOOST_TEST(points_of(text).size() < 140U);
  // A tenth of what is before it stays.
  const auto of_first = [&](std::ptrdiff_t count) {
    return words_of(drawn(std::vector<double>(values.begin(), values.begin() + count)));
  };
  BOOST_TEST(of_first(150).count("nothing changes from here to 149") == 1U);
  const auto words = of_first(110);
  BOOST_TEST(std::none_of(words.begin(), words.end(), [](const auto& each) { return each.starts_with("nothing"); }));
}

BOOST_AUTO_TEST_CASE(plots_beside_each_other_have_the_same_axes) {
  LinePlot one("one", "x", "y"), other("other", "x", "y");
  for (auto* plot : {&one, &other}) plot->curve("best");
  for (int i = 0; i <= 10; ++i) one.add(0, i, i);
  for (int i = 0; i <= 40; ++i) other.add(0, i, 100 - i);
  auto words = words_of(LinePlot::draw_side_by_side("both", {&one, &other}).str());
  for (const char* each : {"0", "10", "20", "30", "40", "60", "80", "100"})
    BOOST_TEST(words.count(each) % 2 == 0U, each);
  BOOST_TEST(words.count("100") == 2U);
}

BOOST_AUTO_TEST_CASE(schedules_name_their_conflicts) {
  const clopt::test::TemporaryFolder folder;
  const auto file = (folder.path() / "picture.svg").string();
  BOOST_TEST_REQUIRE(clopt::test::run({"exchange", "--topology", "torus:4x4", "--steps", "8", "--optimizer", "umda",
                                       "--population", "16", "--generations", "1", "--plot", file})
                         .status == 4);
  const auto text = clopt::test::read_file(file);
  has_plain_colours(text);
  check_layout(text);
  const auto words = words_of(text);
  BOOST_TEST(words.count("conflict") == 1U);
  BOOST_TEST(std::any_of(words.begin(), words.end(),
                         [](const auto& each) { return each.find(" in 8 slots, with ") != each.npos; }));
  for (int node = 0; node < 16; ++node) BOOST_TEST(words.count("from " + std::to_string(node)) == 1U);
  const auto topology = folder.file("three.txt", "nodes 3\nlink 0 1\nlink 1 2\n");
  BOOST_TEST(clopt::test::run({"exchange", "--topology", topology, "--plot", file}).status == 0);
  BOOST_TEST(words_of(clopt::test::read_file(file)).count("three.txt, all-to-all in 2 slots") == 1U);
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
