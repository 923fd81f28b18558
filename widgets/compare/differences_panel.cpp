// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/differences_panel.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <QCheckBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "core/report/comparison_page.h"
#include "widgets/bridge/file_save.h"
#include "widgets/common/breakable.h"
#include "widgets/common/icons.h"
#include "widgets/common/row_copy.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_table_view.h"

namespace millrace {

namespace {

constexpr int kLeastNames = 130;
constexpr int kAroundName = 24;
constexpr int kLeastValue = 112;
constexpr int kMostValue = 160;  ///< px; longer texts wrap

constexpr int kRowHeight = 26;
constexpr int kPad = 8;
constexpr int kBeforeChange = 10;

bool isSentence(const QModelIndex& index) {
  return index.data(DifferencesModel::SentenceRole).toBool();
}

constexpr int kSentence = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;

bool isBold(const QModelIndex& index) {
  return index.data(DifferencesModel::ChangedRole).toBool() ||
         index.data(DifferencesModel::SectionRole).toBool();
}

/// The height of a row that holds this text in a column of that width.
int heightIn(int width, const QModelIndex& index) {
  const QFontMetrics metrics(uiFont(13, isBold(index)));
  const QString text = index.data().toString();
  const int room = width - 2 * kPad;
  if (metrics.horizontalAdvance(text) <= room) return kRowHeight;
  return 10 + metrics.boundingRect(QRect(0, 0, room, QWIDGETSIZE_MAX), kSentence, breakable(text))
                  .height();
}

/// A sentence is wrapped to what is seen of the table.
int sentenceWidth(const QWidget* table) {
  return static_cast<const QAbstractScrollArea*>(table)->viewport()->width() - 2 * kPad;
}

/// The width of a value with its change.
int widthOf(const QModelIndex& index) {
  const int own =
      QFontMetrics(uiFont(13, isBold(index))).horizontalAdvance(index.data().toString());
  const QString detail = index.data(DifferencesModel::DetailRole).toString();
  const int change =
      detail.isEmpty() ? 0 : kBeforeChange + QFontMetrics(uiFont(12)).horizontalAdvance(detail);
  return own + change + 2 * kPad;
}

/// Bold if it differs from the reference; a figure's change follows in grey.
class DifferenceDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme& t = theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool section = index.data(DifferencesModel::SectionRole).toBool();
    const bool selected = option.state & QStyle::State_Selected;
    painter->fillRect(option.rect, t[section    ? Tone::Window
                                     : selected ? Tone::AccentSoft
                                                : Tone::Base]);
    painter->setPen(t[Tone::Border]);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    const QRect box = option.rect.adjusted(kPad, 0, -kPad, 0);
    const QVariant verdict = index.data(DifferencesModel::VerdictRole);
    if (verdict.isValid()) {
      const QRectF chip(box.right() - std::min(118, box.width()), box.center().y() - 9.5,
                        std::min(118, box.width()), 20);
      paintVerdict(*painter, chip, static_cast<VerdictKind>(verdict.toInt()),
                   index.data().toString());
    } else if (isSentence(index)) {
      painter->setFont(uiFont(13));
      painter->setPen(t[Tone::Text]);
      painter->drawText(QRect(box.topLeft(), QSize(sentenceWidth(option.widget), box.height())),
                        kSentence, index.data().toString());
    } else {
      paintText(*painter, box, index);
    }
    painter->restore();
  }

 private:
  static void paintText(QPainter& painter, QRect box, const QModelIndex& index) {
    const QString detail = index.data(DifferencesModel::DetailRole).toString();
    const Qt::Alignment side = index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight;
    const QFont font = uiFont(13, isBold(index));
    if (!detail.isEmpty()) {
      const QFont small = uiFont(12);
      const int width = QFontMetrics(small).horizontalAdvance(detail);
      const int own = QFontMetrics(font).horizontalAdvance(index.data().toString());
      if (own + width + kBeforeChange <= box.width()) {
        painter.setFont(small);
        painter.setPen(theme()[Tone::Text2]);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, detail);
        box.setRight(box.right() - width - kBeforeChange);
      }
    }
    painter.setFont(font);
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextWordWrap,
                     breakable(index.data().toString()));
  }
};

