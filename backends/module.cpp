/// \file
/// What makes a module of a backend's code: its entry point. CLOPT_BACKEND is the name of the code's own function.
#include <clopt/backend.hpp>

namespace clopt {

const BackendEntry* CLOPT_BACKEND();

}  // namespace clopt

extern "C" const clopt::BackendEntry* clopt_backend() { return clopt::CLOPT_BACKEND(); }
