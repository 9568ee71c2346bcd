/// \file
/// The program's report of a crash in the text of an objective, or in a driver.
#pragma once

#include <string_view>

namespace clopt::apps {

/// Reports crashes from now on, and ends the process with status 3: a crash of an objective's text on OpenMP with its
/// signal and the text, any other one that is not sent from outside, such as that of a driver that runs out of memory,
/// and a call of exit() outside of main(). The last checkpoint is left as it is.
void report_crashes();
/// The process may exit from now on: main() returns.
void allow_exit();

}  // namespace clopt::apps
