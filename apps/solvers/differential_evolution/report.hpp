/// \file
/// What is told of a run of differential evolution.
#pragma once

#include <clopt/device.hpp>

#include <string>
#include <vector>

#include <frame/output.hpp>
#include "request.hpp"

namespace clopt::apps::differential_evolution {

/// What belongs to a run besides the solver's result.
struct Report {
  const Request& request;
  const clopt::differential_evolution::Result& result;
  const std::vector<DeviceInfo>& devices;
  double open_seconds;
};

/// \throws InvalidInput where no value of a whole run is a number: a search among none has no answer.
void require_values(const clopt::differential_evolution::Problem& problem,
                    const clopt::differential_evolution::Result& result);

/// A number, or null, since JSON has no infinity.
Json number_json(double value);

/// The result for --json, and for people.
Json to_json(const Report& report);
std::string to_text(const Report& report);

/// The exit status, if files can be written.
int status_of(const clopt::differential_evolution::Result& result, const Request& request);

}  // namespace clopt::apps::differential_evolution
