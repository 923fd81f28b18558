// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/machine_text.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include <QStringList>

#include "core/base/text/text.h"
#include "core/monitor/environment.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

QString firstGpuName() {
  static const QString name = [] {
    const std::vector<GpuInfo> gpus = readGpus();
    return gpus.empty() ? QString() : toQt(gpus.front().name);
  }();
  return name;
}

QString machineText(const QString& between) {
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const QString gpu = firstGpuName().isEmpty() ? QString("no GPU") : firstGpuName();
  return QStringList{shownCount(cores, "core"), toQt(humanBytes(memory)).replace(' ', kNoBreak),
                     gpu}
      .join(between);
}

}  // namespace millrace
