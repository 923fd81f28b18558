// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/set_overview.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/data_survey.h"
#include "widgets/charts/rich_text.h"
#include "widgets/common/strings.h"
#include "widgets/data/count_bars.h"
#include "widgets/data/report_text.h"
#include "widgets/sweep/job_strip.h"

namespace millrace {

namespace {

QStringList longerSideNames() {
  QStringList names;
  for (std::size_t bin = 0; bin <= PictureSurvey::kEdges.size(); ++bin)
    names << toQt(longerSideName(bin));
  return names;
}

QStringList decodeTimeNames() {
  QStringList names;
  for (std::size_t bin = 0; bin <= kDecodeEdges.size(); ++bin) names << toQt(decodeTimeName(bin));
  return names;
}

QStringList proportionNames() {
  QStringList names;
  for (const std::string_view name : kProportionNames) names << toQt(name);
  return names;
}

/// A group of bars: its title, and the bars of a set.
struct Group {
  const char* title;
  QList<CountBars::Bar> (*bars)(const SetReport& set);
  bool evenIfOne;  ///< shown even if all samples have the same value
};

const Group kGroups[] = {
    {"Samples per class", classBars, true},
    {"Longer side in pixels",
     [](const SetReport& set) { return barsOf(set.longerSide, longerSideNames()); }, true},
    {"Proportions", [](const SetReport& set) { return barsOf(set.proportions, proportionNames()); },
     true},
    {"Time to decode",
     [](const SetReport& set) { return barsOf(set.decodeTimes, decodeTimeNames()); }, true},
    {"Format", [](const SetReport& set) { return barsOf(set.formats); }, false},
    {"Channels", [](const SetReport& set) { return barsOf(set.channels); }, false},
    {"Bits", [](const SetReport& set) { return barsOf(set.bits); }, false},
    {"EXIF orientation", [](const SetReport& set) { return barsOf(set.orientations); }, false},
};

QString overallHtml(const DataReport& report) {
  QString html = "<p>" + examinedText(report).toHtmlEscaped() + "</p>";
  QStringList found;
  for (const ReportedFinding& finding : report.findings)
    found << shownFinding(finding).toHtmlEscaped();
  if (!found.isEmpty())
    html += "<b>Found</b>" + htmlList(found);
  else if (report.examined() > 0)
    html += QString("<p>%1%2</p>")
                .arg(report.examined() < report.samples() ? "So far: " : "",
                     toQt(withoutFindingsText(report)).toHtmlEscaped());
  QStringList notes;
  for (const std::string& note : report.notes) notes << richSentence(note);
  if (!notes.isEmpty()) html += "<b>Notes</b>" + htmlList(notes);
  return html;
}

}  // namespace

SetOverview::SetOverview(QWidget* parent)
    : QScrollArea(parent),
      m_overall(richLabel()),
      m_setRow(new QWidget),
      m_sets(new QComboBox),
      m_facts(richLabel()),
      m_channelsRow(new QWidget),
      m_channels(plainLabel()),
      m_take(namedButton("normalise", "Use in the pipeline", "normalise")) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName("Overview");
  build();
  connect(m_sets, &QComboBox::currentIndexChanged, this, &SetOverview::showSet);
  connect(m_take, &QPushButton::clicked, this, [this] {
    if (m_sets->currentIndex() >= 0)
      emit normaliseRequested(static_cast<std::size_t>(m_sets->currentIndex()));
  });
}

void SetOverview::build() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(16, 8, 16, 16);
  column->setSpacing(10);
  auto* setRow = new QHBoxLayout(m_setRow);
  setRow->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel("&Set");
  label->setBuddy(m_sets);
  m_sets->setObjectName("set");
  setRow->addWidget(label);
  setRow->addWidget(m_sets);
  setRow->addStretch(1);
  auto* channelsRow = new QHBoxLayout(m_channelsRow);
  channelsRow->setContentsMargins(0, 0, 0, 0);
  channelsRow->setSpacing(12);
  m_channels->setWordWrap(true);
  m_channels->setTextInteractionFlags(Qt::TextSelectableByMouse);
  channelsRow->addWidget(m_take);
  channelsRow->addWidget(m_channels, 1);
  m_grid = new QGridLayout;
  m_grid->setHorizontalSpacing(32);
  m_grid->setVerticalSpacing(12);
  for (const Group& group : kGroups) m_bars << new CountBars(group.title, content);
  column->addWidget(m_overall);
  column->addWidget(m_setRow);
  column->addWidget(m_facts);
  column->addWidget(m_channelsRow);
  column->addLayout(m_grid);
  column->addStretch(1);
  setWidget(content);
  arrange();
}

/// In one or two columns, as there is room.
void SetOverview::arrange() {
  constexpr int kLeastTwo = 680;
  const int across = viewport()->width() >= kLeastTwo ? 2 : 1;
  QList<CountBars*> shown;
  for (CountBars* bars : m_bars)
    if (!bars->bars().isEmpty()) shown << bars;
  if (across == m_across && shown == m_arranged) return;
  m_across = across;
  m_arranged = shown;
  for (CountBars* bars : m_bars) m_grid->removeWidget(bars);
  for (qsizetype i = 0; i < shown.size(); ++i)
    m_grid->addWidget(shown[i], static_cast<int>(i) / across, static_cast<int>(i) % across,
                      Qt::AlignTop);
  for (int c = 0; c < 2; ++c) m_grid->setColumnStretch(c, c < across ? 1 : 0);
}

void SetOverview::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

void SetOverview::show(const std::shared_ptr<const DataReport>& report) {
  m_report = report;
  m_overall->setText(report ? overallHtml(*report) : QString());
  const QSignalBlocker quiet(m_sets);
  m_sets->clear();
  if (report)
    for (const SetReport& set : report->sets) m_sets->addItem(toQt(visibleName(set.name)));
  m_setRow->setVisible(m_sets->count() > 1);
  showSet(m_sets->currentIndex());
}

void SetOverview::showSet(int index) {
  const bool isSet = m_report && index >= 0;
  m_facts->setVisible(isSet);
  m_channelsRow->setVisible(isSet);
  for (CountBars* bars : m_bars) bars->setVisible(isSet);
  if (!isSet) return;
  const SetReport& set = m_report->sets[static_cast<std::size_t>(index)];
  m_facts->setText(factsHtml(set));
  m_channels->setText(shownChannels(set));
  m_channelsRow->setVisible(!set.mean.empty());
  for (qsizetype i = 0; i < m_bars.size(); ++i) {
    QList<CountBars::Bar> bars = kGroups[i].bars(set);
    if (bars.size() < 2 && !kGroups[i].evenIfOne) bars.clear();
    m_bars[i]->show(bars);
  }
  arrange();
  refreshTake();
}

void SetOverview::setTakeObstacle(const QString& sentence) {
  m_obstacle = sentence;
  refreshTake();
}

void SetOverview::refreshTake() {
  m_take->setEnabled(m_obstacle.isEmpty());
  m_take->setToolTip(m_obstacle.isEmpty()
                         ? "Sets mean and deviation in the node that normalises, or adds one, as "
                           "one undo step"
                         : m_obstacle);
}

CountBars* SetOverview::bars(const QString& title) const {
  for (CountBars* bars : m_bars)
    if (bars->title() == title) return bars;
  return nullptr;
}

QString SetOverview::overallText() const { return m_overall->text(); }
QString SetOverview::factsText() const { return m_facts->text(); }

}  // namespace millrace
