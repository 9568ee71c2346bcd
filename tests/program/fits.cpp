/// \file
/// Fits by the program: files of data, what is refused, and what the results have.
#include <clopt/checkpoint.hpp>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "refused.hpp"

using clopt::test::refused;
using clopt::test::run;
using Words = std::vector<std::string>;

namespace {

const char* const line_text =
    "real residual(individual x, uint j) { return gene(x, 0) + gene(x, 1) * abscissa(x, j) - row(x, j); }\n";

// Files of a small fit of lines.
class Files {
 public:
  std::string file(const std::string& name, const std::string& content) { return folder_.file(name, content); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  clopt::test::TemporaryFolder folder_;

 public:
  const std::string text = file("line.cl", line_text);
  const std::string data = file("data.csv", "1,2,3,4\n2,4,6,8\n0,0,1,1\n");
};

Words fit_with(const Files& files, const Words& more) {
  Words words{"differential-evolution", "--device", "openmp:0", "--threads", "1",       "--objective", files.text,
              "--dimensions",           "2",        "--lower",  "-10",       "--upper", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::vector<std::string>> table_of(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) {
    auto& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return rows;
}

// A picture's texts, as wide as their letters are on the average.
struct Label {
  double left;
  double right;
  double top;
  double bottom;
  std::string words;
};

std::vector<Label> labels_of(const boost::property_tree::ptree& tree) {
  constexpr double letter = 0.5;  // of a size
  std::vector<Label> labels;
  for (const auto& [name, element] : tree.get_child("svg")) {
    if (name != "text") continue;
    const auto number = [&](const char* attribute) {
      return element.get<double>(std::string("<xmlattr>.") + attribute);
    };
    const double size = number("font-size");
    const auto words = element.data();
    const double length = letter * size * static_cast<double>(words.size());
    const auto anchor = element.get<std::string>("<xmlattr>.text-anchor");
    const double before = anchor == "start" ? 0 : anchor == "end" ? length : length / 2;
    const double x = number("x");
    const double y = number("y");
    // Turned ones run upwards.
    if (element.get_child_optional("<xmlattr>.transform"))
      labels.push_back({x - size, x, y + before - length, y + before, words});
    else
      labels.push_back({x - before, x - before + length, y - size, y, words});
  }
  return labels;
}

void require_tidy(const std::string& file, std::size_t least_labels) {
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(file, tree);
  const double width = tree.get<double>("svg.<xmlattr>.width");
  const double height = tree.get<double>("svg.<xmlattr>.height");
  const auto labels = labels_of(tree);
  BOOST_TEST(labels.size() >= least_labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& one = labels[i];
    BOOST_TEST((one.left >= 0 && one.right <= width && one.top >= 0 && one.bottom <= height), one.words);
    for (std::size_t k = 0; k < i; ++k) {
      const auto& other = labels[k];
      const bool apart =
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
      BOOST_TEST(apart, one.words << " lies on " << other.words);
    }
  }
  for (const auto& [name, element] : tree.get_child("svg")) {
    if (name != "circle") continue;
    BOOST_TEST(element.get<double>("<xmlattr>.cx") <= width);
    BOOST_TEST(element.get<double>("<xmlattr>.cy") <= height);
  }
}

std::size_t count_of(const std::string& file, const std::string& what) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_fits)

BOOST_AUTO_TEST_CASE(bad_input_of_fits_is_refused) {
  Files files;
  const auto refuse = [&](const Words& more, const std::string& naming) { refused(fit_with(files, more), naming); };
  const Words data{"--data", files.data};
  const auto with = [&](const Words& more) {
    Words words = data;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto file = [&](const std::string& name, const std::string& content) { return files.file(name, content); };
  refuse({}, "--data");
  refuse({"--abscissa", "columns"}, "--abscissa belongs to a fit");
  refuse({"--sigma", files.data}, "--sigma belongs to a fit");
  refuse(with({"--abscissa", files.path("none.csv")}), "cannot be read");
  refuse(with({"--abscissa", file("two.csv", "0,1,2,3\n0,1,2,3\n")}), "there are 2 rows, and --data has 3");
  refuse(with({"--abscissa", file("long.csv", "0,1,2,3,4\n")}), "row 1 has 5 numbers");
  refuse(with({"--abscissa", file("short.csv", "0,1,2\n")}), "column 4 of --abscissa");
  refuse(with({"--abscissa", file("word.csv", "0,1,x,3\n")}), "'x' is no finite number");
  refuse(with({"--abscissa", file("empty.csv", "# nothing\n")}), "has no numbers");
  refuse(with({"--abscissa", file("inf.csv", "0,1,inf,3\n")}), "'inf' is no finite number");
  refuse(with({"--sigma", file("zero.csv", "1,1,0,1\n")}), "above 0");
  refuse(with({"--sigma", file("minus.csv", "1,1,1,1\n1,1,1,1\n1,-1,1,1\n")}), "row 3, column 2 of --sigma");
  refuse(with({"--sigma", file("gap.csv", "1,,1,1\n")}), "row 1, column 2 of --sigma");
  refuse(with({"--sigma", file("four.csv", "1\n1\n1\n1\n")}), "there are 4 rows, and --data has 3");
  refuse(with({"--polish", "--no-polish"}), "contradict");
  refuse(with({"--polish=yes"}), "--polish");
  refuse(with({"--data", file("no.csv", "1,2\n,\n")}), "--data");
  refuse({"--data", file("nothing.csv", "1,2,3\nnan,nan,nan\n")}, "row 2 of --data has no datum");
  refuse({"--data", file("words.csv", "1,2,3\n1,two,3\n")}, "line 2: 'two'");
  refuse(with({"--abscissa", files.data, "--output", files.data}), "the same file");
  refuse(with({"--plot-rows", "3"}), "--plot");
  refuse(with({"--plot", files.path("a.svg"), "--plot-rows", "3"}), "--plot-rows");
  refuse(with({"--plot", files.path("a.svg"), "--plot-rows", "1,x"}), "--plot-rows");
  refuse(with({"--plot", files.path("a.svg"), "--plot-rows", "0,1,2,0,1,2,0,1,2"}), "--plot-rows");
  refuse(with({"--evaluations", "30"}), "--evaluations");
  const Words plain{"differential-evolution", "--objective", "sphere"};
  const auto refuse_plain = [&](const Words& more, const std::string& naming) {
    Words words = plain;
    words.insert(words.end(), more.begin(), more.end());
    refused(words, naming);
  };
  refuse_plain({"--polish", "--dimensions", "5000"}, "--polish is for at most 4096");
  refuse_plain({"--polish", "--evaluations", "25"}, "--evaluations");
  refuse_plain({"--abscissa", "columns"}, "real residual");
  refuse_plain({"--sigma", files.data}, "real residual");
  const auto blind = file("blind.cl", "real residual(individual x, uint j) { return gene(x, 0) - row(x, j); }\n");
  refused({"differential-evolution", "--objective", blind, "--dimensions", "1", "--lower", "0", "--upper", "1",
           "--data", files.data, "--abscissa", file("places.csv", "0,1,2,3\n")},
          "does not read abscissa(x, j)");
  const auto greatest = file("greatest.cl", "// clopt: maximise\n" + std::string(line_text));
  refused({"differential-evolution", "--objective", greatest, "--data", files.data}, "maximise");
  refused({"genetic", "--objective", files.text, "--genes", "2"}, "");
  refused({"ecga", "--objective", files.text, "--length", "2"}, "");
}

BOOST_AUTO_TEST_CASE(an_output_has_errors_and_chi_squared) {
  Files files;
  const auto output = files.path("fits.csv");
  const auto outcome = run(fit_with(files, {"--data", files.data, "--output", output, "--json"}));
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  const auto table = table_of(output);
  BOOST_REQUIRE(table.size() == 4U);
  const Words columns{"problem", "value",   "generations", "stop",        "invalid",  "x0",
                      "x1",      "error_0", "error_1",     "chi_squared", "converged"};
  BOOST_TEST(table[0] == columns, boost::test_tools::per_element());
  // y = 1, 2, 3, 4 and 2, 4, 6, 8 are lines; 0, 0, 1, 1 is -0.1 + 0.4 t, off by 0.1, 0.3, 0.3, 0.1.
  BOOST_TEST(std::abs(std::stod(table[1][6]) - 1) < 1e-3);
  BOOST_TEST(std::abs(std::stod(table[2][6]) - 2) < 1e-3);
  BOOST_TEST(std::abs(std::stod(table[3][5]) + 0.1) < 1e-3);
  BOOST_TEST(std::abs(std::stod(table[3][6]) - 0.4) < 1e-3);
  BOOST_TEST(std::abs(std::stod(table[3][9]) - 0.2) < 1e-4);
  BOOST_TEST(std::abs(std::stod(table[3][7]) - std::sqrt(0.07)) < 1e-3);
  BOOST_TEST(std::abs(std::stod(table[3][8]) - std::sqrt(0.02)) < 1e-3);
  BOOST_TEST(table[3][10] == "1");
  const auto polish = outcome.json()["polish"];
  BOOST_TEST(polish["method"] == "levenberg-marquardt");
  BOOST_TEST(polish["improved"] == 3);
  BOOST_TEST(polish["evaluations"].get<int>() > 0);
  BOOST_TEST(outcome.json()["evaluations"].get<int>() > polish["evaluations"].get<int>());
  BOOST_TEST(outcome.json()["best"]["errors"].size() == 2U);
  BOOST_TEST(run(fit_with(files, {"--data", files.data, "--no-polish", "--json"})).json()["polish"].is_null());
}

BOOST_AUTO_TEST_CASE(a_picture_shows_data_curve_and_residuals) {
  Files files;
  const auto picture = files.path("fit.svg");
  const auto draw = [&](const Words& more) {
    auto words = fit_with(files, {"--plot", picture, "--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  };
  draw({"--data", files.data});
  require_tidy(picture, 20);
  // The best, the median and the worst row, each with four data and as many residuals.
  BOOST_TEST(count_of(picture, "<polyline") == 3U);
  BOOST_TEST(count_of(picture, "<circle") == 3U * 8);
  for (const char* rank : {"(best)", "(median)", "(worst)"}) BOOST_TEST(count_of(picture, rank) == 1U);
  draw({"--data", files.data, "--plot-rows", "2,0"});
  require_tidy(picture, 15);
  BOOST_TEST(count_of(picture, "row 2:") == 1U);
  BOOST_TEST(count_of(picture, "row 1:") == 0U);
  // One row, with a datum that is missing, and numbers of other sizes.
  draw({"--data", files.file("one.csv", "1e6,,3e6,4.5e6,1e-9\n"), "--sigma",
        files.file("sigma.csv", "1e5,1e5,1e5,1e5,1e5\n")});
  require_tidy(picture, 10);
  BOOST_TEST(count_of(picture, "<polyline") == 1U);
  BOOST_TEST(count_of(picture, "<circle") == 8U);
  // Equal data, and a single one.
  draw({"--data", files.file("equal.csv", "5,5,5\n5,5,5\n")});
  require_tidy(picture, 10);
  draw({"--data", files.file("single.csv", "5\n")});
  require_tidy(picture, 3);
}

BOOST_AUTO_TEST_CASE(the_example_is_fitted) {
  Files files;
  const std::string examples = CLOPT_SOURCE "/docs/examples/";
  const auto output = files.path("fits.csv");
  const auto picture = files.path("fits.svg");
  const auto outcome = run({"differential-evolution",
                            "--device",
                            "openmp:0",
                            "--objective",
                            examples + "oscillation.cl",
                            "--dimensions",
                            "5",
                            "--lower",
                            "0,0,0,-4,-2",
                            "--upper",
                            "6,1,6,4,2",
                            "--data",
                            examples + "oscillations.csv",
                            "--abscissa",
                            examples + "times.csv",
                            "--output",
                            output,
                            "--plot",
                            picture,
                            "--json"});
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  require_tidy(picture, 30);
  const auto table = table_of(output);
  BOOST_REQUIRE(table.size() == 50U);
  // The noise of the data is 0.1: chi squared over 35 degrees of freedom.
  std::size_t good = 0;
  for (std::size_t k = 1; k < table.size(); ++k) good += std::stod(table[k][1]) < 0.01 * 35 * 2 ? 1 : 0;
  BOOST_TEST(good == 49U);
  BOOST_TEST(outcome.json()["polish"]["converged"].get<int>() >= 48);
}

BOOST_AUTO_TEST_CASE(data_may_be_missing) {
  Files files;
  const auto output = files.path("fits.csv");
  // The same lines, however what is missing is written.
  const auto gaps = files.file("gaps.csv", "t0,t1,t2,t3\n1,,3,4\n1,nan,3,4\n1;NA;3;4\n1,2,3\n1 2 3 4\n");
  const auto outcome = run(fit_with(files, {"--data", gaps, "--output", output, "--json"}));
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  const auto table = table_of(output);
  BOOST_REQUIRE(table.size() == 6U);
  for (std::size_t k = 1; k < table.size(); ++k) {
    BOOST_TEST(std::abs(std::stod(table[k][5]) - 1) < 1e-3);
    BOOST_TEST(std::abs(std::stod(table[k][6]) - 1) < 1e-3);
  }
  BOOST_TEST(table[1][1] == table[2][1]);
  BOOST_TEST(table[2][1] == table[3][1]);
}

BOOST_AUTO_TEST_CASE(a_fit_goes_on_from_its_checkpoint) {
  Files files;
  const auto gaps = files.file("gaps.csv", "1,,3,4\n0,0,1\n");
  const auto places = files.file("places.csv", "0,1,2,3\n");
  const auto sigma = files.file("sigma.csv", "1,1,1,2\n1,2,1,1\n");
  const Words whole{"--data", gaps, "--abscissa", places, "--sigma", sigma, "--json"};
  auto words = fit_with(files, whole);
  words.insert(words.end(), {"--generations", "20"});
  const auto expected = run(words).json();
  const auto checkpoint = files.path("run.checkpoint");
  words = fit_with(files, whole);
  words.insert(words.end(), {"--generations", "7", "--checkpoint", checkpoint});
  BOOST_TEST(run(words).status == 0);
  // The numbers of the files are no part of its text.
  const auto kept = clopt::Checkpoint::read(checkpoint, "differential-evolution");
  for (const char* array : {"program.data", "program.abscissa", "program.sigma"}) BOOST_TEST(kept.has(array));
  BOOST_TEST(kept.parameters().find("[[") == std::string::npos);
  // Without any of the files.
  const Words resumed{"differential-evolution", "--device", "openmp:0", "--resume", checkpoint};
  words = resumed;
  words.insert(words.end(), {"--generations", "20", "--json"});
  const auto outcome = run(words);
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  BOOST_TEST(outcome.json()["checksum"] == expected["checksum"]);
  // A row that is shorter than others is the one that was filled up.
  words.insert(words.end(), {"--data", gaps});
  BOOST_TEST(run(words).json()["checksum"] == expected["checksum"]);
  const auto refuse = [&](const Words& more) {
    Words all = resumed;
    all.insert(all.end(), more.begin(), more.end());
    refused(all, more.front());
  };
  refuse({"--no-polish"});
  refuse({"--sigma", places});
  refuse({"--abscissa", sigma});
  refuse({"--abscissa", "columns"});
  refuse({"--data", sigma});
}

BOOST_AUTO_TEST_SUITE_END()
