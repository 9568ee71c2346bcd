#include <clopt/detail/cache.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/tuning.hpp>
#include <clopt/version.hpp>
#include <support/process/environment.hpp>
#include "device_key.hpp"

#include <fmt/format.h>

namespace clopt {
namespace {

constexpr std::string_view tuning_kind = "tuning";

// Speeds depend on the threads that the OpenMP device has, unlike right and wrong.
std::string key_of(const Device& device, std::string_view solver) {
  return fmt::format("{}{}\n{}\n", device_key(device.info()), device.info().compute_units, solver);
}

}  // namespace

std::string device_key(const DeviceInfo& info) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\nclopt {} {}\n", info.backend, info.platform, info.name, info.version,
                     environment::subgroups(), version(), kernel_fingerprint());
}

std::optional<std::string> find_tuning(const Device& device, std::string_view solver) {
  return Cache::instance().load(tuning_kind, key_of(device, solver));
}

void remember_tuning(const Device& device, std::string_view solver, std::string_view json) {
  Cache::instance().store(tuning_kind, key_of(device, solver), json);
}

}  // namespace clopt
