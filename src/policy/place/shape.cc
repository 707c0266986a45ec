#include "policy/place/shape.h"

#include <algorithm>

#include "policy/request/model_match.h"

namespace warpshare::place {

namespace {

CardNeed NeedOn(const request::ContainerRequest& container, uint64_t memory_total) {
  const uint64_t memory =
      container.whole ? memory_total : container.memory.On(Bytes(memory_total)).count();
  const auto bytes = static_cast<int64_t>(std::min<uint64_t>(memory, INT64_MAX));
  return {.memory = bytes,
          .cores = static_cast<int16_t>(container.whole ? kWholeCores : container.cores_percent),
          .whole = container.whole,
          .level = LevelUpOf(bytes, memory_total)};
}

ContainerShape MakeContainer(const request::ContainerRequest& container, const Kinds& kinds) {
  ContainerShape shape{.kind = container.kind, .cards = container.cards};
  for (uint16_t kind = 0; kind < kinds.count(); ++kind)
    shape.need_by_kind.push_back(NeedOn(container, kinds.MemoryOf(kind)));
  return shape;
}

bool Contains(const std::vector<GpuUuid>& sorted, const GpuUuid& uuid) {
  return std::binary_search(sorted.begin(), sorted.end(), uuid);
}

}  // namespace

Shape MakeShape(const request::Request& request, const Ledger& ledger) {
  const request::CardWishes& wishes = request.wishes;
  Shape shape{.any_model = wishes.use_models.empty() && wishes.avoid_models.empty(),
              .use_uuids = wishes.use_uuids,
              .avoid_uuids = wishes.avoid_uuids,
              .node_policy = wishes.node_policy,
              .card_policy = wishes.card_policy,
              .one_numa_node = wishes.one_numa_node,
              .host = request.host};
  for (uint32_t i = 0; i < request.containers.size(); ++i) {
    if (request.containers[i].cards == 0) continue;
    shape.containers.push_back(MakeContainer(request.containers[i], ledger.kinds()));
    shape.containers.back().container = i;
    shape.most_cards = std::max(shape.most_cards, request.containers[i].cards);
  }
  for (uint16_t model = 0; model < ledger.models().count(); ++model)
    shape.allowed_by_model.push_back(request::AllowsModel(wishes, ledger.models().Name(model)) ? 1
                                                                                               : 0);
  std::sort(shape.use_uuids.begin(), shape.use_uuids.end());
  std::sort(shape.avoid_uuids.begin(), shape.avoid_uuids.end());
  return shape;
}

bool IsFresh(const Shape& shape, const Ledger& ledger) {
  if (shape.allowed_by_model.size() != ledger.models().count()) return false;
  return shape.containers.empty() ||
         shape.containers.front().need_by_kind.size() == ledger.kinds().count();
}

bool AllowsUuid(const Shape& shape, const GpuUuid& uuid) {
  if (Contains(shape.avoid_uuids, uuid)) return false;
  return shape.use_uuids.empty() || Contains(shape.use_uuids, uuid);
}

}  // namespace warpshare::place
