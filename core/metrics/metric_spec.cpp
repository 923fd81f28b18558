// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/metric_spec.h"

#include <algorithm>
#include <array>

namespace millrace {

namespace {

using enum MetricScope;
using enum BetterWhen;

constexpr std::array kRunSpecs = {
    MetricSpec{"samples_per_second", Run, "Samples per second", "samples/s", Higher,
               "Samples that reached the consumer over the measured seconds, without warm-up; the "
               "mean of the repeats.",
               "The speed of the loader. Two runs differ only when the interval or a comparison "
               "says so; a few percent are noise."},
    MetricSpec{"batches_per_second", Run, "Batches per second", "batches/s", Higher,
               "Batches that reached the consumer over the measured seconds.",
               "Compare it with the steps per second that the training needs."},
    MetricSpec{"lockstep_samples_per_second", Run, "Rate in step", "samples/s", Higher,
               "Of a run of several ranks: their number times the rate of the slowest. Absent for "
               "one process.",
               "What training can use that waits for every rank at each step. Far below samples "
               "per second: one rank holds the others up."},
    MetricSpec{"input_bytes_per_second", Run, "Input rate", "B/s", Higher,
               "Bytes that the source read, still encoded, over the measured seconds.",
               "Near what the disk or network gives, reading is the limit; far below it, "
               "something behind the source is."},
    MetricSpec{"cpu_seconds_per_1000_samples", Run, "CPU time per 1 000 samples", "s", Lower,
               "CPU time of the whole process in the measured span, for each thousand samples.",
               "What a sample costs, whatever the number of workers. It rises when threads "
               "disturb each other."},
    MetricSpec{"peak_rss_bytes", Run, "Peak memory", "B", Lower,
               "The most memory that the process held resident (VmHWM).",
               "Near the machine's or the container's limit the run may be killed: use fewer "
               "workers, a shorter prefetch or a smaller cache."},
    MetricSpec{"step_share", Run, "Step busy", "share", Higher,
               "Time in the consumer's step over the total time; MLPerf calls it accelerator "
               "utilisation. Absent for a drain.",
               "At 0.95 and above the loader keeps the accelerator fed; below, the accelerator "
               "waits for data for the rest."},
    MetricSpec{"step_over_nominal", Run, "Step against nominal", "ratio", Lower,
               "The measured time of an emulated step over the time asked for.",
               "1 is right. Above 1.05 the machine was too busy to keep the step's time."},
    MetricSpec{"training_steps", Run, "Training steps", "", Neither,
               "Steps that the training took in the measured span.",
               "Few steps say little about the time of one."},
    MetricSpec{"training_forward_ms", Run, "Forward", "ms", Lower,
               "Time of a training step's forward pass, on average, by the device's clock.",
               "With the backward pass and the update, what the loader has to keep up with."},
    MetricSpec{"training_backward_ms", Run, "Backward", "ms", Lower,
               "Time of a training step's backward pass, on average, by the device's clock.",
               "About twice the forward pass, as there are two gradients for each product."},
    MetricSpec{"training_update_ms", Run, "Update", "ms", Lower,
               "Time that the optimiser took a step, on average, and the averaging of gradients "
               "over ranks, by the device's clock.",
               "High with several ranks: they wait for the slowest, or for the network between."},
    MetricSpec{"training_skipped_updates", Run, "Skipped updates", "", Lower,
               "Steps whose gradients were not finite, so that nothing was updated.",
               "A few while the loss scale finds its place are usual; many mean that f16 does not "
               "carry this training: use bf16 or f32."},
    MetricSpec{"training_first_loss", Run, "First loss", "", Neither, "Loss of the first step.",
               "Near the logarithm of the number of classes."},
    MetricSpec{"training_loss", Run, "Loss", "", Lower,
               "Loss at the end of the run, over some ten steps.",
               "Below the first loss: the network learns from what the loader gives it."},
    MetricSpec{"training_loss_scale", Run, "Loss scale", "", Neither,
               "What the loss is multiplied by, so that gradients fit into 16 bits; at the end.",
               "Near 1 in f16 gradients are too large for it: use bf16 or f32."},
    MetricSpec{"wait_p95_ms", Run, "Wait for a batch", "ms", Lower,
               "Time that the consumer waited for a batch: 19 of 20 waits were at most this long.",
               "Near 0 batches stand ready. High with a fast loader: a few slow samples hold "
               "batches back."},
    MetricSpec{"read_latency_ms", Run, "Time of a read", "ms", Lower,
               "Time that a sample's read from the file system took, on average.",
               "High: a cold or remote disk. More workers read more at once."},
    MetricSpec{"major_faults", Run, "Major faults", "", Lower,
               "Memory accesses of the process that had to wait for storage.",
               "Above 0: mapped files are cold, or memory is short."},
    MetricSpec{"other_busy_share", Run, "Other programs", "share", Lower,
               "Busy time of the cores less this process's own, over the time of all cores.",
               "Above 0.03 the figures of this run are disturbed: measure again on a quiet "
               "machine."},
    MetricSpec{"steal_share", Run, "Stolen by the host", "share", Lower,
               "Time that a virtual machine's host gave to others.",
               "Above 0.01 the host is shared and figures vary."},
    MetricSpec{"core_speed_change", Run, "Change of a core's speed", "share", Lower,
               "How much slower a core computed before a repeat or after it, whichever was slower.",
               "Above 0.05 the figures are disturbed: heat, power, turbo or other guests change "
               "what a core does."},
    MetricSpec{
        "core_exchange_change", Run, "Slower between cores", "share", Lower,
        "How much longer than usual a line of memory took from one core to another and back, "
        "before a repeat or after it, whichever was longer: 0.5 is twice as long.",
        "Above 0.65 the figures are disturbed: a virtual machine's host has put its cores "
        "far apart."},
    MetricSpec{"throttles", Run, "Slowed for heat", "", Lower,
               "How often the processor slowed its cores down for their heat.",
               "Above 0 the figures are disturbed: let the machine cool down."},
    MetricSpec{"other_disk_share", Run, "Other programs' disk traffic", "share", Lower,
               "Bytes that other programs read and wrote, of all that went to and from the disks, "
               "while this process read from storage.",
               "Above 0.2 the figures are disturbed: somebody else uses the disk."},
    MetricSpec{"page_cache_change", Run, "Change of the page cache", "share", Lower,
               "How much more or less of the data the page cache held after a repeat than before "
               "it. Looked at where pipelines are measured together.",
               "Above 0.1 the figures are disturbed: a part of the data was cold, the rest not."},
    MetricSpec{"samples", Run, "Samples", "", Neither,
               "Samples that reached the consumer in the measured spans of all repeats.",
               "Few samples make a rate uncertain."},
    MetricSpec{"batches", Run, "Batches", "", Neither,
               "Batches that reached the consumer in the measured spans of all repeats.",
               "Few batches make a rate uncertain."},
    MetricSpec{"seconds", Run, "Measured time", "s", Neither,
               "Length of the measured spans of all repeats, without warm-up.",
               "Short spans make a rate uncertain."},
    MetricSpec{"head_of_line_wait_share", Run, "Waiting for one sample", "share", Lower,
               "Share of time in which finished batches stood behind an unfinished earlier one.",
               "High: order is dear here; ready-first batches would not wait."},
    MetricSpec{"slot_wait_share", Run, "Waiting for a free slot", "share", Lower,
               "Share of the workers' time spent waiting for a free batch slot.",
               "High: the consumer is the limit, the workers are ahead of it."},
    MetricSpec{"failed_samples", Run, "Failed samples", "", Lower,
               "Samples that could not be read or decoded, and were skipped: of a run each one "
               "once, its warm-ups included; of a repeat those of its measured span.",
               "Each is named with its reason. Over the limit of the run it stops."},
    MetricSpec{"failed_busy_seconds", Run, "Time lost on failed samples", "s", Lower,
               "Busy time spent on samples that failed later on.",
               "High: remove the broken files from the data."},
};

constexpr std::array kNodeSpecs = {
    MetricSpec{"node.items", Node, "Items", "", Neither,
               "Samples, or batches behind a batch node, that the node handed on. Exact.",
               "Nodes of one chain differ only by what was in flight, repeated or failed."},
    MetricSpec{"node.bytes_in", Node, "Bytes in", "B", Neither, "Bytes that the node received.",
               "With bytes out it says whether a node swells the data: a decoder often does so "
               "tenfold."},
    MetricSpec{"node.bytes_out", Node, "Bytes out", "B", Neither, "Bytes that the node handed on.",
               "What a cache at this point would hold."},
    MetricSpec{"node.busy_seconds", Node, "Busy", "s", Lower,
               "Time inside the node on all threads, from one item in N scaled up.",
               "The node with the most is where a faster way pays. Waiting for the disk counts."},
    MetricSpec{"node.cpu_seconds", Node, "CPU time", "s", Lower,
               "CPU time of the threads that the node ran on, by its part of their busy time.",
               "Far under busy: the node waits, for a disk, a lock or a core."},
    MetricSpec{"node.mean_ms", Node, "Mean time", "ms", Lower, "Busy time per item.",
               "Times items per second it gives the cores that the node needs."},
};

constexpr std::array kQueueSpecs = {
    MetricSpec{"queue.capacity", Queue, "Capacity", "", Neither, "Items that the queue can hold.",
               "A longer queue evens out slow items and costs a slot of memory for each batch."},
    MetricSpec{"queue.mean_fill", Queue, "Mean fill", "", Neither,
               "Items in the queue, averaged over time.",
               "Near the capacity the side behind is the limit, near 0 the side in front."},
    MetricSpec{"queue.empty_share", Queue, "Empty", "share", Neither,
               "Share of time in which there was nothing to take: the queue was empty, or its next "
               "item in order was not finished.",
               "Above 0.8 whoever fills the queue is too slow."},
    MetricSpec{"queue.full_share", Queue, "Full", "share", Neither,
               "Share of time in which the queue was full.",
               "Above 0.8 whoever empties the queue is the limit: the loader keeps up."},
};

constexpr std::array kStageSpecs = {
    MetricSpec{"stage.cpu_share", Stage, "Thread on a core", "share", Neither,
               "CPU time of the stage's thread over wall time.",
               "1 is a whole core. Low with a busy node means waiting for a disk or a lock."},
    MetricSpec{"stage.run_delay_share", Stage, "Waiting for a core", "share", Lower,
               "Share of time in which the thread could run and got no core (schedstat).",
               "High: more threads than cores, or other programs take them."},
    MetricSpec{"stage.outside_nodes_share", Stage, "Outside nodes", "share", Lower,
               "Share of the worker's time outside any node: scheduling, waiting, assembling.",
               "High with tiny samples: work on whole batches."},
};

constexpr std::array kMachineSpecs = {
    MetricSpec{"machine.core_busy_share", Machine, "Cores busy", "share", Neither,
               "Share of time in which cores ran anything, each core and their mean (/proc/stat).",
               "Near 1 with idle GPU: the CPU is the limit."},
    MetricSpec{"machine.other_busy_share", Machine, "Other programs", "share", Lower,
               "Busy time of the cores less this process's own, over the time of all cores.",
               "Above 0.03 the figures of this run are disturbed: measure again on a quiet "
               "machine."},
    MetricSpec{"machine.steal_share", Machine, "Stolen by the host", "share", Lower,
               "Time that a virtual machine's host gave to others.",
               "Above 0.01 the host is shared and figures vary."},
    MetricSpec{"machine.iowait_share", Machine, "Idle, disk pending", "share", Lower,
               "Time in which a core was idle while a read was pending.",
               "High: reading is the limit; more read-ahead or a faster disk helps."},
    MetricSpec{"process.cpu_share", Machine, "Cores used", "cores", Neither,
               "CPU time of the process over wall time.",
               "Under the number of workers: they wait for something."},
    MetricSpec{"process.rss_bytes", Machine, "Memory", "B", Lower,
               "Memory that the process holds resident (VmRSS).",
               "Growing without end: a cache without a limit."},
    MetricSpec{"process.read_bytes_per_second", Machine, "Disk reads", "B/s", Neither,
               "Bytes that had to come from storage for this process (/proc/self/io).",
               "0 with input flowing: everything comes from the page cache, and a larger set or a "
               "fresh machine will be slower."},
    MetricSpec{"process.read_call_bytes_per_second", Machine, "Bytes read", "B/s", Neither,
               "Bytes that the process asked to read, from the page cache or storage.",
               "With disk reads it gives the page cache's share."},
    MetricSpec{"process.major_faults", Machine, "Major faults", "", Lower,
               "Memory accesses that had to wait for storage.",
               "Rising: mapped files are cold, or memory is short."},
    MetricSpec{"process.involuntary_switches", Machine, "Threads displaced", "", Lower,
               "Times that a thread was taken off its core although it could go on.",
               "High: more threads than cores."},
};

constexpr std::array kAcceleratorSpecs = {
    MetricSpec{"accelerator.utilisation", Accelerator, "GPU busy", "share", Higher,
               "Share of time in which a kernel ran on the GPU. Absent without a GPU.",
               "It says that something ran, not that the GPU was full. Near 0 in training: the "
               "loader starves it."},
    MetricSpec{"accelerator.memory_utilisation", Accelerator, "GPU memory busy", "share", Neither,
               "Share of time in which GPU memory was read or written. Absent without a GPU.",
               "High: the device work is limited by memory."},
    MetricSpec{"accelerator.memory_used_bytes", Accelerator, "GPU memory used", "B", Lower,
               "The most GPU memory that all processes held together, and the driver's own.",
               "Near the GPU's memory the next batch may find no room: smaller or fewer slots."},
    MetricSpec{"accelerator.memory_total_bytes", Accelerator, "GPU memory", "B", Neither,
               "Memory of the GPU, or of the instance where it is in Multi-Instance mode.",
               "What slots, network and activations have to share."},
    MetricSpec{"accelerator.power_watts", Accelerator, "GPU power", "W", Neither,
               "Power that the whole card drew.",
               "Far under its limit with a busy GPU: short kernels, or waiting for memory."},
    MetricSpec{"accelerator.power_limit_watts", Accelerator, "GPU power limit", "W", Neither,
               "Power at which the driver slows the clocks down.",
               "A lower limit than another machine's makes the same GPU slower."},
    MetricSpec{"accelerator.sm_clock_mhz", Accelerator, "GPU clock", "MHz", Neither,
               "Clock of the multiprocessors.",
               "It falls when the GPU idles, is too hot or reaches its power limit."},
    MetricSpec{"accelerator.memory_clock_mhz", Accelerator, "GPU memory clock", "MHz", Neither,
               "Clock of the GPU's memory.", "It falls when the GPU idles."},
    MetricSpec{"accelerator.throttled_share", Accelerator, "GPU throttled", "share", Lower,
               "Share of the samples in which power, heat or a fault held the clocks down.",
               "Above 0 the figures depend on cooling and power limit: compare with care."},
    MetricSpec{"accelerator.temperature_celsius", Accelerator, "GPU temperature", "°C", Lower,
               "The highest temperature of the GPU.",
               "Near 85 °C clocks begin to fall on most cards."},
    MetricSpec{"accelerator.pcie_rx_bytes_per_second", Accelerator, "Bus to the GPU", "B/s",
               Neither, "Bytes that the card received over its bus, of every process.",
               "Near what a pinned copy reaches, the transfer is the limit: send u8."},
    MetricSpec{"accelerator.pcie_tx_bytes_per_second", Accelerator, "Bus from the GPU", "B/s",
               Neither, "Bytes that the card sent over its bus, of every process.",
               "High: results are copied back that could stay on the device."},
    MetricSpec{"accelerator.decoder_utilisation", Accelerator, "GPU video decoder busy", "share",
               Neither, "Share of time in which the video decoder worked.",
               "Pictures do not use it: above 0, another program plays or decodes video."},
    MetricSpec{"accelerator.jpeg_utilisation", Accelerator, "GPU JPEG engine busy", "share",
               Neither, "Share of time in which the JPEG engine worked. Absent without one.",
               "Near 1 it is full: give the CPU more of the pictures."},
    MetricSpec{"accelerator.other_processes", Accelerator, "Others on the GPU", "", Lower,
               "The most other processes at once that used the GPU. Absent inside a container, "
               "where they cannot be seen.",
               "Above 0 the GPU is shared and figures vary."},
    MetricSpec{"accelerator.other_share", Accelerator, "Others' share of the GPU", "share", Lower,
               "Share of time in which kernels of other processes ran. Absent inside a container.",
               "Above 0.03 the repeat counts as disturbed: end what else uses the GPU."},
    MetricSpec{"accelerator.monitor_cpu_share", Accelerator, "Cost of watching the GPU", "cores",
               Lower, "CPU time of the thread that asks for the GPU's figures, over wall time.",
               "Above 0.005 of a core the driver is slow to answer, and the run pays for it."},
};

constexpr auto kAll = [] {
  std::array<MetricSpec, kRunSpecs.size() + kNodeSpecs.size() + kQueueSpecs.size() +
                             kStageSpecs.size() + kMachineSpecs.size() + kAcceleratorSpecs.size()>
      all{};
  auto at = std::copy(kRunSpecs.begin(), kRunSpecs.end(), all.begin());
  at = std::copy(kNodeSpecs.begin(), kNodeSpecs.end(), at);
  at = std::copy(kQueueSpecs.begin(), kQueueSpecs.end(), at);
  at = std::copy(kStageSpecs.begin(), kStageSpecs.end(), at);
  at = std::copy(kMachineSpecs.begin(), kMachineSpecs.end(), at);
  std::copy(kAcceleratorSpecs.begin(), kAcceleratorSpecs.end(), at);
  return all;
}();

}  // namespace

std::span<const MetricSpec> metricSpecs() { return kAll; }

const MetricSpec* findMetric(std::string_view id) {
  const auto found = std::ranges::find(kAll, id, &MetricSpec::id);
  return found == kAll.end() ? nullptr : &*found;
}

std::string_view nameOf(MetricScope scope) {
  switch (scope) {
    case Run: return "run";
    case Node: return "node";
    case Queue: return "queue";
    case Stage: return "stage";
    case Machine: return "machine";
    case Accelerator: return "accelerator";
  }
  return "";
}

}  // namespace millrace
