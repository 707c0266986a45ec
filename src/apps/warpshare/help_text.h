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
    "  warpshare inspect cards                           cards of a Kubernetes cluster, and pods\n"
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
    "  warpshare set train --memory none                 lift it: all that the card has\n"
    "  warpshare set train --cores 50 --policy soft\n"
    "  warpshare set train --policy none                 lift it: all the time it can get";

inline constexpr char kInspectSummary[] = "Show the cards of a Kubernetes cluster and who has them";
inline constexpr char kInspectExamples[] =
    "Figures are the scheduler's own: what was given away, not what is used. Nodes without cards\n"
    "are counted, not listed. -n shows the pods of one namespace only; sums count all.\n"
    "Examples:\n"
    "  warpshare inspect                                 each node's cards, and the sum\n"
    "  warpshare inspect cards --node node-1             each card, and the pods on it\n"
    "  warpshare inspect pods -n team-a                  the pods that ask for cards\n"
    "  warpshare inspect cards -o json | jq '.totals'\n"
    "  kubectl warpshare inspect --context test          the same as a plugin of kubectl";

inline constexpr char kExplainSummary[] = "Say why a pod of a Kubernetes cluster waits";
inline constexpr char kExplainExamples[] =
    "Asks the API server, not the scheduler, and judges by the scheduler's code: why each node "
    "does\n"
    "not do, what is missing on the nearest ones, which pods' end or which smaller request would\n"
    "help. Of a pod that is on a node: its cards and limits, and whether they are as they should "
    "be.\n"
    "Exit codes: 0 all is well, or its turn comes; 3 it waits and there is no room; 4 it is on a\n"
    "node and something is wrong there; 1 and 2 as ever.\n"
    "Examples:\n"
    "  warpshare explain train-0\n"
    "  warpshare explain train-0 -n team-a -o wide       with the names of all nodes\n"
    "  warpshare explain train-0 -o json | jq '.refusals'\n"
    "  kubectl warpshare explain train-0                 the same as a plugin of kubectl";

inline constexpr char kPluginSummary[] =
    "Cards of a Kubernetes cluster that pods share: who has what, and why a pod waits.";
inline constexpr char kPluginFooter[] =
    "Examples:\n"
    "  kubectl warpshare inspect\n"
    "  kubectl warpshare inspect cards --node node-1\n"
    "  kubectl warpshare explain train-0 -n team-a\n"
    "Each command has its own --help. It needs the ClusterRole warpshare-viewer.";

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
