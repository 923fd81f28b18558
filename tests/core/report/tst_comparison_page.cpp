// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison_page.h"

#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

#include "core/nodes/builtin.h"
#include "core/report/html_text.h"
#include "tests/core/compare/kept.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::keptRun;
using tests::setFact;
using tests::setSetting;

namespace {

QByteArray pageOf(const std::vector<KeptRun>& runs) {
  return QByteArray::fromStdString(
      comparisonPage(compareRuns(runs, builtinCatalog()), {"0.1.0", WallTime{}}));
}

/// The page's content, parsed as XML.
struct Content {
  QString error;
  QString text;
  QSet<QString> elements;
  QSet<QString> attributes;
  QSet<QString> ids;
  bool twice = false;  ///< an id occurs twice
};

Content contentOf(const QByteArray& page) {
  Content content;
  QXmlStreamReader reader(page);
  while (!reader.atEnd()) {
    reader.readNext();
    // Treats no-break spaces as spaces.
    if (reader.isCharacters()) content.text += reader.text().toString().replace(u'\u00a0', u' ');
    if (!reader.isStartElement()) continue;
    content.elements.insert(reader.name().toString());
    for (const QXmlStreamAttribute& attribute : reader.attributes()) {
      content.attributes.insert(attribute.name().toString());
      if (attribute.name() != QString("id")) continue;
      content.twice = content.twice || content.ids.contains(attribute.value().toString());
      content.ids.insert(attribute.value().toString());
    }
  }
  if (reader.hasError())
    content.error = QString("%1:%2").arg(reader.lineNumber()).arg(reader.errorString());
  return content;
}

const QSet<QString> kElements = {
    "html", "head", "meta",    "title",   "style", "body",  "header", "main",    "section",
    "h1",   "h2",   "p",       "ul",      "li",    "div",   "span",   "b",       "i",
    "br",   "code", "details", "summary", "table", "thead", "tbody",  "tr",      "th",
    "td",   "svg",  "desc",    "line",    "text",  "rect",  "circle", "polyline"};

}  // namespace

class TestComparisonPage : public QObject {
  Q_OBJECT
 private slots:
  void isOneWellFormedPageThatNeedsNothingElse() {
    KeptRun b = keptRun(2, {150, 151, 152});
    setSetting(b, "workers.count=6");
    const QByteArray page = pageOf({keptRun(1, {100, 101, 102}), b, keptRun(3, {99})});
    const Content content = contentOf(page);
    QCOMPARE(content.error, "");
    QVERIFY2(!content.twice, "an id occurs twice");
    for (const QString& element : content.elements)
      QVERIFY2(kElements.contains(element), qPrintable(element));
    for (const char* foreign : {"src", "href", "onload", "style"})
      QVERIFY2(!content.attributes.contains(foreign), foreign);
    for (const char* part : {"http://", "https://", "url(", "@import", "<script"})
      QVERIFY2(!page.contains(part), part);
    for (const char* part : {"Runs 2 and 3 against run 1", "run 2 is 50 % faster", "workers.count",
                             "Samples per second", "Time by node", "Queues"})
      QVERIFY2(content.text.contains(part), part);
  }

  /// There the heads of columns are not shown, and each cell names its column itself.
  void inANarrowWindowTablesFoldToLinesThatNameTheirColumn() {
    const QByteArray page = pageOf({keptRun(1, {100, 101, 102}), keptRun(2, {150, 151, 152})});
    QVERIFY(page.contains("@media screen and (max-width: 560px)"));
    QVERIFY(page.contains("content: attr(data-of)"));
    QVERIFY(page.contains("<td data-of=\"Pipeline\">"));
    QVERIFY(page.contains("<td data-of=\"run 2\" class=\"num\">"));
    QCOMPARE(page.count("<td>"), 0);
  }

  void moreThanSixRunsAreSeveralTablesWithTheReferenceInEach() {
    std::vector<KeptRun> runs;
    for (int i = 1; i <= 8; ++i) runs.push_back(keptRun(i, {100.0 + i, 101, 102}));
    setSetting(runs[7], "workers.count=6");
    const QByteArray page = pageOf(runs);
    QCOMPARE(contentOf(page).error, "");
    // One table of runs; figures, settings (those that differ, and all) and conditions twice each.
    QCOMPARE(page.count("<table>"), 1 + 2 * 4);
    QCOMPARE(pageOf({runs[0], runs[1], runs[2], runs[3], runs[4], runs[5]}).count("<table>"), 4);
    const QByteArray figures = page.mid(page.indexOf("h-figures"), 60000);
    const QByteArray first = figures.left(figures.indexOf("</table>"));
    QVERIFY(first.contains("run 1<") && first.contains("run 6<") && !first.contains("run 7<"));
    const QByteArray second = figures.mid(first.size() + 8);
    QVERIFY(second.indexOf("run 1<") < second.indexOf("run 7<"));
  }

