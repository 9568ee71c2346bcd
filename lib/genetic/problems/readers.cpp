/// \file
/// Problems of permutations that are read: TSPLIB and QAPLIB.
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "permutation_objectives.hpp"

namespace clopt::genetic {
namespace {

constexpr std::string_view white = " \t\r";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(white);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(white) - first + 1));
}

/// The lines of a file, and its numbers, which may be parted by white space anywhere.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file) : file_(file), stream_(file) {
    std::error_code ignored;
    if (!stream_ || std::filesystem::is_directory(file, ignored))
      throw InvalidInput(fmt::format("{} cannot be read", file.string()));
  }

  /// The next line that is not empty, trimmed.
  std::optional<std::string> line() {
    while (std::getline(stream_, text_)) {
      ++number_;
      at_ = text_.size();
      if (auto line = trimmed(text_); !line.empty()) return line;
    }
    text_.clear();
    at_ = 0;
    return std::nullopt;
  }
  /// The next number. \param what it is, for messages.
  double number(const char* what) {
    const auto word = next_word();
    if (word.empty()) refuse(fmt::format("the file ends where {} should stand", what));
    // Some files write 1.0e+02 with a sign before it.
    const auto digits = word.starts_with('+') ? std::string_view(word).substr(1) : std::string_view(word);
    const auto value = number_in<double>(digits);
    if (!value) refuse(fmt::format("'{}' stands where {} should", printable(word, 40), what));
    return *value;
  }
  bool at_end() { return next_word().empty(); }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", file_.string(), number_, what));
  }

 private:
  std::string next_word() {
    while ((at_ = text_.find_first_not_of(white, at_)) == text_.npos || at_ >= text_.size()) {
      if (!std::getline(stream_, text_)) {
        text_.clear();
        at_ = 0;
        return {};
      }
      ++number_;
      at_ = 0;
    }
    const auto end = std::min(text_.find_first_of(white, at_), text_.size());
    auto word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  std::filesystem::path file_;
  std::ifstream stream_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

struct Place {
  double x;
  double y;
};

// TSPLIB 95, section 2.4: latitude and longitude in radians from DDD.MM, with its value of pi.
double radians(double angle) {
  const double degrees = std::trunc(angle);
  return 3.141592 * (degrees + 5.0 * (angle - degrees) / 3.0) / 180.0;
}

double euclidean(Place a, Place b) { return std::floor(std::hypot(a.x - b.x, a.y - b.y) + 0.5); }
double euclidean_rounded_up(Place a, Place b) {
  return std::ceil(std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)));
}
double of_blocks(Place a, Place b) { return std::floor(std::fabs(a.x - b.x) + std::fabs(a.y - b.y) + 0.5); }
double of_the_longer_side(Place a, Place b) {
  return std::max(std::floor(std::fabs(a.x - b.x) + 0.5), std::floor(std::fabs(a.y - b.y) + 0.5));
}
double pseudo_euclidean(Place a, Place b) {
  const double r = std::sqrt(((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)) / 10.0);
  const double whole = std::floor(r + 0.5);
  return whole < r ? whole + 1 : whole;
}
double geographical(Place a, Place b) {
  const double q1 = std::cos(radians(a.y) - radians(b.y));
  const double q2 = std::cos(radians(a.x) - radians(b.x));
  const double q3 = std::cos(radians(a.x) + radians(b.x));
  return std::floor(6378.388 * std::acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0);
}

using Distance = double (*)(Place, Place);
Distance distance_of(const std::string& type) {
  static const std::map<std::string, Distance> known{{"EUC_2D", euclidean},     {"CEIL_2D", euclidean_rounded_up},
                                                     {"MAN_2D", of_blocks},     {"MAX_2D", of_the_longer_side},
                                                     {"ATT", pseudo_euclidean}, {"GEO", geographical}};
  const auto found = known.find(type);
  return found == known.end() ? nullptr : found->second;
}

/// What a TSPLIB file says before its data.
struct Specification {
  std::size_t dimension = 0;
  std::string weight_type;
  std::string weight_format;
};

std::vector<double> distances_between_places(Lines& lines, std::size_t dimension, Distance distance) {
  std::vector<Place> places(dimension);
  std::vector<bool> known(dimension);
  for (std::size_t i = 0; i < dimension; ++i) {
    const double number = lines.number("a city's number");
    const auto city = static_cast<std::size_t>(number >= 1 && number <= static_cast<double>(dimension) ? number : 0);
    if (city == 0 || static_cast<double>(city) != number || known[city - 1])
      lines.refuse(
          fmt::format("{} is not a city's number, or stands here twice; there are 1 to {}", number, dimension));
    known[city - 1] = true;
    places[city - 1].x = lines.number("a coordinate");
    places[city - 1].y = lines.number("a coordinate");
  }
  auto distances = empty_tour_table(dimension);
  for (std::size_t a = 0; a < dimension; ++a)
    for (std::size_t b = 0; b < dimension; ++b)
      if (a != b) distances[a * dimension + b] = distance(places[a], places[b]);
  return distances;
}

