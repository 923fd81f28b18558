// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/help_window.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

#include "app/workbench/dialogs/cheat_sheet.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "core/spec/catalog_text.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_rank.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/library_model.h"

namespace millrace {

namespace {

enum Role { kKind = Qt::UserRole, kText };

constexpr int kPictureWidth = 600;

QString pageOf(const NodeSpec& spec) {
  Catalog alone;
  alone.add(spec);
  QString page = toQt(catalogMarkdown(alone));
  page.remove(" Set by `--data`.");  // Only the command line has this flag.
  // The introduction of the whole reference comes before the first kind.
  const QString text = page.mid(std::max<qsizetype>(0, page.indexOf("### ")) + 1);
  // The title has the name and the id in different fonts: the id gets its own line.
  static const QRegularExpression id(" \\((`[^`\n]+`)\\)\n");
  const auto match = id.match(text);
  return match.hasMatch() ? text.left(match.capturedStart()) + "\n\n" + match.captured(1) + "\n" +
                                text.mid(match.capturedEnd())
                          : text;
}

QString cell(const QString& text) { return QString(text).replace('|', "\\|"); }

double firstColumnWidth(const QTextTable& table) {
  double width = 0;
  for (int row = 0; row < table.rows(); ++row) {
    const QTextBlock words = table.cellAt(row, 0).firstCursorPosition().block();
    if (words.begin().atEnd()) continue;
    const QFontMetricsF metrics(words.begin().fragment().charFormat().font());
    width = std::max(width, metrics.horizontalAdvance(words.text()));
  }
  constexpr double kAround = 16;
  constexpr double kMost = 240;
  return std::min(width + kAround, kMost);
}

/// Imported Markdown tables have neither lines nor padding.
void dress(QTextDocument& document) {
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (table == nullptr) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderCollapse(true);
    format.setBorderBrush(theme()[Tone::Border]);
    format.setCellPadding(5);
    format.setCellSpacing(0);
    format.setTopMargin(8);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    // The first column holds names, which are not broken, and the last the descriptions.
    QList<QTextLength> widths(table->columns(), QTextLength(QTextLength::PercentageLength, 14));
    widths.first() = QTextLength(QTextLength::FixedLength, firstColumnWidth(*table));
    widths.last() = QTextLength(QTextLength::VariableLength, 0);
    format.setColumnWidthConstraints(widths);
    table->setFormat(format);
  }
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto at = block.begin(); !at.atEnd(); ++at) {
      if (!at.fragment().charFormat().isImageFormat()) continue;
      QTextImageFormat picture = at.fragment().charFormat().toImageFormat();
      // The pages name a file of the source tree: "../../pictures/running-light.png".
      picture.setName("qrc:/millrace/pictures/" + QFileInfo(picture.name()).fileName());
      if (theme().isDark()) picture.setName(picture.name().replace("-light.", "-dark."));
      picture.setWidth(kPictureWidth);
      QTextCursor cursor(block);
      cursor.setPosition(at.fragment().position());
      cursor.setPosition(at.fragment().position() + at.fragment().length(),
                         QTextCursor::KeepAnchor);
      cursor.setCharFormat(picture);
      break;
    }
    // Examples wider than the page are wrapped.
    QTextBlockFormat format = block.blockFormat();
    if (!format.nonBreakableLines()) continue;
    format.setNonBreakableLines(false);
    QTextCursor(block).setBlockFormat(format);
  }
}

/// The letter or digit of a key; empty for other keys and for shortcuts.
QString typedWord(const QKeyEvent& event) {
  const bool isPlain = (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
  const QString text = event.text();
  return isPlain && text.size() == 1 && text.front().isLetterOrNumber() ? text : QString();
}

}  // namespace

