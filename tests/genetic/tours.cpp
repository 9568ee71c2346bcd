/// \file
/// Tours and assignments: what is read, and the local search, against a search by brute force that shares no code.
#include <clopt/clopt.hpp>
#include <clopt/genetic_problems.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "cities.hpp"

namespace {

using namespace clopt;

const std::filesystem::path data = std::filesystem::path(__FILE__).parent_path() / "data";

using test::Cities;
using test::drawn_only;
using test::tours_of;

// Every tour that a 2-opt move makes, tried as a whole; in it an edge is new that joins near cities.
std::size_t improving_two_opt_moves(const Cities& cities, const std::vector<double>& order) {
  std::size_t found = 0;
  const double length = cities.length(order);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      auto other = order;
      std::reverse(other.begin() + static_cast<std::ptrdiff_t>(i), other.begin() + static_cast<std::ptrdiff_t>(j) + 1);
      if (cities.length(other) >= length) continue;
      const double a = order[(i + order.size() - 1) % order.size()];
      const double b = order[i];
      const double c = order[j];
      const double d = order[(j + 1) % order.size()];
      if (cities.is_near(a, c) || cities.is_near(c, a) || cities.is_near(b, d) || cities.is_near(d, b)) {
        // A shorter tour has a new edge that is shorter than the one it replaces at one of its ends.
        const bool is_searched = (cities.is_near(a, c) && cities.apart(a, c) < cities.apart(a, b)) ||
                                 (cities.is_near(c, a) && cities.apart(a, c) < cities.apart(c, d)) ||
                                 (cities.is_near(b, d) && cities.apart(b, d) < cities.apart(a, b)) ||
                                 (cities.is_near(d, b) && cities.apart(b, d) < cities.apart(c, d));
        if (is_searched) ++found;
      }
    }
  return found;
}

// Every segment of up to three cities, turned around or not, at every other place.
std::size_t improving_or_opt_moves(const Cities& cities, const std::vector<double>& order) {
  std::size_t found = 0;
  const double length = cities.length(order);
  for (std::size_t size = 1; size <= 3 && size + 3 <= order.size(); ++size)
    for (std::size_t begin = 0; begin < order.size(); ++begin) {
      auto turned = order;
      std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(begin), turned.end());
      const std::vector<double> segment(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(size));
      const std::vector<double> rest(turned.begin() + static_cast<std::ptrdiff_t>(size), turned.end());
      for (std::size_t place = 1; place < rest.size(); ++place)
        for (const bool reversed : {false, true}) {
          auto moved = segment;
          if (reversed) std::reverse(moved.begin(), moved.end());
          auto other = rest;
          other.insert(other.begin() + static_cast<std::ptrdiff_t>(place), moved.begin(), moved.end());
          // Of a few cities every one is near.
          if (cities.length(other) < length && order.size() <= 11) ++found;
        }
    }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_tours)

// No move is left in any tour of a start population; sizes below, at and above the lists of near cities.
BOOST_AUTO_TEST_CASE(the_local_search_leaves_no_move, *boost::unit_test::label("device")) {
  for (const std::size_t count : {3U, 4U, 5U, 7U, 11U, 12U, 49U}) {
    const Cities cities(count, 17 + static_cast<unsigned>(count));
    const auto problem = genetic::tour(cities.distances);
    const auto result = genetic::solve(problem, drawn_only(9), test::device());
    const auto tours = tours_of<double>(result, count);
    BOOST_REQUIRE(tours.size() == 9U);
    for (std::size_t i = 0; i < tours.size(); ++i) {
      const auto& order = tours[i];
      BOOST_REQUIRE(test::is_tour(order));
      BOOST_TEST(result.values[i] == cities.length(order));
      if (count < 4) continue;
      BOOST_TEST(improving_two_opt_moves(cities, order) == 0U);
      BOOST_TEST(improving_or_opt_moves(cities, order) == 0U);
    }
  }
}

// Without it there are such moves: the count above can fail.
BOOST_AUTO_TEST_CASE(tours_that_were_drawn_have_moves) {
  const Cities cities(11, 5);
  auto options = drawn_only(9);
  options.improve = "none";
  const auto result = genetic::solve(genetic::tour(cities.distances), options, test::device());
  std::size_t moves = 0;
  for (const auto& order : tours_of<double>(result, 11))
    moves += improving_two_opt_moves(cities, order) + improving_or_opt_moves(cities, order);
  BOOST_TEST(moves > 9U);
}

