// C++ guards: G01 to G12, E06, E09.
#include <vector>

#include "mock.h"

// Own classes of the shapes that packages use: a scoped push, a token in a list of kept objects.
template <class T>
class Shield {
 public:
  Shield(SEXP x) : t(Rf_protect(x)) {}
  ~Shield() { Rf_unprotect(1); }
  Shield(const Shield &) = delete;
  operator SEXP() const { return t; }
  SEXP t;
};

static SEXP g_use(SEXP v, SEXP w) {
  INTEGER(v)[0] = INTEGER(w)[0];
  return v;
}

// ---- G01: a scoped guard -------------------------------------------------------------------------------------------

SEXP G01_scoped(int n) {
  Shield<SEXP> v(Rf_allocVector(INTSXP, n));
  SEXP w = Rf_allocVector(INTSXP, n);
  INTEGER(w)[0] = INTEGER(v)[0];
  return w;
}

SEXP G01_bad_other_not_guarded(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP w = Rf_allocVector(INTSXP, n);
  Shield<SEXP> v(Rf_allocVector(INTSXP, n));
  INTEGER(w)[0] = INTEGER(v)[0];
  return w;
}

// ---- G02: a guard that does not push nil ---------------------------------------------------------------------------

struct Hold {
  SEXP s;
  Hold(SEXP x) : s(x) {
    if (s != R_NilValue) PROTECT(s);
  }
  ~Hold() {
    if (s != R_NilValue) UNPROTECT(1);
  }
};

SEXP G02_not_nil(SEXP arg) {
  Hold h(Rf_getAttrib(arg, R_NamesSymbol));
  SEXP out = Rf_allocVector(INTSXP, 1);
  INTEGER(out)[0] = LENGTH(h.s);
  return out;
}

// ---- G03: a guard as a temporary -----------------------------------------------------------------------------------

SEXP G03_temporary(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = Shield<SEXP>(Rf_allocVector(INTSXP, n));
  SEXP w = Rf_allocVector(INTSXP, n);
  return g_use(v, w);
}

// ---- G04: a temporary guard within one expression ------------------------------------------------------------------

static int g_read(SEXP x, int i) {
  SEXP t = Rf_allocVector(INTSXP, 1);
  return INTEGER(x)[i] + INTEGER(t)[0];
}

int G04_one_expression() { return g_read(Shield<SEXP>(fresh()), 1); }

int G04_bad_no_guard() {  // expect-in-function: r-unprotected|r-unprotected-arg
  return g_read(fresh(), 1);
}

// ---- G05: the conversion of a proxy --------------------------------------------------------------------------------

struct Vec {
  SEXP s;
  explicit Vec(SEXP x) : s(Rf_coerceVector(x, INTSXP)) { R_PreserveObject(s); }
  ~Vec() { R_ReleaseObject(s); }
};

static int g_as(SEXP x) {
  SEXP t = Rf_allocVector(INTSXP, 1);
  return INTEGER(x)[0] + INTEGER(t)[0];
}

struct Proxy {
  SEXP owner, sym;
  SEXP get() const { return Rf_eval(sym, owner); }
  int G05_convert() const {  // expect-in-function: r-unprotected|r-unprotected-arg
    return g_as(get());
  }
  int G05_ok_convert() const {
    Shield<SEXP> x(get());
    return g_as(x);
  }
};

int G05_uses(SEXP env, SEXP sym) {
  Proxy p{env, sym};
  return p.G05_convert() + p.G05_ok_convert();
}

// ---- G06: a pop by hand beside a guard -----------------------------------------------------------------------------

SEXP G06_pop_by_hand() {  // maybe-in-function: r-unprotected|r-unprotected-arg; expect-in-function: r-imbalance|r-negative-depth
  Shield<SEXP> a(fresh());
  SEXP b = fresh();
  UNPROTECT(1);
  return b;
}

// ---- G07: an object with storage is returned as a pointer ----------------------------------------------------------

SEXP G07_storage_returned(SEXP x) {
  Vec v(x);
  return v.s;
}

// ---- G08: a fresh result and a destructor that allocates -----------------------------------------------------------

struct Session {
  SEXP call;
  explicit Session(SEXP c) : call(c) {}
  ~Session() { Rf_eval(call, R_GlobalEnv); }
};

