// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_table_model.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/store/stored_values.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_marks.h"

namespace millrace {

namespace {

/// Verdicts made in one job; rows that come into view meanwhile are next.
constexpr std::size_t kVerdictsAtOnce = 6;
constexpr std::size_t kPagesKept = 8;
/// While the user types a query, only the list is read.
constexpr int kVerdictsAfterMs = 120;

QStringList tagsIn(const QString& text) {
  QStringList tags;
  for (const QString& part : text.split(',')) {
    const QString tag = part.trimmed();
    if (!tag.isEmpty() && !tags.contains(tag)) tags << tag;
  }
  return tags;
}

std::vector<std::string> without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& these) {
  std::vector<std::string> left;
  for (const std::string& one : all)
    if (std::ranges::find(these, one) == these.end()) left.push_back(one);
  return left;
}

}  // namespace

RunTableModel::RunTableModel(StoreThread& store, const Catalog& catalog, QObject* parent)
    : QAbstractTableModel(parent),
      m_store(store),
      m_newest(std::make_shared<std::atomic<std::uint64_t>>(0)),
      m_lister(std::make_shared<RunLister>(catalog)),
      m_judges(store.file()),
      m_maker(std::make_shared<VerdictMaker>(catalog)) {
  m_wants.setSingleShot(true);
  m_wants.setInterval(0);
  m_pause.setSingleShot(true);
  m_pause.setInterval(kVerdictsAfterMs);
  connect(&m_pause, &QTimer::timeout, this, &RunTableModel::requestVerdicts);
  connect(&m_wants, &QTimer::timeout, this, [this] {
    for (const std::int64_t page : std::exchange(m_wantedPages, {})) requestPage(page);
    requestVerdicts();
  });
}

void RunTableModel::setRequest(const RunListRequest& request) {
  m_request = request;
  this->request();
}

void RunTableModel::reload() {
  ++m_age;
  request();
}

void RunTableModel::request() {
  m_loading = true;
  m_pause.start();
  const std::uint64_t number = ++*m_newest;
  m_store.ask<RunListing>(
      this, {m_newest, number},
      [lister = m_lister, request = m_request, age = m_age](RunStore& store) {
        return lister->list(store, request, age);
      },
      [this, number](StoreAnswer<RunListing> answer) {
        if (number == *m_newest) take(std::move(answer));
      });
}

void RunTableModel::take(StoreAnswer<RunListing> answer) {
  m_loading = false;
  m_hasStore = !answer.noStore;
  if (answer.value && answer.value->mistake) {
    // The earlier results stay visible while the user goes on typing.
    m_listing.mistake = answer.value->mistake;
    emit listed();
    return;
  }
  if (answer.value) show(std::move(*answer.value));
  if (answer.noStore || !answer.error.isEmpty()) show({});
  if (!answer.error.isEmpty()) emit failed(answer.error);
  emit listed();
}

bool RunTableModel::sameRows(const RunListing& other) const {
  const auto same = [](const Rows& a, const Rows& b) {
    return std::ranges::equal(a, b, {}, &RunSummary::number, &RunSummary::number);
  };
  const auto sameColumns =
      std::ranges::equal(m_listing.columns, other.columns, {}, &RunColumn::id, &RunColumn::id);
  return sameColumns && m_listing.count == other.count && same(m_listing.top, other.top) &&
         same(m_listing.first, other.first);
}

void RunTableModel::show(RunListing listing) {
  const bool same = sameRows(listing);
  const auto baseline =
      listing.baseline ? std::optional(listing.baseline->number) : std::optional<RunNumber>();
  if (!same) beginResetModel();
  if (baseline != m_judgedAgainst) m_verdicts.clear();
  m_judgedAgainst = baseline;
  m_listing = std::move(listing);
  m_wantedPages.clear();
  m_askedPages.clear();
  m_wantedVerdicts.clear();
  // Visible pages are kept until they have been read again, so that nothing flickers.
  if (!same || m_pages.size() > kPagesKept) m_pages.clear();
  for (const auto& [page, rows] : m_pages)
    if (page > 0) wantPage(page);
  if (m_listing.count > 0) m_pages[0] = m_listing.first;
  // A run that was going on has changed since and may be over by now: it is judged again.
  std::erase_if(m_verdicts, [](const auto& entry) { return !entry.second.isFinal; });
  if (same)
    announce();
  else
    endResetModel();
}