// Children too, on every device and granularity with the same bits; elites, islands and migrants among them.
BOOST_AUTO_TEST_CASE(granularities_improve_alike, *boost::unit_test::label("device")) {
  const Cities cities(31, 3);
  const auto problem = genetic::tour(cities.distances);
  genetic::Options options;
  options.population = 7;
  options.generations = 6;
  options.restart = 2;
  options.islands = 2;
  options.migrate_every = 4;
  options.keep_population = true;
  const auto host = open_device("openmp:0");
  const auto expected = genetic::solve(problem, options, *host);
  for (const auto& granularity : {"thread", "group", "fused"}) {
    options.granularity = granularity;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.restarts == expected.restarts);
  }
  options.measure_stages = true;
  BOOST_TEST(genetic::solve(problem, options, test::device()).checksum == expected.checksum);
  const auto tours = tours_of<double>(expected, 31);
  BOOST_REQUIRE(tours.size() == 14U);
  for (std::size_t i = 0; i < tours.size(); ++i) {
    BOOST_TEST(improving_two_opt_moves(cities, tours[i]) == 0U);
    BOOST_TEST(expected.values[i] == cities.length(tours[i]));
  }
}

// TSPLIB's known optima, from the files as they are published.
BOOST_AUTO_TEST_CASE(defaults_find_the_shortest_tours) {
  for (const auto& [file, shortest] :
       {std::pair("berlin52.tsp", 7542.0), std::pair("eil76.tsp", 538.0), std::pair("kroA100.tsp", 21282.0)}) {
    genetic::Options options;
    options.target = shortest;
    const auto result = genetic::solve(genetic::read_tsplib(data / file), options, test::device());
    BOOST_TEST(result.fitness == shortest);
    BOOST_TEST((result.ending == Ending::target));
  }
}

// The value of a permutation by the matrices as they stand in the file.
BOOST_AUTO_TEST_CASE(assignments_are_valued_by_both_matrices) {
  const auto problem = genetic::read_qaplib(data / "nug30.dat");
  BOOST_TEST(problem.genes == 30U);
  std::ifstream stream(data / "nug30.dat");
  std::size_t n = 0;
  stream >> n;
  std::vector<double> numbers(2 * n * n);
  for (auto& each : numbers) stream >> each;
  auto options = drawn_only(5);
  options.improve = "none";
  const auto result = genetic::solve(problem, options, test::device());
  for (std::size_t each = 0; each < 5; ++each) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto from = static_cast<std::size_t>(result.population[each * n + i]);
        const auto to = static_cast<std::size_t>(result.population[each * n + j]);
        sum += numbers[from * n + to] * numbers[n * n + i * n + j];
      }
    BOOST_TEST(result.values[each] == sum);
  }
}

// Rounding by type, worked out by hand from TSPLIB 95, section 2; the length of the only tour of three cities.
BOOST_AUTO_TEST_CASE(distances_are_rounded_as_the_file_says) {
  const test::Folder folder;
  const auto length = [&](const std::string& text) {
    const auto file = folder.path() / "three.tsp";
    std::ofstream(file) << text;
    return genetic::solve(genetic::read_tsplib(file), drawn_only(2), test::device()).fitness;
  };
  const auto of_places = [&](const std::string& type, const std::string& places) {
    return length("NAME : three\nTYPE : TSP\nCOMMENT : by hand\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : " + type +
                  "\nNODE_COORD_SECTION\n" + places + "EOF\n");
  };
  const std::string places = "1 0 0\n2 1 1\n3 10 0\n";
  // sqrt 2 = 1.41, sqrt 82 = 9.06, 10.
  BOOST_TEST(of_places("EUC_2D", places) == 1 + 9 + 10);
  BOOST_TEST(of_places("CEIL_2D", places) == 2 + 10 + 10);
  BOOST_TEST(of_places("MAN_2D", places) == 2 + 10 + 10);
  BOOST_TEST(of_places("MAX_2D", places) == 1 + 9 + 10);
  // sqrt(2 / 10) = 0.45, sqrt(82 / 10) = 2.86, sqrt 10 = 3.16: rounded up.
  BOOST_TEST(of_places("ATT", places) == 1 + 3 + 4);
  // A quarter of the equator, twice, and half of it: 6378.388 times pi is 20038.3, and 1 is added before rounding down.
  BOOST_TEST(of_places("GEO", "1 0 0\n2 0 90\n3 90 0\n") == 3 * 10020);
  const auto of_matrix = [&](const std::string& format, const std::string& numbers) {
    return length("TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: " + format +
                  "\nEDGE_WEIGHT_SECTION\n" + numbers + "\n");
  };
  BOOST_TEST(of_matrix("FULL_MATRIX", "0 3 4\n3 0 5\n4 5 0") == 12);
  BOOST_TEST(of_matrix("UPPER_ROW", "3 4 5") == 12);
  BOOST_TEST(of_matrix("LOWER_ROW", "3\n4 5") == 12);
  BOOST_TEST(of_matrix("UPPER_DIAG_ROW", "0 3 4 0 5 0") == 12);
  BOOST_TEST(of_matrix("LOWER_DIAG_ROW", "0 3 0 4 5 0") == 12);
}

