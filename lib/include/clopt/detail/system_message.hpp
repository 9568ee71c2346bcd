/// \file
/// What the system says of a failure, in English whatever locale the application has chosen.
#pragma once

#include <clopt/export.hpp>

#include <string>

namespace clopt {

/// The meaning of an error number, such as "No such file or directory". Keeps errno.
CLOPT_API std::string system_message(int error);

/// What dlerror() says of the last call that failed on this thread; empty where none did.
CLOPT_API std::string loader_message();

}  // namespace clopt
