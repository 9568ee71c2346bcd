#include <subset_sum/host_stretch.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t bits = 64;

std::uint64_t words_for(const Range& range) { return (range.size() + bits - 1) / bits; }

}  // namespace

std::uint64_t HostStretch::words_of(const Stretch& stretch) {
  std::uint64_t words = 0;
  for (auto item = stretch.begin(); item <= stretch.end(); ++item) words += words_for(stretch.after(item));
  return words;
}

HostStretch::HostStretch(const Stretch& stretch, std::uint64_t first, std::vector<std::uint64_t> known)
    : stretch_(stretch) {
  windows_.push_back({first, std::move(known)});
  for (auto item = stretch.begin() + 1; item <= stretch.end(); ++item) {
    const auto& range = stretch.after(item);
    const auto& before = windows_.back();
    Window window{range.first, std::vector<std::uint64_t>(words_for(range))};
    for (std::size_t x = 0; x < window.words.size(); ++x) {
      const auto capacity = range.first + x * bits;
      window.words[x] = before.from(capacity) | before.moved(capacity, stretch.weight(item));
    }
    windows_.push_back(std::move(window));
  }
}

std::uint64_t HostStretch::Window::from(std::uint64_t begin) const {
  if (begin < first) return first - begin < bits && !words.empty() ? words[0] << (first - begin) : 0;
  const auto x = (begin - first) / bits;
  const auto shift = (begin - first) % bits;
  const auto low = x < words.size() ? words[x] >> shift : 0;
  // In two steps, since a shift by all bits of a word is undefined.
  return low | (x + 1 < words.size() ? words[x + 1] << 1 << (bits - 1 - shift) : 0);
}

std::uint64_t HostStretch::Window::moved(std::uint64_t begin, std::uint64_t weight) const {
  if (begin >= weight) return from(begin - weight);
  return weight - begin < bits ? from(0) << (weight - begin) : 0;
}

}  // namespace clopt::subset_sum
