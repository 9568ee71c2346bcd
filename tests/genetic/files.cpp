/// \file
/// Files of tours and assignments as they are published, and as they should not be.
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_tours.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace clopt;

const std::filesystem::path data = std::filesystem::path(__FILE__).parent_path() / "data";

std::string with_ends(std::string text, const std::string& end) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += end.size()) text.replace(at, 1, end);
  return text;
}

std::vector<double> table_of(const std::string& text, bool is_tour = true) {
  const test::Folder folder;
  const auto file = folder.path() / "file";
  test::write_file(file, text);
  return (is_tour ? genetic::read_tsplib(file) : genetic::read_qaplib(file)).objective.table_values();
}

void refuses(const std::string& text, const std::string& part, bool is_tour = true) {
  try {
    table_of(text, is_tour);
    BOOST_ERROR("taken: " << text);
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    BOOST_TEST(message.find(part) != std::string::npos, message << " for " << part);
  }
}

const std::string head = "NAME: three\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: ";
const std::string matrix = head + "EXPLICIT\nEDGE_WEIGHT_FORMAT: ";
const std::string full = matrix + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 3 4\n3 0 5\n4 5 0\n";
const std::string places = head + "EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0\n";
const std::string drawn = "DISPLAY_DATA_SECTION\n1 1 1\n2 2 2\n3 +3.0e0 3\n";

// The value of a permutation by matrices as they stand in a file.
double value_of(const std::vector<double>& table, const std::vector<std::size_t>& order) {
  const auto n = order.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) sum += table[order[i] * n + order[j]] * table[n * n + i * n + j];
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_files)

BOOST_AUTO_TEST_CASE(tours_are_read_whatever_stands_around_them) {
  const auto expected = table_of(places);
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xef\xbb\xbf"})
      for (const auto& text :
           {places, places + "EOF\n", places + drawn + "EOF\n\n \n", full, full + drawn,
            matrix + "UPPER_ROW\n" + drawn + "EDGE_WEIGHT_SECTION\n3 4\n5\nEOF",
            matrix + "LOWER_DIAG_COL\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\n" + drawn +
                "EDGE_WEIGHT_SECTION:\n0 3 4 0 5 0\n",
            matrix + "LOWER_ROW\nNODE_COORD_SECTION\n1 0 0\n2 0 9\n3 9 0\nEDGE_WEIGHT_SECTION\n3 4 5\n",
            "TYPE : TSP (A. Author)\nCOMMENT: a\nCOMMENT: 2: b\n" + places.substr(22)})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(table_of(mark + with_ends(text, end)) == expected);
}

