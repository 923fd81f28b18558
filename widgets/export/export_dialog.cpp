// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_dialog.h"

#include <algorithm>

#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "core/base/whole_file.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/format.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"
#include "widgets/export/code_view.h"
#include "widgets/export/run_here_line.h"
#include "widgets/export/target_list.h"
#include "widgets/export/target_table.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr int kLeftWidth = 240;
constexpr int kCardHeight = 172;
constexpr int kCommandHeight = 74;
constexpr int kMomentMs = 1000;

QPushButton* button(const QString& text, const QString& iconName) {
  auto* made = new QPushButton(text);
  if (!iconName.isEmpty()) made->setIcon(icon(iconName));
  made->setAutoDefault(false);
  return made;
}

QString listOf(const QStringList& sentences) {
  if (sentences.size() == 1) return sentences.front();
  QString html;
  for (const QString& each : sentences) html += "<li>" + each + "</li>";
  return "<ul style='margin: 0 0 0 -24px'>" + html + "</ul>";
}

bool askInBox(QWidget* parent, const QString& question) {
  QMessageBox box(QMessageBox::Question, "Export", question, QMessageBox::Cancel, parent);
  box.addButton("Replace", QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  return box.exec() != QMessageBox::Cancel;
}

}  // namespace

ExportDialog::ExportDialog(ExportSource source, QSettings& settings, QWidget* parent)
    : QDialog(parent),
      m_source(std::move(source)),
      m_ask([this](const QString& question) { return askInBox(this, question); }),
      m_openFile([](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }),
      m_pages(new QStackedWidget),
      m_list(new TargetList),
      m_table(new TargetTable),
      m_code(new CodeView),
      m_noRandom(new QCheckBox("No randomness")),
      m_figures(new QCheckBox("Figures as comment")),
      m_training(new QCheckBox("Training loop")),
      m_card(new QFrame),
      m_cardIcon(new IconMark(16)),
      m_cardTitle(new QLabel),
      m_cardText(new QLabel),
      m_head(new QLabel),
      m_command(new QPlainTextEdit),
      m_caveat(new QLabel),
      m_messageIcon(new IconMark(16)),
      m_message(new QLabel("Reading the pipeline and its data")),
      m_compare(button("Compare &targets", {})),
      m_copy(button("&Copy", "copy")),
      m_save(button("&Save as…", {})),
      m_open(button("&Open in editor", {})),
      m_runLine(new RunHereLine(settings)) {
  m_moment.setSingleShot(true);
  m_moment.setInterval(kMomentMs);
  setWindowTitle("Export: " + m_source.title);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_left = buildLeft());
  row->addWidget(buildRight(), 1);
  resize(1060, 720);
  if (parent != nullptr)
    resize(size().boundedTo(parent->window()->size() - QSize(40, 40)).expandedTo({640, 420}));
  connect(m_list, &QListWidget::currentRowChanged, this, &ExportDialog::showTarget);
  for (QCheckBox* box : {m_noRandom, m_figures, m_training})
    connect(box, &QCheckBox::toggled, this, &ExportDialog::work);
  connect(&m_work, &ExportWork::finished, this, &ExportDialog::take);
  connect(m_compare, &QPushButton::toggled, this, &ExportDialog::compare);
  connect(m_table, &TargetTable::targetChosen, m_list, &TargetList::choose);
  connect(m_table, &TargetTable::targetChosen, m_compare, &QPushButton::click);
  connect(m_runLine, &RunHereLine::asked, this, &ExportDialog::runHere);
  connect(m_runLine, &RunHereLine::ended, this, &ExportDialog::endRun);
  m_list->setFocus();
  work();
}

void ExportDialog::take(const std::shared_ptr<const ExportedTargets>& targets) {
  const bool first = m_targets == nullptr;
  m_targets = targets;
  m_ready = true;
  if (first) say({}, true);
  m_list->show(*m_targets);
  m_table->show(*m_targets);
  m_figures->setVisible(hasFigures(m_source) ||
                        std::ranges::any_of(m_targets->targets, [](const auto& target) {
                          return target.exporter->isCode && target.rate.has_value();
                        }));
  showTarget();
  emit ready();
}

