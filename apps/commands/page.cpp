#include "page.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace clopt::apps {
namespace {

std::string escaped(std::string_view words, std::string_view special, std::string_view (*replace)(char)) {
  std::string text;
  for (const char each : words) {
    if (special.find(each) == std::string_view::npos)
      text += each;
    else
      text += replace(each);
  }
  return text;
}

std::string in_html(std::string_view words) {
  return escaped(words, "&<>\"", [](char letter) -> std::string_view {
    switch (letter) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      default: return "&quot;";
    }
  });
}

std::string in_markdown(std::string_view words) {
  return escaped(words, "|<>\n*", [](char letter) -> std::string_view {
    switch (letter) {
      case '|': return "\\|";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '*': return "\\*";
      default: return " ";
    }
  });
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= group.size() ? letters[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

class HtmlPage final : public Page {
 public:
  explicit HtmlPage(std::string_view title) {
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n"
        "body {{ font-family: sans-serif; max-width: 75em; margin: auto; padding: 1em; }}\n"
        "table {{ border-collapse: collapse; }}\nth, td {{ padding: 0.15em 0.6em; border-bottom: 1px solid #ddd; "
        "text-align: left; }}\nsvg {{ max-width: 100%; height: auto; }}\n</style>\n</head>\n<body>\n",
        in_html(title));
    heading(1, title);
  }

  void heading(int level, std::string_view words) override {
    text_ += fmt::format("<h{0}>{1}</h{0}>\n", level, in_html(words));
  }
  void paragraph(std::string_view words) override { text_ += fmt::format("<p>{}</p>\n", in_html(words)); }
  void list(const std::vector<std::string>& items) override {
    text_ += "<ul>\n";
    for (const auto& each : items) text_ += fmt::format("<li>{}</li>\n", in_html(each));
    text_ += "</ul>\n";
  }
  void table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) override {
    text_ += "<table>\n";
    add_row(titles, "th");
    for (const auto& each : rows) add_row(each, "td");
    text_ += "</table>\n";
  }
  void picture(const std::string& svg, std::string_view) override {
    // Within a page the declaration of XML has no place.
    text_ += svg.substr(svg.find("<svg")) + "\n";
  }
  std::string str() const override { return text_ + "</body>\n</html>\n"; }

 private:
  void add_row(const std::vector<std::string>& cells, const char* kind) {
    text_ += "<tr>";
    for (const auto& each : cells) text_ += fmt::format("<{0}>{1}</{0}>", kind, in_html(each));
    text_ += "</tr>\n";
  }

  std::string text_;
};

class MarkdownPage final : public Page {
 public:
  explicit MarkdownPage(std::string_view title) { heading(1, title); }

  void heading(int level, std::string_view words) override {
    text_ += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), in_markdown(words));
  }
  void paragraph(std::string_view words) override { text_ += in_markdown(words) + "\n\n"; }
  void list(const std::vector<std::string>& items) override {
    for (const auto& each : items) text_ += fmt::format("- {}\n", in_markdown(each));
    text_ += "\n";
  }
  void table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) override {
    add_row(titles);
    add_row(std::vector<std::string>(titles.size(), "---"));
    for (const auto& each : rows) add_row(each);
    text_ += "\n";
  }
  void picture(const std::string& svg, std::string_view words) override {
    text_ += fmt::format("![{}](data:image/svg+xml;base64,{})\n\n", in_markdown(words), base64(svg));
  }
  std::string str() const override { return text_; }

 private:
  void add_row(const std::vector<std::string>& cells) {
    text_ += "|";
    for (const auto& each : cells) text_ += fmt::format(" {} |", in_markdown(each));
    text_ += "\n";
  }

  std::string text_;
};

}  // namespace

std::unique_ptr<Page> html_page(std::string_view title) { return std::make_unique<HtmlPage>(title); }
std::unique_ptr<Page> markdown_page(std::string_view title) { return std::make_unique<MarkdownPage>(title); }

}  // namespace clopt::apps
