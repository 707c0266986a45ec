#include "cluster/report/node_rules.h"

#include <gtest/gtest.h>

#include "cluster/report/testing/survey_words.h"

namespace warpshare::report {
namespace {

std::string WordOf(const NodeWords& node, const std::string& pod_spec) {
  const auto object = json::Document::Parse(NodeText(node));
  const auto pod = json::Document::Parse(R"({"spec":)" + pod_spec + "}");
  const auto hindrance = HindranceOf(NodeFactsOf(object->root()), NodeWishesOf(pod->root()));
  return hindrance ? hindrance->word : "";
}

TEST(NodeRules, LetAPodWithoutWishesOnAnOrdinaryNode) { EXPECT_EQ(WordOf({}, "{}"), ""); }

TEST(NodeRules, KnowCordonsAndNodesThatAreNotReady) {
  const NodeWords cordoned{.spec = R"({"unschedulable":true})"};
  EXPECT_EQ(WordOf(cordoned, "{}"), "cordoned");
  EXPECT_EQ(WordOf(cordoned, R"({"tolerations":[{"operator":"Exists"}]})"), "");
  EXPECT_EQ(WordOf({.is_ready = false}, "{}"), "not_ready");
}

TEST(NodeRules, KnowTaintsAndWhatToleratesThem) {
  const NodeWords node{.spec = R"({"taints":[{"key":"gpu","value":"a100","effect":"NoSchedule"},
                            {"key":"soft","effect":"PreferNoSchedule"}]})"};
  EXPECT_EQ(WordOf(node, "{}"), "taint");
  for (const char* tolerated :
       {R"({"key":"gpu","operator":"Exists"})", R"({"operator":"Exists"})",
        R"({"key":"gpu","value":"a100","effect":"NoSchedule"})", R"({"key":"gpu","value":"a100"})"})
    EXPECT_EQ(WordOf(node, R"({"tolerations":[)" + std::string(tolerated) + "]}"), "") << tolerated;
  for (const char* other : {R"({"key":"gpu","value":"t4"})", R"({"key":"cpu","operator":"Exists"})",
                            "{}", R"({"key":"gpu","operator":"Exists","effect":"NoExecute"})"})
    EXPECT_EQ(WordOf(node, R"({"tolerations":[)" + std::string(other) + "]}"), "taint") << other;
}

TEST(NodeRules, KnowNodeSelectors) {
  const NodeWords node{.labels = R"({"zone":"a"})"};
  EXPECT_EQ(WordOf(node, R"({"nodeSelector":{"zone":"a"}})"), "");
  EXPECT_EQ(WordOf(node, R"({"nodeSelector":{"zone":"b"}})"), "selector");
  EXPECT_EQ(WordOf(node, R"({"nodeSelector":{"rack":"1"}})"), "selector");
}

std::string Affinity(const std::string& term) {
  return R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
         R"({"nodeSelectorTerms":[)" +
         term + "]}}}}";
}

TEST(NodeRules, KnowRequiredNodeAffinity) {
  const NodeWords node{.labels = R"({"zone":"a","generation":"8"})"};
  const auto expressions = [](const std::string& expression) {
    return Affinity(R"({"matchExpressions":[)" + expression + "]}");
  };
  for (const char* holds :
       {R"({"key":"zone","operator":"In","values":["b","a"]})",
        R"({"key":"zone","operator":"NotIn","values":["b"]})",
        R"({"key":"zone","operator":"Exists"})", R"({"key":"rack","operator":"DoesNotExist"})",
        R"({"key":"generation","operator":"Gt","values":["7"]})",
        R"({"key":"generation","operator":"Lt","values":["9"]})"})
    EXPECT_EQ(WordOf(node, expressions(holds)), "") << holds;
  for (const char* fails :
       {R"({"key":"zone","operator":"In","values":["b"]})", R"({"key":"rack","operator":"Exists"})",
        R"({"key":"zone","operator":"Gt","values":["1"]})",
        R"({"key":"generation","operator":"Gt","values":["8"]})",
        R"({"key":"zone","operator":"Likes"})"})
    EXPECT_EQ(WordOf(node, expressions(fails)), "affinity") << fails;
  EXPECT_EQ(WordOf(node, Affinity(R"({"matchFields":[{"key":"metadata.name","operator":"In",)"
                                  R"("values":["n1"]}]})")),
            "");
  EXPECT_EQ(WordOf(node, Affinity("{}")), "affinity");
}

}  // namespace
}  // namespace warpshare::report
