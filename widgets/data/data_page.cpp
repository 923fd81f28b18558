// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/data_page.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/data/finding_panel.h"
#include "widgets/data/report_text.h"
#include "widgets/data/sample_pictures.h"
#include "widgets/data/set_overview.h"
#include "widgets/sweep/job_strip.h"

namespace millrace {

namespace {

enum PartRole { kKind = Qt::UserRole, kIndex };
enum PartKind { kOverview, kFinding, kSlowest };

/// The bar counts with int.
constexpr double kBarSteps = 1000;

QString shownNumberOf(std::uint64_t number) {
  return shownNumber(static_cast<std::int64_t>(number));
}

void showProgress(JobStrip& strip, std::uint64_t done, std::uint64_t of,
                  std::optional<double> left) {
  if (of == 0) return strip.showProgress(0, 0, {});
  const double share = static_cast<double>(done) / static_cast<double>(of);
  strip.showProgress(static_cast<int>(kBarSteps * share), static_cast<int>(kBarSteps), left);
}

}  // namespace

DataPage::DataPage(const LiveReport& live, QWidget* parent)
    : QWidget(parent),
      m_live(live),
      m_pictures(new SamplePictures(FindingPanel::kPicture, this)),
      m_strip(new JobStrip("Progress of the examination")),
      m_examine(namedButton("examine", "Examine", "examine")),
      m_failed(new NoteStrip("error")),
      m_said(new NoteStrip("info")),
      m_choice(new QComboBox),
      m_export(namedButton("export", "Save", "export")),
      m_copy(namedButton("copy", "Copy as command", "copy")),
      m_all(new QStackedWidget),
      m_empty(new QLabel),
      m_parts(new QListWidget),
      m_shown(new QStackedWidget),
      m_overview(new SetOverview),
      m_samples(new FindingPanel(*m_pictures)) {
  setObjectName("data_page");
  // Tabs request the size of the largest one among them.
  setMinimumSize(400, 200);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_strip);
  column->addWidget(buildBar());
  column->addWidget(m_failed);
  column->addWidget(m_said);
  column->addWidget(m_all, 1);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setTextFormat(Qt::PlainText);
  m_empty->setMargin(24);
  m_all->addWidget(m_empty);
  m_all->addWidget(buildContent());
  m_strip->addButton(m_examine);
  connect(m_said->addButton("Close"), &QPushButton::clicked, m_said, &QFrame::hide);
  connect(m_failed->addButton("Close"), &QPushButton::clicked, m_failed, &QFrame::hide);
  connect(m_strip, &JobStrip::stopRequested, this, &DataPage::stopRequested);
  connect(m_examine, &QPushButton::clicked, this, [this] {
    if (chosen()) emit examineRequested(*chosen());
  });
  connect(m_copy, &QPushButton::clicked, this, &DataPage::commandRequested);
  refresh();
}

QWidget* DataPage::buildBar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(14, 0, 12, 8);
  row->setSpacing(8);
  auto* label = new QLabel("&Data");
  label->setBuddy(m_choice);
  m_choice->setObjectName("choice");
  m_choice->setMinimumWidth(160);
  m_choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto* menu = new QMenu(m_export);
  const auto offer = [&](const char* name, const QString& text, ReportExport::Kind kind) {
    QAction* action =
        menu->addAction(text, this, [this, kind] { emit exportRequested({kind, std::nullopt}); });
    action->setObjectName(name);
  };
  offer("save_report", "The report, as &JSON…", ReportExport::Kind::Json);
  offer("save_findings", "Every &problem, as a list…", ReportExport::Kind::Findings);
  offer("save_clean", "The &good samples, as a list to train with…", ReportExport::Kind::Clean);
  m_export->setMenu(menu);
  row->addWidget(label);
  row->addWidget(m_choice, 1);
  row->addWidget(m_copy);
  row->addWidget(m_export);
  connect(m_choice, &QComboBox::currentIndexChanged, this, &DataPage::refreshButtons);
  return bar;
}

