/// \file
/// What differential evolution asks of a device. Buffers are as kernels_cl/differential_evolution/population.cl says.
#pragma once

#include <shared/differential_evolution/differential_evolution.h>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::differential_evolution {

using Settings = shared::evolution_settings;
using State = shared::evolution_state;

/// I: vectors, F and CR, states, bounds, settings, F and CR to begin with, the first individual and the last
/// one's successor, counted through all problems. Others have the number of all individuals as the last parameter.
template <class Real>
inline constexpr auto initialise =
    operation<InOut<Real>, InOut<Real>, In<State>, In<Real>, Settings, Real, Real, std::uint64_t, std::uint64_t>(
        "differential_evolution/initialise", generic<Real>("real"));

/// E: vectors, values, states, rows of data, tables, settings, generation, first individual and end.
template <class Real>
inline constexpr auto evaluate =
    operation<In<Real>, InOut<Real>, InOut<State>, In<Real>, In<Real>, Settings, std::uint32_t, std::uint64_t,
              std::uint64_t>("differential_evolution/evaluate", generic<Real>("real"));

/// I and E: vectors, values, F and CR, states, bounds, rows, tables, settings, F and CR to begin with, first
/// individual and end.
template <class Real>
inline constexpr auto initialise_and_evaluate =
    operation<InOut<Real>, InOut<Real>, InOut<Real>, InOut<State>, In<Real>, In<Real>, In<Real>, Settings, Real, Real,
              std::uint64_t, std::uint64_t>("differential_evolution/initialise_and_evaluate", generic<Real>("real"));

/// P: states, words drawn (EVOLUTION_DRAWN_WORDS times the population for each problem), settings, generation,
/// individuals.
template <class Real>
inline constexpr auto prepare = operation<In<State>, InOut<std::uint32_t>, Settings, std::uint32_t, std::uint64_t>(
    "differential_evolution/prepare", generic<Real>("real"));

/// M: vectors, words drawn, F and CR, states, individuals by rank, archive, mutants, settings, F, generation,
/// individuals.
template <class Real>
inline constexpr auto mutate =
    operation<In<Real>, In<std::uint32_t>, In<Real>, In<State>, In<std::uint32_t>, In<Real>, InOut<Real>, Settings,
              Real, std::uint32_t, std::uint64_t>("differential_evolution/mutate", generic<Real>("real"));

/// C: vectors, words drawn, F and CR, states, bounds, mutants that become trials, settings, generation, individuals.
template <class Real>
inline constexpr auto recombine = operation<In<Real>, In<std::uint32_t>, In<Real>, In<State>, In<Real>, InOut<Real>,
                                            Settings, std::uint32_t, std::uint64_t>("differential_evolution/recombine",
                                                                                    generic<Real>("real"));

/// R: trials (with SHADE, the vectors that they replace take their places) and their values, vectors, values, F and CR,
/// states, settings, target, generation, individuals.
template <class Real>
inline constexpr auto replace =
    operation<InOut<Real>, In<Real>, InOut<Real>, InOut<Real>, InOut<Real>, InOut<State>, Settings, Real, std::uint32_t,
              std::uint64_t>("differential_evolution/replace", generic<Real>("real"));

/// M, C, R and E: vectors, the next ones, values, words drawn, F and CR, states, individuals by rank, archive, bounds,
/// rows, tables, settings, F, target, generation, individuals.
template <class Real>
inline constexpr auto evolve =
    operation<In<Real>, InOut<Real>, InOut<Real>, In<std::uint32_t>, InOut<Real>, InOut<State>, In<std::uint32_t>,
              In<Real>, In<Real>, In<Real>, In<Real>, Settings, Real, Real, std::uint32_t, std::uint64_t>(
        "differential_evolution/evolve", generic<Real>("real"));

/// All generations from one to another: vectors, as much again, values, F and CR, states, room for individuals by rank,
/// archive, the problems that run (their places in the buffers), bounds, rows, tables, settings, F, target, spread,
/// first and last generation; local memory for two populations with their values, and scratch for each work-item.
/// Launched with a work-group a problem.
template <class Real>
inline constexpr auto fused =
    operation<InOut<Real>, InOut<Real>, InOut<Real>, InOut<Real>, InOut<State>, InOut<std::uint32_t>, InOut<Real>,
              In<std::uint32_t>, In<Real>, In<Real>, In<Real>, Settings, Real, Real, Real, std::uint32_t, std::uint32_t,
              Local<Real>, Local<Real>, Local<Real>, Local<std::uint32_t>>("differential_evolution/fused",
                                                                           generic<Real>("real"));

/// Renews what SHADE keeps, finds the best individual and ends problems: vectors, those before the generation, values,
/// F and CR, archive, states, individuals by rank, settings, target,
/// spread, whether SHADE renews after this generation, generation; scratch for each work-item. Launched with a
/// work-group a problem.
template <class Real>
inline constexpr auto lead =
    operation<InOut<Real>, In<Real>, InOut<Real>, InOut<Real>, InOut<Real>, InOut<State>, InOut<std::uint32_t>,
              Settings, Real, Real, std::uint32_t, std::uint32_t, Local<Real>, Local<Real>, Local<std::uint32_t>>(
        "differential_evolution/lead", generic<Real>("real"));

/// What is to be known of each problem: vectors, values, states, settings; best and worst values, best vectors, digests
/// of all vectors and values; scratch for each work-item. Launched with a work-group a problem.
template <class Real>
inline constexpr auto summarise =
    operation<In<Real>, In<Real>, InOut<State>, Settings, InOut<Real>, InOut<Real>, InOut<Real>, InOut<std::uint64_t>,
              Local<Real>, Local<Real>, Local<std::uint32_t>, Local<std::uint64_t>>("differential_evolution/summarise",
                                                                                    generic<Real>("real"));

}  // namespace clopt::differential_evolution
