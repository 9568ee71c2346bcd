/// \file
/// The operation of kernels_cl/objective.
#pragma once

#include <generated/operations/objective.hpp>
