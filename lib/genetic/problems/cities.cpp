/// \file
/// Cities of tables, arrays and matrices.
#include <clopt/detail/numbers.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_tours.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include <support/files/table.hpp>
#include "distances.hpp"
#include "places.hpp"

namespace clopt::genetic {
namespace {

// The mean radius R1 of the reference ellipsoid GRS 80 (Moritz, Geodetic Reference System 1980).
constexpr double earth_radius = 6371.0088;

constexpr const char* wanted_table =
    "give the columns x and y, or lat and lon, in a heading, or a square matrix of lengths";

/// A table of a file: cities a row each, or a matrix.
class CityTable {
 public:
  /// \param text from the first row on, which stands in a line of the file.
  CityTable(std::string_view text, std::string name, std::size_t line, std::uint32_t decimals)
      : name_(std::move(name)), decimals_(decimals), table_(read_table(text, name_, line, separator_of(text))) {}

  Cities cities() {
    const auto& heading = table_.heading.fields;
    const auto x = coordinate({"x"});
    const auto y = coordinate({"y"});
    if (x && y) return at_places(*x, *y, false);
    const auto latitude = coordinate({"lat", "latitude"});
    const auto longitude = coordinate({"lon", "lng", "long", "longitude"});
    if (latitude && longitude) return at_places(*latitude, *longitude, true);
    if (!has_heading()) {
      table_.rows.insert(table_.rows.begin(), table_.heading);
      if (heading.size() == 2 && table_.rows.size() > 2) return at_places(0, 1, false);
      return of_matrix(0, {});
    }
    const auto rows = table_.rows.size();
    if (heading.size() == rows) return of_matrix(0, heading);
    if (heading.size() == rows + 1) return of_matrix(1, {heading.begin() + 1, heading.end()});
    for (const auto& [one, other, names] :
         {std::tuple(x, y, "x and y"), std::tuple(latitude, longitude, "lat and lon")})
      if (one || other)
        refuse(table_.heading.line, fmt::format("of the columns {} there is '{}' alone; give both; the names are {}",
                                                names, printable(heading[one ? *one : *other]), table_.names()));
    refuse(table_.heading.line, fmt::format("there are {} rows of the columns {}, which are no cities; {}", rows,
                                            table_.names(), wanted_table));
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line, what));
  }

  // Numbers may be names too, above rows that begin with them.
  bool has_heading() const {
    const auto& heading = table_.heading.fields;
    const auto is_name = [](const auto& field) { return !field.empty() && !TextReader::number_of<double>(field); };
    if (std::any_of(heading.begin() + 1, heading.end(), is_name)) return true;
    const bool may_be_square = heading.size() == table_.rows.size() + 1;
    // Else what stands in the corner is on the diagonal, and is not read.
    if (!may_be_square || !heading.front().empty()) return is_name(heading.front()) && !may_be_square;
    const bool are_names = std::equal(table_.rows.begin(), table_.rows.end(), heading.begin() + 1,
                                      [](const auto& row, const auto& name) { return row.fields.front() == name; });
    std::size_t place = 0;
    const bool is_diagonal_empty = std::all_of(table_.rows.begin(), table_.rows.end(),
                                               [&](const auto& row) { return row.fields[++place].empty(); });
    if (are_names && is_diagonal_empty)
      refuse(table_.heading.line,
             "the first row may be lengths or names; write 0 on the diagonal, or names that are no numbers");
    return are_names;
  }

  // Numbers alone may have white space between them.
  static std::string_view separator_of(std::string_view text) {
    const auto line = text.substr(0, text.find_first_of("\r\n"));
    return line.find_first_of(",;\t|") == line.npos ? " " : "";
  }

  // What has several names stands in one column.
  std::optional<std::size_t> coordinate(std::initializer_list<std::string_view> names) const {
    std::optional<std::size_t> chosen;
    for (const auto name : names) {
      const auto found = table_.find(name, name_);
      if (found && chosen)
        refuse(table_.heading.line,
               fmt::format("the columns '{}' and '{}' mean the same; leave one out; the names are {}",
                           printable(table_.heading.fields[*chosen]), printable(table_.heading.fields[*found]),
                           table_.names()));
      if (found) chosen = found;
    }
    return chosen;
  }

  // The first of these names that a column has: one may be of shops, and another of their towns.
  std::optional<std::size_t> names_of_cities() const {
    for (const auto name : {"name", "label", "city"})
      if (const auto found = table_.find(name, name_)) return found;
    return std::nullopt;
  }

