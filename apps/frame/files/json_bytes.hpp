/// \file
/// Texts of any bytes in JSON, which takes UTF-8 alone: names of files, and objectives with comments in Latin-1.
#pragma once

#include <string>
#include <string_view>

#include <frame/output/output.hpp>

namespace clopt::apps {

/// The bytes as UTF-8: each that is not is a character of Unicode's private use, from U+10FE00 on. Text in UTF-8 stays.
std::string utf8_of(std::string_view bytes);
/// The bytes again: bytes_of(utf8_of(bytes)) == bytes.
std::string bytes_of(std::string_view utf8);
/// Changes all texts in a value, but names of fields.
void change_texts(Json& value, std::string (*change)(std::string_view));

}  // namespace clopt::apps
