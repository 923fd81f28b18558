// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/export/exporter.h"
#include "core/export/short_form.h"

namespace millrace {

/// What the nodes after the source do in DALI's short form.
struct DaliSteps {
  std::vector<std::string> source;      ///< steps of the source
  std::vector<std::string> processing;  ///< statements on `sample`
  bool shuffles = false;
};

/// The steps of a short form, with mirroring and layouts done by the operations that can.
DaliSteps daliSteps(const ExportSubject& subject, const ShortForm& form);

}  // namespace millrace
