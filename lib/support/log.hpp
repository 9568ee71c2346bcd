/// \file
/// Lines for developers, on standard error, for the topics that CLOPT_LOG names.
#pragma once

#include "environment.hpp"

#include <cstdio>
#include <string>

namespace clopt {

inline void log(const std::string& topic, const std::string& line) {
  if (environment::logs(topic)) std::fprintf(stderr, "clopt %s: %s\n", topic.c_str(), line.c_str());
}

}  // namespace clopt
