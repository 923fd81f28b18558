// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for liblmdb in a build without it: databases are read by our own code.
#include "core/base/parts.h"
#include "core/formats/lmdb/lmdb_writer.h"

namespace millrace {

OpenWriter openLmdbWriter(const WriteSpec&, const WriteMark&) { return missingPart("lmdb"); }

}  // namespace millrace
