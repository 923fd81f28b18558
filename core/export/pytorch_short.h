// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/pytorch_file.h"
#include "core/export/short_form.h"

namespace millrace {

/// The short form in PyTorch; `loader`: in place of its DataLoader. The steps of a node, by role:
///   source    an expression: a Dataset whose samples `load` prepares
///   order     arguments of DistributedSampler
///   others    statements on `sample`, a dict; pictures are tv_tensors in CHW layout. Steps of the
///             long form are transforms
Result<Exported> shortPyTorch(const ExportSubject& subject, const ShortForm& form,
                              const CodeEnding& ending, MakeLoader loader = nullptr);

/// Why a pipeline needs the long form in PyTorch; empty if it does not. Only records are changed in
/// whole batches.
std::string whyNotShort(const ShortForm& form);

}  // namespace millrace
