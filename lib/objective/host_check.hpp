/// \file
/// The best of a run, evaluated again on the host: for solvers.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/objective.hpp>
#include "program.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::objective {

/// Individuals of one kind, one behind the other: Element and Real as Evaluate has them.
template <class Element, class Real>
struct Individuals {
  std::span<const Element> elements;
  std::size_t count = 0;
  std::uint32_t genes = 0;
  std::span<const Real> rows = {};  ///< of data, one for each; empty without
  std::uint32_t columns = 0;
};

/// Why the values of an objective are not compared with the host's; empty where they are. A C++ function ran on the
/// host already; a text may call functions that each device computes in its own way; and it takes a compiler seconds,
/// for which a run that was ended has no time. \param device that the run was on.
std::string why_unchecked(const Objective& objective, const Device& device, bool was_ended);

/// Loads what values_on_host() of a built-in objective needs, once for the process: some tenths of a millisecond in
/// which a device may work.
void get_ready_for_values(const Objective& objective);

/// Evaluates individuals by the plain loop of the OpenMP backend, whatever device the run is on. A text is compiled
/// where it is not compiled yet. \param unchecked receives the reason where that is not possible here.
/// \returns a value for each individual, or nothing. \throws InvalidInput for a real that becomes a whole number by
/// itself, which some devices' compilers do not report.
template <class Element, class Real>
std::vector<Real> values_on_host(const Objective& objective, const Individuals<Element, Real>& individuals,
                                 std::string& unchecked, Term term = Term::both);

/// Where a run that was resumed has a wrong value: whether its checkpoint had it already, which nothing else compares.
/// \param values of the checkpoint's individuals, as the host would have them. \param field of the values.
/// \throws InvalidInput naming the field where the host finds another value.
template <class Element, class Real>
void require_kept_values(const Checkpoint& checkpoint, const Objective& objective,
                         const Individuals<Element, Real>& individuals, std::span<const Real> values,
                         std::string_view field);

/// Compares what a device found with what the host found: same bits, zeros of either sign, or both no numbers.
/// \throws DeviceError naming the device and both values.
void require_host_value(const Objective& objective, const Device& device, double found, double on_host);

}  // namespace clopt::objective
