/// \file
/// The kernels of kernels_cl/subset_sum/merge_sums.cl, as they stand.
#include <subset_sum/operations.hpp>

#include <openmp/work_item.hpp>

namespace clopt::openmp::subset_sum {
namespace {

namespace operations = clopt::subset_sum::operations;

struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <subset_sum/merge_sums.cl>

#include <openmp/kernel_text_end.hpp>
};

// Parts that are worth a thread.
constexpr std::uint64_t few_parts = 128;

}  // namespace

const Twin count_merged{items_of<operations::CountMerged, &Items::count_merged>(few_parts)};
const Twin add_counts{items_of<operations::AddCounts, &Items::add_counts>(few_parts)};
const Twin merge_sums{items_of<operations::MergeSums, &Items::merge_sums>(few_parts)};
const Twin find_sums{items_of<operations::FindSums, &Items::find_sums>(few_parts)};

}  // namespace clopt::openmp::subset_sum
