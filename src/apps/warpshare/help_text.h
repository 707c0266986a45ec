// The prose of --help.
#pragma once

namespace warpshare::app {

inline constexpr char kSummary[] =
    "warpshare: many programs on one GPU, each held to the memory and the GPU time it was given.";
inline constexpr char kFooter[] =
    "Examples:\n"
    "  warpshare run --memory 4GiB -- python train.py    a program with 4 GiB of each card\n"
    "  warpshare run --cores 30 -- python serve.py       a program with 30 % of each card's time\n"
    "  warpshare top                                     watch all tenants\n"
    "  warpshare set train --memory 6GiB                 give a running tenant more\n"
    "  warpshare doctor                                  what works here and what does not\n"
    "Each command has its own --help. Exit codes: 2 for words that make no sense, 1 for other\n"
    "failures; run gives that of its program.";

inline constexpr char kRunSummary[] = "Run a program as a tenant";
inline constexpr char kRunExamples[] =
    "Without --memory there is no limit, only a tenant to look at. Without --gpu it gets the "
    "cards\n"
    "that CUDA_VISIBLE_DEVICES shows, or all. GPU time is held back if any of its flags is given:\n"
    "  --cores 30                    hard: 30 % of the time, never more\n"
    "  --cores 30 --policy soft      30 % when it wants it, and of idle time its part by weight\n"
    "  --weight 4                    weighted: of what hard and soft leave, 4 parts\n"
    "  --priority high               before all others; low: when high ones leave gaps\n"
    "Examples:\n"
    "  warpshare run --memory 4GiB -- python train.py\n"
    "  warpshare run --gpu 1 --memory 50% --name train -- ./train --epochs 3\n"
    "  warpshare run --cores 12.5 --burst 50ms -- ./infer\n"
    "  warpshare run --priority high --latency-target 5ms --name serve -- ./server\n"
    "  warpshare run --name train -- ./evaluate          in the same tenant, under its limit\n"
    "  warpshare run --sim --memory 2GiB -- ./program    on a simulated GPU";

inline constexpr char kPsSummary[] = "List tenants and their processes";
inline constexpr char kPsExamples[] =
    "Examples:\n"
    "  warpshare ps\n"
    "  warpshare ps --json | jq '.tenants[].cards[] | .used_bytes, .compute.share_permille'";

inline constexpr char kTopSummary[] = "Watch tenants, cards and processes";
inline constexpr char kTopExamples[] =
    "q ends it. Where the output is no terminal it prints once. Shares of GPU time are shown "
    "where\n"
    "there are any: used and granted since the last picture, and how long launches waited.\n"
    "Examples:\n"
    "  warpshare top\n"
    "  warpshare top --once\n"
    "  warpshare top --json --interval 5 >> use.jsonl";

inline constexpr char kSetSummary[] = "Change the limits of a running tenant";
inline constexpr char kSetExamples[] =
    "What is not said stays as it is. A memory limit below what the tenant holds takes nothing\n"
    "away: it gets no more until it is below. GPU time counts from the next launch on.\n"
    "Examples:\n"
    "  warpshare set train --memory 6GiB\n"
    "  warpshare set train --memory 25% --gpu 1\n"
    "  warpshare set train --cores 50 --policy soft\n"
    "  warpshare set train --policy none                 lift it: all the time it can get";

inline constexpr char kDoctorSummary[] = "Check driver, libraries and permissions";
inline constexpr char kDoctorExamples[] =
    "Examples:\n"
    "  warpshare doctor\n"
    "  warpshare doctor --sim --json";

inline constexpr char kCompletionSummary[] = "Print a completion script for a shell";
inline constexpr char kCompletionExamples[] =
    "Examples:\n"
    "  source <(warpshare completion bash)\n"
    "  warpshare completion fish > ~/.config/fish/completions/warpshare.fish";

}  // namespace warpshare::app
