#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "platform/http/message_reader.h"

namespace warpshare::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using beast::http::error;

// One message after another with Beast's incremental parser, which is kept from I/O.
template <bool kIsRequest>
class Incremental {
 public:
  using Parser = beast::http::parser<kIsRequest, beast::http::string_body>;

  explicit Incremental(MessageLimits limits) : limits_(limits) { Reset(); }

  void Reset() {
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.body_bytes);
    parser_->eager(true);
    begun_ = !waiting_.empty();
  }

  Progress Feed(std::string_view bytes) {
    if (bad_.status != 0) return Progress::kBad;
    waiting_.append(bytes);
    begun_ = begun_ || !waiting_.empty();
    if (waiting_.empty()) return Progress::kNeedMore;
    beast::error_code failed;
    const size_t used = parser_->put(asio::buffer(waiting_), failed);
    waiting_.erase(0, used);
    if (failed && failed != error::need_more) return Refuse(failed);
    if (parser_->is_done()) return Progress::kComplete;
    // Beast wants a head, and the line before each chunk, in one piece.
    return waiting_.size() > limits_.header_bytes ? Refuse(error::header_limit)
                                                  : Progress::kNeedMore;
  }

  Progress End() {
    beast::error_code failed;
    if (begun_) parser_->put_eof(failed);
    if (!begun_ || failed) return Refuse(error::partial_message);
    return Progress::kComplete;
  }

  Parser& parser() { return *parser_; }
  bool begun() const { return begun_; }
  const BadMessage& bad() const { return bad_; }

 private:
  Progress Refuse(beast::error_code failed) {
    bad_.status = 400;
    bad_.reason = failed.message();
    if (failed == error::header_limit) {
      bad_ = {431, "the header is over " + std::to_string(limits_.header_bytes) + " bytes"};
    } else if (failed == error::body_limit) {
      bad_ = {413, "the body is over " + std::to_string(limits_.body_bytes) + " bytes"};
    }
    return Progress::kBad;
  }

  const MessageLimits limits_;
  std::optional<Parser> parser_;
  std::string waiting_;  // bytes the parser has not used up yet
  bool begun_ = false;
  BadMessage bad_{0, ""};
};

template <typename Fields>
Headers CopyHeaders(const Fields& from) {
  Headers headers;
  headers.fields.reserve(8);
  for (const auto& field : from) {
    headers.fields.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  return headers;
}

}  // namespace

struct RequestReader::Impl {
  explicit Impl(MessageLimits limits) : incremental(limits) {}
  Incremental<true> incremental;
  bool expectation_seen = false;
};

RequestReader::RequestReader(MessageLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestReader::~RequestReader() = default;

Progress RequestReader::Feed(std::string_view bytes) { return impl_->incremental.Feed(bytes); }
bool RequestReader::has_begun() const { return impl_->incremental.begun(); }
const BadMessage& RequestReader::bad() const { return impl_->incremental.bad(); }

bool RequestReader::TakeExpectation() {
  auto& parser = impl_->incremental.parser();
  if (impl_->expectation_seen || !parser.is_header_done() || parser.is_done()) return false;
  impl_->expectation_seen = true;
  return beast::iequals(parser.get()[beast::http::field::expect], "100-continue");
}

RequestReader::Taken RequestReader::Take() {
  const bool keep_alive = impl_->incremental.parser().keep_alive();
  auto message = impl_->incremental.parser().release();
  const std::string_view target(message.target().data(), message.target().size());
  const size_t question = target.find('?');
  Request request{
      .method = std::string(message.method_string()),
      .path = std::string(target.substr(0, question)),
      .query = question == std::string_view::npos ? "" : std::string(target.substr(question + 1)),
      .headers = CopyHeaders(message.base()),
      .body = std::move(message.body())};
  impl_->expectation_seen = false;
  impl_->incremental.Reset();
  return {std::move(request), keep_alive};
}

struct ResponseReader::Impl {
  explicit Impl(MessageLimits limits) : incremental(limits) {}
  Incremental<false> incremental;
};

ResponseReader::ResponseReader(MessageLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
ResponseReader::~ResponseReader() = default;

Progress ResponseReader::Feed(std::string_view bytes) {
  Progress progress = impl_->incremental.Feed(bytes);
  // "100 Continue" and its like announce the answer, they are not it.
  while (progress == Progress::kComplete && status() < 200) {
    impl_->incremental.Reset();
    progress = impl_->incremental.Feed("");
  }
  return progress;
}

Progress ResponseReader::End() { return impl_->incremental.End(); }
bool ResponseReader::has_begun() const { return impl_->incremental.begun(); }
const BadMessage& ResponseReader::bad() const { return impl_->incremental.bad(); }
bool ResponseReader::head_is_here() const { return impl_->incremental.parser().is_header_done(); }
unsigned ResponseReader::status() const { return impl_->incremental.parser().get().result_int(); }

Response ResponseReader::Head() const {
  return {.status = status(),
          .headers = CopyHeaders(impl_->incremental.parser().get().base()),
          .body = {}};
}

std::string ResponseReader::TakeBody() {
  return std::exchange(impl_->incremental.parser().get().body(), {});
}

ResponseReader::Taken ResponseReader::Take() {
  const bool keep_alive = impl_->incremental.parser().keep_alive();
  auto message = impl_->incremental.parser().release();
  Response response{.status = message.result_int(),
                    .headers = CopyHeaders(message.base()),
                    .body = std::move(message.body())};
  impl_->incremental.Reset();
  return {std::move(response), keep_alive};
}

}  // namespace warpshare::http
