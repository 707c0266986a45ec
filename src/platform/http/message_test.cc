#include "platform/http/message.h"

#include <gtest/gtest.h>

namespace warpshare::http {
namespace {

TEST(Headers, AreFoundWhateverTheirCase) {
  Headers headers;
  headers.Add("Content-Type", "text/plain");
  EXPECT_EQ(headers.Find("content-type"), "text/plain");
  EXPECT_EQ(headers.Find("Content"), "");
}

TEST(MessageHead, TakesNoHeaderFromInsideAValue) {
  Headers headers;
  headers.Add("X-Reason", "one\r\nSet-Cookie: two");
  EXPECT_EQ(ResponseHead(200, headers), "HTTP/1.1 200 OK\r\nX-Reason: oneSet-Cookie: two\r\n\r\n");
  EXPECT_EQ(RequestHead("GET", "/a\r\nb", {}), "GET /ab HTTP/1.1\r\n\r\n");
}

TEST(QueryParameter, IsDecodedAndNotMistakenForAnother) {
  const char* query = "watch=true&labelSelector=a%3Db%2Cc&x=1+2&limit";
  EXPECT_EQ(QueryParameter(query, "watch"), "true");
  EXPECT_EQ(QueryParameter(query, "labelSelector"), "a=b,c");
  EXPECT_EQ(QueryParameter(query, "x"), "1 2");
  EXPECT_EQ(QueryParameter(query, "limit"), "");
  EXPECT_EQ(QueryParameter(query, "label"), "");
  EXPECT_EQ(QueryParameter("a=%zz%4", "a"), "%zz%4");
}

TEST(UrlEncode, LeavesOnlyWhatMeansNothingElsewhere) {
  EXPECT_EQ(UrlEncode("a-b_c.d~9"), "a-b_c.d~9");
  EXPECT_EQ(UrlEncode("a=b/c\xff"), "a%3Db%2Fc%FF");
}

}  // namespace
}  // namespace warpshare::http
