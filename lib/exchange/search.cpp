#include "search.hpp"

#include <fmt/format.h>

#include <clopt/error.hpp>

namespace clopt::exchange {

std::span<const std::uint64_t> array_of(const Record& state, const std::string& name, std::optional<std::size_t> size) {
  try {
    return state.array<std::uint64_t>(name, size);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("exchange: the checkpoint is of another search: {}", error.what()));
  }
}

std::string describe_failure(const Device& device, const std::exception& error) {
  return fmt::format("{} ({}) failed: {}", device.info().id, device.info().name, error.what());
}

std::string names_of(std::span<const std::shared_ptr<Device>> devices) {
  std::string names;
  for (const auto& device : devices)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", device->info().id, device->info().name);
  return names;
}

void require_conflicts(const SearchTask& task, SearchResult& found) {
  // A search chooses a channel for each path; spread evenly over parallel ones, paths may have fewer conflicts.
  const auto conflicts = count_conflicts(task.problem, found.schedule);
  if (conflicts < found.conflicts && task.network.has_parallel_channels()) found.conflicts = conflicts;
  if (conflicts != found.conflicts)
    throw DeviceError(
        fmt::format("{}: the optimizer {} counts {} conflicts of its best schedule, and the host {}: a defect of the "
                    "device or its driver, or work that was lost. Run `clopt validate`, or take another device",
                    names_of(task.devices), name_of(task.parsed.optimizer), found.conflicts, conflicts));
}

}  // namespace clopt::exchange
