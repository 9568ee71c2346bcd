/// \file
/// The work of ranks other than the first.
#pragma once

#include <clopt/device.hpp>

#include <functional>
#include <memory>
#include <vector>

#include "transport.hpp"

namespace clopt::group {

/// Works for rank 0 until it leaves, and ends the transport. \param open is called on another thread; what it throws is
/// sent to rank 0. \returns rank 0's status.
int serve_first_rank(Transport& transport, const std::function<std::vector<std::shared_ptr<Device>>()>& open);

}  // namespace clopt::group
