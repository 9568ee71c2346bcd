/// \file
/// What a run has to do with a job of MPI.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

namespace clopt::python {

/// What the ranks of a job have done in a run; None outside a job.
nanobind::object cluster_fields(const RunResult& result);

/// Opens the devices that texts name; in a job those that are this rank's, with its share of the cores. Without the
/// interpreter's lock. \throws as open_devices().
std::vector<std::shared_ptr<Device>> open_share(const std::vector<std::string>& texts);

}  // namespace clopt::python
