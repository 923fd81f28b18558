// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QLineEdit>

#include "widgets/canvas/in_place_editor.h"

class QFrame;
class QLabel;

namespace millrace {

/// Renames a node: a field over its title and, below it, what a name may be or why this one is
/// refused. Enter accepts, Esc restores, and leaving the field accepts a name that is allowed. GUI
/// thread.
class NameEditor : public InPlaceEditor<QLineEdit> {
  Q_OBJECT
 public:
  struct Rules {
    /// Why a name is not allowed, as a sentence; empty if it is.
    std::function<QString(const QString&)> whyNot;
    QString hint;  ///< shown while nothing is wrong
  };

  explicit NameEditor(CanvasView& view);

  /// `title`: the title's place in the scene. `done` receives an allowed name that is another one.
  void open(const QRectF& title, const QString& name, Rules rules, Done done);
  /// The text below the field.
  QString message() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void place() override;
  std::optional<QString> accepted() const override;
  void closed() override;

 private:
  void showMessage();

  QFrame* m_note;
  QLabel* m_words;
  QRectF m_title;
  QString m_before;
  Rules m_rules;
};

}  // namespace millrace
