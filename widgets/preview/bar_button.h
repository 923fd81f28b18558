// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QString>
#include <QToolButton>

#include "widgets/common/icons.h"

namespace millrace {

/// Appends a button with an icon, whose tooltip is its name for screen readers, too.
inline QToolButton* barButton(QBoxLayout& row, const QString& name, const QString& iconName,
                              const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  row.addWidget(button);
  return button;
}

}  // namespace millrace
