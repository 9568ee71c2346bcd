// Topologies in the forms that other programs write.
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <boost/test/unit_test.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

Topology read(const std::string& text) {
  std::istringstream stream(text);
  return read_topology(stream, "net");
}

void require(const std::string& text, const std::string& statements) {
  BOOST_TEST_CONTEXT(text) {
    const auto found = read(text);
    const auto expected = read(statements);
    BOOST_TEST(found.nodes == expected.nodes);
    BOOST_TEST((found.links == expected.links));
    BOOST_TEST((found.roles == expected.roles));
  }
}

void require_refused(const std::string& text, const std::string& what) {
  BOOST_TEST_CONTEXT(text) {
    BOOST_CHECK_EXCEPTION(read(text), InvalidInput, [&](const auto& error) {
      const std::string message = error.what();
      BOOST_TEST(message.find(what) != message.npos, message);
      BOOST_TEST(message.starts_with("net"), message);
      return true;
    });
  }
}

const std::string square = "nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(other_forms)

BOOST_AUTO_TEST_CASE(lists_of_edges) {
  for (const std::string text :
       {"0 1\n1 2\n2 3\n3 0\n", "# a square\n0 1\n\n1 2\r\n2 3\r3 0", "0,1\n1,2\n2,3\n3,0\n",
        "0, 1\n1, 2\n2, 3\n3, 0\n", "0\t1\n1\t2\n2\t3\n3\t0\n", "0;1\n1;2\n2;3\n3;0\n",
        "0 1 {}\n1 2 {}\n2 3 {}\n3 0 {}\n", "0 1 1\n1 2 1\n2 3 1\n3 0 1\n", "0 1 1.0\n1 2 1.0\n2 3 1.0\n3 0 1.0\n",
        "4\n0 1\n1 2\n2 3\n3 0\n", "0,1,{}\n1,2,{}\n2,3,{}\n3,0,{}\n", "0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 0\n0 3\n",
        "3 0\n2 3\n1 2\n0 1\n",
        "\xef\xbb\xbf"
        "0 1\n1 2\n2 3\n3 0\n"})
    require(text, square);
  require("0 1 2\n1 2 1\n", "nodes 3\nlink 0 1 2\nlink 1 2\n");
  require("0 1\n2 0\n", "nodes 3\nlink 0 1\nlink 2 0\n");
  require("0 1 2\n1 2 2\n2 0 2\n", "nodes 3\nlink 0 1 2\nlink 1 2 2\nlink 2 0 2\n");
  require("0 1 2\n1 0 3\n", "nodes 2\narc 0 1 2\narc 1 0 3\n");
  require("3\n0 1\n", "nodes 3\nlink 0 1\n");
  require("0 1\n", "nodes 2\nlink 0 1\n");
}

BOOST_AUTO_TEST_CASE(lists_that_are_doubtful_are_refused) {
  require_refused("1 2\n2 3\n3 1\n", "nodes count from 0");
  require_refused("0 1\n1 0\n1 2\n", "2 of 3 edges stand in both orders");
  require_refused("0 1\n1 2\n0 1\n", "given twice");
  require_refused("0 1 2.5\n", "not a number of parallel channels");
  require_refused("0 1 {'weight': 2}\n", "there is no statement '0'");
  require_refused("0 1 2 3\n0 1\n", "4 numbers");
  require_refused("0 0\n", "joined to itself");
  require_refused("0 -1\n", "is not a node");
  require_refused("0 1\n1 5000\n", "from 0 to 4095");
  require_refused("a b\nb c\n", "there is no statement 'a'");
  require_refused("0 1\nnodes 2\n", "there is no statement '0'");
  require_refused("7\n", "1 numbers");
  for (const std::string text : {"3 2\n2 1\n1 0\n", "5 4\n0 1\n1 2\n2 3\n3 4\n", "4 4\n0 1\n1 2\n2 3\n3 0\n"})
    require_refused(text, "this is an edge, or the numbers of nodes and edges");
  require_refused("0 1 2\n1 2\n2 0\n", "some lines have two numbers and some three");
  require_refused("1 0 1\n2 0 2\n3 1 3\n4 2 3\n", "the first column counts the lines");
  require_refused(",0,1\n0,,2\n1,2,\n", "a field is empty");
  require_refused("0 1,2\n", "there is no statement '0'");
  require_refused("0 1, 2\n", "there is no statement '0'");
  require("0 , 1\n1 ,2\n", "nodes 3\nlink 0 1\nlink 1 2\n");
  require_refused("source,target\n0,1\n", "there is no statement 'source,target'");
}