void RunTableModel::announce() {
  if (rowCount() > 0 && columnCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunTableModel::wantPage(std::int64_t page) const {
  if (!m_askedPages.insert(page).second) return;
  m_wantedPages.insert(page);
  if (!m_wants.isActive()) m_wants.start();
}

void RunTableModel::requestPage(std::int64_t page) {
  const std::uint64_t number = *m_newest;
  m_store.ask<RunList>(
      this, {m_newest, number},
      [rest = m_listing.rest, page](RunStore& store) { return listPage(store, rest, page); },
      [this, page, number](StoreAnswer<RunList> answer) {
        if (number != *m_newest || !answer.value) return;
        if (answer.value->matching != m_listing.count) return reload();
        m_pages[page] = std::move(answer.value->runs);
        const int first = static_cast<int>(m_listing.top.size()) + static_cast<int>(page * kPage);
        const int last = std::min(first + static_cast<int>(kPage), rowCount()) - 1;
        if (last >= first) emit dataChanged(index(first, 0), index(last, columnCount() - 1));
      });
}

void RunTableModel::wantVerdict(RunNumber number) const {
  if (std::ranges::find(m_wantedVerdicts, number) != m_wantedVerdicts.end()) return;
  m_wantedVerdicts.push_back(number);
  if (!m_wants.isActive() && !m_judging) m_wants.start();
}

void RunTableModel::requestVerdicts() {
  if (m_judging || m_pause.isActive() || m_wantedVerdicts.empty() || !m_judgedAgainst) return;
  m_judging = true;
  // The newest requests come first: they are for the rows that are in view now.
  std::vector<RunNumber> runs;
  while (!m_wantedVerdicts.empty() && runs.size() < kVerdictsAtOnce) {
    runs.push_back(m_wantedVerdicts.back());
    m_wantedVerdicts.pop_back();
  }
  m_judges.setFile(m_store.file());
  m_judges.ask<JudgedRuns>(
      this, {},
      [maker = m_maker, baseline = *m_judgedAgainst, runs, age = m_age](RunStore& store) {
        return maker->judge(store, baseline, runs, age);
      },
      [this, baseline = m_judgedAgainst, age = m_age](StoreAnswer<JudgedRuns> answer) {
        m_judging = false;
        if (answer.value && baseline == m_judgedAgainst) {
          // A run that was going on when it was judged, and has been read again since, is out of
          // date.
          for (auto& [number, judged] : *answer.value)
            if (judged.isFinal || age == m_age) m_verdicts[number] = std::move(judged);
          announce();
        }
        if (!m_wantedVerdicts.empty()) m_wants.start();
      });
}

const RunSummary* RunTableModel::runAt(int row) const {
  const auto top = static_cast<int>(m_listing.top.size());
  if (row < 0 || row >= rowCount()) return nullptr;
  if (row < top) return &m_listing.top[static_cast<std::size_t>(row)];
  const std::int64_t at = row - top;
  const auto page = m_pages.find(at / kPage);
  if (page == m_pages.end()) return nullptr;
  const auto within = static_cast<std::size_t>(at % kPage);
  return within < page->second.size() ? &page->second[within] : nullptr;
}

int RunTableModel::rowOf(RunNumber number) const {
  const auto in = [number](const Rows& rows) {
    const auto found = std::ranges::find(rows, number, &RunSummary::number);
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
  };
  if (const int row = in(m_listing.top); row >= 0) return row;
  for (const auto& [page, rows] : m_pages)
    if (const int row = in(rows); row >= 0)
      return static_cast<int>(m_listing.top.size()) + static_cast<int>(page * kPage) + row;
  return -1;
}

int RunTableModel::columnOf(RunColumn::Kind kind) const {
  const auto found = std::ranges::find(m_listing.columns, kind, &RunColumn::kind);
  return found == m_listing.columns.end() ? -1
                                          : static_cast<int>(found - m_listing.columns.begin());
}

const Verdict* RunTableModel::verdictOf(RunNumber number) const {
  const auto found = m_verdicts.find(raw(number));
  return found == m_verdicts.end() ? nullptr : &found->second.verdict;
}

void RunTableModel::setCompared(const std::vector<RunNumber>& runs) {
  if (runs == m_compared) return;
  m_compared = runs;
  announce();
}

int RunTableModel::markOf(RunNumber number) const {
  return seriesIn(m_compared, m_judgedAgainst, number);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return static_cast<int>(m_listing.top.size()) + static_cast<int>(m_listing.count);
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_listing.columns.size());
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
  const RunColumn& column = m_listing.columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole && column.kind == RunColumn::Kind::Change && m_listing.baseline)
    return QString("Δ to %1").arg(raw(m_listing.baseline->number));
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole) return column.help;
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter |
                            Qt::TextWordWrap);
  return {};
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
  const RunColumn& column = m_listing.columns[static_cast<std::size_t>(index.column())];
  if (column.isEditable() && runAt(index.row()) != nullptr) flags |= Qt::ItemIsEditable;
  return flags;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const auto cell = static_cast<std::size_t>(index.column());
  const bool onTop = index.row() < static_cast<int>(m_listing.top.size());
  const std::int64_t at = index.row() - static_cast<std::int64_t>(m_listing.top.size());
  RunSummary& run = onTop ? m_listing.top[static_cast<std::size_t>(index.row())]
                          : m_pages[at / kPage][static_cast<std::size_t>(at % kPage)];
  if (!write(run, m_listing.columns[cell], cell, value.toString())) return false;
  emit dataChanged(index, index);
  return true;
}

