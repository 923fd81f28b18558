// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace/trace_page.h"

#include <utility>

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolTip>

#include "core/base/text/text.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/format.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_view.h"

namespace millrace {

namespace {

constexpr int kBarHeight = 40;

/// The colours with their names, in two lines where one is too short. The tooltip has all of them.
class TraceLegend final : public QWidget {
 public:
  TraceLegend() {
    setMinimumWidth(40);
    QStringList names;
    for (const auto& [category, name] : traceCategories()) names << name;
    setAccessibleName("Colours");
    setAccessibleDescription(names.join(", "));
    setObjectName("legend");
  }

  QString all() const {
    QStringList lines;
    for (const auto& [category, name] : traceCategories())
      lines
          << QString("<span style='color:%1'>■</span> %2").arg(traceColour(category).name(), name);
    return lines.join("<br>");
  }

 protected:
  bool event(QEvent* event) override {
    // The colours are those of the theme of now.
    if (event->type() == QEvent::ToolTip) setToolTip(all());
    return QWidget::event(event);
  }

  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setFont(uiFont(12));
    const QFontMetrics metrics(painter.font());
    const auto widthOf = [&metrics](const QString& name) {
      return 16 + metrics.horizontalAdvance(name) + 14;
    };
    int whole = 0;
    for (const auto& [category, name] : traceCategories()) whole += widthOf(name);
    QRect line(0, 0, width(), whole > width() ? height() / 2 : height());
    for (const auto& [category, name] : traceCategories()) {
      if (line.left() + widthOf(name) > width()) line.moveTo(0, line.bottom() + 1);
      if (line.bottom() >= height()) return;
      const QRect square(line.left(), line.center().y() - 5, 11, 11);
      painter.fillRect(square, traceColour(category));
      painter.setPen(theme()[Tone::Text2]);
      painter.drawText(line.adjusted(16, 0, 0, 0), Qt::AlignVCenter, name);
      line.moveLeft(line.left() + widthOf(name));
    }
  }
};

QString missingIn(const TraceFile& file) {
  QStringList sentences;
  if (!file.damage.empty()) sentences << toQt(file.damage);
  if (file.leftOut > 0)
    sentences << QString(
                     "%1 later spans are left out: a thread keeps a limited number. Shorter "
                     "repeats are complete.")
                     .arg(shownNumber(static_cast<std::int64_t>(file.leftOut)));
  if (file.skipped > 0)
    sentences << QString("%1 of the file are not Millrace's and are not shown.")
                     .arg(shownCount(static_cast<std::int64_t>(file.skipped), "event"));
  return sentences.join(' ');
}

}  // namespace

TracePage::TracePage(QWidget* parent)
    : QWidget(parent),
      m_toPipeline(new QPushButton("Pipeline")),
      m_repeats(new QComboBox),
      m_view(new TraceView),
      m_words(new QLabel),
      m_message(new QLabel),
      m_note(new NoteStrip("warning")),
      m_stack(new QStackedLayout) {
  setAttribute(Qt::WA_StyledBackground);
  m_message->setAlignment(Qt::AlignCenter);
  m_message->setWordWrap(true);
  m_message->setMargin(24);
  m_message->setTextFormat(Qt::PlainText);
  m_message->setProperty("role", "second");
  m_words->setTextFormat(Qt::PlainText);
  m_words->setProperty("role", "second");
  m_words->setContentsMargins(12, 4, 12, 4);
  m_words->setMinimumWidth(20);
  m_words->setObjectName("traceWords");
  m_stack->addWidget(m_view);
  m_stack->addWidget(m_message);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  column->addWidget(m_note);
  column->addLayout(m_stack, 1);
  column->addWidget(m_words);
  connect(m_view, &TraceView::hovered, this, &TracePage::showWords);
  connect(m_view, &TraceView::followedChanged, this, [this] { showWords({}); });
  connect(m_repeats, &QComboBox::currentIndexChanged, this, &TracePage::showRepeat);
  setFocusProxy(m_view);
  say("No trace.");
}

TracePage::~TracePage() {
  if (m_cancelled) *m_cancelled = true;
}

QWidget* TracePage::buildBar() {
  auto* bar = new QWidget;
  bar->setFixedHeight(kBarHeight);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 0, 12, 0);
  row->setSpacing(12);
  m_toPipeline->setObjectName("to_pipeline");
  m_toPipeline->setToolTip("Show the pipeline of this run");
  m_toPipeline->setFocusPolicy(Qt::TabFocus);
  m_toPipeline->hide();
  connect(m_toPipeline, &QPushButton::clicked, this, &TracePage::pipelineRequested);
  row->addWidget(m_toPipeline);
  m_repeats->setAccessibleName("Repeat");
  m_repeats->setToolTip("The repeat of the run that is shown");
  row->addWidget(m_repeats);
  row->addWidget(new TraceLegend, 1);
  const auto add = [&](const char* text, const char* tip, const auto& work) {
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, m_view, work);
    row->addWidget(button);
  };
  add("Zoom in", "Show less time (+ or Ctrl and the wheel)",
      [this] { m_view->zoomBy(2, m_view->viewport()->width() / 2.0); });
  add("Zoom out", "Show more time (−)",
      [this] { m_view->zoomBy(0.5, m_view->viewport()->width() / 2.0); });
  add("Show all", "Show the whole repeat (F)", [this] { m_view->showAll(); });
  return bar;
}

void TracePage::open(const QString& file) {
  if (m_cancelled) *m_cancelled = true;
  m_cancelled = std::make_shared<std::atomic<bool>>(false);
  say("Reading the trace…");
  doFileWork(*this, [this, cancelled = m_cancelled, path = pathOf(file)] {
    auto read = std::make_shared<Result<TraceFile>>(
        readTraceFile(path, [cancelled] { return cancelled->load(); }));
    return [this, cancelled, read] {
      if (*cancelled) return;
      if (read->ok()) {
        showTrace(std::make_shared<const TraceFile>(read->take()));
        emit opened();
        return;
      }
      say(sentence(read->error().message));
      emit failed(sentence(read->error().message));
    };
  });
}

void TracePage::setPipeline(TraceTitles titles) {
  m_titles = std::move(titles);
  m_toPipeline->show();
}

void TracePage::showTrace(std::shared_ptr<const TraceFile> file) {
  m_file = std::move(file);
  const QSignalBlocker blocked(m_repeats);
  m_repeats->clear();
  for (const std::string& repeat : m_file->repeats) {
    QString name = toQt(singleLine(repeat));
    name[0] = name[0].toUpper();
    m_repeats->addItem(name);
  }
  m_repeats->setVisible(m_repeats->count() > 1);
  m_note->say(missingIn(*m_file));
  m_stack->setCurrentWidget(m_view);
  showRepeat();
}

void TracePage::showRepeat() {
  if (!m_file) return;
  m_view->showTrace(m_file, static_cast<std::size_t>(std::max(0, m_repeats->currentIndex())),
                    m_titles);
  showWords({});
}

void TracePage::say(const QString& sentence) {
  m_message->setText(sentence);
  m_stack->setCurrentWidget(m_message);
}

void TracePage::showWords(const QString& hovered) {
  if (!hovered.isEmpty()) return m_words->setText(hovered);
  if (m_view->followed()) return m_words->setText(m_view->rows().storyOf(*m_view->followed()));
  m_words->setText("Click a span to follow its batch. Ctrl and the wheel zoom, dragging pans.");
}

QString TracePage::words() const { return m_words->text(); }

QString TracePage::problem() const {
  return m_stack->currentWidget() == m_message ? m_message->text() : m_note->words();
}

}  // namespace millrace
