/// \file
/// The kernels that shorten tours.
#include <shared/genetic/tour_segment.h>
#include <shared/genetic/two_opt.h>

#include <genetic/operations.hpp>

#include <openmp/work_item.hpp>

namespace clopt::openmp::genetic {
namespace {

namespace operations = clopt::genetic::operations;

template <class real>
struct Items : WorkItem {
  using genetic_tour = shared::genetic_tour<real>;
  using genetic_segment = shared::genetic_segment<real>;
#include <openmp/kernel_text.hpp>

#include <genetic/improve.cl>
#include <genetic/iterate.cl>
#include <genetic/place_cities.cl>

#include <openmp/kernel_text_end.hpp>
};

}  // namespace

const Twin improve{items_of<operations::Improve<float>, &Items<float>::improve>(std::uint64_t{1}),
                   items_of<operations::Improve<double>, &Items<double>::improve>(std::uint64_t{1})};
const Twin improve_directed{
    items_of<operations::ImproveDirected<float>, &Items<float>::improve_directed>(std::uint64_t{1}),
    items_of<operations::ImproveDirected<double>, &Items<double>::improve_directed>(std::uint64_t{1})};

const Twin place_cities{items_of<operations::PlaceCities, &Items<float>::place_cities>(std::uint64_t{4096})};
const Twin iterate{items_of<operations::Iterate<float>, &Items<float>::iterate>(std::uint64_t{1}),
                   items_of<operations::Iterate<double>, &Items<double>::iterate>(std::uint64_t{1})};

}  // namespace clopt::openmp::genetic
