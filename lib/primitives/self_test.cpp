#include <clopt/device.hpp>
namespace clopt::primitives {
std::string self_test(Device&);
std::string self_test(Device&) { return {}; }
}