BOOST_AUTO_TEST_CASE(adjacency_matrices) {
  for (const std::string text : {"0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", "0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n",
                                 "0.000e+00 1.000e+00 0.000e+00 1.000e+00\n1.000e+00 0.000e+00 1.000e+00 0.000e+00\n"
                                 "0.000e+00 1.000e+00 0.000e+00 1.000e+00\n1.000e+00 0.000e+00 1.000e+00 0.000e+00\n"})
    require(text, square);
  require("0 2 0\n2 0 1\n0 1 0\n", "nodes 3\nlink 0 1 2\nlink 1 2\n");
  require("0 1 0\n0 0 1\n1 0 0\n", "nodes 3\narc 0 1\narc 1 2\narc 2 0\n");
  require("0 1\n1 0\n", "nodes 2\nlink 0 1\n");
  // Three edges with channels are no matrix: its diagonal would not be 0.
  require("0 1 1\n1 2 1\n2 0 1\n", "nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\n");
  require_refused("0 1 0 1\n1 0 1 0\n0 1 1 1\n1 0 1 0\n", "net:3");
  require_refused("0 1 0 1\n1 0 1 0\n0 1 0 0.5\n1 0 1 0\n", "'0.5' is not a number of channels");
  require_refused("0 1 0 1\n1 0 1 0\n0 1 0 1\n", "4 numbers");
  require_refused("0 1 0 99\n1 0 1 0\n0 1 0 1\n99 0 1 0\n", "not a number of parallel channels");
}

BOOST_AUTO_TEST_CASE(matrices_of_nvidia_smi) {
  const std::string legend =
      "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n  NV#  = bonded set of # NVLinks\n";
  const std::string rows =
      "GPU0\t X \tNV1\tNV2\tSYS\tPIX\t0-19\t0\t\tN/A\nGPU1\tNV1\t X \tSYS\tNV2\tPIX\t0-19\t0\t\tN/A\n"
      "GPU2\tNV2\tSYS\t X \tNV1\tSYS\t0-19\t0\t\tN/A\nGPU3\tSYS\tNV2\tNV1\t X \tSYS\t0-19\t0\t\tN/A\n"
      "NIC0\tPIX\tPIX\tSYS\tSYS\t X \t\t\t\t\n";
  const std::string heading = "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n";
  const std::string links = "nodes 4\nlink 0 1\nlink 0 2 2\nlink 1 3 2\nlink 2 3\n";
  require(heading + rows + legend, links);
  require("\x1b[4m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n" + rows, links);
  require_refused(heading + rows.substr(0, rows.find("GPU3")), "3 rows of GPUs");
  require_refused("\tGPU0\tGPU1\nGPU1\t X \tNV1\nGPU0\tNV1\t X \n",
                  "the row of GPU1 stands where the heading has GPU0");
  require_refused("\tGPU0\nGPU0\t X \nGPU1\tNV1\n", "has no more");
  require_refused("\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV2\t X \n", "that has 2 back");
  require_refused("\tGPU0\tGPU1\nGPU0\t X \tNVx\nGPU1\tNVx\t X \n", "'NVx' is not a number of NVLinks");
  require("\x1b[4m\tGPU0\tGPU1\x1b[0m\n\x1b[KGPU0\t X \tNV2\nGPU1\tNV2\t X \n", "nodes 2\nlink 0 1 2\n");
  const std::string switched =
      "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV18\tNV18\nGPU1\tNV18\t X \tNV18\nGPU2\tNV18\tNV18\t X \n";
  require_refused(switched, "NVSwitches");
  require_refused("\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n", "PCIe is not read");
  require_refused("\tGPU0\tGPU1\nGPU0\t X \nGPU1\tNV1\t X \n", "1 columns");
}

BOOST_AUTO_TEST_CASE(other_formats_are_named_with_the_way) {
  require_refused("<?xml version=\"1.0\"?>\n<graphml xmlns=\"a\">\n</graphml>\n", "networkx.read_graphml('net')");
  require_refused("<system version=\"1\">\n  <cpu numaid=\"0\">\n", "nvidia-smi topo -m");
  require_refused("graph [\n  node [\n    id 0\n  ]\n]\n", "networkx.read_gml");
  require_refused("graph { a -- b; }\n", "read_dot");
  require_refused("strict digraph {\n a -> b [weight=2];\n}\n", "read_dot");
  require_refused("{\"nodes\": [{\"id\": 0}], \"links\": []}\n", "a graph of networkx");
  require_refused("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", "scipy.io.mmread");
  require_refused("<gexf>\n", "read_gexf");
  require_refused("<graphs version=\"1\">\n", "this is XML");
  require_refused("[[0 1]\n [1 0]]\n", "numpy.savetxt");
  require_refused("Creator \"x\"\ngraph\n[\n", "read_gml");
}

BOOST_AUTO_TEST_SUITE_END()
