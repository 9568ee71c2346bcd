/// \file
/// Trips through cities as round trips of the genetic algorithm, and back.
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_tours.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "distances.hpp"
#include "permutation_objectives.hpp"
#include "places.hpp"

namespace clopt::genetic {
namespace {

// A length in units; of cities by their places its square in theirs, which orders alike.
double apart(const Cities& cities, std::size_t city, std::size_t other) {
  if (!cities.by_places) return cities.distances[city * cities.count + other];
  const double east = cities.places[city][0] - cities.places[other][0];
  const double north = cities.places[city][1] - cities.places[other][1];
  return east * east + north * north;
}

std::string nearest_name(const Cities& cities) {
  return fmt::format("give {}a number from 1 to {}", cities.names.empty() ? "" : "a city's name, or ", cities.count);
}

std::optional<std::uint32_t> city_of(const std::string& text, const char* field, const Cities& cities) {
  if (text.empty()) return std::nullopt;
  const auto& names = cities.names;
  // "#3" is a number where names are numbers too.
  if (text.front() == '#') {
    const auto number = number_in<std::uint32_t>(std::string_view(text).substr(1)).value_or(0);
    if (number >= 1 && number <= cities.count) return number - 1;
  }
  if (const auto found = std::find(names.begin(), names.end(), text); found != names.end()) {
    if (std::find(found + 1, names.end(), text) != names.end())
      throw InvalidInput(fmt::format("`{}` is '{}', and several cities have that name; give a number from 1 to {}",
                                     field, printable(text), cities.count));
    return static_cast<std::uint32_t>(found - names.begin());
  }
  const auto number = number_in<std::uint32_t>(text);
  if (!number || *number < 1 || *number > cities.count)
    throw InvalidInput(
        fmt::format("`{}` is '{}', and there is no such city; {}", field, printable(text), nearest_name(cities)));
  return *number - 1;
}

void require_whole(const Cities& cities) {
  const auto has = [&](std::size_t size, std::size_t wanted, const char* what) {
    if (size != wanted)
      throw InvalidInput(fmt::format("there are {} cities and {} {}; give {}", cities.count, size, what, wanted));
  };
  if (!cities.by_places) has(cities.distances.size(), cities.count * cities.count, "distances");
  if (!cities.names.empty()) has(cities.names.size(), cities.count, "names");
  if (cities.by_places || !cities.places.empty()) has(cities.places.size(), cities.count, "places");
}

// Whether places take the place of a table of distances.
bool is_by_places(const Cities& cities, bool is_open) {
  return cities.by_places && cities.count >= least_cities_by_places && !is_open;
}

TourEnds ends_of(const Cities& cities, const TourOptions& options) {
  fields_of(options).check();
  TourEnds ends{.cities = cities.count, .open = options.open, .decimals = cities.decimals};
  ends.start = city_of(options.start, "start", cities);
  ends.end = city_of(options.end, "end", cities);
  if (ends.end && !ends.open)
    throw InvalidInput(
        fmt::format("`end` is '{}', and a round trip ends where it begins; give `open`, or leave `end` out",
                    printable(options.end)));
  if (ends.end && ends.end == ends.start)
    throw InvalidInput(
        fmt::format("`start` and `end` are both '{}'; give two cities, or a round trip without `open` and `end`",
                    printable(options.end)));
  const std::size_t least = ends.start && ends.end ? 4 : 3;
  const std::size_t most = is_by_places(cities, ends.open)
                               ? most_cities_by_places
                               : most_cities - (ends.open && !ends.start && !ends.end ? 1 : 0);
  if (cities.by_places && ends.open && cities.count > most)
    throw InvalidInput(
        fmt::format("there are {} cities, and an open trip may have {}; leave `open` out, or give fewer cities",
                    cities.count, most));
  if (cities.count < least || cities.count > most)
    throw InvalidInput(fmt::format("there are {} cities; give {} to {}{}", cities.count, least, most,
                                   least == 4 ? ", since `start` and `end` are given" : ""));
  return ends;
}

void require_lengths(const Cities& cities, bool is_open) {
  // Those of a directed tour, and of the gap, as tour_of() has it.
  const double summed = static_cast<double>(cities.count + (is_open ? 5 : 0));
  const double largest = *std::max_element(cities.distances.begin(), cities.distances.end());
  const double sum = largest * summed;
  if (largest <= largest_distance && sum <= largest_sum) return;
  const double limit = std::min(largest_distance, std::floor(largest_sum / summed));
  const double scale = scale_of(cities.decimals);
  throw InvalidInput(fmt::format("the largest length is {}, and that of {} cities may be {}{}; {}", largest / scale,
                                 cities.count, limit / scale,
                                 cities.decimals == 0 ? "" : fmt::format(" with {} `decimals`", cities.decimals),
                                 cities.decimals == 0 ? "give lengths in a larger unit" : "give fewer `decimals`"));
}

// With one place more, from and to which all ways are of length 0.
std::vector<double> with_gap(const std::vector<double>& distances, std::size_t count) {
  auto table = empty_tour_table(count + 1, true);
  for (std::size_t a = 0; a < count; ++a) std::copy_n(&distances[a * count], count, &table[a * (count + 1)]);
  return table;
}

// One gets to the start by way of the end, which is no city of its own.
std::vector<double> with_joined_ends(const std::vector<double>& distances, std::size_t count, std::uint32_t start,
                                     std::uint32_t end) {
  auto table = empty_tour_table(count - 1, true);
  std::size_t place = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (a != end && b != end) table[place++] = distances[a * count + (b == start ? end : b)];
  return table;
}

Problem tour_by_places(const Cities& cities) {
  Problem problem{Objective::named(std::string(tour_name)), static_cast<std::uint32_t>(cities.count), {}, {}};
  problem.objective.set_table_values(
      places_table(cities.places, cities.round_up ? GENETIC_ROUNDED_UP : GENETIC_ROUNDED, scale_of(cities.decimals)));
  return problem;
}

std::vector<double> table_of(std::vector<double> distances, const TourEnds& ends) {
  const auto count = ends.cities;
  if (!ends.open) return distances;
  if (ends.start && ends.end) return with_joined_ends(distances, count, *ends.start, *ends.end);
  if (!ends.start && !ends.end) return with_gap(distances, count);
  // The way back is of length 0.
  for (std::size_t each = 0; each < count; ++each)
    distances[ends.start ? each * count + *ends.start : *ends.end * count + each] = 0;
  return distances;
}

std::size_t genes_count(const TourEnds& ends) {
  if (!ends.open || ends.start.has_value() != ends.end.has_value()) return ends.cities;
  return ends.start ? ends.cities - 1 : ends.cities + 1;
}

[[noreturn]] void refuse_genes() {
  throw InvalidInput("the genes are not those of such a tour; give an individual of its problem");
}

// The place where the trip begins in a round trip.
std::size_t begin_of(const TourEnds& ends, std::span<const double> genes) {
  const auto place_of = [&](std::size_t gene) {
    return static_cast<std::size_t>(std::find(genes.begin(), genes.end(), static_cast<double>(gene)) - genes.begin());
  };
  if (ends.open && !ends.start) return (place_of(ends.end ? *ends.end : ends.cities) + 1) % genes.size();
  const auto start = ends.start.value_or(0);
  return place_of(ends.end && *ends.end < start ? start - 1 : start) % genes.size();
}

// The genes of a trip through all cities are those of a round trip, which has no city twice.
void require_permutation(std::span<const double> genes) {
  std::vector<bool> seen(genes.size());
  for (const double gene : genes) {
    if (!(gene >= 0 && gene < static_cast<double>(genes.size())) || gene != std::floor(gene) ||
        seen[static_cast<std::size_t>(gene)])
      refuse_genes();
    seen[static_cast<std::size_t>(gene)] = true;
  }
}

}  // namespace

FieldTable fields(TourOptions& options) {
  FieldTable table(options);
  table.group("Tours");
  table("start", &options.start)
      .value("CITY")
      .unset("any")
      .help("the city where a tour begins: its name, or its number from 1 on, as #3 where names are numbers");
  table("open", &options.open).help("a tour does not return to where it began");
  table("end", &options.end).value("CITY").unset("any").needs("open", 1).help("the city where an open tour ends");
  table("decimals", &options.decimals)
      .range(0, most_tour_decimals)
      .help("digits behind the point to which a tour's lengths are rounded");
  return table;
}

std::string Cities::rounding_warning() const {
  constexpr std::size_t most_sampled = 100;
  // Lengths of a mean of two units are wrong by an eighth of it in the mean.
  constexpr double least_units = 2;
  if (places.empty() || count < 2) return {};
  const auto sampled = std::min(count, most_sampled);
  double sum = 0;
  for (std::size_t city = 0; city < sampled; ++city) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < count; ++other)
      if (other != city) nearest = std::min(nearest, apart(*this, city, other));
    sum += by_places ? std::sqrt(nearest) * scale_of(decimals) : nearest;
  }
  if (sum >= least_units * static_cast<double>(sampled) || decimals == most_tour_decimals) return {};
  return fmt::format(
      "lengths are rounded to {}, and the nearest cities are {:.3g} apart in the mean, so that the shortest trip may "
      "be "
      "another one; give more `decimals`",
      decimals == 0 ? "whole numbers" : fmt::format("{} `decimals`", decimals),
      sum / static_cast<double>(sampled) / scale_of(decimals));
}

