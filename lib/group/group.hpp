/// \file
/// Members that share a run: ranks of a job, or devices of this process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mailbox.hpp"
#include "transport.hpp"

namespace clopt::group {

/// The group as its first member has it, which distributes the work.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group();

  /// The ranks of the job that this process is in; null outside one.
  static Group* job();
  /// The same, where they may share a run of this thread; null for a PrivateRun.
  /// \throws InvalidInput where this rank is not the first one, which alone calls solve().
  static Group* of_run();

  virtual Transport& transport() = 0;
  int ranks() { return transport().ranks(); }
  /// Members on this one's machine, which share its memory and cores.
  virtual int neighbours() const = 0;
  /// The machine of a member.
  const std::string& host_of(std::size_t rank) const { return hosts_[rank]; }
  virtual std::string name_of(std::size_t rank) const = 0;
  /// Another number for each run.
  std::uint32_t next_run_number() { return ++runs_; }
  /// A member could not open its devices; its message of Kind::error without kind and number. None else.
  const std::optional<Bytes>& failure_of(std::size_t rank) const { return failures_[rank]; }
  /// Takes messages. Those of no run are kept here, others are handed over, without kind.
  bool poll(const std::function<void(std::size_t rank, Kind kind, std::uint32_t run_number, ByteReader message)>& take);

 protected:
  /// \param hosts of all members.
  void set_members(std::vector<std::string> hosts);
  std::size_t byes() const;
  /// Makes this one job().
  void become_job();

 private:
  std::vector<std::string> hosts_;
  std::vector<std::optional<Bytes>> failures_;
  std::vector<bool> said_bye_;
  std::uint32_t runs_ = 0;
};

}  // namespace clopt::group
