/// \file
/// A case that cannot run on a platform, printed so that tools/test can compare it with tests/skips.txt.
#pragma once

#include "device.hpp"

#include <boost/test/framework.hpp>
#include <boost/test/tree/test_unit.hpp>

#include <iostream>
#include <string>
#include <string_view>

namespace clopt::test {

/// Reports that the current case skips something on the platform under test, and why; the case returns after it.
inline void skip(std::string_view reason) {
  const auto& test = boost::unit_test::framework::current_test_case();
  std::cout << "skipped: " << test.full_name() << " on " << platform() << ": " << reason << std::endl;
}

}  // namespace clopt::test
