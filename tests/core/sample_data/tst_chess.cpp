// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The numbers of moves are compared with published ones
// (https://www.chessprogramming.org/Perft_Results).
#include "core/sample_data/chess_board.h"
#include "core/sample_data/chess_records.h"
#include "tests/support/test_case.h"

namespace millrace::samples {
namespace {

/// The number of leaves of the tree of legal moves at this depth.
int leaves(const ChessBoard& board, int depth) {
  std::vector<Move> moves;
  board.legalMoves(moves);
  if (depth == 1) return static_cast<int>(moves.size());
  int count = 0;
  for (const Move& move : moves) {
    ChessBoard after = board;
    after.play(move);
    count += leaves(after, depth - 1);
  }
  return count;
}

bool bitOf(const ChessRecord& record, std::size_t place) {
  return (std::to_integer<unsigned>(record.d[place / 8]) >> (7 - place % 8) & 1U) != 0;
}

std::size_t squareBit(int rank, int file, int plane) {
  return static_cast<std::size_t>((rank * 8 + file) * 24 + plane);
}

}  // namespace

class TestChess : public QObject {
  Q_OBJECT
 private slots:
  void movesAreThoseOfTheLaws_data() {
    QTest::addColumn<QString>("fen");
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("count");
    const auto row = [](const char* name, const char* fen, int depth, int count) {
      QTest::newRow(name) << fen << depth << count;
    };
    row("the first", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8902);
    row("castling and pins", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        2, 2039);
    row("in passing", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812);
    row("promotion", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467);
    row("a promotion that takes", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2,
        1486);
  }
  void movesAreThoseOfTheLaws() {
    QFETCH(QString, fen);
    QFETCH(int, depth);
    QFETCH(int, count);
    QCOMPARE(leaves(ChessBoard(fen.toStdString()), depth), count);
  }

  void aRecordIsSeenFromTheSideToMove() {
    Draw draw({5, 0, 0, 0, 1});
    const std::vector<ChessRecord> records = playChess(draw, 2);
    // The initial position: the white rook is on a1, the black king on e8, nothing is attacked
    // beyond rank 3.
    const ChessRecord& first = records[0];
    QCOMPARE(first.d.size(), kChessRecordBytes);
    QVERIFY(bitOf(first, squareBit(0, 0, 3)));
    QVERIFY(!bitOf(first, squareBit(0, 0, 9)));
    QVERIFY(bitOf(first, squareBit(7, 4, 11)));
    QVERIFY(bitOf(first, squareBit(2, 1, 12)));  // the pawns on a2 and c2 attack b3
    QVERIFY(!bitOf(first, squareBit(3, 1, 12)));
    QCOMPARE(first.s, std::int64_t{0});
    for (std::size_t flag = 0; flag < 10; ++flag) QCOMPARE(bitOf(first, 1536 + flag), flag < 4);
    // Then black is to move, and its pieces are on the first two ranks.
    const ChessRecord& second = records[1];
    QVERIFY(bitOf(second, 1536 + 6));
    QVERIFY(bitOf(second, squareBit(0, 4, 5)));
    for (int file = 0; file < 8; ++file) QVERIFY(bitOf(second, squareBit(1, file, 0)));
  }

  void matesAreCountedToFromBothSides() {
    Draw draw({1, 0, 0, 0, 1});
    const std::vector<ChessRecord> records = playChess(draw, 4000);
    int wins = 0;
    int losses = 0;
    for (std::size_t i = 0; i + 1 < records.size(); ++i) {
      if (!bitOf(records[i], 1546)) continue;
      const std::int64_t score = records[i].s;
      (score > 0 ? wins : losses)++;
      QVERIFY(score != 0 && score >= -4 && score <= 4);
      // One half-move later the mate is equally near, seen from the other side.
      if (bitOf(records[i + 1], 1546) && score != 1)
        QCOMPARE(records[i + 1].s, score > 0 ? -(score - 1) : -score);
    }
    QVERIFY(wins > 20 && losses > 20);
  }
};

}  // namespace millrace::samples

using millrace::samples::TestChess;
MILLRACE_TEST_CASE(TestChess)
#include "tst_chess.moc"