BOOST_AUTO_TEST_CASE(bad_files_and_matrices_are_refused) {
  const test::Folder folder;
  const auto refusal = [](const auto& call) {
    try {
      call();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  const std::string head = "TYPE: TSP\nDIMENSION: 3\n";
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "there is no NODE_COORD_SECTION"},
           {"hello\n", ":1: 'hello' is not KEY: VALUE"},
           {"TYPE: SOP\n", "the TYPE is 'SOP'"},
           {"DIMENSION: 2\n", "the DIMENSION is '2'"},
           {"DIMENSION: 3x\n", "the DIMENSION is '3x'"},
           {"NODE_COORD_SECTION\n", "a DIMENSION, the number of cities"},
           {head + "EDGE_WEIGHT_TYPE: EUC_3D\nNODE_COORD_SECTION\n", "the EDGE_WEIGHT_TYPE is 'EUC_3D'"},
           {head + "EDGE_WEIGHT_TYPE: EUC_2D\nEDGE_WEIGHT_SECTION\n", "the data are not those"},
           {head + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n1 2 3\n", ":6: 1 is not a city's number"},
           {head + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 x\n", "'x' stands where a coordinate should"},
           {head + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1 1\n", "where a city's number should"},
           {head + "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: NONE\nEDGE_WEIGHT_SECTION\n",
            "the EDGE_WEIGHT_FORMAT"},
           {head +
                "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 3 0 4 5 6 0\n",
            "give symmetric ones"}}) {
    const auto file = folder.path() / "bad.tsp";
    std::ofstream(file) << text;
    const auto message = refusal([&] { genetic::read_tsplib(file); });
    BOOST_TEST(message.find(part) != message.npos, message << " for " << part);
  }
  const auto says = [&](const auto& call, const std::string& part) {
    const auto message = refusal(call);
    BOOST_TEST(message.find(part) != message.npos, message << " for " << part);
  };
  says([&] { genetic::read_tsplib(folder.path() / "none"); }, "cannot be read");
  says([] { genetic::tour(std::vector<double>(5)); }, "which make no square");
  says([] { genetic::tour(std::vector<double>(4)); }, "has 2 rows; give 3 to 20000");
  says([] { genetic::tour({std::vector<double>(9, 0.5)}); }, "give whole numbers");
  says([] { genetic::assignment(std::vector<double>(4), std::vector<double>(9)); }, "give as many");
  says([] { genetic::assignment(std::vector<double>(4, 1e7), std::vector<double>(4, 1e7)); }, "passes 2^31");
  says([] { genetic::find_problem("tour:" + (data / "eil76.tsp").string(), 75); }, "has 76 genes, and `genes` is 75");
  says([] { genetic::find_problem("trap5", std::nullopt); }, "needs a `genes`");
  const auto other_size = [] {
    auto problem = genetic::read_tsplib(data / "eil76.tsp");
    problem.genes = 75;
    genetic::solve(problem, {}, test::device());
  };
  says(other_size, "`genes` is 75, which is not the number of the objective 'tour'");
}

BOOST_AUTO_TEST_SUITE_END()