struct Buffer {
  void *p;
  Buffer() : p(malloc(10)) {}
  ~Buffer() { free(p); }
};

SEXP G08_destructor_evaluates(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  Session s(arg);
  return Rf_mkString("x");
}

SEXP G08_ok_destructor_frees() {
  Buffer b;
  return Rf_mkString("x");
}

// ---- G09: a container of bare pointers -----------------------------------------------------------------------------

SEXP FN_G09_vector_of_pointers(int n, SEXP out) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- elements of a library container are not followed
  std::vector<SEXP> v;
  for (int i = 0; i < n; i++) v.push_back(Rf_mkString("x"));
  for (int i = 0; i < n; i++) SET_VECTOR_ELT(out, i, v[i]);
  return out;
}

// ---- G10: the token list of a package ------------------------------------------------------------------------------

static SEXP store_head() {
  static SEXP head = [] {
    SEXP h = Rf_cons(R_NilValue, R_NilValue);
    R_PreserveObject(h);
    return h;
  }();
  return head;
}

static SEXP store_insert(SEXP x) {
  if (x == R_NilValue) return R_NilValue;
  PROTECT(x);
  SEXP head = store_head();
  SEXP cell = PROTECT(Rf_cons(head, CDR(head)));
  SET_TAG(cell, x);
  SETCDR(head, cell);
  if (CDR(cell) != R_NilValue) SETCAR(CDR(cell), cell);
  UNPROTECT(2);
  return cell;
}

static void store_release(SEXP cell) {
  if (cell == R_NilValue) return;
  SEXP before = CAR(cell), after = CDR(cell);
  SETCDR(before, after);
  if (after != R_NilValue) SETCAR(after, before);
}

class sexp {
 public:
  explicit sexp(SEXP x) : d_(x), tok_(store_insert(x)) {}
  ~sexp() { store_release(tok_); }
  operator SEXP() const { return d_; }

 private:
  SEXP d_, tok_;
};

SEXP G10_token_list(int n) {
  sexp v(Rf_allocVector(INTSXP, n));
  SEXP w = Rf_allocVector(INTSXP, n);
  INTEGER(w)[0] = INTEGER(v)[0];
  return w;
}

// ---- G11: a lambda run under unwind protection ---------------------------------------------------------------------

template <class F>
static SEXP call_lambda(void *data) {
  (*static_cast<F *>(data))();
  return R_NilValue;
}

template <class F>
static void unwind_protect(F f) {
  SEXP tok = PROTECT(R_MakeUnwindCont());
  R_UnwindProtect(call_lambda<F>, &f, nullptr, nullptr, tok);
  UNPROTECT(1);
}

void G11_lambda(SEXP data, int n) {
  unwind_protect([&] {
    SEXP nm = Rf_allocVector(STRSXP, n);
    Rf_setAttrib(data, R_NamesSymbol, nm);
    SET_STRING_ELT(nm, 0, Rf_mkChar("a"));
  });
}

// ---- G12: an allocation hidden in an implicit conversion -----------------------------------------------------------

struct Symbol {
  SEXP s;
  Symbol(const char *name) : s(Rf_install(name)) {}
  operator SEXP() const { return s; }
};

SEXP G12_hidden_install(SEXP v, const char *name) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP cell = Rf_cons(v, R_NilValue);
  Symbol tag = name;
  SET_TAG(cell, tag);
  return cell;
}

// ---- E06: a static preserved token, the result taken off it --------------------------------------------------------

static SEXP e06_body(void *data) { return Rf_allocVector(INTSXP, *static_cast<int *>(data)); }
static void e06_jump(void *, Rboolean jump) {
  if (jump) throw 1;
}

SEXP E06_static_token(int n) {
  static SEXP tok = [] {
    SEXP t = R_MakeUnwindCont();
    R_PreserveObject(t);
    return t;
  }();
  SEXP r = R_UnwindProtect(e06_body, &n, e06_jump, nullptr, tok);
  SETCAR(tok, R_NilValue);
  return r;
}

SEXP E06_bad_result_not_held(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP r = E06_static_token(n);
  gcpoint();
  return r;
}

// ---- E09: a catch block pops what was counted, then fails ----------------------------------------------------------

struct Ex {
  char msg[100];
};
static void e09_work(SEXP a) {
  if (LENGTH(a) > 2) throw Ex();
}

