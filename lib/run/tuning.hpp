/// \file
/// How solvers write and read what `clopt tune` has measured.
#pragma once

#include <clopt/detail/tuning.hpp>
#include <clopt/device.hpp>
#include <clopt/run.hpp>
#include <support/threads/private_run.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace clopt {

/// Thrown by a measurement where the run must end.
struct TuningStopped {};

/// The result of a solver's tune(). \param measure is called with the run's Watch; it returns what becomes JSON.
template <class Measure>
std::optional<std::string> tune_by(const RunControl& control, const Measure& measure) {
  const PrivateRun run;
  const Watch watch(control);
  try {
    return nlohmann::json(measure(watch)).dump();
  } catch (const TuningStopped&) {
    return std::nullopt;
  }
}

/// What a device's tuning says; none where it was not tuned, or the text has no such value.
/// \param key of the value; null: all.
template <class Value>
std::optional<Value> tuned(const Device& device, std::string_view solver, const char* key = nullptr) {
  const auto text = find_tuning(device, solver);
  if (!text) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(*text);
    const auto& value = key != nullptr ? json.at(key) : json;
    if (std::is_unsigned_v<Value> && !value.is_number_unsigned()) return std::nullopt;
    return value.template get<Value>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace clopt
