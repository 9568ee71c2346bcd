/// \file
/// What the program says when the text of an objective crashes.
#pragma once

#include <string_view>

namespace clopt::apps {

/// From now on a crash of a text on OpenMP is told, with its signal and the text, and ends the process with status 3.
/// The run's checkpoint stays as it was written last.
void tell_crashes_of_objectives();

}  // namespace clopt::apps
