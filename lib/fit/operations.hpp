/// \file
/// The operations of fits, documented in kernels_cl/fit.
#pragma once

#include <generated/operations/fit.hpp>