HelpWindow::HelpWindow(const Catalog& catalog, const ShortcutBook& shortcuts, QWidget* parent)
    : QDialog(parent),
      m_catalog(catalog),
      m_shortcuts(shortcuts),
      m_filter(new QLineEdit),
      m_list(new QListWidget),
      m_page(new QTextBrowser) {
  setWindowTitle("Help");
  resize(900, 600);
  m_filter->setPlaceholderText("Find a page");
  for (QWidget* widget : std::initializer_list<QWidget*>{m_filter, m_list, m_page})
    widget->installEventFilter(this);
  m_filter->setClearButtonEnabled(true);
  m_filter->addAction(icon("search", Tone::Hint), QLineEdit::LeadingPosition);
  m_list->setAccessibleName("Pages");
  m_page->setAccessibleName("Page");
  m_page->setOpenExternalLinks(true);
  m_page->document()->setDocumentMargin(16);
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(m_filter);
  column->addWidget(m_list, 1);
  auto* split = new QSplitter;
  split->addWidget(left);
  split->addWidget(m_page);
  split->setStretchFactor(1, 1);
  split->setSizes({260, 640});
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(split);
  fillList();
  connect(m_filter, &QLineEdit::textChanged, this, &HelpWindow::filter);
  connect(m_list, &QListWidget::currentRowChanged, this, &HelpWindow::showCurrent);
  m_list->setCurrentRow(0);
  m_page->setFocus();
}

void HelpWindow::fillList() {
  const QDir views(":/millrace/help/views");
  for (const QString& name : views.entryList()) {
    QFile file(views.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QString text = QString::fromUtf8(file.readAll());
    // "## Sweeps: which setting is the fastest".
    const QString title = text.section('\n', 0, 0).mid(3);
    const QString shortTitle = title.section(':', 0, 0);
    auto* item = new RankedItem(icon("help"), shortTitle, {shortTitle}, text, m_list);
    // "5-sweep.md": the pages are ordered by their numbers.
    item->setData(kKind, "view:" + name.section('.', 0, 0).section('-', 1));
    item->setData(kText, text);
  }
  auto* shortcuts =
      new RankedItem(icon("help"), "Shortcuts", {"Shortcuts"}, shortcutsPage(), m_list);
  shortcuts->setData(kKind, "view:shortcuts");
  for (const NodeSpec& spec : m_catalog.all()) {
    const QStringList names = {toQt(spec.label), toQt(spec.kind)};
    auto* item = new RankedItem(markIcon(iconOf(spec), spec.category), names.front(), names,
                                pageOf(spec) + ' ' + searchTextOf(spec), m_list);
    item->setData(kKind, toQt(spec.kind));
  }
}

void HelpWindow::filter(const QString& text) { RankedItem::search(*m_list, text); }

bool HelpWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_filter && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
      chooseFirst();
      return true;
    }
  }
  if (watched != m_filter && event->type() == QEvent::KeyPress)
    if (const QString typed = typedWord(*static_cast<QKeyEvent*>(event)); !typed.isEmpty()) {
      m_filter->setFocus();
      m_filter->insert(typed);
      return true;
    }
  return QDialog::eventFilter(watched, event);
}

void HelpWindow::chooseFirst() {
  for (int row = 0; row < m_list->count(); ++row) {
    if (m_list->item(row)->isHidden()) continue;
    m_list->setCurrentRow(row);
    m_list->setFocus();
    return;
  }
}

void HelpWindow::showPage(const QString& kind) {
  m_filter->clear();
  int shown = 0;
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->data(kKind).toString() == kind) shown = row;
  m_list->setCurrentRow(shown);
  m_list->scrollToItem(m_list->item(shown));
}

void HelpWindow::showCurrent() {
  const QListWidgetItem* item = m_list->currentItem();
  if (item == nullptr) return;
  const NodeSpec* spec = m_catalog.find(fromQt(item->data(kKind).toString()));
  const QString view = item->data(kText).toString();
  m_page->setMarkdown(spec != nullptr ? pageOf(*spec) : !view.isEmpty() ? view : shortcutsPage());
  dress(*m_page->document());
}

QString HelpWindow::shortcutsPage() const {
  QString page = "## Shortcuts\n\n";
  for (const CheatSheet::Group& group : CheatSheet::groupsOf(m_shortcuts)) {
    page += "### " + group.title + "\n\n| keys | action |\n|---|---|\n";
    for (const CheatSheet::Line& line : group.lines)
      page += QString("| %1 | %2 |\n").arg(cell(line.keys), cell(line.text));
    page += '\n';
  }
  return page + "Change shortcuts in the menu Help, Change shortcuts.\n";
}

QString HelpWindow::shownText() const { return m_page->toPlainText(); }

void HelpWindow::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showCurrent();
}

}  // namespace millrace
