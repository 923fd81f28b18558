// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/machine_warnings.h"

#include "core/monitor/busy_cores.h"
#include "core/monitor/cpu_speed.h"

namespace millrace {

void warnOfMachine(Problems& problems) {
  warnOfSlowCores(problems);
  warnOfBusyCores(problems);
}

}  // namespace millrace
