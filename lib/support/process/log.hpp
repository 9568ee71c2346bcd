/// \file
/// Lines for developers, on standard error, for the topics that CLOPT_LOG names.
#pragma once

#include <clopt/detail/streams.hpp>
#include "environment.hpp"

#include <string>

namespace clopt {

inline void log(const std::string& topic, const std::string& line) {
  if (environment::logs(topic)) write_stream(2, "clopt " + topic + ": " + line + "\n");
}

}  // namespace clopt
