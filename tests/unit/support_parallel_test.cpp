#include "support/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace reckon::support {
namespace {

TEST(Parallel, EachIndexOnce) {
  for (const unsigned jobs : {0u, 1u, 4u, 100u}) {
    std::vector<std::atomic<int>> seen(37);
    in_parallel(jobs, seen.size(), [&](std::size_t i) { ++seen[i]; });
    for (const auto& n : seen) EXPECT_EQ(1, n) << jobs << " jobs";
  }
}

TEST(Parallel, WhatABodyThrowsComesBack) {
  std::atomic<int> ran = 0;
  const auto body = [&](std::size_t i) {
    ++ran;
    if (i == 3) throw std::runtime_error("the third");
  };
  EXPECT_THROW(in_parallel(2, 8, body), std::runtime_error);
  EXPECT_GE(ran, 4);
}

}  // namespace
}  // namespace reckon::support
