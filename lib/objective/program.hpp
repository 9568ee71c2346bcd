/// \file
/// What a program needs to call an objective: for solvers.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <device/kernels/build_ahead.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace clopt::objective {

/// What a program computes of an individual whose objective has a violation; the values of OBJECTIVE_TERM.
enum class Term : std::uint32_t {
  both,      ///< what selection compares, see kernels_cl/shared/objective/constraint.h
  value,     ///< the objective's value alone
  violation  ///< the violation alone
};

/// Gives a program the objective that `#include "common/objective.cl"` and ObjectiveCode in a twin stand for.
/// \param genes a number of genes to compile for, or 0 to take any; kernels are faster with it.
void prepare(Program& program, const Objective& objective, bool double_precision, std::uint32_t genes = 0,
             Term term = Term::both);

/// Whether an objective can run on a device in a precision. \param why doubles were chosen, as why_doubles() says.
/// \throws InvalidInput with the reason and what to do.
void require_device(const Device& device, const Objective& objective, bool double_precision, std::string_view why = {});

/// The error that a failed build is for the caller: InvalidInput of three lines at most, with the line of the
/// objective's own text that the compiler's first complaint is about. Where a device's compiler names none, the host's
/// is asked. \p error as it is where the text is not to blame: it is the driver's. The whole log goes to the log's
/// topic `build`.
[[noreturn]] void rethrow_build_error(const BuildError& error, const Objective& objective, const Device& device);

/// Builds kernels for a run, some of which have the objective. A kernel may fail wherever it is asked for something.
/// \throws as rethrow_build_error().
template <class Work>
decltype(auto) build_with(const Objective& objective, const Device& device, const Work& work) {
  try {
    return work();
  } catch (const BuildError& error) {
    rethrow_build_error(error, objective, device);
  }
}

/// Builds an operation whose program was prepared with the objective: `build<operations::Evaluate<float, float>>(...)`.
/// \throws as rethrow_build_error().
template <OperationArguments Arguments>
Kernel<Arguments> build(Device& device, const Program& program, const Objective& objective) {
  return build_with(objective, device, [&] {
    auto kernel = device.kernel<Arguments>(program);
    if (auto* ahead = BuildAhead::current())
      ahead->set_failure([&](const BuildError& error) { rethrow_build_error(error, objective, device); });
    return kernel;
  });
}

/// The buffer `tables` of a launch: all tables, one behind the other, or one element if there is none.
template <class Real>
Buffer<Real> upload_tables(Device& device, Queue& queue, const Objective& objective) {
  const std::span<const double> values(objective.table_values());
  auto buffer = device.buffer<Real>("objective's tables", std::max<std::size_t>(1, values.size()));
  // A table may be hundreds of megabytes, of which no second copy is made.
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t first = 0; first < values.size(); first += piece) {
    const auto part = values.subspan(first, std::min(piece, values.size() - first));
    queue.write(buffer, std::span<const Real>(std::vector<Real>(part.begin(), part.end())), first);
  }
  return buffer;
}

/// The same, by a queue of its own where there is a table.
template <class Real>
Buffer<Real> upload_tables(Device& device, const Objective& objective) {
  if (objective.table_values().empty()) return device.buffer<Real>("objective's tables", 1);
  return upload_tables<Real>(device, *device.queue(), objective);
}

}  // namespace clopt::objective
