/// \file
/// Everything of clopt that programs use: devices, solvers, checkpoints and slices.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/checkpoint.hpp>
#include <clopt/cluster.hpp>
#include <clopt/crash.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/fields.hpp>
#include <clopt/objective.hpp>
#include <clopt/record.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>
#include <clopt/solvers.hpp>
#include <clopt/version.hpp>
#include "crash.hpp"
