// Package must ends a test at an error that it does not expect.
package must

// T is a test, a benchmark, a fuzz target or the check of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Get takes what a call returns, and has the test to end where that is an error: v := must.Get(f())(t).
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		NoError(t, err)
		return v
	}
}

// NoError ends the test at an error.
func NoError(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
