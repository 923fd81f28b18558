// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/spec/problem.h"
#include "widgets/inspector/value_editor.h"

class QFrame;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace millrace {

/// A parameter in the inspector: label with help, control, unit, a reset arrow if it was changed,
/// the allowed range, and any problem with its remedy. Actions added to the row appear in its
/// context menu, after those of its control. Escape discards the typed text.
class FieldRow : public QWidget {
  Q_OBJECT
 public:
  explicit FieldRow(const ParamSpec& spec, QWidget* parent = nullptr);

  const ParamSpec& spec() const { return m_spec; }
  ValueEditor& editor() { return *m_editor; }
  /// nullopt: the shown nodes have different values.
  void show(const std::optional<Value>& value);
  void showProblems(const std::vector<Problem>& problems);
  /// `why` the parameter has no effect, such as "Used if Mode is window"; empty if it has one.
  void showUse(const QString& why);
  /// More about its values, such as "0: no limit"; shown after the allowed range.
  void explain(const QString& words);
  /// Shows typed text that was refused; it stays until the next value.
  void showRefusal(const QString& why);

 signals:
  void edited(const millrace::Value& value);
  void finished();
  /// Escape was pressed; the control shows the value again.
  void left();

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void showCaption();
  void showNote(const char* severity, const QString& html);

  const ParamSpec& m_spec;
  ValueEditor* m_editor;
  QToolButton* m_reset;
  QHBoxLayout* m_line = nullptr;
  QLabel* m_unit = nullptr;  ///< hidden in a narrow row: the range below has it, too
  QFrame* m_note;
  QLabel* m_noteText;
  std::optional<Value> m_value;  ///< the shown value
  QString m_whyUnused;
  QString m_explanation;
  std::vector<Problem> m_problems;
  bool m_refused = false;
};

}  // namespace millrace
