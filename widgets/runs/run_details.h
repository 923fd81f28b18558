// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QTreeWidget>

#include "core/analysis/verdict.h"
#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// What is known of a kept run besides its figures over time, as named lines.
struct DetailLine {
  QString name;
  QString value;
  bool telling = false;  ///< a setting that is not at its default
};
struct DetailSection {
  QString title;
  std::vector<DetailLine> lines;
};

/// The verdict on a run, and the run it was compared with.
struct JudgedAgainst {
  RunNumber baseline{};
  Verdict verdict;
};

/// How the run ended and was judged, its figures, its settings and its machine. Sections without
/// lines are left out.
std::vector<DetailSection> detailsOf(const KeptRun& run, const std::optional<JudgedAgainst>& judged,
                                     const Catalog& catalog);

/// Those sections as a list that can be folded and copied. GUI thread.
class RunDetailsView : public QTreeWidget {
  Q_OBJECT
 public:
  explicit RunDetailsView(QWidget* parent = nullptr);
  void showSections(const std::vector<DetailSection>& sections);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  int m_names = 0;  ///< the width of the widest name
};

}  // namespace millrace
