/// \file
/// What later processes know of runs.
#include <automatic/known_runs.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>

using clopt::Cache;
using clopt::KnownRun;
using clopt::KnownRuns;
using clopt::Start;

namespace {

void require(const KnownRun& known, const KnownRun& expected) {
  BOOST_TEST((known.start == expected.start));
  BOOST_TEST(known.processor == expected.processor);
  BOOST_TEST(known.accelerator == expected.accelerator);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(automatic_known_runs)

BOOST_AUTO_TEST_CASE(a_later_process_knows_what_was_kept) {
  const clopt::test::Folder folder;
  const Cache cache(folder.path());
  const KnownRun processor{Start::processor, 0.25, 1e9};
  const KnownRun accelerator{Start::accelerator, 12.5, 0.125};
  KnownRuns first(cache);
  require(first.find("one", true), {});
  first.keep("one", processor, true);
  first.keep("two", accelerator, true);
  first.keep("here", accelerator, false);
  first.keep("short", {Start::processor, 0.01, 0.02}, true);
  first.keep_opening(2.5);
  require(first.find("one", true), processor);
  require(first.find("here", true), accelerator);

  KnownRuns second(cache);
  require(second.find("two", false), {});
  require(second.find("one", true), processor);
  require(second.find("here", true), {});
  require(second.find("short", true), {});
  BOOST_TEST(second.opening_seconds() == 2.5);
  second.keep("one", {}, true);
  require(KnownRuns(cache).find("one", true), {});
}

BOOST_AUTO_TEST_CASE(news_is_written_and_what_is_much_the_same_is_not) {
  const clopt::test::Folder folder;
  const Cache cache(folder.path());
  KnownRuns runs(cache);
  runs.keep("run", {Start::unknown, 1, 0}, true);
  runs.keep("run", {Start::unknown, 1.25, 0}, true);
  require(KnownRuns(cache).find("run", true), {Start::unknown, 1, 0});
  runs.keep("run", {Start::unknown, 2, 0}, true);
  require(KnownRuns(cache).find("run", true), {Start::unknown, 2, 0});
  runs.keep("run", {Start::processor, 2, 0}, true);
  require(KnownRuns(cache).find("run", true), {Start::processor, 2, 0});
}

BOOST_AUTO_TEST_CASE(a_damaged_record_counts_as_none) {
  const clopt::test::Folder folder;
  const Cache cache(folder.path());
  KnownRuns(cache).keep("run", {Start::processor, 2, 3}, true);
  for (const auto& entry : cache.entries())
    for (const char* text : {"", "1,2", "1,2,x", "1,2,3,4", "1;2;3"}) {
      cache.store(entry.kind, entry.key, text);
      require(KnownRuns(cache).find("run", true), {});
    }
}

BOOST_AUTO_TEST_SUITE_END()
