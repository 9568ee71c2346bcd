/// \file
/// What `violation` makes of a NaN: fmin and fmax let it through there, and in what it calls.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace clopt::objective {

/// The text with kernels_cl/shared/objective/words.h's fmin and fmax of violations in place of those in the body of
/// `violation`, and in functions and macros of the text's own through which it gets there. Elsewhere they mean what
/// they did: functions that others call too are given, as their first argument, whether it is for a violation; those
/// that cannot have one, since a macro makes them, has their name or hands it on, let a NaN through in every call.
/// Lines stay where they are; behind them are functions for clopt to call. \param own names that mean something else:
/// constants and tables. O(length x functions).
std::string with_nan_through_violation(std::string_view text, const std::set<std::string>& own);

}  // namespace clopt::objective
