// section-leak: a critical section is begun and not ended.
#include "pycompat.h"

int section_left_by_return(PyObject *owner, long *counter) {
  Py_BEGIN_CRITICAL_SECTION(owner);
  if (*counter < 0) return -1;  // expect: python-section-leak until 3.12
  ++*counter;
  Py_END_CRITICAL_SECTION();
  return 0;
}

int section_ok_ended(PyObject *owner, long *counter) {
  int result = -1;
  Py_BEGIN_CRITICAL_SECTION(owner);
  if (*counter >= 0) {
    ++*counter;
    result = 0;
  }
  Py_END_CRITICAL_SECTION();
  return result;
}
