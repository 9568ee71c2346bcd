/// \file
/// Twins of kernels_cl/random_numbers.
#include "team.hpp"
#include "twin.hpp"

#include <shared/random.h>
#include <generated/operations/random_numbers.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace clopt::openmp::random_numbers {
namespace {

namespace operations = clopt::random_numbers::operations;
using std::uint32_t;
using std::uint64_t;

// Numbers that are worth a thread.
constexpr uint64_t least_shared = 512;

// results[i] = make(i).
template <class T, class Make>
void generate(std::span<T> results, uint64_t count, Make make) {
  for_each_index(count, least_shared, [=](uint64_t item) { results[item] = make(item); });
}

}  // namespace

const Twin random_words{Implementation([](const Range&, const operations::RandomWords& arguments) {
  for_each_index(*arguments.count, least_shared, [&](uint64_t i) {
    const auto block =
        shared::random_at(*arguments.seed, *arguments.purpose, static_cast<uint32_t>(i), *arguments.y, *arguments.z);
    const std::array four{block.a, block.b, block.c, block.d};
    std::copy(four.begin(), four.end(), &arguments.words[4 * i]);
  });
})};

const Twin uniform_numbers{Implementation([](const Range&, const operations::UniformNumbers& arguments) {
  generate<uint32_t>(arguments.numbers, arguments.count,
                     [&](uint64_t i) { return shared::uniform_at(arguments.seed, arguments.purpose, i, arguments.n); });
})};

const Twin uniform_numbers_64{Implementation([](const Range&, const operations::UniformNumbers64& arguments) {
  generate<uint64_t>(arguments.numbers, arguments.count, [&](uint64_t i) {
    return shared::uniform_at_64(arguments.seed, arguments.purpose, i, arguments.n);
  });
})};

const Twin bernoulli_words{Implementation([](const Range&, const operations::BernoulliWords& arguments) {
  generate<uint32_t>(arguments.words, arguments.count, [&](uint64_t i) {
    return shared::bernoulli_word(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y, arguments.z,
                                  arguments.probability);
  });
})};

const Twin bernoulli_words_64{Implementation([](const Range&, const operations::BernoulliWords64& arguments) {
  generate<uint64_t>(arguments.words, arguments.count, [&](uint64_t i) {
    return shared::bernoulli_word_64(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y,
                                     arguments.z, arguments.probability);
  });
})};

const Twin uniform_floats{Implementation([](const Range&, const operations::UniformFloats& arguments) {
  generate<float>(arguments.fractions, arguments.count, [&](uint64_t i) {
    return shared::uniform_float(
        shared::random_at(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y, arguments.z).a);
  });
})};

const Twin uniform_doubles{Implementation([](const Range&, const operations::UniformDoubles& arguments) {
  generate<double>(arguments.fractions, arguments.count, [&](uint64_t i) {
    const auto block =
        shared::random_at(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y, arguments.z);
    return shared::uniform_double(shared::random_word_64(block.a, block.b));
  });
})};

}  // namespace clopt::openmp::random_numbers
