// A minimal module in pybind11: nothing in it is wrong, and nothing is to be reported.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace py = pybind11;

static int add(int a, int b) { return a + b; }

static std::vector<std::string> words(const std::string &text, int n) { return std::vector<std::string>(n, text); }

static py::dict counted(const py::list &items) {
  py::dict out;
  for (py::handle item : items) out[item] = py::int_(py::len(items));
  return out;
}

class Pet {
 public:
  explicit Pet(std::string name) : name_(std::move(name)) {}
  const std::string &name() const { return name_; }
  py::object call(const py::function &f) const { return f(name_); }

 private:
  std::string name_;
};

PYBIND11_MODULE(minimal, m) {
  m.def("add", &add, py::arg("a"), py::arg("b") = 1);
  m.def("words", &words);
  m.def("counted", &counted);
  py::class_<Pet>(m, "Pet").def(py::init<std::string>()).def_property_readonly("name", &Pet::name).def("call", &Pet::call);
  m.attr("answer") = 42;
}