  double number(const TableRow& row, std::size_t column) const {
    const auto& field = row.fields[column];
    if (const auto number = TextReader::number_of<double>(field)) return *number;
    if (field.empty()) refuse(row.line, fmt::format("field {} is empty; give a number", column + 1));
    refuse(row.line,
           fmt::format("'{}' stands where a number should{}", printable(field, 40), TextReader::comma_hint(field)));
  }

  Cities at_places(std::size_t first, std::size_t second, bool are_geographical) const {
    std::vector<Place> places;
    for (const auto& row : table_.rows) {
      places.push_back({number(row, first), number(row, second)});
      require_place(places.back(), are_geographical, fmt::format("{}:{}: ", name_, row.line));
    }
    if (places.empty()) refuse(table_.heading.line, "there are no cities below the heading; give a row for each");
    auto cities = cities_at(std::move(places), are_geographical, decimals_);
    if (const auto names = names_of_cities())
      for (const auto& row : table_.rows) cities.names.push_back(row.fields[*names]);
    return cities;
  }

  Cities of_matrix(std::size_t first, std::vector<std::string> names) const {
    const auto count = table_.rows.size();
    const auto& fields = table_.rows.front().fields;
    if (fields.size() != count + first)
      refuse(table_.heading.line, fmt::format("{} rows of {} numbers are no matrix of lengths; {}", count,
                                              fields.size() - first, wanted_table));
    Cities cities{.count = count, .names = std::move(names), .decimals = decimals_};
    cities.distances = empty_tour_table(count, true);
    for (std::size_t a = 0; a < count; ++a) {
      const auto& row = table_.rows[a];
      if (first == 1 && row.fields.front() != cities.names[a])
        refuse(row.line, fmt::format("the row is of '{}', and column {} is of '{}'; give rows and columns in one order",
                                     printable(row.fields.front(), 40), a + 2, printable(cities.names[a], 40)));
      for (std::size_t b = 0; b < count; ++b)
        if (a != b) cities.distances[a * count + b] = units(row, b + first);
    }
    return cities;
  }

  double units(const TableRow& row, std::size_t column) const {
    const double length = number(row, column);
    if (const auto units = units_of(length, decimals_)) return *units;
    refuse(row.line, fmt::format("the length {} stands here; {}", length, wanted_lengths(decimals_)));
  }

  std::string name_;
  std::uint32_t decimals_;
  Table table_;
};

// Of a line that begins a file of TSPLIB, `KEY: VALUE` or a section. A single word may be one that is misspelt.
bool is_of_tsplib(std::string_view line) {
  const auto mark = line.find_first_of(":,;|");
  if (mark != line.npos) return line[mark] == ':';
  return !TextReader::number_of<double>(line.substr(0, line.find_first_of(" \t"))) && line.find('\t') == line.npos;
}

}  // namespace

double great_circle(Place a, Place b, double scale) {
  constexpr double radian = std::numbers::pi / 180;
  const double north = std::sin((b[0] - a[0]) * radian / 2);
  const double east = std::sin((b[1] - a[1]) * radian / 2);
  const double haversine = north * north + std::cos(a[0] * radian) * std::cos(b[0] * radian) * east * east;
  return rounded(scale * 2 * earth_radius * std::asin(std::sqrt(std::min(1.0, haversine))));
}

std::vector<double> distances_between(const std::vector<Place>& places, Distance distance, std::uint32_t decimals) {
  const auto count = places.size();
  const double scale = scale_of(decimals);
  auto distances = empty_tour_table(count);
  for_pairs(count, [&](std::size_t a, std::size_t b) {
    distances[a * count + b] = distances[b * count + a] = distance(places[a], places[b], scale);
  });
  return distances;
}

std::vector<double> distances_of(const Cities& cities) {
  return distances_between(cities.places, cities.round_up ? rounded_up : euclidean, cities.decimals);
}

std::optional<double> units_of(double length, std::uint32_t decimals) {
  if (!(length >= 0 && std::isfinite(length)) || (decimals == 0 && length != std::floor(length))) return std::nullopt;
  return rounded(length * scale_of(decimals));
}

std::string wanted_lengths(std::uint32_t decimals) {
  return decimals == 0 ? "give whole numbers, 0 or more, or `decimals` to which to round" : "give numbers, 0 or more";
}

void require_decimals(std::uint32_t decimals) {
  TourOptions options;
  options.decimals = decimals;
  fields_of(options).check();
}

void require_place(Place place, bool is_geographical, const std::string& what) {
  if (!std::isfinite(place[0]) || !std::isfinite(place[1]))
    throw InvalidInput(fmt::format("{}{} {} are not a city's place; give finite numbers", what, place[0], place[1]));
  if (is_geographical && (std::fabs(place[0]) > 90 || std::fabs(place[1]) > 180))
    throw InvalidInput(fmt::format("{}{} {} are not a latitude, -90 to 90, and a longitude, -180 to 180, in degrees",
                                   what, place[0], place[1]));
}

