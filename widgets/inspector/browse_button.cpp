// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/browse_button.h"

#include <QFileInfo>
#include <QMenu>

#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

BrowseButton::BrowseButton(const ParamSpec& spec, std::function<QString()> current,
                           std::function<void(const QStringList&)> take)
    : m_current(std::move(current)),
      m_take(std::move(take)),
      m_title(toQt(spec.label)),
      m_several(spec.type == ParamType::PathList || spec.type == ParamType::TextList) {
  setIcon(millrace::icon("open"));
  const QString files = m_several ? "files" : "a file";
  QString what = "a folder";
  if (spec.names == DiskName::File) what = files;
  if (spec.names == DiskName::FileOrFolder) what = files + " or a folder";
  setToolTip("Choose " + what);
  setAccessibleName("Choose " + what + " for " + m_title);
  if (spec.names != DiskName::FileOrFolder) {
    connect(
        this, &QToolButton::clicked, this,
        spec.names == DiskName::File ? &BrowseButton::chooseFiles : &BrowseButton::chooseFolder);
    return;
  }
  auto* menu = new QMenu(this);
  menu->addAction("Choose " + files + "…", this, &BrowseButton::chooseFiles);
  menu->addAction("Choose a folder…", this, &BrowseButton::chooseFolder);
  setMenu(menu);
  setPopupMode(QToolButton::InstantPopup);
}

/// The folder of the field's path if it is known, otherwise the last dialog's folder.
QString BrowseButton::start() const {
  const QFileInfo now(m_current());
  return now.isAbsolute() ? now.absolutePath() : QString();
}

void BrowseButton::chooseFiles() {
  withStartFolder(*this, start(), [this](const QString& start) {
    const QStringList chosen = m_several ? askOpenFiles(this, m_title, start)
                                         : QStringList{askOpenFile(this, m_title, start)};
    if (!chosen.isEmpty() && !chosen.front().isEmpty()) m_take(chosen);
  });
}

void BrowseButton::chooseFolder() {
  withStartFolder(*this, start(), [this](const QString& start) {
    const QString folder = askFolder(this, m_title, start);
    if (!folder.isEmpty()) m_take({folder});
  });
}

}  // namespace millrace
