// The problems against evaluators written here anew, and what their files and names may not be.
#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <objective/evaluation.hpp>
#include <support/folder.hpp>

namespace {

using namespace clopt;
using Genes = std::vector<int>;
using Value = std::function<double(const Genes&)>;

std::vector<std::uint32_t> words_of(const Genes& genes) {
  std::vector<std::uint32_t> words((genes.size() + 31) / 32);
  for (std::size_t i = 0; i < genes.size(); ++i) words[i / 32] |= static_cast<std::uint32_t>(genes[i]) << i % 32;
  return words;
}

// Random individuals, all zeros, all ones, and ones of long runs.
std::vector<Genes> random_individuals(std::size_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Genes> all{Genes(length, 0), Genes(length, 1)};
  for (int i = 0; i < 40; ++i) {
    Genes genes(length);
    int value = 0;
    for (auto& gene : genes) {
      if (random() % (i % 2 == 0 ? 2 : 7) == 0) value ^= 1;
      gene = value;
    }
    all.push_back(genes);
  }
  return all;
}

void check(const ecga::Problem& problem, const Value& value) {
  const auto all = random_individuals(problem.length, problem.length);
  std::vector<std::vector<std::uint32_t>> words;
  words.reserve(all.size());
  for (const auto& genes : all) words.push_back(words_of(genes));
  for (const auto layout : {test::Layout::one_by_one, test::Layout::side_by_side}) {
    const auto given = test::evaluate<float>(problem.objective, words, problem.length, layout);
    BOOST_TEST_CONTEXT(problem.objective.name())
    for (std::size_t i = 0; i < all.size(); ++i)
      BOOST_TEST(static_cast<double>(given[i]) == value(all[i]), boost::test_tools::tolerance(1e-5));
  }
}

int ones(const Genes& genes, std::size_t begin, std::size_t count) {
  int sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += genes[(begin + i) % genes.size()];
  return sum;
}

int trap(int ones, int order) { return ones == order ? order : order - 1 - ones; }

double blocks(const Genes& genes, std::size_t step, std::size_t order, const std::function<double(int)>& value) {
  double sum = 0;
  for (std::size_t begin = 0; begin < genes.size(); begin += step) sum += value(ones(genes, begin, order));
  return sum;
}

// The sum over all blocks of one size, halves first (the definition of Watson et al.).
double hiff(const Genes& genes, std::size_t begin, std::size_t size) {
  const int count = ones(genes, begin, size);
  const double own = count == 0 || count == static_cast<int>(size) ? static_cast<double>(size) : 0;
  return size == 1 ? own : own + hiff(genes, begin, size / 2) + hiff(genes, begin + size / 2, size / 2);
}

// The best of all individuals.
double best_of_all(std::size_t length, const Value& value) {
  double best = -1e30;
  for (std::uint32_t pattern = 0; pattern < 1U << length; ++pattern) {
    Genes genes(length);
    for (std::size_t i = 0; i < length; ++i) genes[i] = static_cast<int>(pattern >> i & 1);
    best = std::max(best, value(genes));
  }
  return best;
}

Value value_of_nk(const std::vector<double>& table, std::size_t neighbours) {
  return [=](const Genes& genes) {
    const std::size_t values = std::size_t{2} << neighbours;
    double sum = 0;
    for (std::size_t locus = 0; locus < genes.size(); ++locus) {
      const auto first = 1 + locus * (neighbours + values);
      auto index = static_cast<std::size_t>(genes[locus]);
      for (std::size_t k = 0; k < neighbours; ++k)
        index += static_cast<std::size_t>(genes[static_cast<std::size_t>(table[first + k])]) << (k + 1);
      sum += table[first + neighbours + index];
    }
    return sum;
  };
}

void refuses(const std::function<void()>& action, const std::string& part) {
  try {
    action();
  } catch (const InvalidInput& error) {
    BOOST_TEST(std::string(error.what()).find(part) != std::string::npos, error.what());
    return;
  }
  BOOST_ERROR("not refused: " << part);
}

std::string file_with(const test::Folder& folder, const std::string& text) {
  const auto file = folder.path() / "file";
  test::write_file(file, text);
  return file.string();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_problems)

BOOST_AUTO_TEST_CASE(values, *boost::unit_test::label("device")) {
  for (const std::uint32_t order : {2U, 5U, 7U, 32U})
    check(ecga::trap(order, 3 * order), [&](const Genes& genes) {
      return blocks(genes, order, order, [&](int n) { return trap(n, static_cast<int>(order)); });
    });
  check(ecga::step_trap(7, 2, 35), [](const Genes& genes) {
    return blocks(genes, 7, 7, [](int n) { return std::floor((1 + trap(n, 7)) / 2.0); });
  });
  check(ecga::folded_trap(6, 36), [](const Genes& genes) {
    return blocks(genes, 6, 6,
                  [](int n) { return std::vector{5.0, 0.0, 2.0, 4.0, 2.0, 0.0, 5.0}[static_cast<std::size_t>(n)]; });
  });
  check(ecga::cyclic_trap(5, 36),
        [](const Genes& genes) { return blocks(genes, 4, 5, [](int n) { return trap(n, 5); }); });
  for (const std::uint32_t length : {1U, 2U, 64U})
    check(ecga::hiff(length), [&](const Genes& genes) { return hiff(genes, 0, length); });
}

BOOST_AUTO_TEST_CASE(values_of_landscapes, *boost::unit_test::label("device")) {
  const auto nk = ecga::nearest_neighbour_nk(3, 33, 7);
  check(nk, value_of_nk(nk.objective.table_values(), 3));
  const auto glass = ecga::ising(5, 3);
  const auto& bonds = glass.objective.table_values();
  BOOST_TEST(bonds[0] == 50.0);
  check(glass, [&](const Genes& genes) {
    double sum = 0;
    for (std::size_t bond = 0; bond < 50; ++bond) {
      const int spin = 2 * genes[static_cast<std::size_t>(bonds[3 * bond + 1])] - 1;
      const int other = 2 * genes[static_cast<std::size_t>(bonds[3 * bond + 2])] - 1;
      sum += spin * other * bonds[3 * bond + 3];
    }
    return sum;
  });
}

BOOST_AUTO_TEST_CASE(known_optima_are_the_best_of_all) {
  for (const std::uint32_t neighbours : {0U, 1U, 2U, 4U})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto nk = ecga::nearest_neighbour_nk(neighbours, 11, seed);
      const auto best = best_of_all(11, value_of_nk(nk.objective.table_values(), neighbours));
      BOOST_TEST(nk.objective.optimum().value() == best, boost::test_tools::tolerance(1e-6));
    }
  BOOST_TEST(ecga::step_trap(6, 2, 12).objective.optimum().value() == 6.0);
  BOOST_TEST(ecga::hiff(8).objective.optimum().value() == 32.0);
  BOOST_TEST(ecga::cyclic_trap(5, 12).objective.optimum().value() == 15.0);
  BOOST_TEST(ecga::find_problem("onemax", 7, 1).objective.optimum().value() == 7.0);
}

