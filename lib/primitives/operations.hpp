/// \file
/// The primitives as operations: what the helpers of this folder launch. A section is what one work-group takes.
#pragma once

#include <device/checked_operation.hpp>

#include <cstdint>
#include <type_traits>

namespace clopt::primitives {

/// The 64-bit type with a type's sign.
template <class Number>
using Wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;

/// The largest work-group of an operation of this folder.
inline constexpr std::uint32_t most_group_size = 256;

// Reductions; Number is uint32, uint64, int32 or int64. Values; a result for each section; elements, and elements of a
// section.
template <class Number>
inline constexpr auto sum = operation<In<Number>, InOut<Wide<Number>>, std::uint64_t, std::uint64_t>(
    "primitives/sum", generic<Number>("number"), generic<Wide<Number>>("wide"));
template <class Number>
inline constexpr auto population_count = operation<In<Number>, InOut<Wide<Number>>, std::uint64_t, std::uint64_t>(
    "primitives/population_count", generic<Number>("number"), generic<Wide<Number>>("wide"));
template <class Number>
inline constexpr auto minimum = operation<In<Number>, InOut<Number>, std::uint64_t, std::uint64_t>(
    "primitives/minimum", generic<Number>("number"), generic<Wide<Number>>("wide"));
template <class Number>
inline constexpr auto maximum = operation<In<Number>, InOut<Number>, std::uint64_t, std::uint64_t>(
    "primitives/maximum", generic<Number>("number"), generic<Wide<Number>>("wide"));
/// The sections' sums; their sum; how many there are. One work-group.
template <class Number>
inline constexpr auto sum_of_sections = operation<In<Wide<Number>>, InOut<Wide<Number>>, std::uint64_t>(
    "primitives/sum_of_sections", generic<Number>("number"), generic<Wide<Number>>("wide"));

// Prefix sums; Number is uint32 or uint64.
/// Values; the sum of each section; elements, and elements of a section.
template <class Number>
inline constexpr auto scan_sums = operation<In<Number>, InOut<Number>, std::uint64_t, std::uint64_t>(
    "primitives/scan_sums", generic<Number>("number"));
/// The sections' sums, which become the sums of all sections before; how many there are. One work-group.
template <class Number>
inline constexpr auto scan_sections = operation<InOut<Number>, std::uint64_t>("primitives/scan_sections",
                                                                              generic<Number>("number"));
/// Values; what scan_sections() left; results, the sum of all values; elements, elements of a section; 1 for inclusive.
template <class Number>
inline constexpr auto scan = operation<In<Number>, In<Number>, InOut<Number>, InOut<Number>, std::uint64_t,
                                       std::uint64_t, std::uint32_t>("primitives/scan", generic<Number>("number"));

/// Values; of each section the least rank and the first index that has it; elements, elements of a section; 1 to rank
/// the largest first. Number is uint32, uint64, int32, int64, float or double.
template <class Number>
inline constexpr auto arg_min =
    operation<In<Number>, InOut<std::uint64_t>, InOut<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint32_t>(
        "primitives/arg_min", generic<Number>("number"));
/// The sections' ranks and indices; the first index of the least rank; how many sections. One work-group.
template <class Number>
inline constexpr auto arg_min_of_sections =
    operation<In<std::uint64_t>, In<std::uint64_t>, InOut<std::uint64_t>, std::uint64_t>(
        "primitives/arg_min_of_sections", generic<Number>("number"));

/// Values; the tree over each 8 * work-group size of them; elements; an element of local memory a work-item. Number is
/// float or double, the group size a power of two.
template <class Number>
inline constexpr auto ordered_sum = operation<In<Number>, InOut<Number>, std::uint64_t, Local<Number>>(
    "primitives/ordered_sum", generic<Number>("number"));

/// Square matrices of bits, their transposes, words in all; Word is uint32 or uint64.
template <class Word>
inline constexpr auto transpose_bits = operation<In<Word>, InOut<Word>, std::uint64_t>("primitives/transpose_bits",
                                                                                       generic<Word>("word"));

// Random numbers (kernels_cl/shared/random.h). The results; how many; seed, purpose; then what each says.
/// Blocks of four words at (seed, purpose, block, y, z): results, blocks; seed, purpose, y, z.
inline constexpr auto random_words =
    operation<InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>(
        "primitives/random_words");
/// Integers below the last argument.
inline constexpr auto uniform_numbers =
    operation<InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>(
        "primitives/uniform_numbers");
inline constexpr auto uniform_numbers_64 =
    operation<InOut<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint64_t>(
        "primitives/uniform_numbers_64");
/// Words of independent bits: y, z, the probability of a 1 in units of 2^-32.
inline constexpr auto bernoulli_words =
    operation<InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t,
              std::uint64_t>("primitives/bernoulli_words");
inline constexpr auto bernoulli_words_64 =
    operation<InOut<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t,
              std::uint64_t>("primitives/bernoulli_words_64");
/// Fractions in [0, 1): y, z. The doubles need a device that has them.
inline constexpr auto uniform_floats =
    operation<InOut<float>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>(
        "primitives/uniform_floats");
inline constexpr auto uniform_doubles =
    operation<InOut<double>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>(
        "primitives/uniform_doubles");

}  // namespace clopt::primitives
