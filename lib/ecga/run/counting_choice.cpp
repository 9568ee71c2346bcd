#include "counting_choice.hpp"

#include <clopt/device.hpp>

#include <device/kernels/build_ahead.hpp>

#include <ecga/model/matrix_units.hpp>
#include "fitness.hpp"

namespace clopt::ecga {
namespace {

// Begins what the usual ways of counting build, where a driver builds several programs at once: the choice of a way
// waits for some of them, and the run for all.
void begin_builds(const Plan& plan, Device& device) {
  BuildAhead builds;
  device.kernel<operations::SelectRows>();
  device.kernel<operations::GrowTrees>();
  device.kernel<operations::InitialPopulation>();
  device.kernel<operations::CountPairs>();
  device.kernel<operations::LocusSums>();
  build_evaluation(plan, device);
  if (!may_have_matrix_units(device)) return;
  device.kernel<operations::CountPairsMatrix>(matrix_program());
  device.kernel<operations::CountPairsWide>(matrix_program());
}

}  // namespace

CountingChoice choose_counting(const Plan& plan, Device& device) {
  const auto wanted = plan.counting;
  switch (wanted) {
    case Counting::histogram:
    case Counting::table_8:
    case Counting::table_16: return {wanted, wanted, "asked for"};
    case Counting::table:
      return device.info().launches_are_calls
                 ? CountingChoice{Counting::table_16, wanted, "tables of 16 bits, as the paper has them on a processor"}
                 : CountingChoice{Counting::table_8, wanted, "tables of 8 bits, as the paper has them on a GPU"};
    default: break;
  }
  begin_builds(plan, device);
  if (device.kernel<operations::CountPairs>().max_group_size() < count_group)
    return {Counting::histogram, Counting::histogram, "this device's work-groups are too small for tiles of pairs"};
  if (wanted == Counting::popcount) return {wanted, wanted, "asked for"};
  if (has_matrix_units(device)) return {Counting::matrix, Counting::matrix, "this device has 1-bit matrix units"};
  return {Counting::popcount, Counting::popcount, "this device has no 1-bit matrix units that work"};
}

}  // namespace clopt::ecga