BOOST_AUTO_TEST_CASE(files_are_read, *boost::unit_test::label("device")) {
  const test::Folder folder;
  const auto sat =
      ecga::read_dimacs(file_with(folder, "c a comment\np cnf 4 3\n1 -2 0\nc in between\n2 3\n-4 0 4 0\n%\n0\n"));
  BOOST_TEST(sat.length == 4U);
  check(sat, [](const Genes& g) { return (g[0] || !g[1] ? 1 : 0) + (g[1] || g[2] || !g[3] ? 1 : 0) + (g[3] ? 1 : 0); });
  const auto nk = ecga::read_nk(file_with(folder, "3 1 # N K\n2  0 1 2 3.5\n0  1 1 -1 1\n1  0 0 0 2e1\n"));
  check(nk, [](const Genes& g) {
    const auto pattern = [&](std::size_t own, std::size_t neighbour) {
      return (g[own] ? 1U : 0U) + (g[neighbour] ? 2U : 0U);
    };
    return std::vector{0.0, 1.0, 2.0, 3.5}[pattern(0, 2)] + std::vector{1.0, 1.0, -1.0, 1.0}[pattern(1, 0)] +
           (g[2] && g[1] ? 20 : 0);
  });
  const auto glass = ecga::read_ising(file_with(folder, "3 2\n1 2 1\n2 3 -0.5\n"));
  check(glass, [](const Genes& g) { return (g[0] == g[1] ? 1 : -1) - 0.5 * (g[1] == g[2] ? 1 : -1); });
}