bool RunTableModel::write(RunSummary& run, const RunColumn& column, std::size_t cell,
                          const QString& text) {
  std::function<Status(RunStore&)> change;
  const RunNumber number = run.number;
  const std::string plain = fromQt(text.trimmed());
  if (column.kind == RunColumn::Kind::Name) {
    if (plain == run.name) return false;
    run.name = plain;
    change = [number, plain](RunStore& store) { return store.setName(number, plain); };
  } else if (column.kind == RunColumn::Kind::Notes) {
    if (cell >= run.cells.size() || run.cells[cell] == SqlValue(plain)) return false;
    run.cells[cell] = plain;
    change = [number, plain](RunStore& store) { return store.setNotes(number, plain); };
  } else {
    std::vector<std::string> tags;
    for (const QString& tag : tagsIn(text)) tags.push_back(fromQt(tag));
    const auto add = without(tags, run.tags);
    const auto remove = without(run.tags, tags);
    if (add.empty() && remove.empty()) return false;
    std::ranges::sort(tags);
    run.tags = tags;
    change = [number, add, remove](RunStore& store) {
      return store.changeTags(number, add, remove);
    };
  }
  m_store.change(this, std::move(change), [this](const QString& error) {
    if (!error.isEmpty()) emit failed(error);
    request();
  });
  return true;
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
  if (column >= columnCount()) return;
  RunListRequest request = m_request;
  request.sortedBy =
      column < 0 ? QString() : m_listing.columns[static_cast<std::size_t>(column)].id;
  request.descending = order == Qt::DescendingOrder;
  if (request.sortedBy == m_request.sortedBy && request.descending == m_request.descending) return;
  setRequest(request);
}

}  // namespace millrace
