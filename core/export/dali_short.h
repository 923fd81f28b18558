// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/export/python_file.h"
#include "core/export/short_form.h"

namespace millrace {

inline constexpr const char* kDaliTarget = "dali";
inline constexpr const char* kDaliLabel = "NVIDIA DALI";
inline constexpr const char* kDaliNeeds = "Tested with DALI 2.4 and torch 2.15.";

/// The short form in DALI. The steps of a node, by role:
///   source    statements that make `sample`, a dict of graph nodes, from readers with the
///             arguments `reader`; that of the first field has the name "image"
///   order     any step: the readers shuffle everything
///   others    statements on `sample`; pictures are HWC. Steps of the long form are expressions
/// A node with the exporter "dali.decoding" may replace the decode node before it.
Result<Exported> shortDali(const ExportSubject& subject, const ShortForm& form);

/// What the pipelines of both modes of DALI have in common.
void addDaliOptions(PythonFile& file, const ExportSubject& subject, const RuntimeNodes& runtime);
/// The number of this rank's GPU, as source code; None unless `condition`.
std::string deviceNumber(const std::string& condition);
void addDaliLimits(PythonFile& file, const ExportSubject& subject, const RuntimeNodes& runtime,
                   bool shuffles);

/// Adds what runs `make_loader()`: an epoch, or with training a loop that trains.
Status addDaliMain(PythonFile& file, const ExportSubject& subject);

}  // namespace millrace
