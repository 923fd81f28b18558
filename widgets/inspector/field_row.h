// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/spec/problem.h"
#include "widgets/inspector/value_editor.h"

class QFrame;
class QLabel;
class QToolButton;

namespace millrace {

/// A parameter as the inspector shows it: label with help, control, unit, a reset arrow when it
/// was changed, what is allowed, and the problem with its remedy in place. Actions that are added
/// to it are in its context menu, behind those of its control. Escape gives up what was typed.
class FieldRow : public QWidget {
  Q_OBJECT
 public:
  explicit FieldRow(const ParamSpec& spec, QWidget* parent = nullptr);

  const ParamSpec& spec() const { return m_spec; }
  ValueEditor& editor() { return *m_editor; }
  /// Nothing: the nodes shown differ.
  void show(const std::optional<Value>& value);
  void showProblems(const std::vector<Problem>& problems);
  /// `why` it changes nothing, as "Used where Mode is window"; empty: it does.
  void showUse(const QString& why);
  /// What was typed and not taken; stays until the next value.
  void showRefusal(const QString& why);

 signals:
  void edited(const millrace::Value& value);
  void finished();
  /// By Escape; the control shows the value again.
  void left();

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void showCaption();
  void showNote(const char* severity, const QString& html);

  const ParamSpec& m_spec;
  ValueEditor* m_editor;
  QToolButton* m_reset;
  QFrame* m_note;
  QLabel* m_noteText;
  std::optional<Value> m_value;  ///< that is shown
  QString m_whyUnused;
  std::vector<Problem> m_problems;
  bool m_refused = false;
};

}  // namespace millrace