BOOST_AUTO_TEST_CASE(nothing_of_a_tour_is_dropped) {
  refuses(full + "7\n", ":10: '7' stands behind the EDGE_WEIGHT_SECTION");
  refuses(matrix + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 3 4 3 0 5 4 5 0 1\nEOF\n", "'1' stands behind");
  refuses(matrix + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n3 4 5 6 7 8 9 10 11\n", "'6' stands behind");
  refuses(matrix + "UPPER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 3 4 0 5 0\n0\n", "'0' stands behind");
  refuses(places + "4 5 5\n", ":9: '4 5 5' stands behind the NODE_COORD_SECTION");
  refuses(places + "4 5 5\nEOF\n", "the DIMENSION 3");
  refuses(places + "+4 5 5\n", "stands behind");
  refuses(places + "EOF\n4 5 5\n", ":10: '4' stands after the end");
  refuses(places + "FIXED_EDGES_SECTION\n1 2\n-1\n", "'FIXED_EDGES_SECTION' is not understood");
  refuses(places + "TOUR_SECTION\n1\n2\n3\n-1\n", "'TOUR_SECTION' is not understood");
  refuses("DEPOT_SECTION\n" + places, "'DEPOT_SECTION' is not understood");
  refuses(places + "-1\n", "'-1' stands behind");
  refuses("CAPACITY: 3\n" + places, "the key 'CAPACITY' is not one of");
  refuses("DIMENSIONS: 4\n" + places, "the key 'DIMENSIONS'");
  refuses("DIMENSION: 4\n" + places, "DIMENSION is given twice");
  refuses("EDGE_WEIGHT_TYPE: GEO\n" + places, "EDGE_WEIGHT_TYPE is given twice");
  refuses("NODE_COORD_TYPE: THREED_COORDS\n" + places, "the NODE_COORD_TYPE is 'THREED_COORDS'");
  refuses("DISPLAY_DATA_TYPE: SOME\n" + places, "the DISPLAY_DATA_TYPE is 'SOME'");
  refuses(head + "EUC_2D\nNODE_COORD_SECTION\n1 0 0 9\n2 0 3\n3 4 0\n", ":6: '9' stands behind");
  refuses(head + "EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0 9\n", "'9' stands behind");
  refuses(head + "EUC_2D\nNODE_COORD_SECTION\n1 0\n0 2 0 3\n3 4 0\n", "in one line");
  refuses(head + "EUC_2D\nNODE_COORD_SECTION\n1 0,5 1\n2 0 3\n3 4 0\n", "'0,5' stands where a coordinate");
  refuses(head + "EUC_2D\nNODE_COORD_SECTION\n1 +-5 1\n2 0 3\n3 4 0\n", "'+-5' stands where a coordinate");
  refuses(places + "NODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0\n", "there are two of NODE_COORD_SECTION");
  refuses(head + "EXPLICIT\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0\n", "no EDGE_WEIGHT_SECTION");
  refuses(head + "EUC_2D\n" + drawn, "there is no NODE_COORD_SECTION");
  refuses(matrix + "FUNCTION\nEDGE_WEIGHT_SECTION\n", "an EDGE_WEIGHT_FORMAT");
  refuses(full + drawn + drawn, "there are two of DISPLAY_DATA_SECTION");
  refuses(full + "DISPLAY_DATA_SECTION\n1 1 1\n2 2 2\n4 3 3\n", "4 is not a city's number");
}

BOOST_AUTO_TEST_CASE(places_are_those_of_the_file) {
  const test::Folder folder;
  const auto file = folder.path() / "file.tsp";
  const auto found = [&](const std::string& text) {
    test::write_file(file, text);
    return genetic::read_cities(file);
  };
  using Places = std::vector<std::array<double, 2>>;
  BOOST_TEST((found(places).places == Places{{0, 0}, {0, 3}, {4, 0}}));
  BOOST_TEST((found(places + drawn).places == Places{{1, 1}, {2, 2}, {3, 3}}));
  BOOST_TEST(found(full).places.empty());
  BOOST_TEST(!found(places).are_geographical);
  BOOST_TEST(found(head + "GEO\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0\n").are_geographical);
  BOOST_TEST(!found(head + "GEO\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 0\n" + drawn).are_geographical);
}

BOOST_AUTO_TEST_CASE(assignments_are_read_as_they_are_published) {
  const std::vector<double> expected{0, 1, 2, 0, 0, 5, 7, 0};
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xef\xbb\xbf"})
      for (const std::string text : {"2\n0 1\n2 0\n0 5\n7 0\n", " 2\n\n0 1 2 0\n\n0 5 7 0", "2 9\n0 1\n2 0\n0 5\n7 0\n",
                                     "2 0 1 2 0 0 5 7 0", "  2   9  \n\n 0 1\n 2 0\n\n 0 +5\n 7 0\n \n"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(table_of(mark + with_ends(text, end), false) == expected);
  BOOST_TEST((table_of("1\n4\n6\n", false) == std::vector<double>{4, 6}));
  BOOST_TEST((table_of("1 4\n6\n", false) == std::vector<double>{4, 6}));
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"2\n0 1\n2 0\n0 5\n7 0\n3\n", "there is more than two matrices of 2 rows"},
           {"2 9\n0 1\n2 0\n0 5\n7 0 3\n", "more than two"},
           {"2 9 9\n0 1\n2 0\n0 5\n7 0\n", "more than two"},
           {"2 9\n0 1\n2 0\n0 5\n7\n", "the file ends where a flow should stand"},
           {"2\n0 1\n2 0\n0 5\n7\n", "the file ends where a flow"},
           {"2 x\n0 1\n2 0\n0 5\n7 0\n", ":1: 'x' stands where"},
           {"2\n0 1\n2 0\n0 5,5\n7 0\n", ":4: '5,5' stands where a flow"},
           {"2,9\n", "'2,9' stands where the number of places"},
           {"2\n0 1\n2 0.5\n0 5\n7 0\n", "give whole numbers"},
           {"2\n0 1\n-2 0\n0 5\n7 0\n", "give whole numbers"},
           {"0\n", "is not a number of places"},
           {"\n", "the file ends where the number of places"}})
    BOOST_TEST_CONTEXT(text) refuses(text, part, false);
}

// Taillard's instance, whose optimum is known (Burkard, Karisch and Rendl, QAPLIB, 1997).
BOOST_AUTO_TEST_CASE(the_bound_of_products_is_no_looser_than_needed) {
  const auto table = genetic::read_qaplib(data / "tai20b.dat").objective.table_values();
  std::vector<std::size_t> order(20);
  std::iota(order.begin(), order.end(), 0U);
  BOOST_TEST(value_of(table, order) == 283943307.0);
  const std::vector<std::size_t> best{7, 15, 13, 16, 3, 10, 2, 18, 6, 8, 0, 14, 5, 12, 9, 1, 4, 19, 17, 11};
  BOOST_TEST(value_of(table, best) == 122455319.0);
  // One large distance meets one large flow: what is below 2^31 is taken, and 2^31 is not.
  const auto two = [](double distance, double flow) {
    return genetic::assignment(std::vector<double>{0, distance, 0, 0}, std::vector<double>{0, flow, 1, 0});
  };
  BOOST_CHECK_NO_THROW(two(65536, 32767));
  BOOST_CHECK_THROW(two(65536, 32768), InvalidInput);
  // Diagonals meet each other only.
  BOOST_CHECK_NO_THROW(
      genetic::assignment(std::vector<double>{65536, 0, 0, 65536}, std::vector<double>{0, 65536, 65536, 0}));
  BOOST_CHECK_THROW(genetic::assignment(std::vector<double>{65536, 0, 0, 0}, std::vector<double>{65536, 0, 0, 0}),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(large_values_are_exact, *boost::unit_test::label("device")) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  // Floats have 122455320 in its place.
  genetic::Options options;
  options.initial = {7, 15, 13, 16, 3, 10, 2, 18, 6, 8, 0, 14, 5, 12, 9, 1, 4, 19, 17, 11};
  options.target = 122455319.0;
  options.generations = 5;
  const auto result = genetic::solve(genetic::read_qaplib(data / "tai20b.dat"), options, test::device());
  BOOST_TEST(result.fitness == 122455319.0);
  BOOST_TEST((result.ending == Ending::target));
}

BOOST_AUTO_TEST_SUITE_END()
