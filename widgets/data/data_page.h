// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include <QPushButton>
#include <QWidget>

#include "widgets/data/live_report.h"

class QComboBox;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QStackedWidget;

namespace millrace {

class FindingPanel;
class JobStrip;
class NoteStrip;
class SamplePictures;
class SetOverview;

/// What the user saves of a report. The engine writes each of them.
struct ReportExport {
  enum class Kind { Json, Findings, Clean };
  Kind kind = Kind::Json;
  std::optional<Finding> finding;  ///< of Findings; nullopt: all
};

/// The report on the data of a pipeline: its progress, an overview of each set, the samples with
/// each finding, the slowest ones, and the actions on them. It examines and edits nothing; it emits
/// requests. GUI thread.
class DataPage : public QWidget {
  Q_OBJECT
 public:
  /// `live` must outlive the page.
  explicit DataPage(const LiveReport& live, QWidget* parent = nullptr);

  /// The data that can be examined, the most likely first.
  void setChoices(const std::vector<std::filesystem::path>& choices);
  std::optional<std::filesystem::path> chosen() const;
  /// The report has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();
  /// A part of the report is being saved: `of` 0: the progress is unknown. nullopt: no longer.
  struct Saving {
    std::uint64_t done = 0;
    std::uint64_t of = 0;
    std::optional<double> secondsLeft;
  };
  void setSaving(const std::optional<Saving>& saving);
  /// Why no report can begin, and why the pipeline cannot be changed; empty if they can.
  void setObstacles(const QString& begin, const QString& take);
  /// Shows a sentence about what was done; an error in the colour of errors.
  void say(const QString& sentence);
  void warn(const QString& sentence);

  QListWidget& parts() { return *m_parts; }
  FindingPanel& samples() { return *m_samples; }
  SetOverview& overview() { return *m_overview; }
  SamplePictures& pictures() { return *m_pictures; }
  /// "210 of 600 samples", or how it ended.
  QString words() const;
  QString saidText() const;
  QString warnedText() const;
  QPushButton* button(const QString& name) const { return findChild<QPushButton*>(name); }

 signals:
  void stopRequested();
  void examineRequested(const std::filesystem::path& path);
  /// Asks to normalise the pipeline with the figures of this set.
  void normaliseRequested(std::size_t set);
  void exportRequested(const millrace::ReportExport& what);
  void commandRequested();

 private:
  QWidget* buildBar();
  QWidget* buildContent();
  void fillParts();
  void addPart(const QString& text, int kind, std::size_t index, const QString& iconName);
  void showPart(const QListWidgetItem* part);
  void showStrip();
  void showEmpty();
  void refreshButtons();
  QString stateText() const;

  const LiveReport& m_live;
  SamplePictures* m_pictures;
  JobStrip* m_strip;
  QPushButton* m_examine;
  NoteStrip* m_failed;
  NoteStrip* m_said;
  QComboBox* m_choice;
  QPushButton* m_export;
  QPushButton* m_copy;
  QStackedWidget* m_all;  ///< the text without a report, or the report
  QLabel* m_empty;
  QListWidget* m_parts;
  QStackedWidget* m_shown;
  SetOverview* m_overview;
  FindingPanel* m_samples;
  std::shared_ptr<const DataReport> m_filled;  ///< the report in m_parts
  std::optional<Saving> m_saving;
  bool m_stopping = false;
  QString m_beginObstacle;
  QString m_takeObstacle;
};

}  // namespace millrace
