// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/folder_scan.h"

#include "core/jobs/inspect/files_alone.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/strings.h"

namespace millrace {

void FolderScan::drop() {
  if (m_stop) *m_stop = true;
  m_stop.reset();
}

void FolderScan::scan(const QString& folder) {
  drop();
  m_stop = std::make_shared<std::atomic<bool>>(false);
  doFileWork(*this, [this, folder, stop = m_stop] {
    auto content = std::make_shared<const FolderContent>(detectUsable(pathOf(folder), {}, *stop));
    return [this, folder, stop, content] {
      if (m_stop != stop) return;
      m_stop.reset();
      emit found(folder, *content);
    };
  });
}

}  // namespace millrace
