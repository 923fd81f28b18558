// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/launched_rank.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "core/base/environment_number.h"

namespace millrace {

namespace {

/// More processes than any machine runs.
constexpr std::int64_t kMostProcesses = 1'000'000;

/// The environment variables of a launcher. Another launcher is another row.
struct Launcher {
  const char* name;
  const char* rank;
  const char* world;
  const char* local;
  const char* localWorld;  ///< a number, or Slurm's list for all machines: "4(x2),3"
  /// Together they name the start. If none is set, the process that started this one does.
  std::array<const char*, 2> job;
};

constexpr Launcher kLaunchers[] = {
    {"torchrun",
     "RANK",
     "WORLD_SIZE",
     "LOCAL_RANK",
     "LOCAL_WORLD_SIZE",
     {"TORCHELASTIC_RUN_ID", "MASTER_PORT"}},
    {"Open MPI",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}},
    // Not SLURM_NTASKS, which a batch script has too, although it is one process.
    {"Slurm",
     "SLURM_PROCID",
     "SLURM_STEP_NUM_TASKS",
     "SLURM_LOCALID",
     "SLURM_STEP_TASKS_PER_NODE",
     {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {nullptr, nullptr}},
};

std::string_view valueOf(const char* variable) {
  const char* const value = variable == nullptr ? nullptr : std::getenv(variable);
  return value == nullptr ? std::string_view() : value;
}

std::string jobOf(const Launcher& launcher) {
  std::string job;
  for (const char* variable : launcher.job)
    if (const std::string_view value = valueOf(variable); !value.empty())
      job += fmt::format("{}{}", job.empty() ? "" : ".", value);
  return job.empty() ? std::to_string(::getppid()) : job;
}

/// The first name in Slurm's list of machines: "gpu[03-07,12],login" gives "gpu03".
std::string firstOf(std::string_view machines) {
  const std::size_t end = machines.find_first_of(",[");
  std::string first(machines.substr(0, end));
  if (end == std::string_view::npos || machines[end] != '[') return first;
  const std::string_view numbers = machines.substr(end + 1);
  return first.append(numbers.substr(0, numbers.find_first_of("-,]")));
}

}  // namespace

Result<std::optional<LaunchedRank>> launchedRank() {
  const auto* const launcher = std::ranges::find_if(kLaunchers, [](const Launcher& each) {
    return !valueOf(each.rank).empty() && !valueOf(each.world).empty();
  });
  if (launcher == std::end(kLaunchers)) return std::optional<LaunchedRank>();
  LaunchedRank rank;
  rank.launcher = launcher->name;
  MILLRACE_ASSIGN_OR_RETURN(rank.world, environmentNumber(launcher->world, 1, kMostProcesses));
  MILLRACE_ASSIGN_OR_RETURN(rank.number, environmentNumber(launcher->rank, 0, kMostProcesses - 1));
  if (rank.number >= rank.world)
    return Error{fmt::format("{}={} must be less than {}={}", launcher->rank, rank.number,
                             launcher->world, rank.world)};
  if (rank.world == 1) return std::optional<LaunchedRank>();
  MILLRACE_ASSIGN_OR_RETURN(rank.local,
                            environmentNumber(launcher->local, 0, kMostProcesses - 1, rank.number));
  const std::string_view here = valueOf(launcher->localWorld);
  rank.oneMachine = here.empty() || here == std::to_string(rank.world);
  rank.job = jobOf(*launcher);
  rank.firstMachine = valueOf("MASTER_ADDR");
  if (rank.firstMachine.empty()) rank.firstMachine = firstOf(valueOf("SLURM_STEP_NODELIST"));
  return std::optional<LaunchedRank>(std::move(rank));
}

}  // namespace millrace
