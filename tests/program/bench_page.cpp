#include <boost/test/unit_test.hpp>

#include <string>

#include <commands/page.hpp>

namespace {

const std::string drawing = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";

std::string filled(clopt::apps::Page& page) {
  page.heading(2, "a < b & c");
  page.paragraph("x | y");
  page.list({"one", "two"});
  page.table({"n", "note"}, {{"1", "a|b"}, {"2", "<c>"}});
  page.picture(drawing, "a picture");
  return page.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_page)

BOOST_AUTO_TEST_CASE(a_page_of_html_escapes_and_holds_its_pictures) {
  const auto page = clopt::apps::html_page("Tables & more");
  const auto text = filled(*page);
  BOOST_TEST(text.starts_with("<!DOCTYPE html>"));
  for (const char* part :
       {"<title>Tables &amp; more</title>", "<h2>a &lt; b &amp; c</h2>", "<td>&lt;c&gt;</td>", "<svg"})
    BOOST_TEST(text.find(part) != std::string::npos, part);
  BOOST_TEST(text.find("<?xml") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_page_of_markdown_escapes_and_holds_its_pictures) {
  const auto page = clopt::apps::markdown_page("Tables");
  const auto text = filled(*page);
  for (const char* part : {"# Tables\n", "## a &lt; b & c\n", "| 1 | a\\|b |\n", "- one\n- two\n", "| --- | --- |\n"})
    BOOST_TEST(text.find(part) != std::string::npos, part);
  // Encoded by an independent program.
  const std::string encoded =
      "PD94bWwgdmVyc2lvbj0iMS4wIj8+CjxzdmcgeG1sbnM9Imh0dHA6Ly93d3cudzMub3JnLzIwMDAvc3ZnIj48L3N2Zz4K";
  BOOST_TEST(text.find("![a picture](data:image/svg+xml;base64," + encoded + ")") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