BOOST_AUTO_TEST_CASE(weighted_clauses_are_read, *boost::unit_test::label("device")) {
  const test::Folder folder;
  // Weights 3 and 0, and a hard clause: 4 of the weight 4 and more than TOP.
  const auto value = [](const Genes& g) {
    double sum = g[0] || !g[1] ? 3 : 0;
    sum -= g[1] || g[2] ? 0 : 4;
    return sum - (g[3] ? 0 : 4);
  };
  const auto classic =
      ecga::read_dimacs(file_with(folder, "c optimum 3\np wcnf 4 4 4\n3 1 -2 0\n4 2 3 0\n0 -3 0\n5 4\n0\n"));
  BOOST_TEST(classic.length == 4U);
  BOOST_TEST(classic.objective.optimum().value() == 3.0);
  check(classic, value);
  const auto without_top = ecga::read_dimacs(file_with(folder, "p wcnf 2 2\n3 1 0\n7 -2 0\n"));
  BOOST_TEST(!without_top.objective.optimum());
  check(without_top, [](const Genes& g) { return (g[0] ? 3 : 0) + (g[1] ? 0 : 7); });
  const auto file = folder.path() / "new.wcnf";
  test::write_file(file, "c of 2022\n3 1 -2 0\nh 2 3 0\n0 -3 0\nh 4 0\n");
  const auto recent = ecga::read_dimacs(file);
  BOOST_TEST(recent.length == 4U);
  check(recent, value);
}

BOOST_AUTO_TEST_CASE(files_state_the_optimum, *boost::unit_test::label("device")) {
  const test::Folder folder;
  BOOST_TEST(ecga::read_dimacs(file_with(folder, "c optimum 2\np cnf 2 2\n1 0\n2 0\n")).objective.optimum().value() ==
             2.0);
  BOOST_TEST(ecga::read_ising(file_with(folder, "# optimum 1.5\n3 2\n1 2 1\n2 3 -0.5\n")).objective.optimum().value() ==
             1.5);
  BOOST_TEST(ecga::read_nk(file_with(folder, "1 0 # optimum 2\n1 2\n")).objective.optimum().value() == 2.0);
  BOOST_TEST(!ecga::read_nk(file_with(folder, "1 0 # optimum of all\n1 2\n")).objective.optimum());
  // Bonds 0-1 and 1-2 of a file that counts spins from 0.
  const auto glass = ecga::read_ising(file_with(folder, "-3 001\n2\n0 1 1\n1 2 -2\n"));
  BOOST_TEST(glass.length == 3U);
  BOOST_TEST(glass.objective.optimum().value() == 3.0);
  check(glass, [](const Genes& g) { return (g[0] == g[1] ? 1 : -1) - 2 * (g[1] == g[2] ? 1 : -1); });
  // Two neighbours on a ring of four; a locus is the highest bit.
  const auto ring = ecga::read_nk(file_with(
      folder, "0.5 1111\n3.5 0000\n1 0 0 0 0 0 0 0\n1 0 0 0 0 0 .25 0\n1 0 0 0 0 0 0 0\n.5 0 0 0 0 0 0 .5\n"));
  BOOST_TEST(ring.length == 4U);
  BOOST_TEST(ring.objective.optimum().value() == 3.5 - 3.0 / 131072, boost::test_tools::tolerance(1e-12));
  check(ring, [](const Genes& g) {
    const auto none = [&](std::size_t i) { return !g[i] && !g[(i + 1) % 4] && !g[(i + 2) % 4]; };
    return (none(0) ? 1 : 0) + (none(1) ? 1 : 0) + (none(2) ? 1 : 0) + (none(3) ? 0.5 : 0) +
           (g[1] && g[2] && !g[3] ? 0.25 : 0) + (g[3] && g[0] && g[1] ? 0.5 : 0);
  });
}

