/// \file
/// How the work-groups of `fused` divide problems and individuals.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <vector>

#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// Optimisations that a work-group carries at most.
inline constexpr std::uint32_t most_side_by_side = 4;
/// Work-items of a work-group at most.
inline constexpr std::uint32_t most_items = 1024;

/// Work-groups are whole sub-groups of GPUs.
constexpr std::uint32_t whole_subgroups(std::uint32_t items) { return (items + 31) / 32 * 32; }

/// A form of kernels_cl/differential_evolution/fused.cl.
struct GroupLayout {
  bool in_registers = false;      ///< fused_in_registers.cl
  std::uint32_t rows = 0;         ///< of fused_by_rows.cl at a time; 0: another form
  bool is_local = false;          ///< whether local memory has the population
  bool remembers = false;         ///< and control parameters, and the order of the individuals
  std::uint32_t problems = 1;     ///< of a work-group
  std::uint32_t items = 0;        ///< of a work-group; 0: any number
  std::size_t local_numbers = 1;  ///< in local memory
  std::size_t local_places = 0;   ///< there, too: numbers of individuals

  void define(const Plan& plan, const DeviceInfo& info, Program& program) const;
};

/// The forms that suit a device, the best first; the last one runs in work-groups of any size.
std::vector<GroupLayout> forms_of(const Plan& plan, const DeviceInfo& info, std::size_t problems);

}  // namespace clopt::differential_evolution
