package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
)

func sets(t *testing.T) []set {
	t.Helper()
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wine/wine.csv"))))
	s, err := load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The page that is kept is the one that the command prints.
func TestPageIsCurrent(t *testing.T) {
	s := sets(t)
	var page bytes.Buffer
	if err := print(context.Background(), &page, s, 20); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../../docs/roy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, page.Bytes()) {
		t.Error("docs/roy.md is not what go run -C tools ./experiments/roy prints; run it with -write ../docs, and see " +
			"whether the text still holds")
	}
}

// What the page says of its figures holds.
func TestWhatIsFound(t *testing.T) {
	ctx := context.Background()
	for _, s := range sets(t) {
		errors := map[string]*row{}
		for i := range methods {
			m := &methods[i]
			r, err := m.measured(ctx, &s, 3, 3)
			if err != nil {
				t.Fatal(err)
			}
			errors[m.name] = r
			for k, c := range r.cells {
				switch {
				case (m.name == "TDP" || m.name == "RDP") && c.same > 0.02:
					t.Errorf("%s: %s moves %v of the records though it keeps distances", s.name, m.name, c.same)
				case strings.HasPrefix(m.name, "kd-tree") && c.same >= 0.1:
					t.Errorf("%s: %s moves %v of the records at K=%d", s.name, m.name, c.same, k+fewest)
				}
			}
		}
		if r := errors["UMA"]; r.sse > 0.01 {
			t.Errorf("%s: UMA loses %v", s.name, r.sse)
		}
		if errors["TDP"].sec > 1e-6 {
			t.Errorf("%s: Sec of a translation is %v", s.name, errors["TDP"].sec)
		}
		p, err := properties(ctx, &s)
		if err != nil {
			t.Fatal(err)
		}
		if d := p.mean[0] - p.mean[1]; d > 1e-3 || d < -1e-3 || p.variance[1] > p.variance[0] {
			t.Errorf("%s: mean and variance become %+v", s.name, p)
		}
	}
}

// The partition that Table 5.1 comes from gives 32 of its 38 values, and the five values that Table 5.2 releases as
// they are are the originals.
func TestPortion(t *testing.T) {
	s := sets(t)
	tab, err := portions(&s[2])
	if err != nil {
		t.Fatal(err)
	}
	r := newReading([][]float64{tab.Num(0), tab.Num(1), tab.Num(2)})
	experience, wage := r.means(1), r.means(2)
	right, alone := 0, 0
	for i, p := range table51 {
		for k, v := range []float64{experience[i], wage[i]} {
			printed := [][2]float64{p.experience, p.wage}[k]
			if math.Abs(printed[0]-v) <= 0.0051 {
				right++
			} else if math.Abs(printed[0]-v) > 0.03 && i != 9 {
				t.Errorf("record %d: %v, the table has %v", i+1, v, printed[0])
			}
			if printed[1] == tab.Num(k + 1)[i] {
				alone++
			}
		}
	}
	if right != 32 || alone != 5 {
		t.Errorf("%d values are those of the reading, %d the originals", right, alone)
	}
}
