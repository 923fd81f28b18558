// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/measure/data_facts.h"
#include "core/measure/run_result.h"

namespace millrace {

/// Collects facts about data and machine that become known while a run is measured. One thread.
class RunFactCollector {
 public:
  /// Begins to compute the fingerprint of the data, if wanted.
  RunFactCollector(std::shared_ptr<const Source> source, bool fingerprint);

  /// The facts that `before` does not contain.
  Facts factsOf(const RunResult& result, const Facts& before);

 private:
  const std::shared_ptr<const Source> m_source;
  const std::optional<std::uint64_t> m_throttles;
  std::optional<FingerprintJob> m_fingerprint;
};

bool hasFact(const Facts& facts, std::string_view key);

/// The warning about a processor that overheated during the run of these facts; nullopt if it did
/// not.
std::optional<Problem> heatWarning(const Facts& facts);

}  // namespace millrace
