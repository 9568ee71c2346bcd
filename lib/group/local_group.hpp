/// \file
/// The devices of this process as members of a group.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "group.hpp"

namespace clopt::group {

/// Each device is a member, with a thread that serves the first one; that is the caller's. At the end members are left
/// to finish what they are in: one that still builds its kernels delays no result.
class LocalGroup : public Group {
 public:
  explicit LocalGroup(std::span<const std::shared_ptr<Device>> devices);
  ~LocalGroup() override;

  Transport& transport() override;
  int neighbours() const override { return static_cast<int>(serving_) + 1; }
  std::string name_of(std::size_t rank) const override;

 private:
  struct Members;
  void end();

  const std::shared_ptr<Members> members_;
  std::size_t serving_ = 0;
};

/// The devices of the first one's kind: it would wait for slower ones of another kind.
std::vector<std::shared_ptr<Device>> alike(std::span<const std::shared_ptr<Device>> devices);

/// What a result's reason adds where one of some devices has the run. \param why a clause.
std::string one_of(std::size_t devices, const std::string& why);

/// What each device of a group did, by its report.
std::vector<DevicePart> parts_of(std::span<const std::shared_ptr<Device>> devices, const cluster::Report& report);

}  // namespace clopt::group
