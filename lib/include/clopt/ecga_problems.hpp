/// \file
/// Known problems on bit strings, for the extended compact genetic algorithm and for comparisons. All are maximised;
/// where the best value is known, it is the objective's optimum().
#pragma once

#include <clopt/export.hpp>

#include <clopt/ecga.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace clopt::ecga {

/// A problem by its name, as `clopt ecga --objective` takes it:
/// onemax; trapK, step-trapK, folded-trapK, cyclic-trapK with an order K; hiff; nkK, a nearest-neighbour NK landscape
/// with K neighbours, and ising, a spin glass on a square torus, both drawn from \p seed; nk:FILE, maxsat:FILE,
/// ising:FILE; or FILE.cl, a text. FILE is in one of the formats of read_nk(), read_dimacs() and read_ising().
/// \param length loci; none: as the file says, where there is one. Must agree with the file.
/// \throws InvalidInput for an unknown name, a length that the problem cannot have or that is missing, a bad file.
CLOPT_API Problem find_problem(const std::string& name, std::optional<std::uint32_t> length, std::uint64_t seed);
/// Whether find_problem() reads a file for a name: nk:FILE, maxsat:FILE or ising:FILE.
CLOPT_API bool is_file_name(std::string_view name);
/// The names that find_problem() accepts, as a text for messages.
CLOPT_API std::string problem_names();

/// Concatenated deceptive traps: a block of `order` loci gives order if all are 1, else order - 1 less its ones.
/// Optimum: length. \throws InvalidInput unless order is 2 to 32 and divides length.
CLOPT_API Problem trap(std::uint32_t order, std::uint32_t length);
/// Traps whose value is rounded down to steps of a width (Goldman and Punch 2014). \throws as trap(); width 1 to order.
CLOPT_API Problem step_trap(std::uint32_t order, std::uint32_t width, std::uint32_t length);
/// Folded, bimodal traps (Deb, Horn and Goldberg 1992), scaled to 5 a block. \throws as trap(); order is even, 4 or
/// more.
CLOPT_API Problem folded_trap(std::uint32_t order, std::uint32_t length);
/// Traps around a ring, each sharing a locus with the next: order - 1 divides length, and there are at least two.
CLOPT_API Problem cyclic_trap(std::uint32_t order, std::uint32_t length);
/// Hierarchical if-and-only-if. Optimum: length (log2 length + 1). \throws InvalidInput unless length is a power of
/// two.
CLOPT_API Problem hiff(std::uint32_t length);
/// NK landscape in which locus i has the neighbours i+1 to i+K around the ring, with values drawn uniformly from [0,
/// 1). The optimum is found by dynamic programming, O(length 4^K), for K up to 6. \throws InvalidInput for K above 12
/// or not below length.
CLOPT_API Problem nearest_neighbour_nk(std::uint32_t neighbours, std::uint32_t length, std::uint64_t seed);
/// Spin glass on a torus of side x side spins, couplings +1 or -1 with equal probability. \throws InvalidInput for
/// side 1.
CLOPT_API Problem ising(std::uint32_t side, std::uint64_t seed);

/// NK landscape from a file of numbers, `#` starts a comment: N K, then for each locus its K neighbours (from 0) and
/// 2^(K+1) values; in the index of a value the locus is the lowest bit and its neighbours follow. A comment
/// `# optimum V` states the best value. Or a file of Goldman and Punch (2014): the lowest and the highest value, each
/// with a solution of digits 0 and 1, then the values of each locus; its neighbours follow it around the ring, and it
/// is the highest bit. The optimum is then the highest value, less their tolerance of 1/131072 of the range. \throws
/// InvalidInput with file and line.
CLOPT_API Problem read_nk(const std::filesystem::path& file);
/// MAXSAT from DIMACS CNF: `c` comments, `p cnf VARIABLES CLAUSES`, clauses ended by 0; a line `%` ends the file. A
/// comment `c optimum V` states the best value. Or WCNF: `p wcnf VARIABLES CLAUSES [TOP]`, where each clause begins
/// with its weight, from 0, and one of TOP or more is hard; or, of files *.wcnf, that of 2022 without a header, where
/// hard clauses begin with `h`. The value is the weight of the clauses that hold; a hard clause that does not hold
/// costs one more than all weights of the others. Together they are below 2^53. \throws InvalidInput with file and
/// line.
CLOPT_API Problem read_dimacs(const std::filesystem::path& file);
/// Spin glass from a file, `#` starts a comment: SPINS BONDS, then for each bond its spins (from 1) and J. A comment
/// `# optimum V` states the best value. Or a file of Goldman and Punch (2014): the lowest energy, at most 0, and a
/// solution of digits 0 and 1, then BONDS, and for each bond its spins (from 0) and J. \throws InvalidInput with file
/// and line.
CLOPT_API Problem read_ising(const std::filesystem::path& file);

}  // namespace clopt::ecga
