/// \file
/// The kernels of kernels_cl/random_numbers.
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

}  // namespace

const Twin random_words{items_of<operations::RandomWords, &Items::random_words>(least_shared)};
const Twin uniform_numbers{items_of<operations::UniformNumbers, &Items::uniform_numbers>(least_shared)};
const Twin uniform_numbers_64{items_of<operations::UniformNumbers64, &Items::uniform_numbers_64>(least_shared)};
const Twin bernoulli_words{items_of<operations::BernoulliWords, &Items::bernoulli_words>(least_shared)};
const Twin bernoulli_words_64{items_of<operations::BernoulliWords64, &Items::bernoulli_words_64>(least_shared)};
const Twin uniform_floats{items_of<operations::UniformFloats, &Items::uniform_floats>(least_shared)};
const Twin uniform_doubles{items_of<operations::UniformDoubles, &Items::uniform_doubles>(least_shared)};

}  // namespace clopt::openmp::random_numbers