QWidget* DataPage::buildContent() {
  m_parts->setAccessibleName("Parts of the report");
  m_parts->setTextElideMode(Qt::ElideRight);
  m_shown->addWidget(m_overview);
  m_shown->addWidget(m_samples);
  auto* split = new QSplitter;
  split->addWidget(m_parts);
  split->addWidget(m_shown);
  split->setStretchFactor(1, 1);
  split->setCollapsible(1, false);
  split->setSizes({230, 900});
  connect(m_parts, &QListWidget::currentItemChanged, this, &DataPage::showPart);
  connect(m_overview, &SetOverview::normaliseRequested, this, &DataPage::normaliseRequested);
  connect(m_samples, &FindingPanel::saveRequested, this, [this] {
    const QListWidgetItem* part = m_parts->currentItem();
    if (part == nullptr || part->data(kKind).toInt() != kFinding || !m_filled) return;
    const auto index = part->data(kIndex).toULongLong();
    emit exportRequested({ReportExport::Kind::Findings, m_filled->findings.at(index).finding});
  });
  connect(m_samples, &FindingPanel::copied, this, [this](int count) {
    say(QString(count == 1 ? "%1 was copied." : "%1 were copied.").arg(shownCount(count, "path")));
  });
  return split;
}

void DataPage::setChoices(const std::vector<std::filesystem::path>& choices) {
  QStringList texts;
  for (const auto& path : choices) texts << fileText(path);
  QStringList now;
  for (int i = 0; i < m_choice->count(); ++i) now << m_choice->itemData(i).toString();
  if (texts == now) return;
  const QString before = m_choice->currentData().toString();
  m_choice->clear();
  for (const QString& text : texts) m_choice->addItem(text, text);
  m_choice->setCurrentIndex(std::max(0, m_choice->findData(before)));
}

std::optional<std::filesystem::path> DataPage::chosen() const {
  if (m_choice->currentIndex() < 0) return std::nullopt;
  return pathOf(m_choice->currentData().toString());
}

void DataPage::refresh() {
  if (m_filled != m_live.report()) {
    m_filled = m_live.report();
    fillParts();
  }
  m_all->setCurrentIndex(m_filled ? 1 : 0);
  showEmpty();
  showStrip();
  refreshButtons();
}

void DataPage::addPart(const QString& text, int kind, std::size_t index, const QString& iconName) {
  auto* item = new QListWidgetItem(icon(iconName), text, m_parts);
  item->setToolTip(text);
  item->setData(kKind, kind);
  item->setData(kIndex, qulonglong{index});
}

void DataPage::fillParts() {
  m_parts->clear();
  m_overview->show(m_filled);
  m_samples->showNone();
  if (!m_filled) return;
  addPart("Overview", kOverview, 0, "info");
  for (std::size_t i = 0; i < m_filled->findings.size(); ++i) {
    const ReportedFinding& finding = m_filled->findings[i];
    addPart(shownFinding(finding.finding) + kDot + shownNumberOf(finding.count), kFinding, i,
            isLeftOut(finding.finding) ? "error" : "warning");
  }
  for (std::size_t i = 0; i < m_filled->sets.size(); ++i) {
    const SetReport& set = m_filled->sets[i];
    if (set.slowest.empty()) continue;
    addPart(m_filled->sets.size() > 1 ? "Slowest of " + toQt(visibleName(set.name))
                                      : QString("Slowest to decode"),
            kSlowest, i, "decode");
  }
  m_parts->setCurrentRow(0);
}

void DataPage::showPart(const QListWidgetItem* part) {
  if (part == nullptr || !m_filled) return;
  const auto index = static_cast<std::size_t>(part->data(kIndex).toULongLong());
  switch (part->data(kKind).toInt()) {
    case kFinding: m_samples->showFinding(m_filled, index); break;
    case kSlowest: m_samples->showSlowest(m_filled, index); break;
    default: return m_shown->setCurrentWidget(m_overview);
  }
  m_shown->setCurrentWidget(m_samples);
}

