// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/spec/source.h"

namespace millrace {

// The names of classes, for formats that store only their numbers: a text file with one name on
// each line, in the order of the numbers.

/// `classes.txt` in a folder of data, `x.tar.classes.txt` next to the file `x.tar`.
std::filesystem::path classNamesFile(const std::filesystem::path& data, bool oneFile);

/// The file's content. The error names a class that it cannot hold.
Result<std::string> classNamesText(const std::vector<std::string>& names);

/// The names in the file that belongs to one of the paths of a source, or in `classes.txt` next to
/// it; empty if there is none.
std::vector<std::string> classNamesFor(const std::vector<std::string>& paths,
                                       const std::filesystem::path& base);

/// The source with the names that belong to its paths, if its samples have a label and it knows no
/// names itself; otherwise unchanged.
Result<std::shared_ptr<const Source>> withClassNames(Result<std::shared_ptr<const Source>> opened,
                                                     const std::vector<std::string>& paths,
                                                     const std::filesystem::path& base);

}  // namespace millrace