  /// A letter is at most 7 units wide at the plots' size of text; the plot is 720 wide.
  void noValueIsCutAtTheRight() {
    const QByteArray page =
        pageOf({keptRun(1, {1019000, 7913000, 14807000}), keptRun(2, {1000.5, 1001, 1002})});
    const QRegularExpression value("<text x=\"([0-9.]+)\"[^>]*class=\"value\"[^>]*>([^<]*)<");
    auto found = value.globalMatch(QString::fromUtf8(page));
    QVERIFY(found.hasNext());
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      const double end = match.captured(1).toDouble() + 7.0 * double(match.captured(2).size());
      QVERIFY2(end <= 720, qPrintable(match.captured(2)));
    }
  }

  void aRepeatOfOneWindowIsADot() {
    KeptRun b = keptRun(2, {150, 151, 152});
    for (RepeatRecord& repeat : b.details.repeats) repeat.windows.resize(1);
    const QByteArray page = pageOf({keptRun(1, {100, 101, 102}), b});
    const QByteArray plot = page.mid(page.indexOf("windows-d"));
    QCOMPARE(plot.count("<circle"), 3);
    QCOMPARE(plot.count("<polyline"), 3);
  }

  void everyPlotHasItsFiguresInWords() {
    const QByteArray page = pageOf({keptRun(1, {100, 101, 102}), keptRun(2, {150, 151, 152})});
    QCOMPARE(page.count("<svg "), 4);
    QCOMPARE(page.count("role=\"img\""), 4);
    QVERIFY(contentOf(page).text.contains("run 1: 101 [98.54, 103.5]. run 2: 151 [148.5, 153.5]"));
    for (const char* id : {"rate-t", "rate-d", "windows-d", "nodes-d", "queues-d"})
      QVERIFY2(contentOf(page).ids.contains(id), id);
  }

  void foreignTextStaysText_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("script") << QByteArray("</td><script>alert(1)</script>");
    QTest::newRow("end of the title") << QByteArray("</title></svg></style><script>");
    QTest::newRow("quotes") << QByteArray("\" onload=\"alert(1)\" x='");
    QTest::newRow("entity") << QByteArray("&lt;script&gt; &#60; &amp &nosuch;");
    QTest::newRow("comment") << QByteArray("<!-- --> <![CDATA[ ]]>");
    QTest::newRow("not UTF-8") << QByteArray("caf\xe9 \xff\xfe <b>");
    QTest::newRow("cut character") << QByteArray("x\xc3");
    QTest::newRow("controls") << QByteArray("a\x01\x1b[31m\x00z\n\t\x7f", 12);
    QTest::newRow("no characters") << QByteArray("\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80");
    QTest::newRow("other scripts") << QByteArray("\xe7\xa3\xa8 \xd8\xb1\xd8\xad\xd9\x89");
  }
  void foreignTextStaysText() {
    QFETCH(QByteArray, text);
    const std::string foreign = text.toStdString();
    KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    for (KeptRun* run : {&a, &b}) {
      RunSummary& summary = run->details.summary;
      summary.name = summary.pipelineName = summary.experiment = summary.reason = foreign;
      summary.tags = {foreign, "x" + foreign};
      summary.state = RunState::Interrupted;
      run->details.notes = run->details.engineVersion = foreign;
      for (RepeatRecord& repeat : run->details.repeats) {
        repeat.nodes.push_back({foreign, foreign, 10, {}, {}, 1.0, 1.0, 1.0, {}});
        repeat.queues.push_back({foreign, foreign, foreign, foreign, 4, 1.0, 0.5, 0.1});
      }
    }
    run(b, foreign);
    const QByteArray page = pageOf({a, b});
    const Content content = contentOf(page);
    QCOMPARE(content.error, "");
    for (const QString& element : content.elements)
      QVERIFY2(kElements.contains(element), qPrintable(element));
    QVERIFY(!content.attributes.contains("onload"));
    QVERIFY(!page.contains("<script"));
    QCOMPARE(page.count("<tbody>"), 6);
  }

  void runsWithoutFiguresMakeAPage() {
    KeptRun a = keptRun(1, {});
    KeptRun b = keptRun(2, {});
    a.pipelineJson = b.pipelineJson = "";
    a.details.environment.clear();
    const Content content = contentOf(pageOf({a, b}));
    QCOMPARE(content.error, "");
    QVERIFY(content.text.contains("nothing was measured"));
    QVERIFY(!content.elements.contains("circle"));
  }

  void textIsMadeSafeForElementsAndAttributes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("html");
    const auto row = [](const char* name, QByteArray text, const char* html) {
      QTest::newRow(name) << text << QByteArray(html);
    };
    row("ampersand", "a&b", "a&amp;b");
    row("less", "a<b", "a&lt;b");
    row("greater", "a>b", "a&gt;b");
    row("quote", "a\"b", "a&quot;b");
    row("apostrophe", "a'b", "a&#39;b");
    row("entity", "&lt;", "&amp;lt;");
    row("U+FFFE",
        "a\xef\xbf\xbe"
        "b",
        "a\xef\xbf\xbd"
        "b");
    row("U+FFFF",
        "a\xef\xbf\xbf"
        "b",
        "a\xef\xbf\xbd"
        "b");
    row("U+FFFD and U+FFFC", "\xef\xbf\xbd\xef\xbf\xbc", "\xef\xbf\xbd\xef\xbf\xbc");
    row("forbidden at the end", "\xef\xbf\xbf", "\xef\xbf\xbd");
    row("not UTF-8", "caf\xe9", "caf\\xe9");
    row("cut character", "a\xef\xbf", "a\\xef\\xbf");
    row("line break and tab", "a\nb\tc\rd", "a b c d");
    row("escape", "a\x1b[2J", "a\\x1b[2J");
    row("delete", "a\x7f", "a\\u007f");
    row("nothing", "", "");
    row("plain", "workers.count = 4; \xd0\xb4\xd0\xbe\xd0\xbc",
        "workers.count = 4; \xd0\xb4\xd0\xbe\xd0\xbc");
  }
  void textIsMadeSafeForElementsAndAttributes() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(htmlText(text.toStdString())), "html");
  }

 private:
  /// Puts the foreign text into settings, facts and the document.
  static void run(KeptRun& run, const std::string& foreign) {
    setFact(run, "cpu_model", foreign);
    setFact(run, "kernel", foreign);
    run.details.settings.push_back({"workers", foreign, foreign});
    run.details.settings.push_back({foreign, "x", foreign});
  }
};

MILLRACE_TEST_CASE(TestComparisonPage)

}  // namespace millrace

#include "tst_comparison_page.moc"
