#include <shared/random.h>
#include <clopt/error.hpp>
#include <device/transfer/read_in_pieces.hpp>
#include <generated/operations/random_numbers.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ut = boost::unit_test;
using clopt::Buffer;
using clopt::InvalidInput;
using clopt::test::device;
using clopt::test::platform;

namespace {

auto says_all(const std::vector<std::string>& texts) {
  return [texts](const std::exception& error) {
    const std::string message = error.what();
    for (const auto& text : texts) BOOST_TEST(message.find(text) != message.npos, "'" << text << "' in: " << message);
    return true;
  };
}

template <class T>
std::vector<T> numbers(std::size_t count, T first) {
  std::vector<T> list(count);
  std::iota(list.begin(), list.end(), first);
  return list;
}

template <class T>
std::vector<T> all_of(clopt::Queue& queue, const Buffer<T>& buffer) {
  std::vector<T> list(buffer.size());
  queue.read(buffer, list);
  queue.finish();
  return list;
}

// Launches that write the words of some blocks; each overwrites what the one before wrote.
using clopt::random_numbers::operations::RandomWords;

std::vector<std::uint32_t> random_words(std::uint64_t seed, std::uint32_t blocks) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t x = 0; x < blocks; ++x) {
    const auto block = clopt::shared::random_at(seed, 1, x, 2, 3);
    words.insert(words.end(), {block.a, block.b, block.c, block.d});
  }
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(queues, *ut::label("device") * ut::label("oclgrind"))

