/// \file
/// A page of headings, lines, tables and pictures, as HTML or Markdown; nothing of it is in another file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::apps {

/// A page in the making. Texts are plain: what means something in the page's language is escaped.
class Page {
 public:
  virtual ~Page() = default;

  virtual void heading(int level, std::string_view words) = 0;
  virtual void paragraph(std::string_view words) = 0;
  virtual void list(const std::vector<std::string>& items) = 0;
  virtual void table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) = 0;
  /// \param svg the whole file. \param words what stands in its place where it is not shown.
  virtual void picture(const std::string& svg, std::string_view words) = 0;
  /// The whole page.
  virtual std::string str() const = 0;
};

std::unique_ptr<Page> html_page(std::string_view title);
std::unique_ptr<Page> markdown_page(std::string_view title);

}  // namespace clopt::apps
