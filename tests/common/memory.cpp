#include <boost/test/unit_test.hpp>

#include <support/process/memory.hpp>

#include <support/folder.hpp>

using clopt::test::write_file;

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(the_least_of_system_and_groups_counts) {
  const clopt::test::Folder folder;
  const auto& root = folder.path();
  BOOST_TEST(clopt::available_memory(root) > std::uint64_t{1} << 60);  // nothing is known
  write_file(root / "proc/meminfo", "MemTotal:  24684000 kB\nMemFree:   1000 kB\nMemAvailable:   2000000 kB\n");
  BOOST_TEST(clopt::available_memory(root) == 2'048'000'000U);
  write_file(root / "proc/self/cgroup", "0::/user/run\n");
  BOOST_TEST(clopt::available_memory(root) == 2'048'000'000U);
  write_file(root / "sys/fs/cgroup/user/run/memory.max", "max\n");
  write_file(root / "sys/fs/cgroup/user/run/memory.current", "1000\n");
  BOOST_TEST(clopt::available_memory(root) == 2'048'000'000U);
  write_file(root / "sys/fs/cgroup/user/memory.max", "1500000000\n");
  write_file(root / "sys/fs/cgroup/user/memory.current", "400000000\n");
  BOOST_TEST(clopt::available_memory(root) == 1'100'000'000U);
  // Within a container, the group's files lie where they are mounted.
  write_file(root / "sys/fs/cgroup/memory.max", "1000000000\n");
  write_file(root / "sys/fs/cgroup/memory.current", "1200000000\n");
  BOOST_TEST(clopt::available_memory(root) == 0U);
}

BOOST_AUTO_TEST_CASE(a_container_has_what_its_groups_allow) {
  const clopt::test::Folder folder;
  const auto& root = folder.path();
  BOOST_TEST(clopt::total_memory(root) > std::uint64_t{1} << 60);  // nothing is known
  write_file(root / "proc/meminfo", "MemTotal:  2000000 kB\nMemAvailable:   1000 kB\n");
  BOOST_TEST(clopt::total_memory(root) == 2'048'000'000U);
  write_file(root / "proc/self/cgroup", "0::/user/run\n");
  write_file(root / "sys/fs/cgroup/user/run/memory.max", "max\n");
  BOOST_TEST(clopt::total_memory(root) == 2'048'000'000U);
  // A limit counts although nothing says what is used.
  write_file(root / "sys/fs/cgroup/user/memory.max", "1500000000\n");
  BOOST_TEST(clopt::total_memory(root) == 1'500'000'000U);
  write_file(root / "proc/self/cgroup", "4:cpuset,memory:/job/7\n");
  write_file(root / "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "700000\n");
  BOOST_TEST(clopt::total_memory(root) == 700'000U);
}

BOOST_AUTO_TEST_CASE(the_first_version_of_groups_counts) {
  const clopt::test::Folder folder;
  const auto& root = folder.path();
  write_file(root / "proc/self/cgroup", "9:name=systemd:/\n4:cpuset,memory:/job/7\n");
  write_file(root / "sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "9223372036854771712\n");
  write_file(root / "sys/fs/cgroup/memory/job/7/memory.usage_in_bytes", "5000\n");
  write_file(root / "sys/fs/cgroup/memory/memory.limit_in_bytes", "700000\n");
  write_file(root / "sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
  BOOST_TEST(clopt::available_memory(root) == 600'000U);
}

BOOST_AUTO_TEST_CASE(here_no_more_is_left_than_there_is) {
  BOOST_TEST(clopt::total_memory() < std::uint64_t{1} << 60);
  BOOST_TEST(clopt::available_memory() <= clopt::total_memory());
  BOOST_TEST(clopt::available_memory() > 1U << 20);
}

BOOST_AUTO_TEST_SUITE_END()