Cities cities_at(std::vector<Place> places, bool are_geographical, std::uint32_t decimals) {
  require_decimals(decimals);
  const auto most = are_geographical ? most_cities : most_cities_by_places;
  if (places.size() > most) throw InvalidInput(fmt::format("there are {} cities; give 3 to {}", places.size(), most));
  Cities cities{.count = places.size(), .are_geographical = are_geographical, .decimals = decimals};
  cities.by_places = !are_geographical && places.size() >= least_cities_by_places;
  if (!cities.by_places)
    cities.distances = distances_between(places, are_geographical ? great_circle : euclidean, decimals);
  cities.places = std::move(places);
  return cities;
}

std::vector<Place> places_of(std::span<const double> coordinates, bool are_geographical) {
  if (coordinates.size() % 2 != 0)
    throw InvalidInput(fmt::format("`places` has {} numbers; give two for each city", coordinates.size()));
  std::vector<Place> places;
  places.reserve(coordinates.size() / 2);
  for (std::size_t i = 0; i < coordinates.size(); i += 2) {
    places.push_back({coordinates[i], coordinates[i + 1]});
    require_place(places.back(), are_geographical, fmt::format("`places`, row {}: ", i / 2 + 1));
  }
  return places;
}

Cities cities_at(std::span<const double> places, bool are_geographical, std::uint32_t decimals) {
  return cities_at(places_of(places, are_geographical), are_geographical, decimals);
}

Cities cities_of(std::span<const double> distances, std::uint32_t decimals) {
  require_decimals(decimals);
  const auto count = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(distances.size()))));
  if (count * count != distances.size())
    throw InvalidInput(
        fmt::format("`distances` has {} numbers, which make no square; give n rows of n", distances.size()));
  Cities cities{.count = count, .decimals = decimals};
  cities.distances = empty_tour_table(count, true);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i / count == i % count) continue;
    const auto units = units_of(distances[i], decimals);
    if (!units)
      throw InvalidInput(fmt::format("`distances` has {} in row {}, column {}; {}", distances[i], i / count + 1,
                                     i % count + 1, wanted_lengths(decimals)));
    cities.distances[i] = *units;
  }
  return cities;
}

Cities read_cities(const std::filesystem::path& file, std::uint32_t decimals) {
  require_decimals(decimals);
  TextReader text(file);
  std::string line;
  while (line.empty() && text.next_line()) {
    line = text.rest_of_line();
    if (line.starts_with('#')) line.clear();
  }
  Cities cities;
  if (!line.empty() && !is_of_tsplib(line)) {
    const auto number = text.line();
    cities = CityTable(line + text.rest(), text.name(), number, decimals).cities();
  } else if (std::filesystem::is_regular_file(file)) {
    cities = read_tsplib_cities(file, decimals);
  } else {
    // A pipe is read once.
    std::istringstream copy(std::string(text.line() - 1, '\n') + line + text.rest());
    cities = read_tsplib_cities(copy, text.name(), decimals);
  }
  cities.file = file.string();
  return cities;
}

std::optional<std::vector<double>> read_trip(const std::filesystem::path& file, const TourEnds& ends) {
  // What cannot be read twice is left to the reader of genes.
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  TextReader text(file);
  const auto content = text.rest();
  if (!content.starts_with("position,city")) return std::nullopt;
  const auto table = read_table(content, text.name(), 1, ",");
  std::vector<std::uint32_t> cities;
  for (const auto& row : table.rows) {
    const auto city = number_in<std::uint32_t>(row.fields.at(1));
    if (!city || *city == 0 || *city > ends.cities)
      throw InvalidInput(fmt::format("{}, line {}: '{}' is not a city; give numbers from 1 to {}", text.name(),
                                     row.line, printable(row.fields[1]), ends.cities));
    cities.push_back(*city - 1);
  }
  // A round trip ends where it begins.
  if (!ends.open && cities.size() > 1 && cities.front() == cities.back()) cities.pop_back();
  std::vector<bool> is_there(ends.cities);
  for (std::size_t i = 0; i < cities.size(); ++i) {
    if (is_there[cities[i]])
      throw InvalidInput(fmt::format("{}, line {}: city {} is there twice; give each once", text.name(),
                                     table.rows[i].line, cities[i] + 1));
    is_there[cities[i]] = true;
  }
  try {
    return genes_of(ends, cities);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", text.name(), error.what()));
  }
}

}  // namespace clopt::genetic
