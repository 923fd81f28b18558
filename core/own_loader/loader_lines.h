// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/clock.h"
#include "core/own_python/python_trouble.h"

namespace millrace {

// The lines of the harness (resources/own_python) as values.

/// The processes: the guard has started the one that imports the user's file.
struct LoaderStarted {
  int guard = 0;
  int program = 0;
};
/// `what` of the kinds whose arguments can be set.
inline constexpr std::string_view kDataLoader = "PyTorch DataLoader";
inline constexpr std::string_view kTfData = "tf.data.Dataset";
inline constexpr std::string_view kKeras = "Keras PyDataset";

/// The object is there, and its first batch is awaited.
struct LoaderReady {
  std::string what;           ///< "PyTorch DataLoader"
  std::uint64_t workers = 0;  ///< worker processes, as far as the object tells
  bool restarts = false;      ///< its workers start again in each epoch
  std::vector<std::pair<std::string, std::string>> versions;  ///< of the interpreter and packages
  /// Its class, its length and its data set, by these names, if `OwnLoader::about` asks for them.
  std::vector<std::pair<std::string, std::string>> about;
};
struct LoaderFirst {
  std::string item;  ///< "list of (32, 3, 224, 224) float32; (32) int64"
  std::uint64_t samples = 0;
  std::string rule;  ///< how samples are counted; empty: by the leading dimension
  /// What happens inside the loader, in order: "read and decode (PIL)", "RandomCrop", "collate".
  /// The last one is all other code. Empty if they cannot be seen. Each name once.
  std::vector<std::string> steps;
};
/// All batches so far; the last of them came at `at`.
struct LoaderBatches {
  SteadyTime at{};
  std::uint64_t batches = 0;
  std::uint64_t samples = 0;
  std::uint64_t waitNs = 0;          ///< for batches
  std::uint64_t stepNs = 0;          ///< in the emulated step
  std::vector<std::uint64_t> waits;  ///< of some batches since the last line, in nanoseconds
};
/// Times so far inside the loader, in all its processes.
struct LoaderTimes {
  std::uint64_t timed = 0;  ///< batches whose steps were timed
  /// Nanoseconds of a step in those, without the steps that it calls.
  std::vector<std::pair<std::string, std::uint64_t>> steps;
  std::uint64_t starts = 0;   ///< of epochs after the first
  std::uint64_t startNs = 0;  ///< from their beginnings to their first batches
  /// How often was looked at the queue between workers and program, just before a batch was asked
  /// for, and how often none lay there. 0: there is no such queue.
  std::uint64_t queueLooks = 0;
  std::uint64_t queueEmpty = 0;
};
/// The first epoch has ended.
struct LoaderEpoch {
  std::uint64_t batches = 0;
  std::uint64_t samples = 0;
};
/// An epoch had no batch.
struct LoaderEmpty {
  bool later = false;  ///< an earlier one had some
};
/// It can be iterated over only once, and that is done.
struct LoaderExhausted {};
/// The user's code ended the program by sys.exit.
struct LoaderLeft {
  std::string phase;
  std::string code;
};
/// The program has ended, and so has everything that it started.
struct LoaderExited {
  int code = 0;
  int signal = 0;
};

using LoaderLine =
    std::variant<LoaderStarted, LoaderReady, LoaderFirst, LoaderBatches, LoaderTimes, LoaderEpoch,
                 LoaderEmpty, LoaderExhausted, PythonTrouble, LoaderLeft, LoaderExited>;

/// nullopt: the line is not of the harness. Pure.
std::optional<LoaderLine> parseLoaderLine(std::string_view line);

/// What went wrong, as a sentence: "train.py cannot be imported: ModuleNotFoundError: ...".
/// `file` is the name of the user's file, `interpreter` that of its interpreter.
std::string sentenceOf(const PythonTrouble& trouble, const std::string& file,
                       const std::string& interpreter);

}  // namespace millrace
