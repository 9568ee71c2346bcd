/// \file
/// A case that a platform cannot run says so.
#pragma once

#include <boost/test/framework.hpp>
#include <boost/test/tree/test_unit.hpp>

#include <iostream>
#include <string_view>

#include "device.hpp"

namespace clopt::test {

/// Prints the line that the list of what may be skipped is compared with; the case returns after it.
inline void skip(std::string_view reason) {
  std::cout << "skipped: " << boost::unit_test::framework::current_test_case().full_name() << " on " << platform()
            << ": " << reason << std::endl;
}

}  // namespace clopt::test
