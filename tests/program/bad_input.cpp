#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "refused.hpp"

using clopt::test::refused;
using Words = std::vector<std::string>;

namespace {

// `subset-sum` with a good file and capacity, and more.
void refused_with(const Words& more, const std::string& naming = {}) {
  Words words{"subset-sum", "-", "--capacity", "10"};
  words.insert(words.end(), more.begin(), more.end());
  refused(words, naming, "1 2 3\n");
}

void refused_instance(const Words& more, const std::string& naming = {}) {
  Words words{"subset-sum", "--instance", "half:10"};
  words.insert(words.end(), more.begin(), more.end());
  refused(words, naming);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_bad_input)

BOOST_AUTO_TEST_CASE(subcommands) {
  refused({}, "subcommand");
  refused({"subset-sun"}, "subset-sum");
  refused({"device"}, "devices");
  refused({"subset_sum"}, "subset-sum");
  refused({""});
  refused({"--versio"}, "--version");
  refused({"--version", "now"}, "now");
  refused({"--help", "subset-sum"}, "subset-sum");
  refused({"--json"});
  refused({std::string(100'000, 'x')});
}

BOOST_AUTO_TEST_CASE(options) {
  refused_with({"--capacitie", "5"}, "--capacity");
  refused_with({"--cap", "5"}, "--capacity");  // no abbreviations
  refused_with({"--population", "5"});
  refused_with({"--generations=5"});
  refused_with({"-x"});
  refused_with({"--seed"}, "--seed");
  refused_with({"--seed="});
  refused_with({"--seed", "1", "--seed", "2"}, "--seed");
  refused_with({"--capacity", "11"}, "--capacity");
  refused_with({"--quiet", "--quiet"}, "--quiet");
  refused_with({"--quiet=yes"});
  refused_with({"--method", "auto", "--method", "bellman"}, "--method");
  refused_with({"other.txt"}, "other.txt");
  refused_with({"--", "--json"});
  refused_with({"--(argument)", "5"});
  refused_with({"--FILE", "5"});
  refused_with({"--plot", "picture.svg"}, "--plot");
  refused({"devices", "all"}, "all");
  refused({"devices", "--seed", "1"});
  refused({"cache", "cleer"}, "clear");
  refused({"cache", "clear", "now"}, "now");
  refused({"validate", "--solver", "subset"}, "subset-sum");
  refused({"validate", "subset-sum"}, "subset-sum");
  refused({"validate", "--time-limit", "1"});
  refused({"bench"}, "--solver");
  refused({"bench", "--solver", "subset"}, "subset-sum");
  refused({"bench", "--solver", "subset-sum", "--table", "7.1"}, "6.1");
  refused({"bench", "--solver", "subset-sum", "--time-limit", "-1"}, "--time-limit");
  refused({"bench", "--solver", "subset-sum", "--full=yes"});
  refused({"bench", "subset-sum"}, "subset-sum");
  refused({"tune", "--solver", "subset"}, "subset-sum");
  refused({"tune", "--seed", "1"});
}

BOOST_AUTO_TEST_CASE(numbers) {
  for (const char* limit : {"-1", "nan", "NaN", "inf", "-inf", "-0", "ten", "", "1s", "1e999", " 1", "0x10"})
    refused_with({"--time-limit", limit});
  for (const char* threads : {"0", "-1", "1000000000", "99999999999999999999", "two", "1.5", "1e1", "+1", ""})
    refused_with({"--threads", threads});
  for (const char* seed : {"-1", "18446744073709551616", "1.0", "one", " 1", "1 "}) refused_with({"--seed", seed});
  for (const char* capacity : {"-9223372036854775808", "9223372036854775808", "18446744073709551616", "ten", "1.5.",
                               "1e3", "0x10", "", "+5", "nan", " 5", "-", ".", "1,5", "0.1234567890123456789"})
    refused({"subset-sum", "-", "--capacity", capacity}, "--capacity", "1 2 3\n");
  refused({"subset-sum", "-", "--capacity"}, "--capacity", "1 2 3\n");
}

BOOST_AUTO_TEST_CASE(where_weights_come_from) {
  const clopt::test::TemporaryFolder folder;
  refused({"subset-sum"}, "FILE");
  refused({"subset-sum", "--capacity", "5"}, "FILE");
  refused({"subset-sum", "-"}, "--capacity", "1 2 3\n");
  refused({"subset-sum", "-", "--instance", "half:10"}, "--instance", "1 2 3\n");
  refused({"subset-sum", "-", "--capacity", "5", "--instance", "half:10"}, "--instance", "1 2 3\n");
  refused({"subset-sum", "--capacity", "5", "--instance", "half:10"}, "--capacity");
  refused({"subset-sum", folder.path().string(), "--capacity", "5"}, folder.path().string());
  refused({"subset-sum", (folder.path() / "none.txt").string(), "--capacity", "5"}, "none.txt");
  refused({"subset-sum", "", "--capacity", "5"});
  for (const char* drawn : {"half", "half:", "half:0", "half:-1", "half:ten", "half:1000000000", "quarter:10", ":10",
                            "", "half:10:10", "half: 10"})
    refused({"subset-sum", "--instance", drawn}, "half");
  for (const char* drawn :
       {"avis:1", "todd:53", "random:5", "random:5:1", "random:1000:1e17", "even-odd:5:", "two-digit"})
    refused({"subset-sum", "--instance", drawn}, std::string(drawn).substr(0, 4));
}

BOOST_AUTO_TEST_CASE(weights) {
  for (const char* text : {"", " \n\t", "# only a comment", "1 2 x", "1 - 2", "1 2-3", "1.5.5", "9223372036854775808",
                           "5 EUR", "99999999999999999999999", ",,;", "0x10", "1e3", "$5", "\x01\x02", "\xff\xfe",
                           "9223372036854775807 0.5", "0.0000000000000000001"})
    refused({"subset-sum", "-", "--capacity", "5"}, "standard input", text);
  refused({"subset-sum", "-", "--capacity", "5"}, "2^63-1", "-9223372036854775807 -1");
  refused({"subset-sum", "-", "--capacity", "5", "--output", "/no/such/folder/chosen"}, "/no/such/folder", "1 2");
  refused({"subset-sum", "-", "--capacity", "5", "--exactly=yes"}, "exactly", "1 2");
  const clopt::test::TemporaryFolder folder;
  refused({"subset-sum", folder.file("bad\x1b[31m.txt", "1\n2\nthree\n"), "--capacity", "5"}, "3");
  refused({"subset-sum", folder.file("zeros", std::string(1 << 20, '\0')), "--capacity", "5"}, "zeros");
}

BOOST_AUTO_TEST_CASE(choices) {
  refused_instance({"--method", "guess"}, "bellman");
  refused_instance({"--method", ""}, "bellman");
  refused_instance({"--method", "K3-32"}, "k3-32");
  refused_instance({"--barrier", "cyclic"}, "k2");
  refused_instance({"--barrier", "cyclic", "--method", "bellman"}, "k2");
  refused_instance({"--barrier", "guess", "--method", "k2"}, "xiao-feng");
  refused_instance({"--recovery", "none"}, "table");
  refused_instance({"--recovery", "checkpoints", "--method", "k1"}, "k3");
  refused_instance({"--recovery", "table", "--method", "bellman"}, "k3");
}

BOOST_AUTO_TEST_CASE(methods_say_what_they_cannot_hold) {
  refused({"subset-sum", "--instance", "half:1000", "--method", "bellman", "--no-reduce"}, "bytes");
  refused({"subset-sum", "--instance", "half:1000", "--method", "meet-in-the-middle", "--no-reduce"}, "bytes");
  refused({"subset-sum", "-", "--capacity", "4000000000001", "--method", "yanasse-soma", "--no-reduce"}, "bytes",
          "3000000000000 2000000000000 1500000000000 1250000000000\n");
  refused({"subset-sum", "-", "--capacity", "4000000000001", "--method", "k3-32", "--no-reduce"}, "bytes",
          "3000000000000 2000000000000 1500000000000 1250000000000\n");
}

BOOST_AUTO_TEST_CASE(devices) {
  refused_instance({"--device", ""});
  refused_instance({"--device", "openmp:0,"});
  refused_instance({"--device", ","});
  for (const char* text : {"opencl:99", "openmp:1", "no such device", "openmp:18446744073709551616"})
    refused({"subset-sum", "--instance", "half:10", "--device", text}, "openmp:0", {}, 3);
  refused({"validate", "--device", "no such device"}, "openmp:0", {}, 3);
  refused({"bench", "--solver", "subset-sum", "--device", "no such device"}, "openmp:0", {}, 3);
  refused({"tune", "--device", "no such device"}, "openmp:0", {}, 3);
}

BOOST_AUTO_TEST_SUITE_END()
