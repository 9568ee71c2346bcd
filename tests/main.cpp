#define BOOST_TEST_MODULE clopt
#include <boost/test/unit_test.hpp>