/// A run's number with the colour of its line.
class RunHeader final : public QHeaderView {
 public:
  explicit RunHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(false);
    setHighlightSections(false);
  }

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    painter->save();
    QHeaderView::paintSection(painter, rect, section);
    painter->restore();
    const QVariant series =
        model()->headerData(section, Qt::Horizontal, DifferencesModel::SeriesRole);
    if (!series.isValid() || series.toInt() < 0) return;
    const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const int width = QFontMetrics(font()).horizontalAdvance(text);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintLineMark(*painter, QRectF(rect.right() - width - 16 - 22, rect.top(), 18, rect.height()),
                  series.toInt());
    painter->restore();
  }
};

}  // namespace

DifferencesPanel::DifferencesPanel(CompareSet& set, const QString& engineVersion, QWidget* parent)
    : QWidget(parent),
      m_set(set),
      m_engineVersion(engineVersion),
      m_model(new DifferencesModel(set, this)),
      m_only(new QCheckBox("Only differences")),
      m_words(new QLabel),
      m_empty(new QLabel),
      m_table(new QTableView),
      m_single(new RunDetailsView),
      m_stack(new QStackedLayout),
      m_page(new QAction("Save comparison as page…", this)),
      m_export(new QAction("Export differences…", this)) {
  setAttribute(Qt::WA_StyledBackground);
  m_only->setChecked(true);
  m_words->setProperty("role", "second");
  m_words->setMinimumWidth(20);
  buildTable();
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("role", "second");
  m_empty->setMargin(12);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 2, 12, 2);
  row->addWidget(m_only);
  row->addSpacing(8);
  row->addWidget(m_words, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_single);
  m_stack->addWidget(m_empty);
  column->addLayout(m_stack, 1);
  m_page->setIcon(icon("save", Tone::Text2));
  m_page->setToolTip("Save the comparison as one HTML page");
  m_export->setIcon(icon("export", Tone::Text2));
  m_export->setToolTip("Export as CSV or JSON");
  addAction(m_page);
  addAction(m_export);
  connect(m_only, &QCheckBox::toggled, m_model, &DifferencesModel::setOnlyDifferences);
  const auto write = [this](const QString& file) { save(file); };
  connect(m_page, &QAction::triggered, this, [this, write] {
    askWhereToSave(*this, "Save comparison", "comparison.html", "Page (*.html)", write);
  });
  connect(m_export, &QAction::triggered, this, [this, write] {
    askWhereToSave(*this, "Export differences", "differences.csv", "Table (*.csv);;JSON (*.json)",
                   write);
  });
  connect(m_model, &QAbstractItemModel::modelReset, this, &DifferencesPanel::refresh);
  connect(&m_set, &CompareSet::changed, this, &DifferencesPanel::refresh);
  refresh();
}

