// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/growing_listing.h"

#include <memory>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A file with `samples` samples, whose search fails once `found` reaches `failsAt`.
struct Part {
  std::size_t samples = 0;
  std::size_t failsAt = SIZE_MAX;
  std::size_t found = 0;
  std::shared_ptr<int> finished = std::make_shared<int>(0);

  Status advance(std::size_t most) {
    const std::size_t end = std::min(samples, most > samples - found ? samples : found + most);
    found = std::min(end, failsAt);
    if (found == failsAt) return Error{"damaged"};
    return {};
  }
  bool done() const { return found == samples; }
  std::size_t size() const { return found; }
  std::vector<std::string> finish() {
    ++*finished;
    return {"finished"};
  }
};

using Listing = GrowingListing<Part>;

/// Opens the parts in order and counts how many were opened.
struct Parts {
  explicit Parts(std::vector<Part> all) : parts(std::move(all)) {}
  Listing listing() {
    return Listing(parts.size(), [this](std::size_t file) {
      ++opened;
      return parts[file];
    });
  }
  std::vector<Part> parts;
  std::size_t opened = 0;
};

std::pair<std::size_t, std::uint32_t> placeOf(const Listing& listing, std::uint32_t index) {
  return listing.at(index, [](const Part&, std::size_t file, std::uint32_t within) {
    return std::pair(file, within);
  });
}

}  // namespace

class TestGrowingListing : public QObject {
  Q_OBJECT
 private slots:
  void filesAreOpenedOnlyAsFarAsIsAskedFor() {
    Parts parts(std::vector<Part>{{10}, {10}, {10}});
    const Listing listing = parts.listing();
    QCOMPARE(listing.size(), 0U);
    QCOMPARE(parts.opened, std::size_t{0});
    QCOMPARE(listing.atLeast(4), 4U);
    QCOMPARE(parts.opened, std::size_t{1});
    QCOMPARE(listing.atLeast(12), 12U);
    QCOMPARE(parts.opened, std::size_t{2});
    QVERIFY(!listing.complete());
    QCOMPARE(listing.atLeast(5), 12U);
    QCOMPARE(listing.whole(), 30U);
    QVERIFY(listing.complete());
    QCOMPARE(parts.opened, std::size_t{3});
  }

  void samplesAreNumberedThroughAllFilesAndEmptyOnesHaveNone() {
    Parts parts(std::vector<Part>{{0}, {2}, {0}, {3}, {0}});
    const Listing listing = parts.listing();
    // The same before all are found, and after.
    listing.extend(4);
    QCOMPARE(placeOf(listing, 3), std::pair(std::size_t{3}, 1U));
    QCOMPARE(listing.whole(), 5U);
    const std::vector<std::pair<std::size_t, std::uint32_t>> wanted = {
        {1, 0}, {1, 1}, {3, 0}, {3, 1}, {3, 2}};
    for (std::uint32_t i = 0; i < 5; ++i) QCOMPARE(placeOf(listing, i), wanted[i]);
  }

  void aDamagedFileKeepsWhatWasFoundAndTheNextIsSearched() {
    Parts parts(std::vector<Part>{{10, 3}, {2}});
    const Listing listing = parts.listing();
    QCOMPARE(listing.whole(), 5U);
    QCOMPARE(placeOf(listing, 2), std::pair(std::size_t{0}, 2U));
    QCOMPARE(placeOf(listing, 3), std::pair(std::size_t{1}, 0U));
    using Note = std::pair<std::size_t, std::string>;
    QCOMPARE(listing.notes(),
             (std::vector<Note>{{0, "damaged"}, {0, "finished"}, {1, "finished"}}));
  }

  void everyFileIsFinishedOnce() {
    Parts parts(std::vector<Part>{{3}, {0}, {4}});
    const Listing listing = parts.listing();
    for (std::uint32_t count = 1; count < 20; ++count) listing.extend(count);
    QVERIFY(listing.complete());
    for (const Part& part : parts.parts) QCOMPARE(*part.finished, 1);
  }

  void theFirstListingFindsASmallSetAltogether() {
    Parts parts(std::vector<Part>{{5000}, {5000}});
    const Listing listing = parts.listing();
    listing.begin();
    QVERIFY(listing.complete());
    QCOMPARE(listing.size(), 10000U);
  }

  void theFirstListingEndsAtTheMostSamples() {
    Parts parts(std::vector<Part>{{kMostListedAtOnce * std::size_t{3}}});
    const Listing listing = parts.listing();
    listing.begin();
    QVERIFY(!listing.complete());
    QVERIFY(listing.size() <= kMostListedAtOnce + 4096);
  }

  void noFilesAreNoSamples() {
    Parts parts{std::vector<Part>()};
    const Listing listing = parts.listing();
    QCOMPARE(listing.whole(), 0U);
    QVERIFY(listing.complete());
  }
};

}  // namespace millrace

using millrace::TestGrowingListing;
MILLRACE_TEST_CASE(TestGrowingListing)
#include "tst_growing_listing.moc"