QWidget* ExportDialog::buildLeft() {
  auto* side = new QFrame;
  side->setFixedWidth(kLeftWidth);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_list, 1);
  auto* below = new QVBoxLayout;
  below->setContentsMargins(12, 10, 12, 12);
  below->setSpacing(6);
  auto* title = new QLabel("The same file from the command line:");
  title->setProperty("role", "second");
  title->setWordWrap(true);
  m_command->setReadOnly(true);
  m_command->setFont(codeFont());
  m_command->setFixedHeight(kCommandHeight);
  m_command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_command->setAccessibleName("Command line");
  m_command->setTabChangesFocus(true);
  m_caveat->setProperty("role", "hint");
  m_caveat->setWordWrap(true);
  m_caveat->setText(m_source.commandCaveat);
  m_caveat->setVisible(!m_source.commandCaveat.isEmpty());
  auto* copy = button("Copy c&ommand", "copy");
  connect(copy, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(command());
    say("The command was copied to the clipboard.", true);
  });
  for (QWidget* widget : {static_cast<QWidget*>(title), static_cast<QWidget*>(m_command),
                          static_cast<QWidget*>(m_caveat)})
    below->addWidget(widget);
  below->addWidget(copy, 0, Qt::AlignLeft);
  column->addLayout(below);
  return side;
}

QWidget* ExportDialog::buildCard() {
  m_cardTitle->setWordWrap(true);
  m_cardText->setWordWrap(true);
  m_cardText->setTextFormat(Qt::RichText);
  m_cardText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(m_cardIcon, 0, Qt::AlignTop);
  head->addWidget(m_cardTitle, 1);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(14, 10, 14, 10);
  column->setSpacing(4);
  column->addLayout(head);
  column->addWidget(m_cardText);
  column->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setAccessibleName("What this target cannot do");
  auto* frame = new QVBoxLayout(m_card);
  frame->setContentsMargins(0, 0, 0, 0);
  frame->addWidget(scroll);
  return m_card;
}

QWidget* ExportDialog::buildHead() {
  auto* head = new QWidget;
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  m_noRandom->setToolTip(
      "Uses the middle of each random range and the source's order, so that pixels can be "
      "compared with those of another loader");
  m_figures->setToolTip("Writes the measured figures at the top of the file");
  m_figures->setChecked(true);
  m_figures->setVisible(hasFigures(m_source));
  m_training->setToolTip(
      "Adds a model and a loop that trains it, with checkpoints and several GPUs");
  row->addWidget(m_head, 1);
  row->addWidget(m_noRandom);
  row->addWidget(m_figures);
  row->addWidget(m_training);
  row->addWidget(m_copy);
  connect(m_copy, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(toQt(text()));
    say("The code was copied to the clipboard.", true);
  });
  return head;
}

QWidget* ExportDialog::buildFoot() {
  auto* foot = new QWidget;
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  m_message->setWordWrap(true);
  m_message->setTextFormat(Qt::PlainText);
  m_message->setProperty("role", "second");
  auto* close = button("Close", {});
  m_save->setProperty("primary", true);
  m_save->setDefault(true);
  m_open->setToolTip("Opens the saved file with the desktop's program for it");
  row->addWidget(m_messageIcon);
  row->addWidget(m_message, 1);
  m_compare->setCheckable(true);
  m_compare->setToolTip("Shows the rate of each target and what it loses, side by side");
  row->addWidget(m_compare);
  row->addWidget(close);
  row->addWidget(m_open);
  row->addWidget(m_save);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_save, &QPushButton::clicked, this, &ExportDialog::chooseFile);
  connect(m_open, &QPushButton::clicked, this, [this] { m_openFile(m_saved); });
  return foot;
}

