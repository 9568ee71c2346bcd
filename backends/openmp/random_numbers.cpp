/// \file
/// The kernels of kernels_cl/random_numbers as they stand, and twins of those that draw fractions.
#include <shared/random.h>
#include <generated/operations/random_numbers.hpp>

#include "work_item.hpp"

namespace clopt::openmp::random_numbers {
namespace {

namespace operations = clopt::random_numbers::operations;

struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <random_numbers/random_numbers.cl>
#include <random_numbers/random_words.cl>

#include <openmp/kernel_text_end.hpp>
};

// Numbers that are worth a thread.
constexpr std::uint64_t least_shared = 512;

/// results[i] = make(i), for kernels whose loop the compiler makes vectors of only without their question for the end.
template <class T, class Make>
void generate(std::span<T> results, std::uint64_t count, Make make) {
  for_each_index(count, least_shared, [=](std::uint64_t item) { results[item] = make(item); });
}

}  // namespace

const Twin random_words{items_of<operations::RandomWords, &Items::random_words>(least_shared)};
const Twin uniform_numbers{items_of<operations::UniformNumbers, &Items::uniform_numbers>(least_shared)};
const Twin uniform_numbers_64{items_of<operations::UniformNumbers64, &Items::uniform_numbers_64>(least_shared)};
const Twin bernoulli_words{items_of<operations::BernoulliWords, &Items::bernoulli_words>(least_shared)};
const Twin bernoulli_words_64{items_of<operations::BernoulliWords64, &Items::bernoulli_words_64>(least_shared)};

const Twin uniform_floats{Implementation([](const Range&, const operations::UniformFloats& arguments) {
  generate<float>(arguments.fractions, arguments.count, [&](std::uint64_t i) {
    return shared::uniform_float(
        shared::random_at(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y, arguments.z).a);
  });
})};
const Twin uniform_doubles{Implementation([](const Range&, const operations::UniformDoubles& arguments) {
  generate<double>(arguments.fractions, arguments.count, [&](std::uint64_t i) {
    const auto block =
        shared::random_at(arguments.seed, arguments.purpose, static_cast<uint32_t>(i), arguments.y, arguments.z);
    return shared::uniform_double(shared::random_word_64(block.a, block.b));
  });
})};

}  // namespace clopt::openmp::random_numbers
