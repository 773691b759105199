// A sorted-by-its-user list of a few integers, in place: most have none or one, and copying them must not allocate.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reckon::symbolic {

class FewValues {
 public:
  using value_type = std::int64_t;
  using iterator = std::int64_t*;
  using const_iterator = const std::int64_t*;

  FewValues() = default;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return more_.empty() ? size_ : more_.size(); }
  iterator begin() { return more_.empty() ? near_.data() : more_.data(); }
  iterator end() { return begin() + size(); }
  const_iterator begin() const { return more_.empty() ? near_.data() : more_.data(); }
  const_iterator end() const { return begin() + size(); }
  std::int64_t front() const { return *begin(); }
  std::int64_t back() const { return *(end() - 1); }

  void insert(const_iterator at, std::int64_t v) {
    const std::size_t k = static_cast<std::size_t>(at - begin());
    if (more_.empty() && size_ == near_.size()) more_.assign(near_.begin(), near_.end());
    if (!more_.empty()) {
      more_.insert(more_.begin() + static_cast<std::ptrdiff_t>(k), v);
      return;
    }
    std::copy_backward(near_.begin() + k, near_.begin() + size_, near_.begin() + size_ + 1);
    near_[k] = v;
    ++size_;
  }
  void push_back(std::int64_t v) { insert(end(), v); }
  void erase(const_iterator from, const_iterator to) {
    const auto k = from - begin(), n = to - from;
    std::copy(begin() + k + n, end(), begin() + k);
    resize(size() - static_cast<std::size_t>(n));
  }
  void erase(const_iterator at) { erase(at, at + 1); }
  void pop_back() { erase(end() - 1); }

  bool operator==(const FewValues& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }

 private:
  void resize(std::size_t n) {  // to fewer
    if (more_.empty()) {
      size_ = static_cast<std::uint32_t>(n);
    } else if (n > near_.size()) {
      more_.resize(n);
    } else {
      std::copy(more_.begin(), more_.begin() + static_cast<std::ptrdiff_t>(n), near_.begin());
      size_ = static_cast<std::uint32_t>(n);
      more_.clear();
    }
  }

  std::array<std::int64_t, 2> near_{};
  std::vector<std::int64_t> more_;  // all of them, when there are too many for near_
  std::uint32_t size_ = 0;          // of near_
};

template <class Pred>
void erase_if(FewValues& values, Pred pred) {
  values.erase(std::remove_if(values.begin(), values.end(), pred), values.end());
}

}  // namespace reckon::symbolic
