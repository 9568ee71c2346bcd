#include "job_member.hpp"

#include <clopt/error.hpp>

#include <unistd.h>

#include <utility>

#include "caller.hpp"

namespace clopt::python {
namespace {

std::mutex mutex_of_current;
std::shared_ptr<JobMember> current_member;
pid_t process_of_current = 0;

void set_current(std::shared_ptr<JobMember> member) {
  const std::lock_guard lock(mutex_of_current);
  current_member = std::move(member);
  process_of_current = ::getpid();
}

std::string place(const JobMember& member) {
  return "rank " + std::to_string(member.rank()) + " of " + std::to_string(member.ranks());
}

// On the job's thread. Nothing there can be stopped: the caller continues where a signal's handler raises.
void run_on_job_thread(std::function<void()> work) { std::make_shared<Caller>(false)->run(std::move(work)); }

}  // namespace

std::shared_ptr<JobMember> JobMember::current() {
  const std::lock_guard lock(mutex_of_current);
  return current_member;
}

std::shared_ptr<JobMember> JobMember::join() {
  const auto made = std::make_shared<JobMember>();
  made->thread_ = TaskThread::begin_job();
  try {
    run_on_job_thread([made] { made->take(cluster::join()); });
  } catch (...) {
    made->thread_->end();
    throw;
  }
  if (made->has_left()) {
    made->thread_->end();
    return nullptr;
  }
  set_current(made);
  return made;
}

void JobMember::take(std::shared_ptr<cluster::Member> member) {
  if (!member) return;
  rank_ = member->rank();
  ranks_ = member->ranks();
  local_rank_ = member->local_rank();
  local_ranks_ = member->local_ranks();
  library_ = member->library();
  const std::lock_guard lock(mutex_);
  member_ = std::move(member);
}

std::shared_ptr<cluster::Member> JobMember::member() const {
  const std::lock_guard lock(mutex_);
  return member_;
}

std::shared_ptr<cluster::Member> JobMember::require_member() const {
  auto found = member();
  if (!found) throw InvalidInput("this process has left the job, which it can join only once");
  return found;
}

std::vector<DeviceInfo> JobMember::share_of(const std::vector<DeviceInfo>& devices) const {
  return require_member()->share_of(devices);
}

unsigned JobMember::threads(unsigned asked) const { return require_member()->threads(asked); }

// What the process does last in the job: it has left it then, whatever comes of it.
void JobMember::run_and_forget(std::function<void(cluster::Member&)> last) {
  auto found = require_member();
  run_on_job_thread([self = shared_from_this(), found = std::move(found), last = std::move(last)]() mutable {
    const auto forget = [&] {
      const std::lock_guard lock(self->mutex_);
      self->member_.reset();
      found.reset();
    };
    try {
      last(*found);
    } catch (...) {
      forget();
      throw;
    }
    forget();
  });
  thread_->end();
  set_current(nullptr);
}

int JobMember::serve(Open open) {
  if (rank_ == 0) throw InvalidInput("this is the first rank, which calls solvers; the others serve() it");
  const auto status = std::make_shared<int>(0);
  run_and_forget([status, open = std::move(open)](cluster::Member& member) { *status = member.serve(open); });
  return *status;
}

int JobMember::serve_as_failed(const std::string& reason) {
  const auto status = std::make_shared<int>(0);
  run_and_forget([status, reason](cluster::Member& member) {
    try {
      throw InvalidInput(reason);
    } catch (const InvalidInput&) {
      *status = member.serve_as_failed();
    }
  });
  return *status;
}

void JobMember::leave(int status, bool waits) {
  if (rank_ != 0)
    throw InvalidInput("this is " + place(*this) + ", and only the first one leaves; the others serve() it until then");
  run_and_forget([status, waits](cluster::Member& member) { member.leave(status, waits); });
}

void require_may_solve() {
  const auto member = JobMember::current();
  if (!member) return;
  if (process_of_current != ::getpid())
    throw InvalidInput(
        "this process is a fork of " + place(*member) +
        " of a job of MPI, and cannot call solvers; begin it by `spawn`, or before clopt.cluster.join()");
  if (member->rank() != 0)
    throw InvalidInput("this is " + place(*member) +
                       ", and only the first one calls solvers; the others call member.serve()");
  if (Caller::is_asked())
    throw InvalidInput(
        "a function that a solver calls has called a solver, and in a job of MPI only one works at a time; call it "
        "before or after, or run without a job (CLOPT_CLUSTER=off)");
}

}  // namespace clopt::python
