/// \file
/// Small fits of lines.
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <support/folder.hpp>
#include "picture_layout.hpp"
#include "run.hpp"

namespace clopt::test {

inline const std::string line_text =
    "real residual(individual x, uint j) { return gene(x, 0) + gene(x, 1) * abscissa(x, j) - row(x, j); }\n";

/// Their files.
class FitFiles {
 public:
  std::string file(const std::string& name, const std::string& content) const { return folder_.file(name, content); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  TemporaryFolder folder_;

 public:
  const std::string text = file("line.cl", line_text);
  const std::string data = file("data.csv", "1,2,3,4\n2,4,6,8\n0,0,1,1\n");
};

/// A run of them; word 6 is the text, 8 the dimensions.
inline std::vector<std::string> fit_with(const FitFiles& files, const std::vector<std::string>& more) {
  std::vector<std::string> words{
      "differential-evolution", "--device", "openmp:0", "--threads", "1",       "--objective", files.text,
      "--dimensions",           "2",        "--lower",  "-10",       "--upper", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Its texts lie in the frame and apart, and so do its points.
inline boost::property_tree::ptree check_fit_picture(const std::string& file, std::size_t least_texts) {
  auto picture = check_layout(read_file(file));
  BOOST_TEST(texts_of(picture).size() >= least_texts);
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "circle") continue;
    BOOST_TEST(element.get<double>("<xmlattr>.cx") <= picture.get<double>("svg.<xmlattr>.width"));
    BOOST_TEST(element.get<double>("<xmlattr>.cy") <= picture.get<double>("svg.<xmlattr>.height"));
  }
  return picture;
}

}  // namespace clopt::test
