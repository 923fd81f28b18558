// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace {

struct PythonResult {
  std::string name;
  bool hwc = false;  ///< a picture whose channels come last
};

/// A function of the user, and how it is called. Value.
struct PythonFunction {
  std::filesystem::path interpreter;  ///< absolute
  std::filesystem::path file;         ///< absolute; empty: `module` is imported
  std::string module;
  std::string name;            ///< in the file or module; may have dots
  std::filesystem::path base;  ///< added to the places that modules are imported from
  /// It is a dataset: an object with __len__ and __getitem__, which is called with a number.
  bool dataset = false;
  /// Of a dataset: its samples as the user's program makes them, for a comparison.
  bool iterated = false;
  std::vector<std::string> inputs;
  std::vector<PythonResult> results;
  bool batch = false;             ///< fields are those of a batch, with samples first
  bool byName = false;            ///< fields are keyword arguments
  bool random = true;             ///< it draws random numbers, which get a seed for each call
  std::string form = "numpy";     ///< what fields are given as: numpy, torch, pil, tensorflow
  std::uint64_t memoryLimit = 0;  ///< of the data of each process, in bytes; 0: none
  double timeoutSeconds = 60;     ///< of each call

  /// "train.py:augment", for messages.
  std::string shown() const;
  /// The settings of resources/own_python/server.py, as JSON.
  std::string settings() const;
};

}  // namespace millrace
