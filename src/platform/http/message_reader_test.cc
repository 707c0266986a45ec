#include "platform/http/message_reader.h"

#include <gtest/gtest.h>

namespace warpshare::http {
namespace {

using namespace std::string_literals;

constexpr MessageLimits kLimits{.header_bytes = 256, .body_bytes = 16};

TEST(RequestReader, ReadsARequestHoweverItIsCut) {
  const std::string text = "POST /a/b?c=d HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";
  for (size_t cut = 1; cut < text.size(); ++cut) {
    RequestReader reader(kLimits);
    ASSERT_EQ(reader.Feed(text.substr(0, cut)), Progress::kNeedMore) << cut;
    ASSERT_EQ(reader.Feed(text.substr(cut)), Progress::kComplete) << cut;
    const auto [request, keep_alive] = reader.Take();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/a/b");
    EXPECT_EQ(request.query, "c=d");
    EXPECT_EQ(request.headers.Find("host"), "h");
    EXPECT_EQ(request.body, "hello");
    EXPECT_TRUE(keep_alive);
    EXPECT_FALSE(reader.has_begun());
  }
}

TEST(RequestReader, KeepsWhatComesAfterARequestForTheNext) {
  RequestReader reader(kLimits);
  ASSERT_EQ(reader.Feed("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n"), Progress::kComplete);
  EXPECT_EQ(reader.Take().request.path, "/1");
  EXPECT_TRUE(reader.has_begun());
  ASSERT_EQ(reader.Feed(""), Progress::kComplete);
  const auto [request, keep_alive] = reader.Take();
  EXPECT_EQ(request.path, "/2");
  EXPECT_FALSE(keep_alive);
}

TEST(RequestReader, ReadsChunks) {
  RequestReader reader(kLimits);
  ASSERT_EQ(reader.Feed("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            Progress::kNeedMore);
  ASSERT_EQ(reader.Feed("2\r\nde\r\n0\r\n\r\n"), Progress::kComplete);
  EXPECT_EQ(reader.Take().request.body, "abcde");
}

TEST(RequestReader, SaysOnceThatTheBodyIsWaitedFor) {
  RequestReader reader(kLimits);
  ASSERT_EQ(reader.Feed("POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"),
            Progress::kNeedMore);
  EXPECT_TRUE(reader.TakeExpectation());
  EXPECT_FALSE(reader.TakeExpectation());
  EXPECT_EQ(reader.Feed("ab"), Progress::kComplete);
}

struct Refusal {
  const char* name;
  std::string bytes;
  unsigned status;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithTheStatusThatSaysWhy) {
  RequestReader reader(kLimits);
  EXPECT_EQ(reader.Feed(GetParam().bytes), Progress::kBad);
  EXPECT_EQ(reader.bad().status, GetParam().status) << reader.bad().reason;
  EXPECT_EQ(reader.Feed("GET / HTTP/1.1\r\n\r\n"), Progress::kBad);
}

INSTANTIATE_TEST_SUITE_P(
    Requests, Refused,
    testing::Values(
        Refusal{"NoHttp", "\x16\x03\x01\x02\x00\x01\x00 TLS hello\r\n\r\n"s, 400},
        Refusal{"HttpTwo", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
        Refusal{"TwoLengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                400},
        Refusal{
            "LengthAndChunks",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400},
        Refusal{"NegativeLength", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
        Refusal{"HugeLength", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                400},
        Refusal{"BadChunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
        Refusal{"LongChunkLine",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300, 'x'),
                431},
        Refusal{"LongBody", "POST / HTTP/1.1\r\nContent-Length: 17\r\n\r\n", 413},
        Refusal{
            "LongChunkedBody",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n" + std::string(17, 'x'),
            413},
        Refusal{"LongHeader", "GET / HTTP/1.1\r\nX: " + std::string(300, 'x') + "\r\n\r\n", 431},
        Refusal{"LongHeaderWithoutEnd", "GET / HTTP/1.1\r\nX: " + std::string(300, 'x'), 431}),
    [](const auto& info) { return info.param.name; });

TEST(ResponseReader, ReadsAnswersWithAndWithoutLength) {
  ResponseReader reader(kLimits);
  ASSERT_EQ(reader.Feed("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"),
            Progress::kComplete);
  auto taken = reader.Take();
  EXPECT_EQ(taken.response.status, 201u);
  EXPECT_EQ(taken.response.body, "ok");
  EXPECT_TRUE(taken.keep_alive);
  ASSERT_EQ(reader.Feed("HTTP/1.1 200 OK\r\n\r\nto the "), Progress::kNeedMore);
  ASSERT_EQ(reader.Feed("end"), Progress::kNeedMore);
  ASSERT_EQ(reader.End(), Progress::kComplete);
  taken = reader.Take();
  EXPECT_EQ(taken.response.body, "to the end");
  EXPECT_FALSE(taken.keep_alive);
}

TEST(ResponseReader, PassesOverTheAnnouncementOfAnAnswer) {
  ResponseReader reader(kLimits);
  ASSERT_EQ(reader.Feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
            Progress::kComplete);
  EXPECT_EQ(reader.Take().response.status, 204u);
}

TEST(ResponseReader, RefusesAnAnswerThatIsCutOff) {
  ResponseReader half(kLimits);
  ASSERT_EQ(half.Feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), Progress::kNeedMore);
  EXPECT_EQ(half.End(), Progress::kBad);
  ResponseReader nothing(kLimits);
  EXPECT_EQ(nothing.End(), Progress::kBad);
}

TEST(ResponseReader, GivesTheBodyOutInPieces) {
  ResponseReader reader({.header_bytes = 256, .body_bytes = SIZE_MAX});
  ASSERT_EQ(reader.Feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            Progress::kNeedMore);
  EXPECT_TRUE(reader.head_is_here());
  EXPECT_EQ(reader.Head().headers.Find("transfer-encoding"), "chunked");
  EXPECT_EQ(reader.TakeBody(), "abc");
  EXPECT_EQ(reader.TakeBody(), "");
  ASSERT_EQ(reader.Feed("2\r\nde\r\n0\r\n\r\n"), Progress::kComplete);
  EXPECT_EQ(reader.TakeBody(), "de");
}

}  // namespace
}  // namespace warpshare::http
