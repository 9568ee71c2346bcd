/// \file
/// Everything of clopt that a program needs: devices and solvers.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/csv.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/ecga.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>
#include <clopt/files.hpp>
#include <clopt/genetic.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/subset_sum.hpp>
#include <clopt/version.hpp>