BOOST_AUTO_TEST_CASE(parts_of_buffers_move) {
  const auto queue = device().queue();
  for (const std::size_t size : {1U, 7U, 49U, 257U}) {
    const auto from = device().buffer<std::uint32_t>("from", size);
    const auto to = device().buffer<std::uint32_t>("to", size + 3);
    const auto written = numbers<std::uint32_t>(size, 100);
    queue->write(from, written);
    queue->fill(to, 5);
    queue->copy(from, to, size - size / 2, size / 2, 2);
    auto expected = std::vector<std::uint32_t>(size + 3, 5);
    std::copy(written.begin() + static_cast<std::ptrdiff_t>(size / 2), written.end(), expected.begin() + 2);
    BOOST_TEST(all_of(*queue, to) == expected, boost::test_tools::per_element());
    queue->write(to, std::span(written).first(1), size + 2);
    queue->fill(to, 9, 1, 1);
    expected.back() = written.front();
    expected[1] = 9;
    std::vector<std::uint32_t> part(size + 2);
    queue->read(to, std::span(part), 1);
    queue->finish();
    BOOST_TEST(part == std::vector<std::uint32_t>(expected.begin() + 1, expected.end()),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(fills_take_elements_of_every_size) {
  const auto queue = device().queue();
  const auto check = [&](auto value) {
    const auto buffer = device().buffer<decltype(value)>("filled", 13);
    queue->fill(buffer, value);
    BOOST_TEST(all_of(*queue, buffer) == std::vector(13, value), boost::test_tools::per_element());
  };
  check(std::uint8_t{0xa5});
  check(std::uint16_t{0xa5b6});
  check(std::uint32_t{0xa5b6c7d8});
  check(std::uint64_t{0xa5b6c7d8e9f00112});
}

BOOST_AUTO_TEST_CASE(nothing_is_no_error) {
  const auto queue = device().queue();
  const auto empty = device().buffer<std::uint64_t>("empty", 0);
  const auto other = device().buffer<std::uint64_t>("other", 2);
  BOOST_TEST(empty.size() == 0U);
  queue->write(empty, std::span<const std::uint64_t>{});
  queue->fill(empty, 1);
  queue->copy(empty, other, 0);
  queue->read(other, std::span<std::uint64_t>{}, 2);
  const auto event = queue->record();
  event.wait();  // rusticl reports an event as complete only after a wait for it
  BOOST_TEST(event.done());
  queue->finish();
  BOOST_TEST(clopt::Event{}.done());
}

BOOST_AUTO_TEST_CASE(sizes_are_checked_and_the_buffer_is_named) {
  const auto queue = device().queue();
  const auto buffer = device().buffer<std::uint32_t>("the fitness", 7);
  const auto other = device().buffer<std::uint32_t>("the copy", 4);
  std::vector<std::uint32_t> list(8);
  const auto huge = std::numeric_limits<std::size_t>::max() - 1;
  BOOST_CHECK_EXCEPTION(queue->write(buffer, list), InvalidInput, says_all({"'the fitness'", "write", "8", "7"}));
  BOOST_CHECK_EXCEPTION(queue->read(buffer, std::span(list), 1), InvalidInput, says_all({"'the fitness'", "read"}));
  BOOST_CHECK_EXCEPTION(queue->read(buffer, std::span(list).first(1), huge), InvalidInput, says_all({"'the fitness'"}));
  BOOST_CHECK_EXCEPTION(queue->fill(buffer, 1, 7, 1), InvalidInput, says_all({"'the fitness'", "fill"}));
  BOOST_CHECK_EXCEPTION(queue->fill(buffer, 1, 9), InvalidInput, says_all({"'the fitness'", "fill"}));
  BOOST_CHECK_EXCEPTION(queue->copy(buffer, other, 5), InvalidInput, says_all({"'the copy'", "copy to"}));
  BOOST_CHECK_EXCEPTION(queue->copy(other, buffer, 5), InvalidInput, says_all({"'the copy'", "copy from"}));
  BOOST_CHECK_NO_THROW(queue->copy(buffer, other, 4, 3));
}

BOOST_AUTO_TEST_CASE(too_much_memory_is_refused_with_the_sizes) {
  const auto most = device().info().max_allocation_bytes;
  BOOST_CHECK_EXCEPTION(device().buffer<std::uint64_t>("the table", most / 8 + 1), clopt::OutOfMemory,
                        says_all({"'the table'", std::to_string(most), std::to_string(most / 8 + 1)}));
  BOOST_CHECK_THROW(device().buffer<std::uint64_t>("the table", std::numeric_limits<std::size_t>::max() / 4),
                    clopt::OutOfMemory);
}

BOOST_AUTO_TEST_CASE(kernels_run_in_order_and_events_end) {
  constexpr std::uint32_t blocks = 49;
  const auto queue = device().queue();
  const auto kernel = device().kernel<RandomWords>();
  const auto words = device().buffer<std::uint32_t>("words", 4 * blocks);
  const auto copied = device().buffer<std::uint32_t>("copied", 4 * blocks);
  const auto launch = [&](std::uint64_t seed) {
    return queue->launch(kernel, clopt::Range::of_items(blocks),
                         {.words = words, .count = blocks, .seed = seed, .purpose = 1, .y = 2, .z = 3});
  };
  for (std::uint64_t seed = 0; seed < 20; seed += 2) {
    const auto first = launch(seed);
    queue->copy(words, copied, words.size());
    const auto second = launch(seed + 1);
    second.wait();
    first.wait();
    BOOST_TEST(first.done());
    BOOST_TEST(second.done());
    BOOST_TEST(all_of(*queue, words) == random_words(seed + 1, blocks), boost::test_tools::per_element());
    BOOST_TEST(all_of(*queue, copied) == random_words(seed, blocks), boost::test_tools::per_element());
  }
  queue->write(words, std::vector<std::uint32_t>(7));
  BOOST_TEST(queue->counts().launches == 20U);
  BOOST_TEST(queue->counts().bytes_written == 7 * 4U);
  BOOST_TEST(queue->counts().bytes_read == 2 * 10 * 16 * blocks);
}

// Kernels that are compiled as C++ have two dimensions.
BOOST_AUTO_TEST_CASE(a_third_dimension_is_refused_by_kernels_compiled_as_cpp) {
  if (!device().info().launches_are_calls) return;
  const auto queue = device().queue();
  const auto words = device().buffer<std::uint32_t>("words", 4);
  BOOST_CHECK_THROW(queue->launch(device().kernel<RandomWords>(), {{1, 1, 2}, {1, 1, 1}},
                                  {.words = words, .count = 1, .seed = 0, .purpose = 0, .y = 0, .z = 0}),
                    clopt::InternalError);
}

BOOST_AUTO_TEST_CASE(two_queues_wait_for_each_other) {
  const auto one = device().queue();
  const auto two = device().queue();
  const auto buffer = device().buffer<std::uint32_t>("handed over", 1000);
  for (std::uint32_t round = 1; round < 20; ++round) {
    one->fill(buffer, round);
    two->wait_for(one->record());
    BOOST_TEST(all_of(*two, buffer) == std::vector<std::uint32_t>(1000, round), boost::test_tools::per_element());
    one->wait_for(two->record());
  }
  one->finish();
}

// Only the waiting queue makes the work of the other one begin.
BOOST_AUTO_TEST_CASE(a_queue_waits_for_work_that_was_only_queued) {
  const auto one = device().queue();
  const auto two = device().queue();
  const auto from = device().buffer<std::uint32_t>("from", 1000);
  const auto to = device().buffer<std::uint32_t>("to", 1000);
  for (std::uint32_t round = 1; round < 20; ++round) {
    two->wait_for(one->fill(from, round));
    one->wait_for(two->copy(from, to, 1000));
    BOOST_TEST(all_of(*one, to) == std::vector<std::uint32_t>(1000, round), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(what_is_of_another_device_is_refused) {
  clopt::DeviceOptions options;
  options.self_test = false;
  options.threads = 1;
  // The same device, opened once more, is another one.
  const auto other = clopt::open_device("openmp:0", options);
  const auto label = [](const clopt::Device& one) { return one.info().id + " (" + one.info().name + ")"; };
  const auto theirs = other->buffer<std::uint32_t>("the weights", 4);
  const auto ours = device().buffer<std::uint32_t>("ours", 4);
  const auto queue = device().queue();
  const auto refuses = says_all({"'the weights'", label(*other), label(device())});
  std::vector<std::uint32_t> list(4);
  BOOST_CHECK_EXCEPTION(queue->write(theirs, list), InvalidInput, refuses);
  BOOST_CHECK_EXCEPTION(queue->read(theirs, std::span(list)), InvalidInput, refuses);
  BOOST_CHECK_EXCEPTION(queue->fill(theirs, 1), InvalidInput, refuses);
  BOOST_CHECK_EXCEPTION(queue->copy(theirs, ours, 4), InvalidInput, refuses);
  BOOST_CHECK_EXCEPTION(queue->copy(ours, theirs, 4), InvalidInput, refuses);

  const auto run = [&](const auto& kernel, const auto& words) {
    queue->launch(kernel, clopt::Range::of_items(1),
                  {.words = words, .count = 1, .seed = 0, .purpose = 0, .y = 0, .z = 0});
  };
  const auto kernel = device().kernel<RandomWords>();
  BOOST_CHECK_EXCEPTION(run(kernel, theirs), InvalidInput, refuses);
  BOOST_CHECK_EXCEPTION(run(other->kernel<RandomWords>(), ours), InvalidInput,
                        says_all({"kernel", label(*other), label(device())}));
  BOOST_TEST(queue->counts().launches == 0U);
  run(kernel, ours);
  BOOST_TEST(all_of(*queue, ours).front() == 0x6627e8d5U);
  BOOST_TEST(queue->counts().launches == 1U);
}

// A buffer may outlive its device, whose memory another device may then have.
BOOST_AUTO_TEST_CASE(a_buffer_of_a_closed_device_is_refused) {
  clopt::DeviceOptions options;
  options.self_test = false;
  auto closed = clopt::open_device("openmp:0", options);
  const auto theirs = closed->buffer<std::uint32_t>("the weights", 4);
  closed.reset();
  clopt::release_devices();
  const auto another = clopt::open_device("openmp:0", options);
  BOOST_CHECK_EXCEPTION(another->queue()->fill(theirs, 1), InvalidInput, says_all({"'the weights'", "openmp:0"}));
}

// However it is waited for.
BOOST_AUTO_TEST_CASE(host_visible_memory_has_what_was_read_into_it) {
  const auto queue = device().queue();
  for (const std::size_t size : {7U, 4096U}) {
    const auto given = numbers<std::uint32_t>(size, 5);
    const auto buffer = device().buffer<std::uint32_t>("numbers", size);
    queue->write(buffer, given);
    const clopt::HostArray<std::uint32_t> by_event(
        device().buffer<std::uint32_t>("read", size, clopt::MemoryKind::host_visible));
    queue->read_later(buffer, by_event).wait();
    BOOST_TEST(std::vector(by_event.begin(), by_event.end()) == given, boost::test_tools::per_element());
    const clopt::HostArray<std::uint32_t> by_finish(
        device().buffer<std::uint32_t>("read", size, clopt::MemoryKind::host_visible));
    queue->fill(buffer, 7U);
    queue->read_later(buffer, by_finish.part(0, size - 1));
    queue->finish();
    BOOST_TEST(std::vector(by_finish.begin(), by_finish.end() - 1) == std::vector(size - 1, 7U),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(pieces_are_all_elements_in_their_order) {
  const auto queue = device().queue();
  for (const std::size_t size : {0U, 1U, 6U, 7U, 8U, 14U, 49U}) {
    const auto given = numbers<std::uint32_t>(size, 3);
    const auto buffer = device().buffer<std::uint32_t>("numbers", size);
    if (size != 0) queue->write(buffer, given);
    std::vector<std::uint32_t> taken;
    std::size_t pieces = 0;
    clopt::read_in_pieces(
        device(), *queue, buffer,
        [&](std::span<const std::uint32_t> piece) {
          BOOST_TEST(piece.size() <= 7U);
          taken.insert(taken.end(), piece.begin(), piece.end());
          ++pieces;
        },
        7);
    BOOST_TEST(taken == given, boost::test_tools::per_element());
    BOOST_TEST(pieces == (size + 6) / 7);
  }
}

BOOST_AUTO_TEST_CASE(pieces_of_much_are_of_a_size_that_suits_it) {
  const std::size_t mebibyte = std::size_t{1} << 20;
  const std::pair<std::size_t, std::size_t> expected[] = {{0, mebibyte},           {mebibyte, mebibyte},
                                                          {mebibyte + 1, 1 << 17}, {4 * mebibyte, 1 << 17},
                                                          {8 * mebibyte, 1 << 18}, {100 * mebibyte, mebibyte}};
  for (const auto& [bytes, piece] : expected) BOOST_TEST(clopt::bytes_of_piece(bytes) == piece);
  const auto given = numbers<std::uint32_t>(300'007, 3);
  const auto buffer = device().buffer<std::uint32_t>("numbers", given.size());
  const auto queue = device().queue();
  queue->write(buffer, given);
  std::vector<std::uint32_t> taken;
  std::size_t pieces = 0;
  clopt::read_in_pieces(device(), *queue, buffer, [&](std::span<const std::uint32_t> piece) {
    taken.insert(taken.end(), piece.begin(), piece.end());
    ++pieces;
  });
  BOOST_TEST((taken == given));
  BOOST_TEST(pieces == 10U);
}

BOOST_AUTO_TEST_CASE(one_memory_serves_pieces_of_several_buffers) {
  const auto queue = device().queue();
  clopt::PieceReader reader(device(), *queue);
  const auto read = [&]<class Number>(Number, std::size_t size, std::size_t most) {
    const auto given = numbers<Number>(size, Number{3});
    const auto buffer = device().buffer<Number>("numbers", size);
    queue->write(buffer, given);
    std::vector<Number> taken;
    reader.read(
        buffer,
        [&](std::span<const Number> piece) {
          BOOST_TEST(piece.size() <= most);
          taken.insert(taken.end(), piece.begin(), piece.end());
        },
        most);
    BOOST_TEST(taken == given, boost::test_tools::per_element());
  };
  read(std::uint8_t{}, 49, 7);
  read(std::uint64_t{}, 5, 5);  // as a whole, since there is no room for it
  read(std::uint64_t{}, 49, 7);
  read(std::uint64_t{}, 7, 7);  // as a whole, for which there is room
  read(std::uint32_t{}, 50, 12);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(builds, *ut::label("device"))

BOOST_AUTO_TEST_CASE(a_failure_shows_device_options_and_our_line) {
  if (platform() == "openmp") return clopt::test::skip("its kernels are compiled with it");
  const clopt::test::Folder folder;
  const clopt::test::Variable path("CLOPT_KERNEL_PATH", folder.path());
  clopt::test::write_file(folder.path() / "random_numbers" / "random_words.cl",
                          "kernel void random_words(global uint* words) {\n  words[0] = what_is_this;\n}\n");
  BOOST_CHECK_EXCEPTION(device().kernel<RandomWords>(), clopt::BuildError,
                        says_all({device().info().id, device().info().name, "-cl-std=", "what_is_this",
                                  "2 |   words[0] = what_is_this;"}));
}

// What was freed while a queue still uses it must not serve another queue meanwhile.
BOOST_AUTO_TEST_CASE(buffers_of_two_threads_stay_apart) {
  constexpr std::size_t size = 1000;
  std::array<std::size_t, 2> wrong{};
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 0; thread < 2; ++thread)
      threads.emplace_back([thread, &wrong] {
        for (std::uint32_t round = 0; round < 50; ++round) {
          const auto queue = device().queue();
          const auto kind = round % 3 == 0 ? clopt::MemoryKind::host_visible : clopt::MemoryKind::device;
          const std::uint32_t mine = 2 * round + thread;
          { queue->fill(device().buffer<std::uint32_t>("dropped", size, kind), mine); }
          const auto kept = device().buffer<std::uint32_t>("kept", size, kind);
          queue->fill(kept, mine);
          { queue->fill(device().buffer<std::uint32_t>("dropped, too", size, kind), mine); }
          for (const auto value : queue->read_all(kept)) wrong[thread] += value != mine;
        }
      });
  }
  BOOST_TEST(wrong[0] + wrong[1] == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
