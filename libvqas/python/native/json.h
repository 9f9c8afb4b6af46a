#pragma once

#include <Python.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "common.h"
#include "vqas/signal/json_text.h"

namespace vqas::python {

/// The value as json.loads() returns it for the same JSON text. A number that is not finite becomes None; invalid UTF-8
/// is replaced.
/// Needs the interpreter's lock.
inline nb::object object_of(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return nb::bool_(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return nb::int_(json.get<std::int64_t>());
    case Json::value_t::number_float: {
      const auto number = json.get<double>();
      if (!std::isfinite(number)) return nb::none();
      return nb::float_(number);
    }
    case Json::value_t::string: {
      const auto& text = json.get_ref<const std::string&>();
      PyObject* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
      if (made == nullptr) nb::raise_python_error();
      return nb::steal(made);
    }
    case Json::value_t::array: {
      nb::list list;
      for (const Json& one : json) list.append(object_of(one));
      return list;
    }
    case Json::value_t::object: {
      nb::dict dict;
      for (const auto& [name, value] : json.items()) {
        if (PyDict_SetItemString(dict.ptr(), name.c_str(), object_of(value).ptr()) != 0) nb::raise_python_error();
      }
      return dict;
    }
    default:
      return nb::none();
  }
}

}  // namespace vqas::python
