// The checks' entry points; registry.cpp lists them.
#pragma once

#include "checks/check.h"

namespace reckon::checks {

void grade_immortal(report::Finding& f);

std::optional<report::Finding> report_borrow_across_call(const View& v);
std::optional<report::Finding> report_type_kept(const View& v);
std::optional<report::Finding> report_free_threading(const View& v);
std::optional<report::Finding> report_leak(const View& v);
std::optional<report::Finding> report_over_release(const View& v);
std::optional<report::Finding> report_count_left(const View& v);
std::optional<report::Finding> report_use_after_release(const View& v);
std::optional<report::Finding> report_borrowed_return(const View& v);
std::optional<report::Finding> report_buffer_leak(const View& v);
std::optional<report::Finding> report_null_dereference(const View& v);
std::optional<report::Finding> report_null_argument(const View& v);
std::optional<report::Finding> report_uninitialised(const View& v);
std::optional<report::Finding> report_missing_exception(const View& v);
std::optional<report::Finding> report_value_with_exception(const View& v);
std::optional<report::Finding> report_no_lock(const View& v);
std::optional<report::Finding> report_mixed_result(const View& v);
std::optional<report::Finding> report_path_pair(const View& v);
std::optional<report::Finding> report_state_pair(const View& v);
std::optional<report::Finding> report_annotation(const View& v);
std::optional<report::Finding> report_failure_keeps(const View& v);
std::optional<report::Finding> report_count_kept(const View&);
std::optional<report::Finding> report_unprotected(const View& v);
std::optional<report::Finding> report_unprotected_argument(const View& v);
std::optional<report::Finding> report_argument_order(const View& v);
std::optional<report::Finding> report_depth_at_exit(const View& v);
std::optional<report::Finding> report_depth_negative(const View& v);
std::optional<report::Finding> report_depth_in_loop(const View& v);
std::optional<report::Finding> report_depth_by_data(const View& v);
std::optional<report::Finding> report_preserve_leak(const View& v);
std::optional<report::Finding> report_barrier_bypassed(const View& v);

}  // namespace reckon::checks
