// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query.h"

#include <cstdlib>
#include <ctime>

#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Names = std::vector<std::string>;

WallTime localMoment(int year, int month, int day, int hour) {
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_isdst = -1;
  return std::chrono::time_point_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::from_time_t(std::mktime(&parts)));
}

/// Five runs that differ in everything that a query can use.
class QueriedStore {
 public:
  QueriedStore() : m_store(RunStore::open(m_folder.file()).take()) {
    add("alpha", 2, {"draft"}, 100.0, "photos");
    add("Beta run", 4, {"draft", "quiet"}, 200.0, "photos");
    add("gam\"ma", 8, {}, 400.0, "photos");
    add("дельта", 8, {"quiet"}, 800.0, "other");
    add("bytes \xff\xfe", {}, {"it's"}, {}, "other");
    setStarted("1", localMoment(2026, 11, 1, 10));
    setStarted("2", localMoment(2026, 11, 2, 10));
    setStarted("3, 4, 5", localMoment(2026, 11, 20, 10));
  }

  /// Names of the runs that match `text`, oldest first; the mistake instead if it has one.
  Names matching(const std::string& text) {
    const auto vocabulary = m_store.vocabulary();
    ParsedQuery parsed = parseQuery(text, *vocabulary, localMoment(2026, 11, 21, 10));
    if (parsed.mistake) return {"mistake: " + parsed.mistake->message};
    RunQuery query;
    query.where = std::move(parsed.condition);
    auto list = m_store.list(query);
    if (!list.ok()) return {"error: " + list.error().message};
    Names names;
    for (auto run = list->rbegin(); run != list->rend(); ++run) names.push_back(run->name);
    return names;
  }
  RunStore& store() { return m_store; }
  std::filesystem::path file() const { return m_folder.file(); }

 private:
  void add(const std::string& name, std::optional<std::int64_t> workers, Names tags,
           std::optional<double> rate, const std::string& experiment) {
    NewRun run = smallRun(name);
    run.tags = std::move(tags);
    run.experiment = experiment;
    run.environment = {{"cpu_model", "AMD EPYC"}};
    run.settings = {{"decode", "scaling", "auto"}, {"flip", "enabled", name == "alpha"}};
    if (workers) run.settings.push_back({"workers", "count", *workers});
    const auto number = m_store.beginRun(run);
    if (!rate) return;
    const std::array figures = {FigureRecord{"samples_per_second", *rate},
                                FigureRecord{"peak_rss_bytes", *rate * 1e6},
                                FigureRecord{"step_share", *rate / 1000}};
    static_cast<void>(m_store.finishRun(*number, RunState::Finished, "", figures));
  }
  void setStarted(const std::string& runs, WallTime time) {
    rawSql(m_folder.file(),
           "UPDATE runs SET started_ms = " + std::to_string(time.time_since_epoch().count()) +
               " WHERE id IN (" + runs + ")");
  }

  StoreFolder m_folder;
  RunStore m_store;
};

}  // namespace

class TestQuery : public QObject {
  Q_OBJECT
 private slots:
  void findsTheRunsForWhichItHolds_data() {
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QByteArray>("names");
    const auto row = [](const char* query, const char* names) {
      QTest::newRow(query) << QByteArray(query) << QByteArray(names);
    };
    row("", "alpha,Beta run,gam\"ma,дельта,bytes \xff\xfe");
    row("workers.count > 2 and not tag:draft", "gam\"ma,дельта");
    row("workers.count=4", "Beta run");
    row("workers.count != 8", "alpha,Beta run");
    row("not workers.count = 8", "alpha,Beta run,bytes \xff\xfe");
    row("workers.count >= 4 and workers.count <= 4", "Beta run");
    row("workers_2.count > 0", "");
    row("tag:draft or tag:quiet and experiment = other", "alpha,Beta run,дельта");
    row("(tag:draft or tag:quiet) and experiment = other", "дельта");
    row("tag ~ qui", "Beta run,дельта");
    row("tag != draft", "gam\"ma,дельта,bytes \xff\xfe");
    row("tag = \"it's\"", "bytes \xff\xfe");
    row("TAG:draft", "mistake");
    row("tag:draft AND NOT tag:quiet", "alpha");
    row("name ~ BETA", "Beta run");
    row("name = \"gam\\\"ma\"", "gam\"ma");
    row("name ~ 'дель'", "дельта");
    row("name ~ '\xff'", "bytes \xff\xfe");
    row("name !~ a", "дельта,bytes \xff\xfe");
    row("name = ''", "");
    row("samples_per_second > 150 and samples_per_second < 500", "Beta run,gam\"ma");
    row("not samples_per_second > 150", "alpha,bytes \xff\xfe");
    row("peak_rss_bytes > 300 MB", "gam\"ma,дельта");
    row("peak_rss_bytes > 300MB", "gam\"ma,дельта");
    row("peak_rss_bytes < 0.1 GiB", "alpha");
    row("step_share >= 40 %", "gam\"ma,дельта");
    row("step_share >= 0.4", "gam\"ma,дельта");
    row("state = finished", "alpha,Beta run,gam\"ma,дельта");
    row("state:running", "bytes \xff\xfe");
    row("flip.enabled = true", "alpha");
    row("flip.enabled = no", "Beta run,gam\"ma,дельта,bytes \xff\xfe");
    row("decode.scaling = auto and number < 3", "alpha,Beta run");
    row("environment.cpu_model ~ epyc and number = 1", "alpha");
    row("started > 2026-11-02", "Beta run,gam\"ma,дельта,bytes \xff\xfe");
    row("started = 2026-11-02", "Beta run");
    row("started != 2026-11-02 and number < 3", "alpha");
    row("started < 2026-11-01T10:30", "alpha");
    row("started <= '2026-11-01 10:00'", "alpha");
    row("started > 2 days ago", "gam\"ma,дельта,bytes \xff\xfe");
    row("started = yesterday", "gam\"ma,дельта,bytes \xff\xfe");
    row("started < 2 weeks ago", "alpha,Beta run");
    row("baseline", "");
    row("not baseline and number = 1", "alpha");
    row("name = \"'; DROP TABLE runs; --\"", "");
  }
  void findsTheRunsForWhichItHolds() {
    QFETCH(QByteArray, query);
    QFETCH(QByteArray, names);
    QueriedStore store;
    Names found = store.matching(query.toStdString());
    if (!found.empty() && found.front().starts_with("mistake") && names == "mistake") return;
    QByteArray joined;
    for (const std::string& name : found)
      joined += (joined.isEmpty() ? "" : ",") + QByteArray(name.c_str());
    QCOMPARE(joined, names);
  }

