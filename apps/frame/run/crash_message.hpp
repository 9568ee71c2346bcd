/// \file
/// What the program says when the text of an objective crashes, or a driver.
#pragma once

#include <string_view>

namespace clopt::apps {

/// From now on a crash of a text on OpenMP is told, with its signal and the text, and ends the process with status 3;
/// so is and does any other that is not sent from outside, such as one of a driver that gets too little memory.
/// The run's checkpoint stays as it was written last.
/// A call of exit() by anyone else than main() is told likewise.
void tell_crashes();
/// The process may exit from now on: main() returns.
void allow_exit();

}  // namespace clopt::apps
