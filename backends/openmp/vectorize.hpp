/// \file
#pragma once

#include "../../lib/support/vectorize.hpp"
