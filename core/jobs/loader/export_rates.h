// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/store/run_store.h"

namespace millrace {

/// The rate of exported code, as a finished run of this machine measured it. Value.
struct ExportRate {
  RunNumber run{};
  double samplesPerSecond = 0;
  std::string text;  ///< a sentence with interval, run, versions and machine
};

/// The measured rates of exported code in a store. One thread at a time.
class ExportRates {
 public:
  /// Reads the store at `file`. One that is missing or cannot be read has no rates.
  explicit ExportRates(const std::filesystem::path& file);

  /// The newest rate of code with this digest (core/export/exported_code.h).
  std::optional<ExportRate> of(const std::string& digest);
  /// The engine's newest rate with this pipeline, in samples/s. `json`: as graphText() writes it.
  std::optional<double> ofEngine(const std::string& json);

 private:
  std::optional<RunDetails> newest(const std::string& condition,
                                   const std::function<bool(const RunDetails&)>& counts);

  std::optional<RunStore> m_store;
};

/// ExportSubject::rateOf by the store at `file`, which is opened here.
std::function<std::string(const std::string&)> rateSentences(const std::filesystem::path& file);

}  // namespace millrace
