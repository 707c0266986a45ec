// A question to the driver on a thread of its own: about a card that hangs it may never come back,
// and then the thread is left behind in the driver. Nothing that it captures may end before it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace warpshare::platform {

namespace question {

// A thread that takes none of the program's signals, which would be lost with it; nor do the
// threads that the driver starts from it and keeps (NVML 580 does) for as long as the program runs.
std::thread OnItsOwn(std::function<void()> ask);
// The same for one that may never come back.
std::thread Start(std::function<void()> ask);
void WasAnswered();

}  // namespace question

// Asks there and waits, however long it takes: for what opens the driver, whose threads then
// block every signal, whatever the caller's thread does.
template <typename Ask>
std::invoke_result_t<Ask> AskOnItsOwn(Ask ask) {
  std::optional<std::invoke_result_t<Ask>> answer;
  question::OnItsOwn([&] { answer.emplace(ask()); }).join();
  return std::move(*answer);
}

// Has any of this program's questions not come back? What the driver does at a program's end may
// wait for it, too.
bool IsDriverAsked();

template <typename Answer>
class Question {
 public:
  explicit Question(std::function<Answer()> ask)
      : told_(std::make_shared<Told>()),
        thread_(question::Start([told = told_, ask = std::move(ask)]() mutable {
          Answer answer = ask();
          ask = nullptr;  // who has the answer need not fear that this ends something
          question::WasAnswered();
          const std::scoped_lock held(told->mutex);
          told->answer.emplace(std::move(answer));
          told->changed.notify_all();
        })) {}
  Question(Question&&) noexcept = default;
  Question& operator=(Question&&) = delete;
  ~Question() {
    if (!thread_.joinable()) return;
    if (is_answered()) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }

  // None within the time.
  std::optional<Answer> Await(std::chrono::milliseconds patience) {
    std::unique_lock held(told_->mutex);
    told_->changed.wait_for(held, patience, [this] { return told_->answer.has_value(); });
    return told_->answer;
  }

 private:
  struct Told {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<Answer> answer;
  };
  bool is_answered() const {
    const std::scoped_lock held(told_->mutex);
    return told_->answer.has_value();
  }

  std::shared_ptr<Told> told_;
  std::thread thread_;
};

}  // namespace warpshare::platform
