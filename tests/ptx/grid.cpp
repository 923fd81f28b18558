// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/grid.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/order.h"

namespace millrace::ptx {

namespace {

/// How long a warp runs before the next one: long, but limited, because it may wait for the other
/// one or for a time.
constexpr int kInstructionsAtOnce = 4096;

/// Numbers of threads (race.h), for the whole device.
std::uint32_t nextNumber = 1;

std::uint32_t takeNumbers(std::uint32_t count) {
  const std::uint32_t first = nextNumber;
  nextNumber += count;
  return first;
}

std::string readableName(const std::string& name) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string text = status == 0 ? readable : name;
  std::free(readable);
  return text;
}

std::string placeText(const Place3& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

const char* kindText(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::Address: return "invalid address";
    case Fault::Kind::Misaligned: return "misaligned address";
    case Fault::Kind::Race: return "race";
    case Fault::Kind::Unwritten: return "uninitialised memory";
    case Fault::Kind::Barrier: return "barrier";
    case Fault::Kind::Instruction: return "instruction";
  }
  return "";
}

std::byte* alignedBytes(std::unique_ptr<std::byte[]>& hold, std::size_t bytes) {
  hold = std::make_unique_for_overwrite<std::byte[]>(bytes + 64);
  const auto at = reinterpret_cast<std::uintptr_t>(hold.get());
  return hold.get() + (64 - at % 64) % 64;
}

bool isOff(const char* name) {
  const char* const set = std::getenv(name);
  return set != nullptr && std::string_view(set) == "0";
}

}  // namespace

GridRunner::GridRunner(const Program& program, const Module& module)
    : m_program(program), m_module(module), m_checksRaces(!isOff("MILLRACE_PTX_RACECHECK")) {
  m_block.program = &program;
  m_block.checksUnwritten = !isOff("MILLRACE_PTX_INITCHECK");
}
GridRunner::~GridRunner() = default;

void GridRunner::prepare(const Launch& launch) {
  const auto threads = static_cast<std::uint32_t>(launch.block.product());
  const std::size_t warps = (threads + kLanes - 1) / kLanes;
  if (warps > m_room) {
    std::byte* const registers = alignedBytes(m_registers, warps * m_program.registerBytes);
    std::byte* const local = alignedBytes(m_local, warps * kLanes * m_program.localBytes);
    m_warps.assign(warps, Warp{});
    m_room = warps;
    for (std::size_t w = 0; w < warps; ++w) {
      Warp& warp = m_warps[w];
      warp.block = &m_block;
      warp.registers = registers + w * m_program.registerBytes;
      warp.local = local + w * kLanes * m_program.localBytes;
      for (const Program::Constant& constant : m_program.constants) {
        const std::size_t each = constant.bytes == 0 ? sizeof(std::uint32_t) : constant.bytes;
        for (int lane = 0; lane < (constant.bytes == 0 ? 1 : kLanes); ++lane)
          std::memcpy(warp.registers + constant.at + static_cast<std::size_t>(lane) * each,
                      &constant.value, each);
      }
    }
  }
  m_warps.resize(warps);
  m_room = warps;
  for (std::uint32_t w = 0; w < warps; ++w) {
    Warp& warp = m_warps[w];
    warp.number = w;
    warp.started = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t thread = w * kLanes + lane;
      if (thread < threads) warp.started |= 1U << lane;
      warp.place[0][lane] = thread % launch.block.x;
      warp.place[1][lane] = thread / launch.block.x % launch.block.y;
      warp.place[2][lane] = thread / launch.block.x / launch.block.y;
    }
  }
  m_block.checksRaces = m_checksRaces;
  m_block.operation = runningWork().operation;
  m_block.grid = launch.grid;
  m_block.size = launch.block;
  m_block.parameters = launch.parameters;
  const std::size_t shared = m_program.sharedBytes + launch.sharedBytes;
  m_block.shared.assign(shared, std::byte{0xa5});
  m_block.sharedWriters.assign(shared, 0);
  m_block.sharedReaders.assign(shared, 0);
  if (nextNumber > kLastNumber / 2) {
    DeviceMemory::instance().forgetWritersAndReaders();
    nextNumber = 1;
  }
  m_block.epoch.launch = takeNumbers(1);
}