BOOST_AUTO_TEST_CASE(public_spin_glasses_are_read) {
  const std::filesystem::path folder = CLOPT_TEST_DATA;
  BOOST_TEST(ecga::read_ising(folder / "IsingSpinGlass_pm_36_7.txt").length == 36U);
  const auto problem = ecga::read_ising(folder / "IsingSpinGlass_pm_16_0.txt");
  BOOST_TEST(problem.length == 16U);
  BOOST_TEST(problem.objective.optimum().value() == 20.0);
  const auto& bonds = problem.objective.table_values();
  BOOST_TEST_REQUIRE(bonds[0] == 32.0);
  const auto best = best_of_all(16, [&](const Genes& genes) {
    double sum = 0;
    for (std::size_t bond = 0; bond < 32; ++bond) {
      const auto one = genes[static_cast<std::size_t>(bonds[3 * bond + 1])];
      const auto other = genes[static_cast<std::size_t>(bonds[3 * bond + 2])];
      sum += one == other ? bonds[3 * bond + 3] : -bonds[3 * bond + 3];
    }
    return sum;
  });
  BOOST_TEST(best == 20.0);
}

BOOST_AUTO_TEST_CASE(bad_files_are_refused_with_the_line) {
  const test::Folder folder;
  const auto dimacs = [&](const std::string& text, const std::string& part) {
    refuses([&] { ecga::read_dimacs(file_with(folder, text)); }, part);
  };
  dimacs("", "'p cnf VARIABLES CLAUSES'");
  dimacs("c nothing follows\n", "'p cnf VARIABLES CLAUSES'");
  dimacs("p sat 2 1 3\n", "the format is 'sat', and cnf and wcnf can be read");
  dimacs("p wcnf 2 1 3\n", "the file ends where a clause's weight");
  dimacs("p wcnf 2 1 3\n1 1 -3 0\n", ":2: '-3' stands");
  dimacs("p wcnf 2 1 3\n-1 1 0\n", ":2: '-1' stands where a clause's weight");
  dimacs("p wcnf 2 1 3\n1 1 0\n1 2 0\n", "after the end of the data");
  dimacs("p wcnf 2 1\n9007199254740992 1 0\n", "add up to 2^53 or more");
  dimacs("h 0\n", "no literal in any clause");
  dimacs("h 1 2\n", "the file ends where a literal");
  dimacs("h 1 0\nx 2 0\n", ":2: 'x' stands where a clause's weight");
  dimacs("p cnf 0 1\n", ":1: '0' stands where the number of variables");
  dimacs("p cnf 2 1\n1 3 0\n", ":2: '3' stands");
  dimacs("p cnf 2 1\n1 -\n", "'-' stands");
  dimacs("p cnf 2 2\n1 0\n2", "the file ends");
  dimacs("p cnf 2 1\n1 0\n2 0\n", "stands after the 1 clauses");
  const auto nk = [&](const std::string& text, const std::string& part) {
    refuses([&] { ecga::read_nk(file_with(folder, text)); }, part);
  };
  nk("\t\n", "the file ends where the number of loci");
  nk("3\n", "the file ends where the number of neighbours");
  nk("2 2\n", "from 0 to 1");
  nk("2 1\n0 1 2 3 4\n", "is its own");
  nk("2 1\n1 1 2 3 4\n0 1 2 3\n", "the file ends");
  nk("2 0\n1 2\n3 nan\n", "'nan' stands");
  nk("1 0\n1 2\n3\n", "after the end of the data");
  nk("1 111\n", "the file ends where the highest value");
  nk("1 111\n0.5 000\n", ":2: '0.5' stands where the highest value");
  nk("1 111\n2 00\n", "have 3 and 2 loci");
  nk("1 111\n2 012\n", "'012' stands where a solution should");
  nk("1 111\n2 000\n1 2 3 4 5 6 7\n", "7 values are not 2^(K+1) for each of 3 loci");
  nk("1 111\n2 000\n1 2 3 4 5 6\n", "has the value 9, and not 2");
  const auto glass = [&](const std::string& text, const std::string& part) {
    refuses([&] { ecga::read_ising(file_with(folder, text)); }, part);
  };
  glass("-1 01\n1\n0 1 1\n", "has the energy 1, and not -1");
  glass("-1 0x\n", "'0x' stands where a solution should");
  glass(",  ,\n", "',' stands where the number of spins should");
  glass("-1\n", "stands where a solution should");
  glass("0 1\n", "2 spins or more");
  glass("-1 00\n1\n0 2 1\n", ":3: '2' stands where a spin");
  glass("-1 00\n1\n0 0 1\n", "bound to itself");
  glass("-1 00\n1\n0 1 1\n7\n", "after the end of the data");
  refuses([&] { ecga::read_ising(file_with(folder, "2 1\n1 1 1\n")); }, "bound to itself");
  refuses([&] { ecga::read_ising(file_with(folder, "2 1\n1 3 1\n")); }, "'3' stands");
  refuses([] { ecga::read_nk("nowhere"); }, "nowhere cannot be read");
}