SEXP E09_catch_pops() {
  char msg[100];
  int np = 0;
  try {
    SEXP a;
    PROTECT(a = fresh());
    ++np;
    e09_work(a);
    UNPROTECT(np);
    return a;
  } catch (Ex &e) {
    UNPROTECT(np);
    np = 0;
    memcpy(msg, e.msg, sizeof msg);
  }
  Rf_error("%s", msg);
}

SEXP E09_bad_catch_returns() {  // expect-in-function: r-imbalance|r-negative-depth
  try {
    SEXP a = PROTECT(fresh());
    e09_work(a);
    UNPROTECT(1);
    return a;
  } catch (Ex &e) {
    return R_NilValue;
  }
}

// ---- a guard that pushes through a helper, which leaves nil alone -------------------------------------------------

static inline SEXP push_unless_nil(SEXP x) {
  if (x != R_NilValue) PROTECT(x);
  return x;
}

template <class T>
struct Careful {
  Careful(SEXP x) : t(push_unless_nil(x)) {}
  ~Careful() {
    if (t != R_NilValue) UNPROTECT(1);
  }
  Careful(const Careful &) = delete;
  operator SEXP() const { return t; }
  SEXP t;
};

static SEXP put_before(SEXP head, SEXP tail) {
  Careful<SEXP> x(head);
  Careful<SEXP> out(Rf_cons(x, tail));
  return out;
}

static SEXP put_before(const char *head, SEXP tail) {
  Careful<SEXP> rest(tail);
  return put_before(Rf_mkString(head), rest);
}

SEXP callee_guards_before_it_collects(const char *a, const char *b) {
  return put_before(a, put_before(b, put_before(a, R_NilValue)));
}

static SEXP put_late(const char *head, SEXP tail) {
  Careful<SEXP> x(Rf_mkString(head));
  Careful<SEXP> rest(tail);
  return Rf_cons(x, rest);
}

SEXP callee_guards_too_late(const char *a, const char *b) {  // expect-in-function: r-unprotected|r-unprotected-arg
  return put_late(a, put_late(b, R_NilValue));
}

static int has_names(SEXP x) {
  SEXP v = Rf_allocVector(INTSXP, 1);
  return TYPEOF(x) == LANGSXP && INTEGER(v)[0];
}

SEXP last_of_a_guarded_list(SEXP code) {
  Careful<SEXP> list(Rf_eval(code, R_GlobalEnv));
  SEXP cur = list, prev = cur;
  while (CDR(cur) != R_NilValue) {
    SEXP e = CAR(cur);
    if (has_names(e)) break;
    prev = cur;
    cur = CDR(cur);
  }
  return CAR(prev);
}

// ---- a vector that owns what it is built from: its constructor takes a temporary by reference and puts it on a list --

static SEXP owned_list() {
  static SEXP list = [] {
    SEXP made = Rf_cons(R_NilValue, R_NilValue);
    R_PreserveObject(made);
    return made;
  }();
  return list;
}

static SEXP owned_insert(SEXP x) {
  if (x == R_NilValue) return R_NilValue;
  PROTECT(x);
  static SEXP list = owned_list();
  SEXP cell = PROTECT(Rf_cons(list, CDR(list)));
  SET_TAG(cell, x);
  SETCDR(list, cell);
  UNPROTECT(2);
  return cell;
}

class Owned {
 public:
  Owned(SEXP &&x) : data_(x), cell_(owned_insert(data_)) {}
  operator SEXP() const { return data_; }

 private:
  SEXP data_, cell_;
};

SEXP owned_ok_of_temporary(SEXP x) {
  Owned out = Rf_xlengthgets(x, 3);
  SEXP other = Rf_allocVector(INTSXP, 1);
  INTEGER(other)[0] = 1;
  Rf_setAttrib(out, R_NamesSymbol, x);
  return out;
}

// The same without the list.
class Unowned {
 public:
  Unowned(SEXP &&x) : data_(x) {}
  operator SEXP() const { return data_; }

 private:
  SEXP data_;
};

int unowned_bad_of_temporary(SEXP x) {
  Unowned out = Rf_xlengthgets(x, 3);
  SEXP other = Rf_allocVector(INTSXP, 1);
  return INTEGER(out)[0] + INTEGER(other)[0];  // expect: r-unprotected
}