std::optional<Finding> GridRunner::run(const Launch& launch) {
  prepare(launch);
  try {
    for (std::uint32_t z = 0; z < launch.grid.z; ++z)
      for (std::uint32_t y = 0; y < launch.grid.y; ++y)
        for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
          m_block.index = {x, y, z};
          startBlock();
          runBlock();
        }
  } catch (const Fault& fault) {
    return explain(fault);
  }
  return std::nullopt;
}

void GridRunner::startBlock() {
  if (nextNumber > kLastNumber)
    m_block.checksRaces = false;  // There are more threads than
                                  // numbers.
  m_block.epoch.block = takeNumbers(1);
  startEpoch();
  for (Warp& warp : m_warps) {
    warp.alive = warp.started;
    warp.fragments.assign(1, {0, warp.started, false});
  }
}

void GridRunner::startEpoch() {
  const auto lanes = static_cast<std::uint32_t>(m_warps.size() * kLanes);
  m_block.epoch.epoch = takeNumbers(lanes + 1);
  for (Warp& warp : m_warps) warp.threads = m_block.epoch.epoch + 1 + warp.number * kLanes;
}

void GridRunner::runBlock() {
  for (;;) {
    bool moved = false;
    bool alive = false;
    for (Warp& warp : m_warps) {
      moved = runWarp(warp) || moved;
      alive = alive || warp.alive != 0;
    }
    if (!alive) return;
    if (!moved) releaseBarrier();
  }
}

bool GridRunner::runWarp(Warp& warp) {
  bool moved = false;
  m_running = &warp;
  const std::uint64_t until = warp.executed + kInstructionsAtOnce;
  while (warp.executed < until) {
    std::size_t next = warp.fragments.size();
    for (std::size_t f = 0; f < warp.fragments.size(); ++f)
      if (!warp.fragments[f].waits &&
          (next == warp.fragments.size() || warp.fragments[f].at < warp.fragments[next].at))
        next = f;
    if (next == warp.fragments.size()) break;
    moved = true;
    runFragment(warp, next);
  }
  return moved;
}

void GridRunner::runFragment(Warp& warp, std::size_t index) {
  Fragment fragment = warp.fragments[index];
  warp.fragments.erase(warp.fragments.begin() + static_cast<std::ptrdiff_t>(index));
  // The lanes that are furthest behind run until they reach others, which then continue together.
  std::uint32_t stop = UINT32_MAX;
  for (const Fragment& other : warp.fragments)
    if (other.at > fragment.at || !other.waits) stop = std::min(stop, other.at);
  const Instruction* const code = m_program.code.data();
  const std::uint64_t until = warp.executed + kInstructionsAtOnce;
  bool goesOn = true;
  while (goesOn) {
    const Instruction& i = code[fragment.at];
    std::uint32_t lanes = fragment.lanes;
    if (i.guarded) lanes &= i.guardNot ? ~warp.predicate(i.guard) : warp.predicate(i.guard);
    ++warp.executed;
    if (i.step == Step::Plain) {
      warp.active = lanes;
      warp.at = fragment.at++;
      if (lanes != 0) i.run(warp, i);
    } else {
      goesOn = special(warp, fragment, i, lanes);
    }
    goesOn = goesOn && fragment.at < stop && warp.executed < until;
  }
  if (fragment.lanes == 0) return;
  for (Fragment& other : warp.fragments)
    if (other.at == fragment.at) {
      other.lanes |= fragment.lanes;
      other.waits = false;
      return;
    }
  warp.fragments.push_back(fragment);
}

