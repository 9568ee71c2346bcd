/// \file
/// What the genetic algorithm asks of a device.
///
/// Element is what genes are kept in: uint32 (words of 32 bits, or a permutation), int32 (integers) or Real; Real,
/// float or double, is the type of costs. Nothing happens in a generation after the one that marks[GENETIC_STOP] names.
#pragma once

#include <shared/genetic/ahead.h>
#include <shared/genetic/genetic.h>
#include <shared/genetic/parents.h>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::genetic {

/// What a run is; the same structure as in kernels_cl/shared/genetic/genetic.h.
using Settings = shared::genetic_settings;

/// Draws the start population: population; numbers, settings; the first individual that is not given. Launched over
/// units of 64 genes of the individuals, or over individuals for permutations.
template <class Element, class Real>
inline constexpr auto start = operation<InOut<Element>, In<Real>, In<Settings>, std::uint32_t>(
    "genetic/start", generic<Element>("element"), generic<Real>("real"));

/// The parents of each pair: costs and limits of the generation before; what weigh() left; parents; marks, settings,
/// generation; whether the sections were weighed. Launched over the pairs.
template <class Real>
inline constexpr auto select_parents =
    operation<In<Real>, In<Real>, In<std::uint64_t>, InOut<std::uint32_t>, In<std::uint32_t>, In<Settings>,
              std::uint32_t, std::uint32_t>("genetic/select_parents", generic<Real>("real"));

/// The weights of each section of the wheel: costs, limits; sections; marks, settings, generation. Launched with a
/// work-group for each section of each island.
template <class Real>
inline constexpr auto weigh = operation<In<Real>, In<Real>, InOut<std::uint64_t>, In<std::uint32_t>, In<Settings>,
                                        std::uint32_t>("genetic/weigh", generic<Real>("real"));

/// The children of each pair before mutation: population, children, parents, numbers; a bit a gene for every child of
/// permutations; marks, settings, generation; teams of a work-group.
template <class Element, class Real>
inline constexpr auto crossover =
    operation<In<Element>, InOut<Element>, In<std::uint32_t>, In<Real>, InOut<std::uint32_t>, In<std::uint32_t>,
              In<Settings>, std::uint32_t, std::uint32_t>("genetic/crossover", generic<Element>("element"),
                                                          generic<Real>("real"));

/// Mutation of the children: children, numbers, marks, settings, generation; teams of a work-group.
template <class Element, class Real>
inline constexpr auto mutate =
    operation<InOut<Element>, In<Real>, In<std::uint32_t>, In<Settings>, std::uint32_t, std::uint32_t>(
        "genetic/mutate", generic<Element>("element"), generic<Real>("real"));

/// The costs of a generation, but for its elites: population, costs; the objective's tables, marks, settings,
/// generation; teams of a work-group.
template <class Element, class Real>
inline constexpr auto evaluate =
    operation<In<Element>, InOut<Real>, In<Real>, In<std::uint32_t>, In<Settings>, std::uint32_t, std::uint32_t>(
        "genetic/evaluate", generic<Element>("element"), generic<Real>("real"));

/// What is known of sections of each island: costs; the least and the greatest finite one; where the least is;
/// settings; sections an island. Launched with a work-group for each section.
template <class Real>
inline constexpr auto survey = operation<In<Real>, InOut<Real>, InOut<std::uint32_t>, In<Settings>, std::uint32_t>(
    "genetic/survey", generic<Real>("real"));

/// What is known of a generation: population, costs; limits; the best individual of each island; marks, numbers; what
/// survey() found, settings, generation; sections an island was surveyed in, or 0. Launched with a work-group for each
/// island.
template <class Element, class Real>
inline constexpr auto summarise =
    operation<In<Element>, In<Real>, InOut<Real>, InOut<Element>, InOut<std::uint32_t>, In<Real>, In<Real>,
              In<std::uint32_t>, In<Settings>, std::uint32_t, std::uint32_t>("genetic/summarise",
                                                                             generic<Element>("element"),
                                                                             generic<Real>("real"));

