/// \file
/// The kernels of kernels_cl/ecga/improvement.cl and moves.cl.
#include <shared/ecga/parts.h>

#include <ecga/operations.hpp>

#include <openmp/work_item.hpp>

namespace clopt::openmp::ecga {
namespace {

namespace operations = clopt::ecga::operations;

template <class real>
struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <ecga/improvement.cl>
#include <ecga/moves.cl>

#include <openmp/kernel_text_end.hpp>
};

// Individuals that are worth a thread.
constexpr std::uint64_t few = 4;
constexpr std::uint64_t many = 512;

}  // namespace

const Twin improve{items_of<operations::Improve<float>, &Items<float>::improve>(few),
                   items_of<operations::Improve<double>, &Items<double>::improve>(few)};
const Twin find_moves{items_of<operations::FindMoves, &Items<float>::find_moves>(many)};
const Twin propose_moves{items_of<operations::ProposeMoves, &Items<float>::propose_moves>(many)};
const Twin accept_moves{items_of<operations::AcceptMoves<float>, &Items<float>::accept_moves>(many),
                        items_of<operations::AcceptMoves<double>, &Items<double>::accept_moves>(many)};

}  // namespace clopt::openmp::ecga
