// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// A place in a user's Python code.
struct PythonFrame {
  std::string file;
  std::int64_t line = 0;
  std::string function;
  std::string code;
};

/// The user's code raised an exception. Value.
struct PythonTrouble {
  std::string phase;  ///< import, make, batch, call
  std::string kind;   ///< "ValueError"
  std::string text;
  bool worker = false;    ///< in a worker process of a loader
  bool unusable = false;  ///< the text is a sentence about the object
  std::string missing;    ///< the package that could not be imported
  std::vector<PythonFrame> frames;
};

/// What resources/own_python/trouble.py wrote: a JSON object. Empty members for what is not there.
PythonTrouble parseTrouble(std::string_view json);

/// "ValueError: too small".
std::string raisedText(const PythonTrouble& trouble);

/// Says that a package is missing: `file` needs it, `interpreter` does not have it, and the user
/// sets that with `knob`.
std::string missingText(const PythonTrouble& trouble, const std::string& file,
                        const std::string& interpreter, std::string_view knob);

/// The frames of the user's code, one in each line, indented: "train.py:12 in collate: ...".
std::string framesOf(const PythonTrouble& trouble);

}  // namespace millrace
