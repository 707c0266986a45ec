// Annotations on pods, and some on nodes. Those of pods, but for the assignment, are the user's
// wishes; they hold for every container of the pod that asks for cards.
#pragma once

namespace warpshare::abi {

inline constexpr char kAnnotationComputePolicy[] =
    "warpshare.io/compute-policy";  // hard, soft, weighted or priority
inline constexpr char kAnnotationComputeWeight[] = "warpshare.io/compute-weight";  // 1..16
inline constexpr char kAnnotationPriority[] = "warpshare.io/priority";             // high or low

// Other memory and cores than the spec says, to be changed while the pod runs
// (policy/request/resize.h).
inline constexpr char kAnnotationResize[] = "warpshare.io/resize";

// Lists between commas. A model is named by whole words of its name ("A100", "A100-SXM4"), a card
// by its uuid.
inline constexpr char kAnnotationUseModel[] = "warpshare.io/use-gpu-model";
inline constexpr char kAnnotationAvoidModel[] = "warpshare.io/avoid-gpu-model";
inline constexpr char kAnnotationUseUuid[] = "warpshare.io/use-gpu-uuid";
inline constexpr char kAnnotationAvoidUuid[] = "warpshare.io/avoid-gpu-uuid";

// fit, binpack, spread or topology.
inline constexpr char kAnnotationNodePolicy[] = "warpshare.io/node-policy";
inline constexpr char kAnnotationCardPolicy[] = "warpshare.io/card-policy";

// What the pod was given: written by the scheduler with the Binding, read by the node
// (policy/request/assignment.h).
inline constexpr char kAnnotationAssignment[] = "warpshare.io/assignment";

// On a node: its cards. Written by warpshare-node, read by the scheduler
// (policy/node_cards/node_cards.h).
inline constexpr char kAnnotationCards[] = "warpshare.io/cards";

// On a node: what processes of pods hold that the cluster has no more (node/device_plugin/
// lingering.h). Written by warpshare-node; where it stands, the scheduler waits for its word on
// pods that went without the kubelet's.
inline constexpr char kAnnotationLingering[] = "warpshare.io/lingering";

// On a node: cards that another device plugin gave to pods, as an assignment of whole cards
// (node/device_plugin/taken_cards.h). Written by warpshare-node; the scheduler gives them to
// nobody.
inline constexpr char kAnnotationTaken[] = "warpshare.io/taken";

// On a node, changed by the scheduler when a reservation there has come to nothing: kube-scheduler
// looks at pending pods again when something happens to a node. The value means nothing.
inline constexpr char kAnnotationFreed[] = "warpshare.io/freed";

}  // namespace warpshare::abi
