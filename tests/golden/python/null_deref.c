// null-deref: NULL from a failed call is dereferenced.
#include "pycompat.h"

int null_text_read(PyObject *o) {
  const char *text = PyUnicode_AsUTF8(o);
  return text[0] == '/';  // expect: python-null-deref
}

int null_ok_text_read(PyObject *o) {
  const char *text = PyUnicode_AsUTF8(o);
  if (text == NULL) return -1;
  return text[0] == '/';
}