Problem tour_at(std::span<const double> places, bool round_up) {
  Cities cities{.places = places_of(places), .by_places = true, .round_up = round_up};
  cities.count = cities.places.size();
  if (cities.count < 3 || cities.count > most_cities_by_places)
    throw InvalidInput(fmt::format("there are {} cities; give 3 to {}", cities.count, most_cities_by_places));
  return tour_by_places(cities);
}

Tour make_tour(Cities cities, const TourOptions& options) {
  try {
    require_whole(cities);
    const auto ends = ends_of(cities, options);
    if (is_by_places(cities, ends.open)) return {tour_by_places(cities), ends, std::move(cities)};
    if (cities.by_places) cities.distances = distances_of(cities);
    cities.by_places = false;
    require_lengths(cities, ends.open);
    auto problem = tour_of(table_of(std::move(cities.distances), ends));
    cities.distances.clear();
    return {std::move(problem), ends, std::move(cities)};
  } catch (const InvalidInput& error) {
    if (cities.file.empty()) throw;
    throw InvalidInput(fmt::format("{}: {}", printable(cities.file), error.what()));
  }
}

Route route_of(const Problem& problem, const TourEnds& ends, std::span<const double> genes) {
  const auto count = genes.size();
  if (count != genes_count(ends) || !is_tour_objective(problem.objective) ||
      !is_tour_table(problem.objective.table_values().size(), count))
    refuse_genes();
  const TourTable table(problem.objective, count);
  require_permutation(genes);
  const auto begin = begin_of(ends, genes);
  Route route;
  std::int64_t length = 0;
  const double scale = scale_of(ends.decimals);
  const auto legs = ends.open ? ends.cities - 1 : ends.cities;
  for (std::size_t i = 0; i < legs || i < ends.cities; ++i) {
    const auto gene = static_cast<std::size_t>(genes[(begin + i) % count]);
    const bool is_end = ends.start && ends.end && i + 1 == ends.cities;
    if (i < ends.cities)
      route.cities.push_back(static_cast<std::uint32_t>(
          is_end ? *ends.end : gene + (ends.start && ends.end && gene >= *ends.end ? 1 : 0)));
    if (i >= legs) break;
    const double leg = table.from(gene, static_cast<std::size_t>(genes[(begin + i + 1) % count]));
    length += static_cast<std::int64_t>(leg);
    route.legs.push_back(leg / scale);
  }
  route.length = static_cast<double>(length) / scale;
  return route;
}

std::vector<double> genes_of(const TourEnds& ends, std::span<const std::uint32_t> cities) {
  if (cities.size() != ends.cities)
    throw InvalidInput(
        fmt::format("the trip has {} cities, and there are {}; give each once", cities.size(), ends.cities));
  for (const auto& [city, wanted, name] :
       {std::tuple(cities.front(), ends.start, "start"), std::tuple(cities.back(), ends.end, "end")})
    if (wanted && ends.open && city != *wanted)
      throw InvalidInput(
          fmt::format("the trip has the city {} for its `{}`, which is {}", city + 1, name, *wanted + 1));
  std::vector<double> genes;
  for (const auto city : cities) {
    if (!ends.start || !ends.end)
      genes.push_back(city);
    else if (city != *ends.end)
      genes.push_back(city > *ends.end ? city - 1 : city);
  }
  if (genes.size() < genes_count(ends)) genes.push_back(static_cast<double>(ends.cities));
  require_permutation(genes);
  return genes;
}

}  // namespace clopt::genetic
