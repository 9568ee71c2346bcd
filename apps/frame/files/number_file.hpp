/// \file
/// Files of numbers in rows: data, tables, start populations.
#pragma once

#include <string>
#include <vector>

namespace clopt::apps {

/// Reads rows of finite numbers with commas, semicolons or white space between them. `#` starts a comment, empty rows
/// do not count, and a first row in which nothing is a number names columns and is left out. O(size of the file).
/// \param bits whether a row may be a word of zeros and ones, "0110", each digit a number.
/// \throws InvalidInput with file and line for anything else, for a file that cannot be read, and one without numbers.
std::vector<std::vector<double>> read_rows(const std::string& file, bool bits = false);

/// The individuals of a file of rows: of one that --output has written, whose heading names GENE0, GENE1, ... behind
/// `value` or `problem`, these columns alone. \param gene "gene". \throws InvalidInput as read_rows().
std::vector<std::vector<double>> read_individuals(const std::string& file, const std::string& gene, bool bits = false);

/// A table's numbers, row by row. \throws InvalidInput as read_rows(), and for rows of different lengths.
std::vector<double> read_table(const std::string& file);

/// The same where numbers may be missing, which are NaN: `nan`, `NA`, or, in a row with commas or semicolons, nothing
/// between two of them.
std::vector<std::vector<double>> read_rows_with_gaps(const std::string& file);

}  // namespace clopt::apps
