/// \file
/// Everything of clopt: devices, solvers, files, and what is remembered between runs.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/checkpoint.hpp>
#include <clopt/cluster.hpp>
#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/detail/tuning.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/solvers.hpp>
#include <clopt/version.hpp>
#include "crash.hpp"