bool GridRunner::special(Warp& warp, Fragment& fragment, const Instruction& i,
                         std::uint32_t lanes) {
  warp.active = lanes;
  warp.at = fragment.at;
  if (lanes == 0) {
    ++fragment.at;
    return true;
  }
  if (i.step == Step::Jump) return jump(warp, fragment, i, lanes);
  if (i.step == Step::Exit) {
    warp.alive &= ~lanes;
    fragment.lanes &= ~lanes;
    ++fragment.at;
    return fragment.lanes != 0;
  }
  if (lanes != fragment.lanes) {  // the others skip it
    warp.fragments.push_back({fragment.at + 1, fragment.lanes & ~lanes, false});
    fragment.lanes = lanes;
    return false;
  }
  if (i.step == Step::WarpSync) return synchronise(warp, fragment, i);
  fragment.waits = true;
  return false;
}

bool GridRunner::jump(Warp& warp, Fragment& fragment, const Instruction& i, std::uint32_t lanes) {
  if (lanes == fragment.lanes) {
    fragment.at = i.target;
    return true;
  }
  warp.fragments.push_back({fragment.at + 1, fragment.lanes & ~lanes, false});
  fragment.lanes = lanes;
  fragment.at = i.target;
  return false;
}

bool GridRunner::synchronise(Warp& warp, Fragment& fragment, const Instruction& i) {
  const auto* const masks = warp.lanes<std::uint32_t>(i.c);
  const std::uint32_t wanted = masks[std::countr_zero(fragment.lanes)];
  warp.eachInOrder([&](int lane) {
    if (masks[lane] != wanted || (wanted >> static_cast<unsigned>(lane) & 1U) == 0)
      throw Fault(Fault::Kind::Barrier, lane, "the lanes name different masks");
  });
  if ((wanted & ~warp.alive) != 0)
    throw Fault(Fault::Kind::Barrier, std::countr_zero(fragment.lanes),
                "waits for lanes that have ended");
  if ((wanted & ~fragment.lanes) != 0) {
    fragment.waits = true;
    return false;
  }
  i.run(warp, i);
  ++fragment.at;
  return true;
}

void GridRunner::barrierFault(Warp& warp, const Fragment& fragment, const std::string& why) {
  m_running = &warp;
  warp.at = fragment.at;
  throw Fault(Fault::Kind::Barrier, std::countr_zero(fragment.lanes), why);
}

void GridRunner::releaseBarrier() {
  Fragment first;
  Warp* owner = nullptr;
  for (Warp& warp : m_warps)
    for (const Fragment& fragment : warp.fragments) {
      if (m_program.code[fragment.at].step == Step::WarpSync)
        barrierFault(warp, fragment, "waits for lanes of its warp that never come");
      if (owner == nullptr) {
        owner = &warp;
        first = fragment;
      } else if (fragment.at != first.at) {
        barrierFault(warp, fragment, "other threads of the block wait at another barrier");
      }
    }
  for (const Warp& warp : m_warps)
    if (warp.alive != warp.started)
      barrierFault(*owner, first, "other threads of the block have ended without coming here");
  for (Warp& warp : m_warps)
    for (Fragment& fragment : warp.fragments) {
      ++fragment.at;
      fragment.waits = false;
    }
  startEpoch();
}

Finding GridRunner::explain(const Fault& fault) const {
  const Warp& warp = *m_running;
  const auto lane = static_cast<std::size_t>(fault.lane);
  const Instruction& i = m_program.code[warp.at];
  const Place3 thread = {warp.place[0][lane], warp.place[1][lane], warp.place[2][lane]};
  return {
      fault.kind,
      fmt::format("PTX device: {}: {}\n  in {}\n  block {} thread {}, PTX line {}: {}\n",
                  kindText(fault.kind), fault.what(), readableName(m_program.name),
                  placeText(m_block.index), placeText(thread), i.line, m_module.lineText(i.line))};
}

}  // namespace millrace::ptx
