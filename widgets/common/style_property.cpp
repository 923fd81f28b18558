// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style_property.h"

#include <QStyle>

namespace millrace {

void setStyleProperty(QWidget& widget, const char* name, const QString& value) {
  if (widget.property(name) == value) return;
  widget.setProperty(name, value);
  for (QWidget* one : widget.findChildren<QWidget*>() + QList<QWidget*>{&widget}) {
    one->style()->unpolish(one);
    one->style()->polish(one);
  }
}

}  // namespace millrace
