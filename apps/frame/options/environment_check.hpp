/// \file
/// Environment variables that nothing reads.
#pragma once

namespace clopt::apps {

/// Warns in a line of each variable that is called as one of clopt's but for a slip, such as CLOPT_DEVCE.
void check_environment();

}  // namespace clopt::apps
