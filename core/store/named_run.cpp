// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/named_run.h"

namespace millrace {

Result<RunNumber> runNamed(RunStore& store, const std::string& which) {
  if (which != "last") return store.find(which);
  RunQuery query;
  query.limit = 1;
  MILLRACE_ASSIGN_OR_RETURN(const auto runs, store.list(query));
  if (runs.empty())
    return Error{"no runs yet in " + store.file().string() +
                 "; `millrace run classification` makes one"};
  return runs.front().number;
}

}  // namespace millrace
