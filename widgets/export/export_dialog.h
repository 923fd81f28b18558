// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <QDialog>
#include <QTimer>

#include "widgets/export/export_work.h"

class QCheckBox;
class QFrame;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSettings;
class QStackedWidget;

namespace millrace {

class CodeView;
class IconMark;
class RunHereLine;
class TargetList;
class TargetTable;

/// A pipeline as code for every target. What a target cannot do is listed above its code, and for
/// all targets side by side. The code
/// can be copied, saved, opened in an editor, written with the command line shown, or run here,
/// which measures its rate. Targets come only from core's registry. GUI thread.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  /// `settings` keep the interpreter of each target; they outlive the dialog.
  ExportDialog(ExportSource source, QSettings& settings, QWidget* parent = nullptr);

  /// Whether the latest request is shown.
  bool isReady() const { return m_ready; }
  TargetList& targets() { return *m_list; }
  TargetTable& table() { return *m_table; }
  QPushButton& compareButton() { return *m_compare; }
  QCheckBox& noRandom() { return *m_noRandom; }
  QCheckBox& training() { return *m_training; }
  RunHereLine& runLine() { return *m_runLine; }
  QPushButton& openButton() { return *m_open; }
  /// The text in the code view, which copying and saving use; empty if no code can be generated.
  std::string text() const;
  /// Sentences above the code.
  QString cautions() const;
  QString command() const;
  /// The result of the last copying or saving.
  QString message() const;

  /// Writes the chosen target, whole or not at all, outside the GUI thread. Asks first if the file
  /// exists. Then `saveEnded` is emitted and `message` holds the outcome, unless the dialog was
  /// closed meanwhile.
  void saveTo(const QString& file);
  /// Replaces the desktop's opening of a saved file.
  void setOpener(std::function<void(const QString& file)> open) { m_openFile = std::move(open); }
  /// Replaces the message box.
  void setQuestion(std::function<bool(const QString& question)> ask) { m_ask = std::move(ask); }

 signals:
  void ready();
  void saveEnded(bool written);
  /// A run of the chosen target has ended; if it was measured, `ready` follows with its rate.
  void runEnded(bool measured);

 private:
  QWidget* buildLeft();
  QWidget* buildRight();
  QWidget* buildCode();
  QWidget* buildCard();
  QWidget* buildHead();
  QWidget* buildFoot();
  ExportOptions options() const;
  void work();
  void take(const std::shared_ptr<const ExportedTargets>& targets);
  void showTarget();
  void compare(bool isOn);
  void showCard(const ExportedTarget& target);
  void chooseFile();
  void write(const QString& file, const std::string& code, bool isThere);
  void endSaving(const QString& file, const QString& message, bool written);
  void endRun(double rate, const QString& refusal);
  void runHere();
  void say(const QString& message, bool good);
  const ExportedTarget* chosen() const;
  QString fileName() const;

  ExportSource m_source;
  ExportWork m_work;
  std::shared_ptr<const ExportedTargets> m_targets;
  bool m_ready = false;
  bool m_isSaving = false;
  QTimer m_moment;  ///< until the dialog says that it is waiting for a file
  std::function<bool(const QString&)> m_ask;
  std::function<void(const QString&)> m_openFile;
  QString m_saved;  ///< the file that was saved last; empty: none
  QWidget* m_left = nullptr;
  QStackedWidget* m_pages;
  TargetList* m_list;
  TargetTable* m_table;
  CodeView* m_code;
  QCheckBox* m_noRandom;
  QCheckBox* m_figures;
  QCheckBox* m_training;
  QFrame* m_card;
  IconMark* m_cardIcon;
  QLabel* m_cardTitle;
  QLabel* m_cardText;
  QLabel* m_head;
  QPlainTextEdit* m_command;
  QLabel* m_caveat;
  IconMark* m_messageIcon;
  QLabel* m_message;
  QPushButton* m_compare;
  QPushButton* m_copy;
  QPushButton* m_save;
  QPushButton* m_open;
  RunHereLine* m_runLine;
};

}  // namespace millrace
