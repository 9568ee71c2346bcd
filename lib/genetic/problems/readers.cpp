/// \file
/// Problems of permutations that are read: TSPLIB and QAPLIB.
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distances.hpp"
#include "permutation_objectives.hpp"
#include "places.hpp"

namespace clopt::genetic {
namespace {

// TSPLIB 95, section 2.4: DDD.MM.
double degrees_of(double angle) {
  const double whole = std::trunc(angle);
  return whole + 5.0 * (angle - whole) / 3.0;
}
// With its value of pi.
double radians(double angle) { return 3.141592 * degrees_of(angle) / 180.0; }

double of_blocks(Place a, Place b, double scale) {
  return rounded(scale * (std::fabs(a[0] - b[0]) + std::fabs(a[1] - b[1])));
}
double of_the_longer_side(Place a, Place b, double scale) {
  return std::max(rounded(scale * std::fabs(a[0] - b[0])), rounded(scale * std::fabs(a[1] - b[1])));
}
double pseudo_euclidean(Place a, Place b, double scale) {
  const double r = scale * std::sqrt(((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])) / 10.0);
  const double whole = rounded(r);
  return whole < r ? whole + 1 : whole;
}
double geographical(Place a, Place b, double scale) {
  const double q1 = std::cos(radians(a[1]) - radians(b[1]));
  const double q2 = std::cos(radians(a[0]) - radians(b[0]));
  const double q3 = std::cos(radians(a[0]) + radians(b[0]));
  // Of opposite places it is rounded beyond -1.
  const double cosine = std::clamp(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0);
  return std::floor(scale * (6378.388 * std::acos(cosine)) + 1.0);
}

Distance distance_of(const std::string& type) {
  static const std::map<std::string, Distance> known{{"EUC_2D", euclidean},     {"CEIL_2D", rounded_up},
                                                     {"MAN_2D", of_blocks},     {"MAX_2D", of_the_longer_side},
                                                     {"ATT", pseudo_euclidean}, {"GEO", geographical}};
  const auto found = known.find(type);
  return found == known.end() ? nullptr : found->second;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\v\f";
  const auto first = text.find_first_not_of(white);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// The keys that matter, and what their values may be: any where there are none.
const std::map<std::string_view, std::vector<std::string_view>> known_keys{
    {"NAME", {}},
    {"COMMENT", {}},
    {"TYPE", {}},
    {"DIMENSION", {}},
    {"EDGE_WEIGHT_TYPE", {"EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "GEO", "ATT", "EXPLICIT"}},
    {"EDGE_WEIGHT_FORMAT",
     {"FULL_MATRIX", "UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL",
      "UPPER_DIAG_COL", "LOWER_DIAG_COL", "FUNCTION"}},
    {"NODE_COORD_TYPE", {"TWOD_COORDS", "NO_COORDS"}},
    {"DISPLAY_DATA_TYPE", {"COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY"}}};

/// A file of TSPLIB 95: lines `KEY: VALUE`, then sections of data. Whatever it does not understand is refused.
class TsplibReader {
 public:
  TsplibReader(TextReader& text, std::uint32_t decimals) : text_(text), decimals_(decimals) {
    while (text_.next_line()) {
      const std::string line(text_.rest_of_line());
      const auto colon = std::min(line.find(':'), line.size());
      const auto key = trimmed(std::string_view(line).substr(0, colon));
      const auto value = trimmed(std::string_view(line).substr(std::min(colon + 1, line.size())));
      if (line.empty()) continue;
      if (key == "EOF" && value.empty()) {
        text_.require_end();
        return;
      }
      if (key.ends_with("_SECTION") && value.empty())
        take_section(std::string(key));
      else if (colon < line.size())
        take_value(std::string(key), std::string(value));
      else
        refuse_line(line);
    }
  }

  Cities cities() {
    const auto& type = values_["EDGE_WEIGHT_TYPE"];
    const bool are_many =
        weights_.empty() && dimension_ >= least_cities_by_places && (type == "EUC_2D" || type == "CEIL_2D");
    Cities cities{.count = dimension_,
                  .distances = are_many && !places_.empty() ? std::vector<double>() : distances(),
                  .by_places = are_many && !places_.empty(),
                  .round_up = type == "CEIL_2D",
                  .decimals = decimals_};
    // The places that lengths are of.
    if (cities.by_places) displayed_.clear();
    cities.are_geographical = displayed_.empty() && values_["EDGE_WEIGHT_TYPE"] == "GEO";
    cities.places = std::move(displayed_.empty() ? places_ : displayed_);
    if (cities.are_geographical)
      for (auto& place : cities.places) place = {degrees_of(place[0]), degrees_of(place[1])};
    return cities;
  }

 private:
  std::vector<double> distances() {
    const auto distance = distance_of(values_["EDGE_WEIGHT_TYPE"]);
    if (weights_.empty() && (places_.empty() || distance == nullptr))
      text_.refuse("there is no NODE_COORD_SECTION and no EDGE_WEIGHT_SECTION; give a symmetric problem of TSPLIB");
    if (weights_.empty()) return distances_between(places_, distance, decimals_);
    if (!is_asymmetric()) require_symmetric();
    return std::move(weights_);
  }

  bool is_asymmetric() { return values_["TYPE"].starts_with("ATSP"); }

  void require_symmetric() const {
    for (std::size_t a = 0; a < dimension_; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (weights_[a * dimension_ + b] != weights_[b * dimension_ + a])
          text_.refuse(
              fmt::format("the distance from {} to {} is {}, and {} back; give symmetric ones, or the TYPE ATSP", a + 1,
                          b + 1, weights_[a * dimension_ + b], weights_[b * dimension_ + a]));
  }

  [[noreturn]] void refuse_line(const std::string& line) const {
    const auto word = std::string_view(line).substr(0, line.find_first_of(" \t"));
    if (!section_.empty() && TextReader::number_of<double>(word))
      text_.refuse(fmt::format("'{}' stands behind the {}, which the DIMENSION {} and the format make complete",
                               TextReader::shown(line), section_, dimension_));
    text_.refuse(fmt::format("'{}' is not KEY: VALUE, as TSPLIB has it", TextReader::shown(line)));
  }

  void take_value(const std::string& key, const std::string& value) {
    const auto known = known_keys.find(key);
    if (known == known_keys.end()) {
      // clang 14 does not compile std::views::keys of this library.
      std::vector<std::string_view> names(known_keys.size());
      std::transform(known_keys.begin(), known_keys.end(), names.begin(), [](const auto& each) { return each.first; });
      text_.refuse(fmt::format("the key '{}' is not one of a symmetric tour in TSPLIB: {}", TextReader::shown(key),
                               fmt::join(names, ", ")));
    }
    const auto& choices = known->second;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
      text_.refuse(
          fmt::format("the {} is '{}'; give one of {}", key, TextReader::shown(value), fmt::join(choices, ", ")));
    // Some files name their author behind it.
    if (const auto type = value.substr(0, value.find(' ')); key == "TYPE" && type != "TSP" && type != "ATSP")
      text_.refuse(fmt::format("the TYPE is '{}', and only TSP and ATSP, symmetric and asymmetric tours, can be read",
                               TextReader::shown(value)));
    if (!values_.try_emplace(key, value).second && key != "COMMENT" && key != "NAME")
      text_.refuse(fmt::format("{} is given twice", key));
    if (key != "DIMENSION") return;
    dimension_ = number_in<std::size_t>(value).value_or(0);
    if (dimension_ < 3 || dimension_ > most_cities_by_places)
      text_.refuse(
          fmt::format("the DIMENSION is '{}'; give 3 to {} cities", TextReader::shown(value), most_cities_by_places));
  }

  void take_section(const std::string& key) {
    const bool are_weights = key == "EDGE_WEIGHT_SECTION";
    const bool is_displayed = key == "DISPLAY_DATA_SECTION";
    if (!are_weights && !is_displayed && key != "NODE_COORD_SECTION")
      text_.refuse(
          fmt::format("the section '{}' is not understood; a tour has NODE_COORD_SECTION, EDGE_WEIGHT_SECTION and "
                      "DISPLAY_DATA_SECTION",
                      TextReader::shown(key)));
    if (dimension_ == 0) text_.refuse("a DIMENSION, the number of cities, should stand before the data");
    if (!is_displayed && values_["EDGE_WEIGHT_TYPE"].empty())
      text_.refuse("an EDGE_WEIGHT_TYPE should stand before the data");
    if (are_weights && values_["EDGE_WEIGHT_TYPE"] != "EXPLICIT")
      text_.refuse(
          "the data are not those of the EDGE_WEIGHT_TYPE: EXPLICIT has an EDGE_WEIGHT_SECTION, the others a "
          "NODE_COORD_SECTION");
    require_few_cities();
    section_ = key;
    if (auto& places = is_displayed ? displayed_ : places_; !are_weights && places.empty())
      places = read_places();
    else if (are_weights && weights_.empty())
      read_weights();
    else
      text_.refuse(fmt::format("there are two of {}", key));
    if (const auto more = text_.word_of_line(); !more.empty()) refuse_line(std::string(more));
  }

  std::vector<Place> read_places() {
    std::vector<Place> places(dimension_);
    std::vector<bool> known(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) {
      const double number = text_.number("a city's number");
      const auto line = text_.line();
      const auto city = static_cast<std::size_t>(number >= 1 && number <= static_cast<double>(dimension_) ? number : 0);
      if (city == 0 || static_cast<double>(city) != number || known[city - 1])
        text_.refuse(
            fmt::format("{} is not a city's number, or stands here twice; there are 1 to {}", number, dimension_));
      known[city - 1] = true;
      for (auto& each : places[city - 1]) each = text_.number("a coordinate");
      if (values_["EDGE_WEIGHT_TYPE"] == "GEO" && section_ == "NODE_COORD_SECTION")
        require_geographical(places[city - 1]);
      if (text_.line() != line) text_.refuse("a city's number should stand in one line with its two coordinates");
      if (i + 1 < dimension_) text_.require_end_of_line();
    }
    return places;
  }

  // Minutes above 59 stand in published files, as ali535.
  void require_geographical(Place place) const {
    if (std::fabs(place[0]) > 90 || std::fabs(place[1]) > 180)
      text_.refuse(
          fmt::format("{} {} are not a latitude, up to 90, and a longitude, up to 180, in degrees and minutes, "
                      "DDD.MM, which EDGE_WEIGHT_TYPE GEO has",
                      place[0], place[1]));
  }

  void require_few_cities() const {
    const auto type = values_.find("EDGE_WEIGHT_TYPE");
    const auto name = type == values_.end() ? std::string("none") : type->second;
    if (dimension_ > most_cities && name != "EUC_2D" && name != "CEIL_2D")
      text_.refuse(
          fmt::format("the DIMENSION is {}, and of the EDGE_WEIGHT_TYPE {} there may be {} cities; only EUC_2D "
                      "and CEIL_2D may have more",
                      dimension_, name, most_cities));
  }

  void read_weights() {
    const auto n = dimension_;
    const auto& format = values_["EDGE_WEIGHT_FORMAT"];
    if (format.empty() || format == "FUNCTION")
      text_.refuse("an EDGE_WEIGHT_FORMAT, such as FULL_MATRIX, should stand before the EDGE_WEIGHT_SECTION");
    if (is_asymmetric() && format != "FULL_MATRIX")
      text_.refuse(fmt::format("the EDGE_WEIGHT_FORMAT is {}, and an asymmetric tour has a FULL_MATRIX", format));
    weights_ = empty_tour_table(n, is_asymmetric());
    const auto read = [&](std::size_t a, std::size_t b) { weights_[a * n + b] = weights_[b * n + a] = read_weight(); };
    const std::size_t diagonal = format.find("DIAG") != std::string::npos ? 1 : 0;
    // Columns of one triangle are rows of the other, since the matrix is symmetric.
    const bool is_upper = format.starts_with("UPPER") == format.ends_with("ROW");
    if (format == "FULL_MATRIX") {
      for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = i % (n + 1) == 0 ? (text_.number("a distance"), 0) : read_weight();
    } else if (is_upper) {
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1 - diagonal; b < n; ++b) read(a, b);
    } else {
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a + diagonal; ++b) read(a, b);
    }
  }

  double read_weight() {
    const double number = text_.number("a distance");
    if (const auto units = units_of(number, decimals_)) return *units;
    text_.refuse(fmt::format("the distance {} stands here; {}", number, wanted_lengths(decimals_)));
  }

  TextReader& text_;
  std::uint32_t decimals_;
  std::map<std::string, std::string, std::less<>> values_;
  std::size_t dimension_ = 0;
  std::string section_;  ///< the last one
  std::vector<double> weights_;
  std::vector<Place> places_;
  std::vector<Place> displayed_;
};

}  // namespace

Cities read_tsplib_cities(const std::filesystem::path& file, std::uint32_t decimals) {
  TextReader text(file);
  return TsplibReader(text, decimals).cities();
}

Cities read_tsplib_cities(std::istream& stream, std::string_view name, std::uint32_t decimals) {
  TextReader text(stream, name);
  return TsplibReader(text, decimals).cities();
}

Problem read_tsplib(const std::filesystem::path& file) {
  auto cities = read_tsplib_cities(file, 0);
  cities.file = file.string();
  return make_tour(std::move(cities)).problem;
}

Problem read_qaplib(const std::filesystem::path& file) {
  TextReader text(file);
  const double number = text.number("the number of places");
  if (!(number >= 1 && number <= 4096 && number == std::floor(number)))
    text.refuse(fmt::format("{} is not a number of places; give 1 to 4096", number));
  const auto count = static_cast<std::size_t>(number);
  const auto values = 2 * count * count;
  std::vector<double> numbers;
  // A second number alone in the heading is the best value known.
  std::optional<double> best;
  for (auto word = text.word_of_line(); !word.empty(); word = text.word_of_line()) {
    const auto value = TextReader::number_of<double>(word);
    if (!value)
      text.refuse(
          fmt::format("'{}' stands where a number should{}", TextReader::shown(word), TextReader::comma_hint(word)));
    numbers.push_back(*value);
  }
  if (numbers.size() == 1 && count > 1) {
    best = numbers.front();
    numbers.clear();
  }
  while (numbers.size() < values) numbers.push_back(text.number(numbers.size() < values / 2 ? "a distance" : "a flow"));
  if (numbers.size() > values || !text.word().empty())
    text.refuse(fmt::format("there is more than two matrices of {0} rows of {0} numbers", count));
  try {
    auto problem = assignment(std::span(numbers).first(values / 2), std::span(numbers).last(values / 2));
    if (best) problem.objective.set_optimum(*best);
    return problem;
  } catch (const InvalidInput& error) {
    text.refuse(error.what());
  }
}

}  // namespace clopt::genetic
