/// \file
/// Known problems on permutations for the genetic algorithm. All are minimised. Numbers are whole, so that every device
/// finds the same.
#pragma once

#include <clopt/export.hpp>

#include <clopt/genetic.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt::genetic {

/// A problem by its name, as `clopt genetic --objective` takes it: tour:FILE or qap:FILE; or bits by a name of
/// clopt/ecga_problems.hpp, such as trap5, hiff, maxsat:FILE.
/// \param genes none: as the file says. Must agree with the file. \param seed of problems that are drawn.
/// \throws InvalidInput for an unknown name, genes that the problem cannot have or that are missing, a bad file.
CLOPT_API Problem find_problem(const std::string& name, std::optional<std::uint32_t> genes, std::uint64_t seed = 1);
/// Whether a name is one of find_problem(), and not one of Objective::find().
CLOPT_API bool is_problem_name(const std::string& name);
/// The names that find_problem() accepts, as a text for messages.
CLOPT_API std::string problem_names();

/// The best value of all individuals, where it is known: what the objective states, and of `hiff` by its genes.
CLOPT_API std::optional<double> optimum_of(const Problem& problem);

/// A round trip through all cities: gene i is the i-th city, the value its length. \param distances n x n, row by row,
/// from the row's city to the column's: whole numbers from 0 to 2^24; what is on the diagonal is not looked at. n is 3
/// to 20000. The sum of n of the largest (n + 4 of asymmetric ones) is below 2^31. \throws InvalidInput for anything
/// else. O(n^2).
CLOPT_API Problem tour(std::span<const double> distances);
/// The same of cities at places, whose lengths are Euclidean, rounded to whole numbers: without a table of all
/// distances, for `improve` iterated. \param places two coordinates of each city, 3 to 4,000,000 of them, of at most
/// 2^27. \param round_up whether lengths are rounded up. A search refuses places between which a tour of the shortest
/// edges passes 2^31. \throws InvalidInput for anything else. O(n log n).
CLOPT_API Problem tour_at(std::span<const double> places, bool round_up = false);
/// A tour from TSPLIB: EUC_2D, CEIL_2D, MAN_2D, MAX_2D, GEO, ATT, and EXPLICIT in any of its formats (Reinelt, TSPLIB
/// 95, 1995); of TYPE ATSP, asymmetric ones, EXPLICIT in a FULL_MATRIX. Other files, and other trips: see
/// clopt/genetic_tours.hpp. \throws InvalidInput with file and line, also for sections and keys of other problems, and
/// for numbers beyond those that the DIMENSION says.
CLOPT_API Problem read_tsplib(const std::filesystem::path& file);

/// Quadratic assignment (Koopmans and Beckmann): gene i is the place of facility i, the value the sum over all i, j of
/// flow (i, j) times the distance between their places. \param distances n x n, row by row, whole numbers
/// from 0 to 2^24. Below 2^31 is the sum of all products where the largest flows meet the largest distances. \param
/// flows the same. \throws InvalidInput for anything else.
CLOPT_API Problem assignment(std::span<const double> distances, std::span<const double> flows);
/// From QAPLIB: n, then the two matrices. A second number alone in the first line, the best value that is known, is the
/// objective's optimum. \throws InvalidInput with file and line.
CLOPT_API Problem read_qaplib(const std::filesystem::path& file);

}  // namespace clopt::genetic
