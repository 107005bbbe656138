package generate_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/generate/as2000"
	"github.com/dither-data/dither/generate/quest"
	"github.com/dither-data/dither/param/paramtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var seed = rng.New([32]byte{7})

func made(t *testing.T, g generate.Generator, rows int, src rng.Source) *table.Table {
	t.Helper()
	tab, err := generate.Make(t.Context(), g.New(), rows, src)
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	return tab
}

// generators are those of the catalogue; a test of it finds them all.
func generators() []generate.Generator {
	return append(generate.Generators(), as2000.Generator, quest.Generator)
}

func TestRows(t *testing.T) {
	for _, g := range generators() {
		if err := g.Check(); err != nil {
			t.Error(err)
		}
		for _, rows := range []int{0, 1, g.Rows} {
			if n := made(t, g, rows, seed).Rows(); n != rows {
				t.Errorf("%s: %d rows, asked for %d", g.Name, n, rows)
			}
		}
	}
}

// TestParameters: what a program sets out of range is refused by the parameter's name.
func TestParameters(t *testing.T) {
	for _, g := range generators() {
		err := paramtest.Refused(g.New, func(m generate.Maker) error {
			_, err := generate.Make(t.Context(), m, 10, seed)
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}

// TestCancelled: nothing is made where the context has ended.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, g := range generators() {
		if tab, err := generate.Make(ctx, g.New(), 1000, seed); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", g.Name, tab, err)
		}
	}
}

// TestRecordsStand checks that a record depends on the seed and on its number only: not on the length of the table,
// nor on the number of cores.
func TestRecordsStand(t *testing.T) {
	for _, g := range generators() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
		long := made(t, g, 10_000, seed)
		runtime.GOMAXPROCS(1)
		short := made(t, g, 5_000, seed)
		other := made(t, g, 5_000, seed.Fork("other"))
		same := true
		for j := range short.Width() {
			for i := range short.Rows() {
				if !equal(short, long, i, j) {
					t.Fatalf("%s: row %d of %q differs", g.Name, i+1, short.Attr(j).Name)
				}
				same = same && equal(short, other, i, j)
			}
		}
		if same {
			t.Errorf("%s: the seed does not matter", g.Name)
		}
	}
}

func equal(a, b *table.Table, i, j int) bool {
	switch a.Attr(j).Kind {
	case table.Numeric:
		return math.Float64bits(a.Num(j)[i]) == math.Float64bits(b.Num(j)[i])
	case table.Categorical:
		x, y := a.Cat(j)[i], b.Cat(j)[i]
		return x == y && (x < 0 || a.Attr(j).Labels[x] == b.Attr(j).Labels[y])
	case table.SetValued:
		return slices.Equal(a.Sets(j).Present.Row(i), b.Sets(j).Present.Row(i))
	}
	return false
}

// TestDomains checks that every value is in its declared domain and on its grid.
func TestDomains(t *testing.T) {
	for _, g := range generators() {
		tab := made(t, g, 20_000, seed)
		for j := range tab.Width() {
			a := tab.Attr(j)
			if a.Kind != table.Numeric {
				continue
			}
			if !a.Declared {
				t.Errorf("%s: the domain of %q is observed, not declared", g.Name, a.Name)
			}
			for i, v := range tab.Num(j) {
				if !math.IsNaN(v) && (!a.Domain.Contains(v) || a.Snap(v) != v) {
					t.Fatalf("%s: row %d of %q is %v, outside %v or off its grid", g.Name, i+1, a.Name, v, a.Domain)
				}
			}
		}
	}
}
