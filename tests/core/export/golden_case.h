// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "tests/core/export/export_subject.h"

namespace millrace::tests {

/// A pipeline for a target, and the file in golden/ that keeps what is exported.
struct GoldenCase {
  const Exporter* exporter = nullptr;
  std::string json;
  Setup setup;
  /// Name of another case of the same target, or of the target that this one is built on. Where
  /// there is one, the golden file is the difference from that case.
  std::string partner;
  /// Instead of the pipeline's name, where there is a file for each of many kinds.
  std::string kind = {};

  /// "mixing", "mixing.no-random".
  std::string name() const;
  std::filesystem::path file() const;
  /// What the exporter writes today.
  Result<std::string> exported() const;
};

/// Every shipped example and a few more pipelines, for every target.
const std::vector<GoldenCase>& goldenCases();

/// The form in which a golden file keeps what is exported today: snippets as lines that name them;
/// the difference from the partner where there is one.
Result<std::string> goldenForm(const GoldenCase& golden);

/// What the golden file says is exported, without any difference, snippets as lines that name them.
Result<std::string> goldenText(const GoldenCase& golden);

extern const std::filesystem::path kGoldenFolder;

}  // namespace millrace::tests
