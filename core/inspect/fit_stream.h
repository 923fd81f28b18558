// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/pipeline_proposal.h"

namespace millrace {

/// Removes the nodes that the samples do not suit, such as those for photos if a container holds
/// arrays of other types or layouts, bypasses those with a parameter that does not fit, and notes
/// why. Opens the source.
Status fitStream(PipelineProposal& proposal, const Catalog& catalog);

}  // namespace millrace
