package must

import (
	"errors"
	"fmt"
	"testing"
)

// told is a test that writes down how it was ended.
type told struct{ with string }

func (t *told) Helper() {}

func (t *told) Fatal(args ...any) { t.with += fmt.Sprint(args...) }

func TestMust(t *testing.T) {
	for _, err := range []error{nil, errors.New("no room")} {
		var got, bare told
		if v := Get(7, err)(&got); v != 7 {
			t.Errorf("7 is taken as %d", v)
		}
		NoError(&bare, err)
		want := ""
		if err != nil {
			want = err.Error()
		}
		if got.with != want || bare.with != want {
			t.Errorf("%v ends tests with %q and %q", err, got.with, bare.with)
		}
	}
}
