// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstring>
#include <new>

#include "core/base/mutex.h"
#include "core/base/spread_counter.h"
#include "core/spec/describe.h"

namespace millrace::nodes::memory_cache {

namespace {

struct Params {
  std::int64_t limit = std::int64_t{1} << 30U;
};

constexpr std::size_t kLine = 64;

std::size_t roundedUp(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

/// What is stored of a sample: this header, its views, then their content.
struct Entry {
  std::size_t fields = 0;

  TensorView* views() { return reinterpret_cast<TensorView*>(this + 1); }
  static std::size_t headBytes(std::size_t fields) {
    return roundedUp(sizeof(Entry) + fields * sizeof(TensorView));
  }
};
static_assert(alignof(TensorView) <= sizeof(Entry));

/// The entry of each index: pages of atomic pointers that are allocated when first written to.
/// Lock-free: an entry is written before its pointer is published, and never changes or moves
/// afterwards.
class EntryTable {
 public:
  EntryTable() : m_pages(std::make_unique<std::array<std::atomic<Page*>, kPages>>()) {}
  ~EntryTable() {
    for (std::atomic<Page*>& page : *m_pages) delete page.load(std::memory_order_relaxed);
  }
  EntryTable(const EntryTable&) = delete;
  EntryTable& operator=(const EntryTable&) = delete;

  Entry* find(std::uint32_t index) const {
    const Page* page = (*m_pages)[index >> kBits].load(std::memory_order_acquire);
    if (page == nullptr) return nullptr;
    Entry* entry = (*page)[index & kMask].load(std::memory_order_acquire);
    return entry == claimed() ? nullptr : entry;
  }
  /// Returns true for the one caller that is to write this index's entry.
  bool claim(std::uint32_t index) {
    Entry* nobody = nullptr;
    return place(index).compare_exchange_strong(nobody, claimed(), std::memory_order_relaxed);
  }
  void publish(std::uint32_t index, Entry* entry) {
    place(index).store(entry, std::memory_order_release);
  }

 private:
  static constexpr std::uint32_t kBits = 16;
  static constexpr std::uint32_t kMask = (1U << kBits) - 1;
  static constexpr std::size_t kPages = std::size_t{1} << (32U - kBits);
  using Page = std::array<std::atomic<Entry*>, std::size_t{1} << kBits>;

  static Entry* claimed() {
    static Entry entry;
    return &entry;
  }
  std::atomic<Entry*>& place(std::uint32_t index) {
    std::atomic<Page*>& slot = (*m_pages)[index >> kBits];
    Page* page = slot.load(std::memory_order_acquire);
    if (page == nullptr) {
      auto fresh = std::make_unique<Page>();
      if (slot.compare_exchange_strong(page, fresh.get(), std::memory_order_acq_rel))
        page = fresh.release();
    }
    return (*page)[index & kMask];
  }

  std::unique_ptr<std::array<std::atomic<Page*>, kPages>> m_pages;
};

/// Memory that is allocated in large pieces, handed out and never taken back. Thread-safe.
class Arena {
 public:
  explicit Arena(std::size_t limit) : m_limit(limit) {}

  /// 64-byte aligned, followed by readable bytes like a Buffer; nullptr if the limit is reached or
  /// the machine has no memory.
  std::byte* take(std::size_t bytes) {
    const MutexLock lock(m_mutex);
    if (bytes > m_limit - m_used) return nullptr;
    if (bytes > m_left) {
      const std::size_t piece = bytes > kPiece / 4 ? bytes : kPiece;
      Piece fresh(static_cast<std::byte*>(
          ::operator new[](piece + Buffer::kPadding, std::align_val_t{kLine}, std::nothrow)));
      if (!fresh) return nullptr;
      m_pieces.push_back(std::move(fresh));
      if (piece == bytes) {  // a separate piece; the current one stays in use
        m_used += bytes;
        return m_pieces.back().get();
      }
      m_next = m_pieces.back().get();
      m_left = piece;
    }
    std::byte* taken = m_next;
    m_next += bytes;
    m_left -= bytes;
    m_used += bytes;
    return taken;
  }
  std::size_t used() const {
    const MutexLock lock(m_mutex);
    return m_used;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{16} << 20U;
  struct Free {
    void operator()(std::byte* piece) const { ::operator delete[](piece, std::align_val_t{kLine}); }
  };
  using Piece = std::unique_ptr<std::byte[], Free>;

  const std::size_t m_limit;
  mutable Mutex m_mutex;
  std::size_t m_used MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::vector<Piece> m_pieces MILLRACE_GUARDED_BY(m_mutex);
  std::byte* m_next MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  std::size_t m_left MILLRACE_GUARDED_BY(m_mutex) = 0;
};

class MemoryCache final : public SampleCache {
 public:
  explicit MemoryCache(const Params& params)
      : m_limit(static_cast<std::size_t>(params.limit)), m_arena(m_limit) {}

  bool load(Sample& sample) override {
    Entry* entry = m_table.find(sample.key().index);
    if (entry == nullptr) {
      m_misses.add();
      return false;
    }
    for (std::size_t f = 0; f < entry->fields; ++f) sample.borrow(f, entry->views()[f]);
    m_hits.add();
    return true;
  }

  bool holds(std::uint32_t index) const override { return m_table.find(index) != nullptr; }

  void store(const Sample& sample) override {
    if (m_full.load(std::memory_order_relaxed)) return;
    const std::uint32_t index = sample.key().index;
    if (m_table.find(index) != nullptr || !m_table.claim(index)) return;
    std::byte* memory = m_arena.take(bytesOf(sample));
    if (memory == nullptr) {
      // The claim stays: neither this index nor any other is tried again.
      m_full.store(true, std::memory_order_relaxed);
      return;
    }
    m_table.publish(index, copy(sample, memory));
    m_entries.fetch_add(1, std::memory_order_relaxed);
  }

  Fill fill() const override {
    return {m_entries.load(std::memory_order_relaxed), m_arena.used(), m_limit, m_hits.total(),
            m_misses.total()};
  }

 private:
  static std::size_t bytesOf(const Sample& sample) {
    std::size_t bytes = Entry::headBytes(sample.fields());
    for (std::size_t f = 0; f < sample.fields(); ++f) bytes += roundedUp(sample[f].bytes);
    return bytes;
  }

  static Entry* copy(const Sample& sample, std::byte* memory) {
    auto* entry = new (memory) Entry{sample.fields()};
    std::byte* next = memory + Entry::headBytes(sample.fields());
    for (std::size_t f = 0; f < sample.fields(); ++f) {
      TensorView view = sample[f];
      if (view.bytes > 0) std::memcpy(next, view.data, view.bytes);
      view.data = next;
      new (entry->views() + f) TensorView(view);
      next += roundedUp(view.bytes);
    }
    return entry;
  }

  const std::size_t m_limit;
  EntryTable m_table;
  Arena m_arena;
  std::atomic<bool> m_full{false};
  std::atomic<std::uint64_t> m_entries{0};
  SpreadCounter m_hits;
  SpreadCounter m_misses;
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  return text.needs("memory_cache")
      .option("CACHE_BYTES", std::to_string(p.limit), "for all workers together")
      .limit(
          "Each worker process has a separate memory cache, with an equal part of CACHE_BYTES; "
          "what "
          "one has decoded, another decodes again. Millrace's threads share one.")
      .step("MemoryCache(dataset, transform)");
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params&, const ExportContext& context) {
  ExportText text;
  return text.limit(context.node +
                    ": nothing is kept in memory, every epoch reads and decodes its files again.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("memory_cache", Category::Cache, NodeRole::Cache);
  d.label("Memory cache")
      .help(
          "Keeps samples in memory in the state they have here, encoded or decoded, so that from "
          "the second epoch on no upstream node needs to run for them. At its limit it stops "
          "storing; what it has stored stays.");
  d.example(R"({"limit": 4294967296})");
  d.tags({"cache", "ram", "memory"});
  d.integer("limit", &Params::limit)
      .label("Limit")
      .range(1 << 20, 1e15)
      .unit("bytes")
      .help("Memory limit.");
  d.infer(infer);
  d.cache([](const Params& params, const BuildContext&) -> Result<std::shared_ptr<SampleCache>> {
    return std::shared_ptr<SampleCache>(std::make_shared<MemoryCache>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  return d.take();
}

}  // namespace millrace::nodes::memory_cache
