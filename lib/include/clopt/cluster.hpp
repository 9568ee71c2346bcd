/// \file
/// Many machines: the processes that a launcher of MPI starts ("ranks") share the work of solve().
///
/// Every rank calls join(). The first one then calls solve() as usual; the others serve() it until it leaves:
///
///     const auto member = clopt::cluster::join();
///     const auto open = [&] { return clopt::open_devices({"all"}); };
///     if (member && !member->is_first()) return member->serve(open);
///     const auto result = clopt::differential_evolution::solve(problem, options, open());
///
/// Results are those of one process, to the last bit. docs/cluster.md says which runs are shared out.
#pragma once

#include <clopt/export.hpp>

#include <clopt/device.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt::cluster {

/// What ranks have done in a run.
struct Report {
  struct Rank {
    std::string host;
    std::vector<std::string> devices;   ///< their ids
    double busy_seconds = 0;            ///< in which it worked at something
    std::uint64_t items = 0;            ///< of work whose results counted, such as problems, runs, islands
    std::vector<std::string> failures;  ///< devices that failed, and why
  };
  std::string engine = "MPI";
  std::string library;           ///< the MPI library's own name and version
  std::uint64_t ranks = 1;       ///< of the job
  std::uint64_t requests = 0;    ///< for ranges of work
  std::uint64_t duplicated = 0;  ///< ranges that were handed out again, since a rank was slow
  double wait_seconds = 0;       ///< in which ranks had nothing to do, added up
  std::uint64_t bytes = 0;       ///< of messages that the first rank sent and received
  std::vector<Rank> per_rank;
  /// Why the first rank has done all the work itself; empty where it was shared out.
  std::string alone;
};

/// This process's part in the job. At most one object is there at a time; the thread that has made it is the one that
/// calls its functions, and solve().
class CLOPT_API Member {
 public:
  struct Inside;
  explicit Member(std::unique_ptr<Inside> inside);
  /// Leaves with status 0, unless leave() was called.
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  unsigned rank() const;
  unsigned ranks() const;
  unsigned local_rank() const;   ///< among those of this machine
  unsigned local_ranks() const;  ///< of this machine
  bool is_first() const { return rank() == 0; }
  /// The MPI library's own name and version.
  std::string library() const;

  /// Of devices that all ranks of this machine name alike, those of this one: local rank l of L takes the devices
  /// l, l + L, ...; where there are fewer devices than ranks, some share one.
  std::vector<DeviceInfo> share_of(const std::vector<DeviceInfo>& devices) const;
  /// The threads for a device that is the host's processor: as many as asked for, or else this rank's share of the
  /// cores that it may use, at least 1; ranks that the launcher has bound to cores of their own do not share these.
  unsigned threads(unsigned asked) const;

  /// Of any rank but the first: works for the first one until that leaves, and leaves too.
  /// \param open opens the devices to work on, at least one, on another thread. What it throws ends the job: the first
  ///        rank's next solve() throws it. \returns the first rank's status.
  int serve(const std::function<std::vector<std::shared_ptr<Device>>()>& open);
  /// Of any rank but the first: as serve(), for one that cannot work: the first rank's next solve() throws
  /// the exception that is being handled.
  int serve_as_failed();
  /// Of the first rank: ends all others, which return \p status. Ranks that do not answer within seconds are aborted,
  /// and this process with them.
  /// \param waits whether to wait for the others; without, as after an interrupt, the launcher ends them.
  void leave(int status, bool waits = true);

 private:
  std::unique_ptr<Inside> inside_;
};

/// Joins the job that a launcher of MPI (mpirun, mpiexec, srun) has started this process in, by loading the module for
/// its MPI. All ranks call it; it returns once all have, and have been found to be of one version of clopt with the
/// same kernels. Where the program has initialised MPI itself, it stays in charge of it.
/// \returns none where no launcher says that it has started this process, or it has started no other and there is no
/// module.
/// \throws InvalidInput where several processes were started and no module loads, where the module's MPI finds another
/// number of processes than the launcher has started, and where ranks differ.
CLOPT_API std::unique_ptr<Member> join();

/// The rank that the launcher says this process to have, before join(); 0 where there is none.
CLOPT_API unsigned announced_rank();

/// Compiles the module for an MPI library with its compiler's wrapper. \param file the module to write.
/// \throws InvalidInput where the wrapper is not found or fails, with what it says.
CLOPT_API void build_module(const std::string& wrapper, const std::filesystem::path& file);

}  // namespace clopt::cluster