BOOST_AUTO_TEST_CASE(files_may_have_a_mark_and_any_ends_of_lines) {
  const test::Folder folder;
  const auto tables = [&](const auto& read, const std::string& text) {
    const auto expected = read(file_with(folder, text));
    for (const std::string end : {"\n", "\r\n", "\r"})
      for (const std::string mark : {"", "\xef\xbb\xbf"}) {
        auto changed = mark;
        for (const char c : text) changed += c == '\n' ? end : std::string(1, c);
        const auto found = read(file_with(folder, changed));
        BOOST_TEST(found.objective.table_values() == expected.objective.table_values());
        BOOST_TEST((found.objective.optimum() == expected.objective.optimum()));
        BOOST_TEST(found.length == expected.length);
      }
  };
  tables(ecga::read_nk, "# optimum +2\n1 0 # N\n1 2\n");
  tables(ecga::read_nk, "1 111\n3 000\n1 2 1 2 1 2\n");
  tables(ecga::read_ising, "3 2\n1 2 +1\n2 3 -0.5\n");
  tables(ecga::read_ising, "-3 001\n2\n0 1 1\n1 2 -2\n");
  tables(ecga::read_dimacs, "c optimum 1 of all\np cnf 2 1\n1 -2 0\n%\n0\n\n");
  tables(ecga::read_dimacs, "c p\np wcnf 2 2 9\n9 1 0\n3 2 0\n");
  tables(ecga::read_dimacs, "h 1 0\n3 2 0\n");
}

BOOST_AUTO_TEST_CASE(the_top_of_hard_clauses_may_be_any_number, *boost::unit_test::label("device")) {
  const test::Folder folder;
  for (const char* top : {"5", "16777216", "4611686018427387905", "9223372036854775807", "18446744073709551615"}) {
    const auto problem =
        ecga::read_dimacs(file_with(folder, fmt::format("p wcnf 2 3 {0}\n{0} 1 0\n4 2 0\n3 -1 0\n", top)));
    check(problem, [](const Genes& g) { return (g[0] ? 0 : -8) + (g[1] ? 4 : 0) + (g[0] ? 0 : 3); });
  }
  // One less than a top is a weight, not a hard clause's.
  refuses([&] { ecga::read_dimacs(file_with(folder, "p wcnf 1 1 9223372036854775807\n9223372036854775806 1 0\n")); },
          "add up to 2^53 or more");
  for (const char* top : {"0", "-1", "18446744073709551616", "1.5", "x"})
    refuses([&] { ecga::read_dimacs(file_with(folder, fmt::format("p wcnf 1 1 {}\n1 1 0\n", top))); }, ":1: '");
}