QWidget* ExportDialog::buildCode() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  column->addWidget(buildCard());
  column->addWidget(buildHead());
  column->addWidget(m_code, 1);
  column->addWidget(m_runLine);
  return page;
}

QWidget* ExportDialog::buildRight() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(16, 16, 16, 16);
  column->setSpacing(12);
  m_pages->addWidget(buildCode());
  m_pages->addWidget(m_table);
  column->addWidget(m_pages, 1);
  column->addWidget(buildFoot());
  m_card->hide();
  m_copy->setEnabled(false);
  m_save->setEnabled(false);
  m_open->setEnabled(false);
  return side;
}

ExportOptions ExportDialog::options() const {
  return {m_noRandom->isChecked(), m_figures->isChecked(), m_training->isChecked()};
}

void ExportDialog::work() {
  m_ready = false;
  m_work.start(m_source, options());
}

const ExportedTarget* ExportDialog::chosen() const {
  const int row = m_list->currentRow();
  if (m_targets == nullptr || row < 0) return nullptr;
  return &m_targets->targets[static_cast<std::size_t>(row)];
}

void ExportDialog::showTarget() {
  const ExportedTarget* target = chosen();
  if (target == nullptr) return;
  const bool there = target->exported.has_value();
  const QString code = toQt(text());
  m_code->setCode(code, languageOf(toQt(target->exporter->extension)));
  m_head->setText(there ? QString("<b>%1</b> &nbsp; %2 lines, UTF-8")
                              .arg(fileName().toHtmlEscaped(),
                                   shownNumber(static_cast<std::int64_t>(code.count('\n'))))
                        : QString());
  m_copy->setEnabled(there);
  m_save->setEnabled(there && !m_isSaving);
  m_noRandom->setEnabled(target->exporter->isCode);
  m_figures->setEnabled(target->exporter->isCode);
  m_training->setVisible(target->exporter->trains);
  m_command->setPlainText(command());
  showCard(*target);
  m_runLine->setTarget(toQt(target->exporter->name));
  // Code that lacks nodes stops at its start.
  m_runLine->setRunnable(there && target->exporter->isCode && target->exported->missing.empty());
}

void ExportDialog::compare(bool isOn) {
  m_pages->setCurrentIndex(isOn ? 1 : 0);
  m_compare->setText(isOn ? "Back &to the code" : "Compare &targets");
  for (QWidget* ofTarget : {m_left, static_cast<QWidget*>(m_open), static_cast<QWidget*>(m_save)})
    ofTarget->setVisible(!isOn);
  m_table->selectRow(m_list->currentRow());
  (isOn ? static_cast<QWidget*>(m_table) : m_list)->setFocus();
}

void ExportDialog::runHere() {
  const Exporter& exporter = *chosen()->exporter;
  say("Measuring " + toQt(exporter.label) + ", which takes about half a minute…", true);
  m_runLine->start({text(),
                    fileName(),
                    toQt(exporter.entry),
                    {},
                    m_source.title + " to " + toQt(exporter.label),
                    storeOf(m_source)});
}

void ExportDialog::endRun(double rate, const QString& refusal) {
  const bool measured = refusal.isEmpty();
  say(measured ? shownRate(rate) + " samples/s. The run is kept with the origin export." : refusal,
      measured);
  if (measured) work();
  emit runEnded(measured);
}

