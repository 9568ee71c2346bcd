/// \file
/// Checks of a device's results: the best of each problem is evaluated again on the host.
#pragma once

#include <clopt/device.hpp>

#include <cmath>
#include <cstdint>
#include <string>

#include "batch.hpp"
#include "run_state.hpp"

namespace clopt::differential_evolution {

/// Whether a value is better, of values to be minimised: NaN never is.
inline bool is_better(double one, double other) { return one < other || (std::isnan(other) && !std::isnan(one)); }

/// Checks what a device reports of its problems in a generation: when they stopped, and how many values were NaN.
/// \throws DeviceError where that is impossible.
void require_sound(const Plan& plan, const Device& device, std::uint32_t generation, const Summary& summary);

/// Evaluates the best of a piece's problems again on the host: of all of them, or of some of very many.
/// \param device that found them. \param was_ended whether the run was ended, and has no time left for a compiler.
/// \returns why not; empty where it did. \throws DeviceError where the device found something else.
std::string check_on_host(const Plan& plan, const Device& device, const Piece& piece, const Summary& summary,
                          bool was_ended);

/// Sets the exact violation and the objective's value of infeasible vectors in a result; NaN where the host cannot
/// evaluate them. \param was_ended as above. To be called on the caller's thread.
void set_violations(const Plan& plan, bool was_ended, Result& result);

}  // namespace clopt::differential_evolution