BOOST_AUTO_TEST_CASE(nothing_of_a_file_is_dropped) {
  const test::Folder folder;
  const auto dimacs = [&](const std::string& text, const std::string& part) {
    refuses([&] { ecga::read_dimacs(file_with(folder, text)); }, part);
  };
  dimacs("p cnf 2 1 2\n1 0\n", ":1: '2' stands behind the end");
  dimacs("p wcnf 2 1 3 1\n1 1 0\n", ":1: '1' stands behind the end");
  dimacs("p cnf 2 1\n1 0\n%\n0\n1 0\n", ":5: '1' stands after");
  dimacs("p cnf 2 1\n1 0\n%\n1 0\n", ":4: '1' stands after");
  dimacs("p cnf 2 1\n1 2\n", "the file ends");
  dimacs("p cnf 2 1\n+-1 0\n", "'+-1' stands");
  dimacs("p cnf 2 1\n1.0 0\n", "'1.0' stands");
  dimacs("p cnf 2 1\n1 \xef\xbb\xbf 0\n", "'\\xef\\xbb\\xbf' stands");
  dimacs("c optimum 1,5\np cnf 2 1\n1 0\n", ":1: '1,5' stands where the comment's optimum");
  dimacs("c optimum 5x\np cnf 2 1\n1 0\n", "'5x' stands where the comment's optimum");
  const auto others = [&](const std::string& text, const std::string& part) {
    refuses([&] { ecga::read_nk(file_with(folder, text)); }, part);
    refuses([&] { ecga::read_ising(file_with(folder, text)); }, part);
  };
  others("1 0\n1 2 3\n", "stands");
  others("# optimum 0x10\n2 1\n1 2 1\n", "'0x10' stands where the comment's optimum");
  others("2 1\n1 0 1\n1 0 nan\n", "stands");
  refuses([&] { ecga::read_ising(file_with(folder, "2 1\n1 2 1\n3\n")); }, "stands after the end of the data");
  refuses([&] { ecga::read_nk(file_with(folder, "1 0\n0,5 1,5\n")); }, "'0,5' stands where a value should");
}

BOOST_AUTO_TEST_CASE(bad_names_and_lengths_are_refused) {
  const auto find = [](const std::string& name, std::optional<std::uint32_t> length, const std::string& part) {
    refuses([&] { ecga::find_problem(name, length, 1); }, part);
  };
  find("trap5", {}, "needs a `length`");
  find("trap5", 12, "do not divide the `length` 12");
  find("trap1", 12, "orders from 2 to 32");
  find("trap", 12, "there is no `objective` 'trap'");
  find("trapp5", 10, "there is no `objective`");
  find("sphere", 10, "there is no `objective` 'sphere'");
  find("folded-trap5", 10, "even order");
  find("cyclic-trap5", 4, "at least two");
  find("cyclic-trap5", 10, "blocks of 4 loci");
  find("hiff", 12, "power of two");
  find("nk5", 5, "fewer than loci");
  find("nk13", 100, "up to 12 neighbours");
  find("ising", 24, "square number");
  find("maxsat:nowhere.cnf", {}, "nowhere.cnf cannot be read");
}

BOOST_AUTO_TEST_CASE(a_trap_of_no_order_is_refused) {
  for (const double order : {0.0, 1.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    auto objective = Objective::named("trap");
    objective.set_table_values({order});
    refuses([&] { ecga::check({objective, 10}, {}); }, "give one from 2 to 32");
  }
}

BOOST_AUTO_TEST_SUITE_END()
