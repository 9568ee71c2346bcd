/// \file
/// The system's limits of this process.
#pragma once

#include <string>

namespace clopt {

/// Every resource limit of this process, such as those of memory, files and processes, as a text. Where a driver fails,
/// one of them may be why: under other limits it is asked again.
std::string limits_of_process();

}  // namespace clopt