/// The best individuals of each island, or the worst ones: costs; their numbers; settings; how many an island; 1 for
/// the worst; how many islands further on an island's numbers stand. Launched with a work-group for each island.
template <class Real>
inline constexpr auto extremes = operation<In<Real>, InOut<std::uint32_t>, In<Settings>, std::uint32_t, std::uint32_t,
                                           std::uint32_t>("genetic/extremes", generic<Real>("real"));

/// Copies individuals: from population, costs, places; to population, costs, places; settings, marks, generation; how
/// many. Launched over their elements.
template <class Element, class Real>
inline constexpr auto copy_individuals =
    operation<In<Element>, In<Real>, In<std::uint32_t>, InOut<Element>, InOut<Real>, In<std::uint32_t>, In<Settings>,
              In<std::uint32_t>, std::uint32_t, std::uint32_t>("genetic/copy_individuals", generic<Element>("element"),
                                                               generic<Real>("real"));

/// Random numbers of generations to come, of bits: blocks of tries, masks of units (see shared/genetic/ahead.h);
/// settings; the generation before them, how many. Launched over all pairs of all these generations, and for each over
/// its units or its blocks of tries, whichever are more.
inline constexpr auto draw_ahead =
    operation<InOut<std::uint32_t>, InOut<std::uint64_t>, In<Settings>, std::uint32_t, std::uint32_t>(
        "genetic/draw_ahead");

/// Many generations with the population in local memory: populations and costs of even and of odd generations; limits,
/// best, marks, numbers, tables; what draw_ahead() left, of bits; settings; the generation to begin with, how many;
/// lanes of a team. Local memory: two populations of an island, the costs of both, a bit a gene of it for permutations.
/// Launched with a work-group for each island.
template <class Element, class Real>
inline constexpr auto generations =
    operation<InOut<Element>, InOut<Element>, InOut<Real>, InOut<Real>, InOut<Real>, InOut<Element>,
              InOut<std::uint32_t>, In<Real>, In<Real>, In<std::uint32_t>, In<std::uint64_t>, In<Settings>,
              std::uint32_t, std::uint32_t, std::uint32_t, Local<std::uint64_t>, Local<Real>, Local<std::uint32_t>>(
        "genetic/generations", generic<Element>("element"), generic<Real>("real"));

/// A generation but for its elites: population, children; costs of both; limits; parents, if they were selected; best,
/// marks, numbers, tables; room for what work-groups find in their children, as of survey(); scratch as for crossover;
/// settings, generation; whether it ends with a summary; pairs of a work-group; lanes of a team. Local memory, of bits:
/// the children of a work-group, a word for each unit of its pairs, two for each pair. Launched with the same number of
/// work-groups for each island.
template <class Element, class Real>
inline constexpr auto breed =
    operation<In<Element>, InOut<Element>, In<Real>, InOut<Real>, InOut<Real>, In<std::uint32_t>, InOut<Element>,
              InOut<std::uint32_t>, In<Real>, In<Real>, InOut<Real>, InOut<std::uint32_t>, InOut<std::uint32_t>,
              In<Settings>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Local<std::uint64_t>,
              Local<std::uint32_t>, Local<std::uint32_t>>("genetic/breed", generic<Element>("element"),
                                                          generic<Real>("real"));

/// The same by teams that select: population, children; costs of both; limits, sections, best, marks, numbers, tables;
/// scratch as for crossover; settings, generation; whether the sections were weighed; whether it ends with a summary;
/// teams of a work-group. Launched over the pairs of all islands.
template <class Element, class Real>
inline constexpr auto offspring =
    operation<In<Element>, InOut<Element>, In<Real>, InOut<Real>, InOut<Real>, In<std::uint64_t>, InOut<Element>,
              InOut<std::uint32_t>, In<Real>, In<Real>, InOut<std::uint32_t>, In<Settings>, std::uint32_t,
              std::uint32_t, std::uint32_t, std::uint32_t>("genetic/offspring", generic<Element>("element"),
                                                           generic<Real>("real"));

}  // namespace clopt::genetic
