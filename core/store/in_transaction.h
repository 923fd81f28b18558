// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/database.h"

namespace millrace {

/// Runs `work`, which returns a Status, in a transaction: either all of it takes effect or none.
template <class Work>
Status inTransaction(Database& database, Work&& work) {
  Transaction transaction(database);
  if (!transaction.begun().ok()) return transaction.begun();
  if (const Status done = work(); !done.ok()) return done;
  return transaction.commit();
}

}  // namespace millrace
