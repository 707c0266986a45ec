#include "cluster/extender/node_lookup.h"

#include <gtest/gtest.h>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::cluster {
namespace {

using Names = std::vector<std::string_view>;

TEST(NodeLookup, FindsTheSameNodesInWhateverOrder) {
  place::SmallCluster cluster(
      {place::MakeNode(1, 1), place::MakeNode(2, 1), place::MakeNode(3, 1)});
  NodeLookup lookup;
  for (int i = 0; i < 3; ++i) {
    for (const Names& names :
         {Names{"n1", "n2", "n3"}, Names{"n3", "n1"}, Names{"n2", "?", "n1"}}) {
      const auto ids = lookup.Find(cluster.ledger, names);
      ASSERT_EQ(ids.size(), names.size());
      for (size_t name = 0; name < names.size(); ++name)
        EXPECT_EQ(ids[name], cluster.ledger.FindNode(names[name]).value_or(kUnknownNode));
    }
  }
}

TEST(NodeLookup, DoesNotTakeANewNodeForTheOneWhoseIdItHas) {
  place::SmallCluster cluster({place::MakeNode(1, 1), place::MakeNode(2, 1)});
  NodeLookup lookup;
  const Names names = {"n1", "n2", ""};
  lookup.Find(cluster.ledger, names);
  cluster.ledger.RemoveNode("n2");
  EXPECT_EQ(lookup.Find(cluster.ledger, names)[1], kUnknownNode);
  EXPECT_EQ(lookup.Find(cluster.ledger, names)[2], kUnknownNode);
  cluster.ledger.SetNode(place::MakeNode(3, 1));
  EXPECT_EQ(lookup.Find(cluster.ledger, names)[1], kUnknownNode);
}

}  // namespace
}  // namespace warpshare::cluster
