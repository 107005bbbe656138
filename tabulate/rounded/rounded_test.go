package rounded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/tabulate"
)

// some are random people in dimensions of so many codes, half of which have a hierarchy of two groups where deep.
func some(r *rand.Rand, n int, codes []int, of [][]int, deep bool) *tabulate.Set {
	var dims []tabulate.Dimension
	for k, m := range codes {
		d := tabulate.Dimension{Name: fmt.Sprint(k), Labels: []string{tabulate.Total}, Up: []int32{-1}}
		d.Leaf = make([]int32, n)
		groups := 0
		if deep && k%2 == 0 {
			groups = 2
			d.Labels, d.Up = append(d.Labels, "g0", "g1"), append(d.Up, 0, 0)
		}
		for l := range m {
			up := int32(0)
			if groups > 0 {
				up = int32(1 + l%2)
			}
			d.Labels, d.Up = append(d.Labels, fmt.Sprint(l)), append(d.Up, up)
		}
		for i := range d.Leaf {
			d.Leaf[i] = int32(1 + groups + min(int(r.ExpFloat64()*float64(m)/2.5), m-1))
		}
		dims = append(dims, d)
	}
	s, err := tabulate.New(n, dims, of, nil, nil, 0)
	if err != nil {
		panic(err)
	}
	return s
}

func round(t *testing.T, s *tabulate.Set, base int) *Result {
	t.Helper()
	return must.Get(Round(context.Background(), s, base, rng.New(rng.SeedOf([32]byte{1}))))(t)
}

// Rounded tables are multiples of the base that add up in every dimension and every linked table, and no cell is the
// base away: always for two columns, for which such a table exists (Cox 1987), and, of these, for linked tables and
// hierarchies.
func TestAdditive(t *testing.T) {
	far, distance, nearest := 0, 0, 0
	for k := range 60 {
		r := rand.New(rand.NewPCG(uint64(k), 3))
		of, codes, deep := [][]int{{0, 1}}, []int{2 + r.IntN(6), 2 + r.IntN(6)}, false
		if k%2 == 1 {
			of, codes, deep = [][]int{{0, 1}, {1, 2}, {0, 2}}, append(codes, 2+r.IntN(4)), true
		}
		base := []int{3, 5, 10}[k%3]
		s := some(r, 20+r.IntN(300), codes, of, deep)
		out := round(t, s, base)
		for _, a := range s.Additions() {
			sum := 0
			for _, c := range a.Parts {
				sum += out.Counts[c]
			}
			if sum != out.Counts[a.Cell] {
				t.Fatalf("table %d: the parts of a cell of %d come to %d", k, out.Counts[a.Cell], sum)
			}
		}
		for c, f := range s.First() {
			if d := off(out.Counts[c] - s.Cells[c].Records); out.Counts[c] < 0 || out.Counts[c]%base != 0 ||
				out.Counts[c] != out.Counts[f] || d >= base && out.Far == 0 {
				t.Fatalf("table %d: %d is shown as %d", k, s.Cells[c].Records, out.Counts[c])
			}
		}
		if k%2 == 0 && out.Far > 0 {
			t.Errorf("table %d of two columns: %d cells are the base away", k, out.Far)
		}
		far, distance, nearest = far+out.Far, distance+out.Distance, nearest+out.Nearest
	}
	t.Logf("%d cells are the base away; a distance of %d, no table is nearer than %d", far, distance, nearest)
	if far > 0 {
		t.Errorf("%d cells are the base away", far)
	}
}

// All roundings of small tables, one by one: where one has no cell the base away it is found, and the distance is that
// of the nearest in eight of ten, as it is of 132 of 150.
func TestAgainstAll(t *testing.T) {
	exist, found, best, tables := 0, 0, 0, 150
	for k := range tables {
		r := rand.New(rand.NewPCG(uint64(k), 4))
		s := some(r, 10+r.IntN(40), []int{2, 2, 2}, [][]int{{0, 1, 2}}, false)
		out := round(t, s, 3)
		least := -1
		for code := range 1 << s.Inner() {
			d, ok := distanceOf(s, 3, code)
			if ok && (least < 0 || d < least) {
				least = d
			}
		}
		if least < 0 {
			continue
		}
		if exist++; out.Far > 0 {
			continue
		}
		if found++; out.Distance < least {
			t.Fatalf("table %d: a distance of %d where the least is %d", k, out.Distance, least)
		}
		if out.Distance == least {
			best++
		}
	}
	t.Logf("%d of %d tables can be rounded; %d were, %d of them as near as can be", exist, tables, found, best)
	if found < exist || best*10 < exist*8 {
		t.Errorf("%d of %d were found, %d as near as can be", found, exist, best)
	}
}

// distanceOf is that of the table in which inner cell i is rounded up where bit i is set; false where a cell is the
// base away, or a multiple would move.
func distanceOf(s *tabulate.Set, base, up int) (distance int, ok bool) {
	for c := range s.Cells {
		sum := 0
		for _, i := range s.Within(c) {
			n := int(s.InnerStart[i+1] - s.InnerStart[i])
			sum += n / base * base
			if up>>i&1 == 1 {
				if n%base == 0 {
					return 0, false
				}
				sum += base
			}
		}
		d := off(sum - s.Cells[c].Records)
		if d >= base {
			return 0, false
		}
		distance += d
	}
	return distance, true
}

func TestCheck(t *testing.T) {
	for base, good := range map[int]bool{-1: false, 0: false, 1: false, 2: true, 5: true, 1000: true, 1001: false} {
		if (Check(base) == nil) != good {
			t.Errorf("base %d", base)
		}
	}
}

// Of one core, cells and seconds are reported below; what is the base away with them.
func BenchmarkRound(b *testing.B) {
	for _, n := range []int{3_000, 30_000, 300_000} {
		s := some(rand.New(rand.NewPCG(1, 2)), n, []int{30, 20, 20}, [][]int{{0, 1, 2}}, true)
		b.Run(fmt.Sprintf("%d cells", len(s.Cells)), func(b *testing.B) {
			for b.Loop() {
				r := must.Get(Round(context.Background(), s, 5, rng.New(rng.SeedOf([32]byte{1}))))(b)
				b.ReportMetric(float64(r.Far), "far")
				b.ReportMetric(float64(r.Distance)/float64(r.Nearest), "distance/nearest")
			}
		})
	}
}