QString DataPage::stateText() const {
  using State = LiveReport::State;
  const QString of = shownNumberOf(m_live.done()) + " of " +
                     shownCount(static_cast<std::int64_t>(m_live.of()), "sample");
  switch (m_live.state()) {
    case State::None: return {};
    case State::Looking: return "Looking for the samples";
    case State::Examining:
      return m_live.done() < m_live.of() ? of : QString("Comparing the samples");
    case State::Reading: return "Reading the report";
    case State::Over: break;
  }
  if (m_live.report()) {
    if (m_live.isComplete()) return examinedText(*m_live.report());
    return "Stopped after " + of + ". “Continue” examines the rest.";
  }
  const bool stopped = m_live.end() && m_live.end()->kind == ChildEnd::Kind::Stopped;
  return stopped ? QString("Stopped. “Continue” goes on where it was.") : QString("No report");
}

void DataPage::showStrip() {
  m_strip->setTitle(m_live.title().isEmpty() ? QString("Data") : "Data of " + m_live.title());
  if (m_saving) {
    showProgress(*m_strip, m_saving->done, m_saving->of, m_saving->secondsLeft);
    m_strip->setWords("Saving");
  } else if (m_live.isGoing()) {
    showProgress(*m_strip, m_live.done(), m_live.of(), m_live.secondsLeft());
    m_strip->setWords(stateText());
  } else {
    m_strip->showIdle();
    m_strip->setWords(stateText());
    m_stopping = false;
  }
  if (m_stopping) showStopping();
}

void DataPage::showEmpty() {
  const auto& end = m_live.end();
  if (m_live.isOver() && end && end->kind == ChildEnd::Kind::Failed) m_failed->say(end->sentence);
  if (m_live.state() == LiveReport::State::Looking) m_failed->say({});
  m_empty->setText(
      m_live.state() == LiveReport::State::None
          ? "Every sample is read and decoded once: what is broken, cut off, uniform, tiny or "
            "there twice, and what sizes, classes, mean and deviation there are. A stopped "
            "examination continues where it was."
      : m_live.isOver() ? "There is no report."
                        : "The report appears here when every sample has been examined.");
}

void DataPage::showStopping() {
  m_stopping = true;
  m_strip->showStopping(m_saving ? "Stopping" : "Stopping; what was examined is kept");
}

void DataPage::setSaving(const std::optional<Saving>& saving) {
  m_saving = saving;
  if (!saving) m_stopping = false;
  showStrip();
  refreshButtons();
}

void DataPage::setObstacles(const QString& begin, const QString& take) {
  m_beginObstacle = begin;
  m_takeObstacle = take;
  refreshButtons();
}

void DataPage::refreshButtons() {
  const bool going = m_saving || m_live.isGoing();
  const bool same = chosen() == m_live.path();
  const bool stopped = m_live.isOver() && !m_live.isComplete() && same;
  m_examine->setText(stopped                       ? "Continue"
                     : m_live.isComplete() && same ? "Examine again"
                                                   : "Examine");
  m_examine->setVisible(!going);
  m_examine->setEnabled(m_beginObstacle.isEmpty() && chosen());
  m_examine->setToolTip(m_beginObstacle.isEmpty()
                            ? "What was examined before and has not changed is not read again"
                            : m_beginObstacle);
  QString why;
  if (going) why = "Wait until the work above is over.";
  if (!m_live.isComplete()) why = "Every sample must be examined first.";
  m_export->setEnabled(why.isEmpty());
  m_export->setToolTip(why.isEmpty() ? "Save the report, or lists of samples" : why);
  m_samples->setSaveObstacle(why);
  m_overview->setTakeObstacle(m_takeObstacle);
  m_copy->setEnabled(chosen().has_value());
  m_copy->setToolTip("The command that makes the same report in a terminal");
  m_choice->setEnabled(!going);
}

void DataPage::say(const QString& sentence) {
  m_failed->say({});
  m_said->say(sentence);
}

void DataPage::warn(const QString& sentence) {
  m_said->say({});
  m_failed->say(sentence);
}

QString DataPage::words() const { return m_strip->words(); }
QString DataPage::saidText() const { return m_said->words(); }
QString DataPage::warnedText() const { return m_failed->words(); }

}  // namespace millrace