void DifferencesPanel::buildTable() {
  m_table->setModel(m_model);
  m_table->viewport()->installEventFilter(this);
  m_table->setItemDelegate(new DifferenceDelegate(m_table));
  m_table->setHorizontalHeader(new RunHeader(m_table));
  m_table->horizontalHeader()->setMinimumSectionSize(70);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_table->setShowGrid(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  new RowCopy(*m_table);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setTabKeyNavigation(false);
  m_table->setAccessibleName("Differences");
}

void DifferencesPanel::refresh() {
  const bool some = m_model->columnCount() > 0;
  const CompareSet::Single* single = some ? nullptr : m_set.single();
  if (single != nullptr)
    m_single->showSections(detailsOf(single->run, single->judged, m_set.catalog()));
  m_stack->setCurrentWidget(some                ? static_cast<QWidget*>(m_table)
                            : single != nullptr ? static_cast<QWidget*>(m_single)
                                                : m_empty);
  m_only->setVisible(single == nullptr);
  m_words->setVisible(single == nullptr);
  m_empty->setText(m_set.problem().isEmpty()
                       ? "Select a run in the table to see it here, or several to compare them."
                       : m_set.problem());
  m_words->setText(m_model->settingsText());
  m_page->setEnabled(some);
  m_export->setEnabled(some);
  if (!some) return;
  m_table->clearSpans();
  m_names = kLeastNames;
  m_values.assign(static_cast<std::size_t>(m_model->columnCount() - 1), kLeastValue);
  for (int line = 0; line < m_model->rowCount(); ++line) {
    const QModelIndex index = m_model->index(line, 0);
    if (index.data(DifferencesModel::SectionRole).toBool() || isSentence(index)) {
      m_table->setSpan(line, 0, 1, m_model->columnCount());
      continue;
    }
    m_names = std::max(
        m_names, m_table->fontMetrics().horizontalAdvance(index.data().toString()) + kAroundName);
    for (std::size_t run = 0; run < m_values.size(); ++run)
      if (const int width = widthOf(m_model->index(line, static_cast<int>(run) + 1));
          width <= kMostValue)
        m_values[run] = std::max(m_values[run], width);
  }
  shareWidth();
}

bool DifferencesPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize) shareWidth();
  return QWidget::eventFilter(watched, event);
}

/// Values keep room for their changes, and names have what is left; the table scrolls if that is
/// too little. What is longer than its column wraps.
void DifferencesPanel::shareWidth() {
  const int runs = static_cast<int>(m_values.size());
  if (runs < 1 || runs != m_model->columnCount() - 1) return;  // Before they are measured.
  const int width = m_table->viewport()->width();
  const int values = std::accumulate(m_values.begin(), m_values.end(), 0);
  const int names = std::clamp(width - values, kLeastNames, m_names);
  m_table->setColumnWidth(0, names);
  for (int c = 1; c <= runs; ++c)
    m_table->setColumnWidth(
        c, std::max(m_values[static_cast<std::size_t>(c) - 1], (width - names) / runs));
  for (int line = 0; line < m_model->rowCount(); ++line) {
    int height = kRowHeight;
    const int columns = isSentence(m_model->index(line, 0)) ? 0 : runs;
    for (int c = 0; c <= columns; ++c) {
      const QModelIndex index = m_model->index(line, c);
      if (index.data(DifferencesModel::VerdictRole).isValid()) continue;
      height = std::max(
          height,
          heightIn(columns == 0 ? m_table->viewport()->width() : m_table->columnWidth(c), index));
    }
    m_table->setRowHeight(line, height);
  }
}

Result<std::string> DifferencesPanel::exported(const QString& file) const {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (m_set.comparison() == nullptr) return Error{"Select two or more runs first."};
  std::string text;
  if (suffix == "csv") text = m_model->csv();
  if (suffix == "json") text = m_model->json();
  if (suffix == "html") {
    ComparisonPageOptions options;
    options.engineVersion = fromQt(m_engineVersion);
    options.made =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    text = comparisonPage(*m_set.comparison(), options);
  }
  if (text.empty())
    return Error{fromQt(file) + ": a comparison can be saved as .html, .csv or .json"};
  return text;
}

void DifferencesPanel::save(const QString& file) {
  const auto report = [this, file](const Status& saved) {
    if (saved)
      emit written(QString("The comparison was saved as %1.").arg(file));
    else
      QMessageBox::warning(this, "Save comparison", sentence(saved.error().message).remove('`'));
  };
  Result<std::string> text = exported(file);
  if (text)
    saveFile(*this, file, text.take(), report);
  else
    report(text.error());
}

}  // namespace millrace
