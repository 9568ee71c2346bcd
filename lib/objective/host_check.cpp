#include "host_check.hpp"

#include <clopt/detail/dropped_launches.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "casts.hpp"
#include "operations.hpp"
#include "program.hpp"

namespace clopt::objective {
namespace {

// Reals that one thread evaluates in a built-in objective, which reads each once or twice, before other threads could
// start.
constexpr std::size_t most_reals_of_a_thread = std::size_t{1} << 17;

// What an error says, and the place that its second line names, in one line.
std::string first_lines(std::string_view what) {
  const auto first = what.substr(0, what.find('\n'));
  const auto rest = what.substr(std::min(what.size(), first.size() + 1));
  return fmt::format("{}{}{}", first, rest.empty() ? "" : ": ", rest.substr(0, rest.find('\n')));
}

std::shared_ptr<Device> open_host(unsigned threads) {
  return open_device("openmp:0", {.threads = threads, .force = false, .self_test = false});
}

}  // namespace

void get_ready_for_values(const Objective& objective) {
  if (!objective.is_builtin()) return;
  try {
    open_host(1);
  } catch (const Error&) {
    // The first use reports it.
  }
}

std::string why_unchecked(const Objective& objective, const Device& device, bool was_ended) {
  if (objective.is_function()) return "the objective is a function, which the host called itself";
  if (objective.is_builtin()) return {};
  if (!objective.warning().empty() && !device.info().launches_are_calls)
    return "the text calls functions that differ between devices";
  if (was_ended && !device.info().launches_are_calls)
    return "the run was ended, and a text takes a compiler for the host seconds";
  return {};
}

template <class Element, class Real>
std::vector<Real> values_on_host(const Objective& objective, const Individuals<Element, Real>& individuals,
                                 std::string& unchecked, Term term) {
  using Kernel = operations::Evaluate<Element, Real>;
  try {
    const bool is_short = std::is_floating_point_v<Element> && objective.is_builtin() &&
                          individuals.elements.size() <= most_reals_of_a_thread;
    const auto host = open_host(is_short ? 1U : 0U);
    Program program;
    prepare(program, objective, std::is_same_v<Real, double>, 0, term);
    program.defines.set("OBJECTIVE_EXACT", true);
    const auto evaluate = build<Kernel>(*host, program, objective);
    const auto queue = host->queue();
    const auto elements = host->buffer<Element>("the best individuals", individuals.elements.size());
    const auto rows = host->buffer<Real>("their data", std::max<std::size_t>(1, individuals.rows.size()));
    const auto values = host->buffer<Real>("their values", individuals.count);
    const auto tables = upload_tables<Real>(*host, *queue, objective);
    queue->write(elements, individuals.elements);
    if (!individuals.rows.empty()) queue->write(rows, individuals.rows);
    queue->launch(evaluate, Range::of_items(individuals.count),
                  {.elements = elements,
                   .rows = rows,
                   .tables = tables,
                   .values = values,
                   .count = std::uint64_t{individuals.count},
                   .individual_step = std::uint64_t{individuals.elements.size() / individuals.count},
                   .row_step = std::uint64_t{individuals.columns},
                   .gene_step = 1U,
                   .gene_count = individuals.genes,
                   .column_count = individuals.columns});
    return queue->read_all(values);
  } catch (const LaunchDropped&) {
    throw;
  } catch (const Error& error) {
    // What this text would do differs from device to device.
    if (std::string_view(error.what()).find(hidden_conversion) != std::string_view::npos) throw;
    unchecked = fmt::format("the host cannot evaluate it: {}", first_lines(error.what()));
    return {};
  }
}

template std::vector<float> values_on_host(const Objective&, const Individuals<float, float>&, std::string&, Term);
template std::vector<double> values_on_host(const Objective&, const Individuals<double, double>&, std::string&, Term);
template std::vector<float> values_on_host(const Objective&, const Individuals<std::uint32_t, float>&, std::string&,
                                           Term);
template std::vector<double> values_on_host(const Objective&, const Individuals<std::uint32_t, double>&, std::string&,
                                            Term);
template std::vector<float> values_on_host(const Objective&, const Individuals<std::int32_t, float>&, std::string&,
                                           Term);
template std::vector<double> values_on_host(const Objective&, const Individuals<std::int32_t, double>&, std::string&,
                                            Term);

template <class Element, class Real>
void require_kept_values(const Checkpoint& checkpoint, const Objective& objective,
                         const Individuals<Element, Real>& individuals, std::span<const Real> values,
                         std::string_view field) {
  std::string unchecked;
  const auto on_host = values_on_host(objective, individuals, unchecked);
  for (std::size_t i = 0; i < on_host.size(); ++i)
    if (values[i] != on_host[i] && (std::isfinite(values[i]) || std::isfinite(on_host[i])))
      checkpoint.refuse(
          fmt::format("'{}' has the value {} for an individual whose value is {}", field, values[i], on_host[i]));
}

template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<float, float>&,
                                  std::span<const float>, std::string_view);
template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<double, double>&,
                                  std::span<const double>, std::string_view);
template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<std::uint32_t, float>&,
                                  std::span<const float>, std::string_view);
template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<std::uint32_t, double>&,
                                  std::span<const double>, std::string_view);
template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<std::int32_t, float>&,
                                  std::span<const float>, std::string_view);
template void require_kept_values(const Checkpoint&, const Objective&, const Individuals<std::int32_t, double>&,
                                  std::span<const double>, std::string_view);

void require_host_value(const Objective& objective, const Device& device, double found, double on_host) {
  if (found == on_host || (std::isnan(found) && std::isnan(on_host))) return;
  throw DeviceError(fmt::format(
      "{} ({}) gives the best individual the value {:.17g}, and the host finds {:.17g} for it: a defect of "
      "the device or its driver, or work that was lost; objective {}. Run `clopt validate`, or take another "
      "device",
      device.info().id, device.info().name, found, on_host, printable(objective.name())));
}

}  // namespace clopt::objective
