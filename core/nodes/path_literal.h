// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spec/export_text.h"

namespace millrace {

// Paths of a source for exported Python code, absolute, since the code may go anywhere; generated
// sample data by where it lies. pythonText writes them; a file whose name is not UTF-8 needs
// `import os`, which every exporter's Python has.
std::string pathLiteral(const std::string& path, const ExportContext& context);
/// `["/data/a", "/data/b"]`.
std::string pathListLiteral(const std::vector<std::string>& paths, const ExportContext& context);

}  // namespace millrace
