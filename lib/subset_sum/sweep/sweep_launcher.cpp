#include "sweep_launcher.hpp"

#include <algorithm>
#include <bit>

namespace clopt::subset_sum {
namespace {

// Bytes that a work-group of a pair's kernel takes. An H200 starts 1.66e9 work-groups a second and no more: words of 32
// bits run at 3.4e12 capacities a second with one item and groups of 256 bytes, 6.7e12 with 512, 9.5e12 with 1024.
// Words of 64 bits, in pairs of items, run at 2.6e13 with 1024 and at 2.4e13 with 2048.
constexpr std::uint32_t bytes_of_pair_group = 1024;
constexpr std::uint32_t largest_light_group = 256;
constexpr std::uint32_t largest_limited_group = 256;
// Light items of a launch: 16 run at 4.2e13 capacities a second on an H200, 8 at 3.9e13, 4 at 2.8e13, a pair at 2.2e13.
constexpr std::size_t most_light_items = 16;
constexpr std::size_t fewest_light_items = 4;
// Capacities times items of a launch, some tens of milliseconds on a slow device.
constexpr std::uint64_t most_work = std::uint64_t{1} << 31;

}  // namespace

template <class Word>
SweepLauncher<Word>::SweepLauncher(Device& device, Queue& queue, LaunchCount& launches, bool named)
    : queue_(queue),
      launches_(launches),
      no_names_(device.buffer<std::uint32_t>("no names", 1)),
      one_(device.kernel<operations::SweepBits<Word>>()) {
  const auto& info = device.info();
  // Where the vectors are in a processor's caches, two items at once cost more shifts than they save bytes.
  several_ = !info.launches_are_calls && info.local_memory_bytes > 0;
  if (!several_) return;
  pair_ = device.kernel<operations::SweepPair<Word>>(pair_program(named ? SUBSET_SUM_NAMED_EACH : 0));
  pair_at_front_ = named ? device.kernel<operations::SweepPair<Word>>(pair_program(SUBSET_SUM_NAMED_TOGETHER)) : pair_;
  light_ = device.kernel<operations::SweepLight<Word>>();
  pair_group_ = std::min(
      {bytes_of_pair_group / std::uint32_t{sizeof(Word)}, pair_.max_group_size(), pair_at_front_.max_group_size()});
  const auto fitting = info.local_memory_bytes / (std::uint64_t{2} * SUBSET_SUM_LIGHT_BYTES);
  light_group_ = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({largest_light_group, light_.max_group_size(), std::bit_floor(fitting)}));
}

template <class Word>
void SweepLauncher<Word>::begin(std::span<const SweepStep> steps, const Buffer<SweepStep>& on_device) {
  steps_ = steps;
  on_device_ = on_device;
  queue_.write(on_device_, steps_);
}

template <class Word>
auto SweepLauncher<Word>::words_of(std::size_t item, std::size_t count) const -> Words {
  const auto steps = steps_.subspan(item, count);
  const auto first = std::min_element(steps.begin(), steps.end(),
                                      [](const SweepStep& a, const SweepStep& b) { return a.first < b.first; })
                         ->first /
                     bits;
  const auto last = std::max_element(steps.begin(), steps.end(),
                                     [](const SweepStep& a, const SweepStep& b) { return a.last < b.last; })
                        ->last /
                    bits;
  return {first, last - first + 1};
}

template <class Word>
clopt::Range SweepLauncher<Word>::range_of_one(std::uint64_t words) const {
  if (most_groups_ == 0) return sweep_range<Word>(words);
  const auto size = std::min(largest_limited_group, one_.max_group_size());
  const auto words_a_group = std::uint64_t{size} * (SUBSET_SUM_BYTES_PER_ITEM / sizeof(Word));
  return clopt::Range::of_groups(std::min<std::uint64_t>(most_groups_, (words + words_a_group - 1) / words_a_group),
                                 size);
}

// Half of a stage may go to the words that the items spoil.
template <class Word>
std::size_t SweepLauncher<Word>::light_items(std::size_t item, std::size_t end, std::uint64_t& halo) const {
  if (!several_ || light_group_ == 0) return 0;
  const auto most_halo = light_words<Word>(light_group_) / 2;
  std::size_t count = 0;
  halo = 0;
  std::uint64_t work = 0;
  while (count < most_light_items && item + count < end && !is_empty(item + count)) {
    const auto& step = steps_[item + count];
    const auto more = light_halo<Word>(step.weight);
    work += step.last - step.first;
    if (halo + more > most_halo || work > most_work) break;
    halo += more;
    ++count;
  }
  return count;
}

template <class Word>
auto SweepLauncher<Word>::launch(const Buffer<Word>& before, const Buffer<Word>& after,
                                 const Buffer<std::uint32_t>* names, std::size_t item, std::size_t end) -> Taken {
  if (is_empty(item)) return {1, false};
  const auto& first_item = names ? *names : no_names_;
  const auto number = names ? static_cast<std::uint32_t>(item + 1) : 0U;
  std::uint64_t halo = 0;
  if (const auto count = light_items(item, end, halo); count >= fewest_light_items) {
    const auto words = words_of(item, count);
    queue_.launch(light_, light_range<Word>(words.count, light_group_, halo),
                  {.before = before,
                   .after = after,
                   .first_item = first_item,
                   .steps = on_device_,
                   .first_step = static_cast<std::uint32_t>(item),
                   .step_count = static_cast<std::uint32_t>(count),
                   .first_word = words.first,
                   .words = words.count,
                   .halo = static_cast<std::uint32_t>(halo),
                   .item = number,
                   .launches = launches_.next(),
                   .staged = Local<Word>(2 * light_words<Word>(light_group_))});
    return {count, true};
  }
  const auto& step = steps_[item];
  if (several_ && item + 1 < end && !is_empty(item + 1)) {
    const auto& next = steps_[item + 1];
    const auto words = words_of(item, 2);
    // While sums go beyond those before, whole words are new; later, few bits are.
    const bool at_front = item == 0 || next.last > steps_[item - 1].last;
    queue_.launch(at_front ? pair_at_front_ : pair_, clopt::Range::of_items(words.count, pair_group_),
                  {.before = before,
                   .after = after,
                   .first_item = first_item,
                   .first_word = words.first,
                   .words = words.count,
                   .weight = step.weight,
                   .second_weight = next.weight,
                   .named_from = step.first / bits,
                   .second_named_from = next.first / bits,
                   .item = number,
                   .launches = launches_.next(),
                   .staged = Local<Word>(pair_words(pair_group_))});
    return {2, true};
  }
  const auto words = words_of(item, 1);
  queue_.launch(one_, range_of_one(words.count),
                {.before = before,
                 .after = after,
                 .first_item = first_item,
                 .first_word = words.first,
                 .words = words.count,
                 .whole_words = step.weight / bits,
                 .shift = static_cast<std::uint32_t>(step.weight % bits),
                 .item = number,
                 .launches = launches_.next()});
  return {1, true};
}

template class SweepLauncher<std::uint16_t>;
template class SweepLauncher<std::uint32_t>;
template class SweepLauncher<std::uint64_t>;

}  // namespace clopt::subset_sum
