/// \file
/// Pictures of the genetic algorithm: islands and maps.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <support/folder.hpp>
#include "picture_layout.hpp"
#include "run.hpp"

using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

void run_well(const Words& words) {
  const auto outcome = clopt::test::run(words);
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_genetic_pictures)

BOOST_AUTO_TEST_CASE(a_tour_stands_on_the_map) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "tour.svg").string();
  const auto cities = std::string(CLOPT_SOURCE) + "/tests/genetic/data/berlin52.tsp";
  run_well({"genetic", "--objective", "tour:" + cities, "--generations", "20", "--device", "openmp:0", "--plot", file});
  const auto picture = clopt::test::check_layout(clopt::test::read_file(file));
  std::size_t marks = 0;
  std::string trip;
  for (const auto& [name, element] : picture.get_child("svg")) {
    marks += name == "circle";
    if (name == "polyline") trip = element.get<std::string>("<xmlattr>.points");
  }
  BOOST_TEST(marks == 52U);
  // The last curve goes through all cities and back, in its half of the picture.
  std::istringstream numbers(trip);
  std::set<std::pair<double, double>> visited;
  std::size_t points = 0;
  for (std::pair<double, double> point; numbers >> point.first && numbers.ignore() && numbers >> point.second;
       ++points) {
    BOOST_TEST((point.first >= 860 && point.first <= 1340 && point.second >= 0 && point.second <= 480));
    visited.insert(point);
  }
  BOOST_TEST(points == 53U);
  BOOST_TEST(visited.size() == 52U);
}

BOOST_AUTO_TEST_CASE(a_tour_of_islands_stands_on_the_map) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "tour.svg").string();
  const auto cities = std::string(CLOPT_SOURCE) + "/tests/genetic/data/berlin52.tsp";
  run_well({"genetic", "--objective", "tour:" + cities, "--generations", "5", "--device", "openmp:0", "--plot", file,
            "--islands", "3"});
  const auto text = clopt::test::read_file(file);
  const auto picture = clopt::test::check_layout(text);
  BOOST_TEST(text.find("a trip of 7") != std::string::npos);
  BOOST_TEST(text.find(">island 2<") != std::string::npos);
  const auto width = picture.get<double>("svg.<xmlattr>.width");
  std::size_t marks = 0;
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "circle" || !element.get<std::string>("title", "").starts_with("city ")) continue;
    const auto x = element.get<double>("<xmlattr>.cx");
    BOOST_TEST((x >= width - 480 && x <= width));
    ++marks;
  }
  BOOST_TEST(marks == 52U);
}

BOOST_AUTO_TEST_CASE(north_is_up_on_a_map_of_latitudes) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "tour.svg").string();
  // Oslo, Rome, Lisbon and Moscow: the latitude, then the longitude.
  const std::string places = "1 59.55 10.45\n2 41.54 12.30\n3 38.43 -9.08\n4 55.45 37.37\n";
  const std::string head = "NAME: four\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: ";
  const auto drawn = [&](const std::string& type) {
    const auto cities = folder.file("four.tsp", head + type + "\nNODE_COORD_SECTION\n" + places + "EOF\n");
    run_well(
        {"genetic", "--objective", "tour:" + cities, "--generations", "5", "--device", "openmp:0", "--plot", file});
    std::vector<std::pair<double, double>> marks(5);
    const auto picture = clopt::test::check_layout(clopt::test::read_file(file));
    for (const auto& [name, element] : picture.get_child("svg"))
      if (const auto title = element.get<std::string>("title", ""); name == "circle" && title.starts_with("city "))
        marks.at(std::stoul(title.substr(5))) = {element.get<double>("<xmlattr>.cx"),
                                                 element.get<double>("<xmlattr>.cy")};
    return marks;
  };
  const auto map = drawn("GEO");
  for (const auto& [west, east] : {std::pair(3U, 1U), std::pair(1U, 2U), std::pair(2U, 4U)})
    BOOST_TEST(map[west].first < map[east].first);
  for (const auto& [south, north] : {std::pair(3U, 2U), std::pair(2U, 4U), std::pair(4U, 1U)})
    BOOST_TEST(map[south].second > map[north].second);
  // A degree to the east is shorter here than one to the north: by the cosine of 49 degrees.
  const double east = (map[4].first - map[3].first) / (37 + 37 / 60.0 + 9 + 8 / 60.0);
  const double north = (map[3].second - map[1].second) / (59 + 55 / 60.0 - 38 - 43 / 60.0);
  BOOST_TEST(std::abs(east / north - 0.652) < 0.01);
  // Other places are x and y.
  const auto plane = drawn("EUC_2D");
  BOOST_TEST(plane[1].first > plane[2].first);
  BOOST_TEST(plane[4].second < plane[1].second);
}

BOOST_AUTO_TEST_CASE(islands_stand_side_by_side) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const Words words{"genetic", "--objective", "sphere",   "--genes", "3", "--population", "20", "--islands",
                    "5",       "--device",    "openmp:0", "--seed",  "7"};
  const auto with = [&](Words all, const Words& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  run_well(with(words, {"--generations", "30", "--plot", file("whole.svg")}));
  const auto picture = clopt::test::check_layout(clopt::test::read_file(file("whole.svg")));
  std::size_t curves = 0;
  std::size_t titles = 0;
  for (const auto& [name, element] : picture.get_child("svg")) {
    curves += name == "polyline";
    titles += name == "text" && element.get_value<std::string>().starts_with("island ");
  }
  BOOST_TEST(curves == 20U);
  BOOST_TEST(titles == 5U);
  // A resumed run draws what it has drawn before.
  run_well(with(words, {"--generations", "12", "--plot", file("part.svg"), "--checkpoint", file("run")}));
  run_well(
      {"genetic", "--resume", file("run"), "--generations", "30", "--plot", file("part.svg"), "--device", "openmp:0"});
  BOOST_TEST(clopt::test::read_file(file("part.svg")) == clopt::test::read_file(file("whole.svg")));
}

BOOST_AUTO_TEST_SUITE_END()