  void marksTheMistake_data() {
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<int>("at");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* query, int at, const char* words) {
      QTest::newRow(query) << QByteArray(query) << at << QByteArray(words);
    };
    row("workers.cuont > 2", 0, "did you mean `workers.count`");
    row("tag:a and smaples_per_second > 2", 10, "did you mean `samples_per_second`");
    row("peak_rss > 2", 0, "did you mean `peak_rss_bytes`");
    row("workers.count > four", 16, "workers.count is a number");
    row("workers.count >", 15, "expected a value");
    row("workers.count", 13, "expected a comparison");
    row("workers.count 2", 14, "expected a comparison");
    row("workers.count > 2 3", 18, "expected `and`, `or` or the end");
    row("(tag:a", 6, "expected `)`");
    row("tag:a)", 5, "expected `and`, `or` or the end");
    row("tag:a and", 9, "expected a name");
    row("and tag:a", 0, "expected a name");
    row("not", 3, "expected a name");
    row("name = \"open", 7, "the quote is not closed");
    row("name = and", 7, "write \"and\"");
    row("state = done", 8, "running, finished, failed and interrupted");
    row("started > 2026-02-30", 10, "is a time");
    row("started > 5", 10, "is a time");
    row("started > 5 lightyears ago", 10, "is a time");
    row("samples_per_second > 5 MB", 21, "is in samples/s");
    row("peak_rss_bytes > 5 min", 17, "is in B");
    row("workers.count ~ 2", 16, "is a number");
    row("baseline > 2", 11, "true or false");
    row("tag > a", 6, "takes only");
    row("> 2", 0, "expected a name");
    row("name = 'a' name = 'b'", 11, "expected `and`");
  }
  void marksTheMistake() {
    QFETCH(QByteArray, query);
    QFETCH(int, at);
    QFETCH(QByteArray, words);
    QueryVocabulary vocabulary = {{"workers.count", "threads", true, false, false}};
    const auto parsed = parseQuery(query.toStdString(), vocabulary, WallTime{});
    QVERIFY(parsed.mistake.has_value());
    const std::string message = parsed.mistake->message;
    QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
    QCOMPARE(static_cast<int>(parsed.mistake->at), at);
  }

  void thePlaceIsMarkedUnderneath() {
    const std::string query = "name = \"дельта\" and workers.cuont > 2";
    const auto parsed = parseQuery(query, {}, WallTime{});
    QCOMPARE(mistakeText(query, *parsed.mistake),
             "no setting, figure or field is called `workers.cuont`; `millrace runs list --help` "
             "names them\n"
             "    name = \"дельта\" and workers.cuont > 2\n"
             "                        ^~~~~~~~~~~~~\n");
    const std::string after = "tag:a and";
    QVERIFY(mistakeText(after, *parseQuery(after, {}, WallTime{}).mistake)
                .ends_with("    tag:a and\n             ^\n"));
  }

  void aLongOrStrangeQueryIsShownInEightyColumns() {
    const std::string query = "name ~ \"" + std::string(300, 'x') +
                              "\" and \x1b[31m\xff\n y > 2 and " + std::string(300, 'z');
    const auto parsed = parseQuery(query, {}, WallTime{});
    QVERIFY(parsed.mistake.has_value());
    const std::string text = mistakeText(query, *parsed.mistake);
    const QStringList lines = QString::fromStdString(text).split('\n');
    for (const QString& line : lines.mid(1)) QVERIFY2(line.size() <= 80, qPrintable(line));
    QVERIFY(text.find('\x1b') == std::string::npos);
    QVERIFY(text.find('\xff') == std::string::npos);
  }

  void nestingAndLengthHaveLimits() {
    for (const std::string& deep :
         {std::string(100'000, '('),
          "not " + std::string(300, '(') + "tag:a" + std::string(300, ')')}) {
      const auto parsed = parseQuery(deep, {}, WallTime{});
      QVERIFY(parsed.mistake.has_value());
    }
    std::string nots;
    for (int i = 0; i < 10'000; ++i) nots += "not ";
    QVERIFY(parseQuery(nots + "tag:a", {}, WallTime{}).mistake.has_value());
    QueriedStore store;
    std::string terms = "tag:a";
    for (int i = 1; i < 200; ++i) terms += " or tag:a";
    QCOMPARE(store.matching(terms), Names{});
    QVERIFY(store.matching(terms + " or tag:a").front().starts_with("mistake"));
  }

  void everyTextIsAnswered() {
    QueriedStore store;
    const std::string bytes = "()\"'\\=!<>~:-+.%,\xff\xc3 \n\t0179azAZ_";
    unsigned state = 1;
    for (int round = 0; round < 2000; ++round) {
      std::string text;
      for (int i = 0; i < 12; ++i) {
        state = state * 1664525u + 1013904223u;
        text += bytes[(state >> 16) % bytes.size()];
      }
      const Names names = store.matching("tag:a or name " + text);
      if (!names.empty()) QVERIFY2(!names.front().starts_with("error"), text.c_str());
    }
  }

  void aKilledRunCountsAsInterrupted() {
    QueriedStore store;
    QVERIFY(rawSql(store.file(), "UPDATE runs SET pid = 999999999 WHERE id = 5"));
    QCOMPARE(store.matching("state = interrupted"), Names{"bytes \xff\xfe"});
    QCOMPARE(store.matching("state = running"), Names{});
  }

  void theBaselineIsAsked() {
    QueriedStore store;
    VERIFY_OK(store.store().setBaseline(RunNumber{2}));
    QCOMPARE(store.matching("baseline"), Names{"Beta run"});
    QCOMPARE(store.matching("baseline = no and number < 3"), Names{"alpha"});
  }

  void sortsByAnyNameWithAbsentOnesLast() {
    QueriedStore store;
    const auto vocabulary = store.store().vocabulary();
    RunQuery query;
    query.sort = *parseSort("-workers.count, name", *vocabulary);
    query.columns = *parseColumns("workers.count,tag,flip.enabled", *vocabulary);
    const auto list = store.store().search(query);
    VERIFY_OK(list);
    Names names;
    for (const RunSummary& run : list->runs) names.push_back(run.name);
    QCOMPARE(names, (Names{"gam\"ma", "дельта", "Beta run", "alpha", "bytes \xff\xfe"}));
    QVERIFY(list->runs[2].cells[0] == SqlValue(std::int64_t{4}));
    QVERIFY(list->runs[2].cells[1] == SqlValue(std::string("draft quiet")));
    QVERIFY(list->runs[4].cells[0] == SqlValue());
    query.limit = 2;
    QCOMPARE(store.store().search(query)->matching, std::int64_t{5});
    QCOMPARE(store.store().search(query)->runs.size(), std::size_t{2});
    QVERIFY(parseSort("-workers.cuont", *vocabulary).error().message.find("workers.count") !=
            std::string::npos);
    QVERIFY(!parseColumns("number,,name", *vocabulary).ok());
  }

  void figuresOfNodesAreTheMeanOfTheRepeats() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    for (int i = 0; i < 2; ++i) {
      const auto repeat = store->beginRepeat(*run, i);
      const std::array nodes = {NodeRecord{"decode", "decode", 10, {}, {}, 1.0 + i, {}, {}, {}}};
      VERIFY_OK(store->addNodeFigures(*repeat, nodes));
    }
    RunQuery query;
    query.columns = *parseColumns("decode.busy_seconds", {});
    QVERIFY(store->list(query)->front().cells[0] == SqlValue(1.5));
    query.where = parseQuery("decode.busy_seconds = 1500 ms", {}, WallTime{}).condition;
    QCOMPARE(store->list(query)->size(), std::size_t{1});
  }
};

}  // namespace millrace

using millrace::TestQuery;
MILLRACE_TEST_CASE(TestQuery)
#include "tst_query.moc"