void ExportDialog::showCard(const ExportedTarget& target) {
  const QString label = toQt(target.exporter->label);
  QString title = "The code does everything that this pipeline does.";
  const char* note = "info";
  QStringList lines;
  if (!target.exported) {
    note = "error";
    title = label + " is not possible now";
    lines << richSentence(fromQt(target.refusal));
  } else {
    for (const std::string& node : target.exported->missing) lines << richSentence(node);
    for (const std::string& limit : target.exported->limits) lines << richSentence(limit);
    if (!lines.isEmpty()) note = "warning";
    if (!target.exported->limits.empty()) title = label + " differs in these points";
    if (!target.exported->missing.empty()) {
      note = "error";
      title = label +
              " cannot do the following. The code stops at the start until you fill in these parts";
    }
  }
  if (target.exporter->isCode)
    for (const QString& open : m_targets->notes) lines << richSentence(fromQt(open));
  setStyleProperty(*m_card, "note", note);
  const bool bad = qstrcmp(note, "info") != 0;
  m_cardIcon->setIcon(bad ? note : "check", bad ? Tone::Text : Tone::Accent);
  m_cardTitle->setText("<b>" + title.toHtmlEscaped() + "</b>");
  m_cardText->setText(listOf(lines));
  m_cardText->setVisible(!lines.isEmpty());
  m_card->setFixedHeight(lines.isEmpty() ? 40 : kCardHeight);
  m_card->show();
}

std::string ExportDialog::text() const {
  const ExportedTarget* target = chosen();
  return target == nullptr || !target->exported ? std::string() : target->exported->text;
}

QString ExportDialog::cautions() const { return m_cardTitle->text() + m_cardText->text(); }

QString ExportDialog::command() const {
  const ExportedTarget* target = chosen();
  if (target == nullptr) return {};
  return exportCommand(m_source, options(), *target->exporter);
}

QString ExportDialog::message() const { return m_message->text(); }

void ExportDialog::say(const QString& message, bool good) {
  m_message->setText(message);
  m_messageIcon->setIcon(message.isEmpty() ? ""
                         : good            ? "check"
                                           : "error",
                         good ? Tone::Accent : Tone::Error);
}

QString ExportDialog::fileName() const {
  const Exporter& exporter = *chosen()->exporter;
  if (exporter.isCode) return toQt("loader_" + exporter.name + exporter.extension);
  QString stem = QFileInfo(m_source.title).fileName().section('.', 0, 0).replace(' ', '_');
  return (stem.isEmpty() ? QString("pipeline") : stem) + toQt(exporter.extension);
}

void ExportDialog::chooseFile() {
  const QString base = m_source.base.empty() ? QString() : fileText(m_source.base);
  withStartFolder(*this, base, [this](const QString& start) {
    const QString folder = start.isEmpty() ? start : start + '/';
    const QString file =
        askSaveFile(this, "Save export", folder + fileName(), {}, nullptr, Overwriting::DoesNotAsk);
    if (!file.isEmpty()) saveTo(file);
  });
}

void ExportDialog::saveTo(const QString& file) {
  const std::string code = text();
  if (code.empty() || m_isSaving) return void(emit saveEnded(false));
  m_isSaving = true;
  m_save->setEnabled(false);
  m_moment.disconnect(this);
  connect(&m_moment, &QTimer::timeout, this,
          [this, file] { say("Still waiting for " + file + ", which is not saved yet…", true); });
  m_moment.start();
  doFileWork(*this, [this, file, code] {
    const QFileInfo info(file);
    const bool isThere = info.exists() || info.isSymLink();
    return [this, file, code, isThere] { write(file, code, isThere); };
  });
}

void ExportDialog::write(const QString& file, const std::string& code, bool isThere) {
  m_moment.stop();
  if (isThere && !m_ask(QFileInfo(file).fileName() + " already exists."))
    return endSaving(file, "The file was not changed.", false);
  m_moment.start();
  doFileWork(*this, [this, file, code, isThere] {
    const Status written =
        writeWholeFile(pathOf(file), code, isThere ? IfThere::Replace : IfThere::Refuse);
    const QString message = written ? "Saved as " + file + '.' : sentence(written.error().message);
    return [this, file, message, isWritten = written.ok()] { endSaving(file, message, isWritten); };
  });
}

void ExportDialog::endSaving(const QString& file, const QString& message, bool written) {
  m_isSaving = false;
  if (written) m_saved = file;
  m_open->setEnabled(!m_saved.isEmpty());
  m_moment.stop();
  m_save->setEnabled(!text().empty());
  say(message, written);
  emit saveEnded(written);
}

}  // namespace millrace
