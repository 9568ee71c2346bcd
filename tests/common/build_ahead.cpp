// Kernels that a run begins to build and waits for together.
#include <device/kernels/build_ahead.hpp>

#include <boost/test/unit_test.hpp>
#include <generated/operations/probes.hpp>

#include <stdexcept>
#include <vector>

namespace {

using clopt::probes::operations::LongLoop;

/// A device that builds nothing, and remembers what it was asked for.
class Builder : public clopt::Device {
 public:
  std::vector<std::string> events;
  std::vector<bool> fails;  ///< of the kernels that are only begun, in their order

 protected:
  class Begun : public clopt::KernelBase {
   public:
    Begun(Builder& device, bool fails, std::size_t number) : device_(device), fails_(fails), number_(number) {}
    std::uint32_t max_group_size() const override { return 1; }
    std::uint32_t subgroup_size() const override { return 1; }
    void finish_build() override {
      device_.events.push_back("finished " + std::to_string(number_));
      if (fails_) throw clopt::BuildError("kernel " + std::to_string(number_));
    }

   private:
    Builder& device_;
    bool fails_;
    std::size_t number_;
  };

  std::unique_ptr<clopt::Queue> do_queue(const clopt::QueueOptions&) override { return nullptr; }
  std::shared_ptr<clopt::Memory> do_allocate(const std::string&, std::size_t, clopt::MemoryKind) override {
    return nullptr;
  }
  std::shared_ptr<clopt::KernelBase> do_kernel(const clopt::OperationInfo&, const clopt::Program&) override {
    events.emplace_back("built");
    return std::make_shared<Begun>(*this, false, 0);
  }
  std::shared_ptr<clopt::KernelBase> do_begin_kernel(const clopt::OperationInfo&, const clopt::Program&) override {
    events.emplace_back("begun");
    ++begun_;
    return std::make_shared<Begun>(*this, begun_ <= fails.size() && fails[begun_ - 1], begun_);
  }

 private:
  std::size_t begun_ = 0;
};

using Texts = std::vector<std::string>;

// A kernel of its own for each number: one that is built is not built again.
void ask(Builder& device, int number) {
  clopt::Program program;
  program.defines.set("NUMBER", number);
  device.kernel<LongLoop>(program);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(build_ahead)

BOOST_AUTO_TEST_CASE(kernels_are_begun_before_any_is_waited_for) {
  Builder device;
  ask(device, 0);
  {
    clopt::BuildAhead builds;
    ask(device, 1);
    ask(device, 2);
    builds.finish();
  }
  ask(device, 3);
  BOOST_TEST(device.events == (Texts{"built", "begun", "begun", "finished 1", "finished 2", "built"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_waited_for_is_built) {
  Builder device;
  for (int round = 0; round < 2; ++round) {
    clopt::BuildAhead builds;
    ask(device, 1);
    builds.finish();
  }
  ask(device, 1);
  BOOST_TEST(device.events == (Texts{"begun", "finished 1", "finished 1"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_does_not_build_is_begun_again) {
  Builder device;
  device.fails = {true, false};
  {
    clopt::BuildAhead builds;
    ask(device, 1);
    BOOST_CHECK_THROW(builds.finish(), clopt::BuildError);
  }
  clopt::BuildAhead builds;
  ask(device, 1);
  builds.finish();
  BOOST_TEST(device.events == (Texts{"begun", "finished 1", "begun", "finished 2"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_first_that_fails_is_reported) {
  Builder device;
  device.fails = {false, true, true};
  clopt::BuildAhead builds;
  for (int i = 0; i < 3; ++i) device.kernel<LongLoop>();
  BOOST_CHECK_EXCEPTION(builds.finish(), clopt::BuildError,
                        [](const auto& error) { return std::string(error.what()) == "kernel 2"; });
}

BOOST_AUTO_TEST_CASE(a_failure_is_reported_as_its_caller_says) {
  Builder device;
  device.fails = {true};
  clopt::BuildAhead builds;
  device.kernel<LongLoop>();
  builds.set_failure([](const clopt::BuildError& error) { throw std::logic_error(std::string("of ") + error.what()); });
  device.kernel<LongLoop>();
  BOOST_CHECK_EXCEPTION(builds.finish(), std::logic_error,
                        [](const auto& error) { return std::string(error.what()) == "of kernel 1"; });
}

BOOST_AUTO_TEST_CASE(where_it_pauses_kernels_are_built_at_once) {
  Builder device;
  clopt::BuildAhead builds;
  {
    const clopt::BuildAhead::Pause pause;
    ask(device, 1);
  }
  ask(device, 2);
  builds.finish();
  BOOST_TEST(device.events == (Texts{"built", "begun", "finished 1"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_unwinds_waits_for_nothing) {
  Builder device;
  try {
    clopt::BuildAhead builds;
    device.kernel<LongLoop>();
    throw std::runtime_error("the run was refused");
  } catch (const std::runtime_error&) {
    device.kernel<LongLoop>();
  }
  BOOST_TEST(device.events == (Texts{"begun", "built"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
