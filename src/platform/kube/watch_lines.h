// The stream of a watch, cut into its lines, of which each is one event.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace warpshare::kube {

class WatchLines {
 public:
  explicit WatchLines(size_t longest) : longest_(longest) {}

  // Calls `line` with each line that is whole by now, without its end, until it returns false;
  // false too when a line is too long. After either, nothing more is taken.
  bool Feed(std::string_view piece, const std::function<bool(std::string_view)>& line) {
    rest_.append(piece);
    size_t begin = 0;
    for (size_t end = rest_.find('\n', searched_); end != std::string::npos && !ended_;
         end = rest_.find('\n', begin)) {
      const std::string_view found(rest_.data() + begin, end - begin);
      ended_ = found.size() > longest_ || (!found.empty() && !line(found));
      begin = end + 1;
    }
    rest_.erase(0, begin);
    searched_ = rest_.size();
    ended_ = ended_ || rest_.size() > longest_;
    return !ended_;
  }

 private:
  const size_t longest_;
  std::string rest_;
  size_t searched_ = 0;  // no end of a line before this
  bool ended_ = false;
};

}  // namespace warpshare::kube