std::vector<double> explicit_distances(Lines& lines, const Specification& specification) {
  const auto n = specification.dimension;
  const auto& format = specification.weight_format;
  auto distances = empty_tour_table(n);
  const auto read = [&](std::size_t a, std::size_t b) {
    distances[a * n + b] = distances[b * n + a] = lines.number("a distance");
  };
  // Columns of one triangle are rows of the other, since the matrix is symmetric.
  const bool has_diagonal = format.find("DIAG") != std::string::npos;
  if (format == "FULL_MATRIX") {
    for (auto& each : distances) each = lines.number("a distance");
  } else if (format == "UPPER_ROW" || format == "UPPER_DIAG_ROW" || format == "LOWER_COL" ||
             format == "LOWER_DIAG_COL") {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + (has_diagonal ? 0 : 1); b < n; ++b) read(a, b);
  } else if (format == "LOWER_ROW" || format == "LOWER_DIAG_ROW" || format == "UPPER_COL" ||
             format == "UPPER_DIAG_COL") {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a + (has_diagonal ? 1 : 0); ++b) read(a, b);
  } else {
    lines.refuse(
        fmt::format("the EDGE_WEIGHT_FORMAT is '{}'; give FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW or "
                    "LOWER_DIAG_ROW",
                    printable(format, 40)));
  }
  return distances;
}

std::vector<double> read_data(Lines& lines, const Specification& specification, bool are_weights) {
  if (specification.dimension == 0) lines.refuse("a DIMENSION, the number of cities, should stand before the data");
  const auto distance = distance_of(specification.weight_type);
  if (specification.weight_type != "EXPLICIT" && distance == nullptr)
    lines.refuse(fmt::format("the EDGE_WEIGHT_TYPE is '{}'; give EUC_2D, CEIL_2D, MAN_2D, MAX_2D, GEO, ATT or EXPLICIT",
                             printable(specification.weight_type, 40)));
  if (are_weights != (distance == nullptr))
    lines.refuse(
        "the data are not those of the EDGE_WEIGHT_TYPE: EXPLICIT has an EDGE_WEIGHT_SECTION, the others a "
        "NODE_COORD_SECTION");
  return are_weights ? explicit_distances(lines, specification)
                     : distances_between_places(lines, specification.dimension, distance);
}

// Reads a line before the data.
void take(Specification& specification, Lines& lines, const std::string& key, const std::string& value) {
  if (key == "TYPE" && value != "TSP")
    lines.refuse(fmt::format("the TYPE is '{}', and only TSP, symmetric tours, can be read", printable(value, 40)));
  if (key == "EDGE_WEIGHT_TYPE") specification.weight_type = value;
  if (key == "EDGE_WEIGHT_FORMAT") specification.weight_format = value;
  if (key != "DIMENSION") return;
  specification.dimension = number_in<std::size_t>(value).value_or(0);
  if (specification.dimension < 3 || specification.dimension > 8192)
    lines.refuse(fmt::format("the DIMENSION is '{}'; give 3 to 8192 cities", printable(value, 40)));
}

}  // namespace

Problem read_tsplib(const std::filesystem::path& file) {
  Lines lines(file);
  Specification specification;
  while (const auto line = lines.line()) {
    const auto colon = std::min(line->find(':'), line->size());
    const auto key = trimmed(std::string_view(*line).substr(0, colon));
    const bool are_weights = key == "EDGE_WEIGHT_SECTION";
    if (are_weights || key == "NODE_COORD_SECTION") {
      auto distances = read_data(lines, specification, are_weights);
      try {
        return tour_of(std::move(distances));
      } catch (const InvalidInput& error) {
        lines.refuse(error.what());
      }
    }
    if (colon == line->size() && key != "EOF" && key != "DISPLAY_DATA_SECTION")
      lines.refuse(fmt::format("'{}' is not KEY: VALUE, as TSPLIB has it", printable(*line, 40)));
    if (colon < line->size()) take(specification, lines, key, trimmed(std::string_view(*line).substr(colon + 1)));
  }
  lines.refuse("there is no NODE_COORD_SECTION and no EDGE_WEIGHT_SECTION; give a symmetric problem of TSPLIB");
}

Problem read_qaplib(const std::filesystem::path& file) {
  Lines lines(file);
  const double number = lines.number("the number of places");
  if (!(number >= 1 && number <= 4096 && number == std::floor(number)))
    lines.refuse(fmt::format("{} is not a number of places; give 1 to 4096", number));
  const auto count = static_cast<std::size_t>(number);
  std::vector<double> distances(count * count);
  std::vector<double> flows(count * count);
  for (auto& each : distances) each = lines.number("a distance");
  for (auto& each : flows) each = lines.number("a flow");
  if (!lines.at_end()) lines.refuse("there is more than two matrices");
  try {
    return assignment(distances, flows);
  } catch (const InvalidInput& error) {
    lines.refuse(error.what());
  }
}

}  // namespace clopt::genetic
