/// \file
/// Everything of clopt: devices, solvers, files, and what is remembered between runs.
#pragma once

#include <clopt/activity.hpp>
#include <clopt/backend.hpp>
#include <clopt/cache.hpp>
#include <clopt/checkpoint.hpp>
#include <clopt/cluster.hpp>
#include <clopt/crash.hpp>
#include <clopt/csv.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/kernel_source.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/solvers.hpp>
#include <clopt/streams.hpp>
#include <clopt/tuning.hpp>
#include <clopt/version.hpp>
