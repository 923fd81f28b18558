// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#search-to-add, #window-and-keys: every search ranks alike.
#include <memory>

#include <QLineEdit>
#include <QListWidget>
#include <QTreeView>

#include "app/workbench/dialogs/help_window.h"
#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/search_rank.h"
#include "widgets/models/library_model.h"
#include "widgets/panels/library_panel.h"
#include "widgets/runs/columns_popup.h"

namespace millrace {

namespace {

SearchEntry named(const QString& name, const QString& text = {}) {
  return {name, name, {}, text, {}};
}

QStringList shown(const QListWidget& list) {
  QStringList titles;
  for (int row = 0; row < list.count(); ++row)
    if (!list.item(row)->isHidden()) titles << list.item(row)->text();
  return titles;
}

}  // namespace

class TestSearching : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_window = std::make_unique<MainWindow>(builtinCatalog());
    m_library = std::make_unique<LibraryPanel>(builtinCatalog());
    m_help = std::make_unique<HelpWindow>(builtinCatalog(), m_window->shortcuts(), nullptr);
  }
  void cleanupTestCase() {
    m_help.reset();
    m_library.reset();
    m_window.reset();
  }

  void aNameComesBeforeItsBeginningThatBeforeAWordAndTheRestLast() {
    using enum SearchRank;
    QCOMPARE(searchRank("blur", {"Blur"}), Exact);
    QCOMPARE(searchRank("Random Crop", {"Crop", "random crop"}), Exact);
    QCOMPARE(searchRank("random", {"Random crop"}), Prefix);
    QCOMPARE(searchRank("crop", {"Random crop"}), WordPrefix);
    QCOMPARE(searchRank("crop rand", {"random_crop"}), WordPrefix);
    QCOMPARE(searchRank("efetch", {"Prefetch"}), InName);
    QCOMPARE(searchRank("blur", {"Paired folders"}, "deblurring pairs"), InText);
    QCOMPARE(searchRank("folders pairs", {"Paired folders"}, "deblurring pairs"), InText);
    QCOMPARE(searchRank("sharp", {"Paired folders"}, "deblurring pairs"), None);
    QCOMPARE(searchRank("  ", {"Anything"}), Exact);
  }

  void everySearchPutsTheNodeOfThatNameFirst_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("label");
    for (const NodeSpec& spec : builtinCatalog().all())
      QTest::newRow(spec.kind.c_str())
          << QString::fromStdString(spec.label).toLower() << QString::fromStdString(spec.label);
  }
  void everySearchPutsTheNodeOfThatNameFirst() {
    QFETCH(QString, typed);
    QFETCH(QString, label);
    m_library->findChild<QLineEdit*>()->setText(typed);
    QCOMPARE(m_library->tree().currentIndex().data().toString(), label);
    m_help->findChild<QLineEdit*>()->setText(typed);
    QCOMPARE(shown(*m_help->findChild<QListWidget*>()).value(0), label);
  }

  void theOrderReturnsWithAnEmptySearch() {
    QWidget owner;
    ColumnsPopup popup(&owner);
    popup.open({{"a.size", "Batch › Size"}, {"count", "Threads"}, {"size", "Size"}}, {}, {});
    auto* line = popup.findChild<QLineEdit*>();
    auto* list = popup.findChild<QListWidget*>();
    const QStringList all = shown(*list);
    line->setText("size");
    QCOMPARE(shown(*list), QStringList({all[2], all[0]}));
    line->clear();
    QCOMPARE(shown(*list), all);
  }

  void thePopupIsAsHighAsItsMatchesWhileTheyShrinkAndGrow() {
    QWidget owner;
    SearchPopup popup(&owner);
    std::vector<SearchEntry> entries = {named("Blur"), named("Paired folders", "deblurring")};
    for (int i = 0; i < 9; ++i) entries.push_back(named(QString("Other %1").arg(i)));
    popup.open("Find", entries, QPoint(), {});
    const int row = popup.list().sizeHintForRow(0);
    const int all = popup.height();
    popup.line().setText("blur");
    QCOMPARE(shown(popup.list()), QStringList({"Blur", "Paired folders"}));
    QCOMPARE(popup.height(), all - 9 * row);
    popup.line().setText("no such thing");
    QVERIFY(popup.height() < all - 9 * row);
    popup.line().clear();
    QCOMPARE(popup.height(), all);
  }

 private:
  std::unique_ptr<MainWindow> m_window;
  std::unique_ptr<LibraryPanel> m_library;
  std::unique_ptr<HelpWindow> m_help;
};

}  // namespace millrace

using millrace::TestSearching;
MILLRACE_TEST_CASE(TestSearching)
#include "tst_searching.moc"
