// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spec/export_text.h"

namespace millrace {

// The paths of a source for exported Python code: absolute, because the code may be moved;
// generated sample data is referred to by its location. pythonText() writes them; a path that is
// not UTF-8 needs `import os`, which the Python code of every exporter has.
std::string pathLiteral(const std::string& path, const ExportContext& context);
/// `["/data/a", "/data/b"]`.
std::string pathListLiteral(const std::vector<std::string>& paths, const ExportContext& context);

}  // namespace millrace
