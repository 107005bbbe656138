package paramtest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/param/paramtest"
)

// thing has a parameter of each type; where loose is set, one is bound to a field of nobody's.
type thing struct {
	spread float64
	k      int
	all    bool
	grid   string
	names  []string
	loose  bool
}

func (q *thing) Params() param.Set {
	grid := &q.grid
	if q.loose {
		good := "keep"
		grid = &good
	}
	return param.Set{
		param.Float(&q.spread, "spread", 1, 0, 10, "", "h"),
		param.Int(&q.k, "k", 1, 1, 10, "", "h"),
		param.Bool(&q.all, "all", false, "h"),
		param.Choice(grid, "grid", "keep", []string{"keep", "finer"}, "h"),
		param.Names(&q.names, "names", "h"),
	}
}

func TestRefused(t *testing.T) {
	tight := func() *thing { return param.Default(&thing{}) }
	loose := func() *thing { return param.Default(&thing{loose: true}) }
	checked := func(q *thing) error { return q.Params().Check() }
	if err := paramtest.Refused(tight, checked); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		`parameter "spread"`: paramtest.Refused(tight, func(*thing) error { return nil }),
		`parameter "k"`: paramtest.Refused(tight, func(q *thing) error {
			q.k = 1
			return q.Params().Check()
		}),
		`parameter "grid"`:         paramtest.Refused(loose, checked),
		`parameter "spread" set i`: paramtest.Refused(tight, func(*thing) error { return errors.New("something else") }),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
