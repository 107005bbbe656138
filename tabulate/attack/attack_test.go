package attack_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/attack"
	"github.com/dither-data/dither/tabulate/cellkey"
)

// some are n people in two dimensions of a few codes, in one table.
func some(r *rand.Rand, n, codes int) *tabulate.Set {
	dims := make([]tabulate.Dimension, 2)
	for k := range dims {
		d := tabulate.Dimension{Name: "d", Labels: []string{tabulate.Total}, Up: []int32{-1}, Leaf: make([]int32, n)}
		for range codes {
			d.Labels, d.Up = append(d.Labels, "x"), append(d.Up, 0)
		}
		for i := range d.Leaf {
			d.Leaf[i] = int32(1 + min(int(r.ExpFloat64()*float64(codes)/3), codes-1))
		}
		dims[k] = d
	}
	s, err := tabulate.New(n, dims, [][]int{{0, 1}}, nil, nil, 0)
	if err != nil {
		panic(err)
	}
	return s
}

// moved are the counts of a set as a law shows them, by keys of the source.
func moved(s *tabulate.Set, r *rand.Rand, law *cellkey.Table) []int {
	keys := make([]uint64, len(s.InnerRecords))
	for i := range keys {
		keys[i] = r.Uint64()
	}
	out := make([]int, len(s.Cells))
	for c, k := range s.Keys(keys) {
		out[c] = law.Moved(s.Cells[c].Records, k)
	}
	return out
}

// All tables of 2 times 2 that give what is shown, one by one: none lies outside the bounds, where counts were moved
// and where cells were left out; and where one value alone is left the bounds say so in most cases; most ends are as
// near as can be where counts were moved.
func TestBounds(t *testing.T) {
	law := must.Get(cellkey.New(cellkey.Params{Deviation: 1, Variance: 0.5}))(t)
	sole, seen, ends, tight := 0, 0, 0, 0
	for k := range long.Of(40, 150) {
		r := rand.New(rand.NewPCG(uint64(k), 5))
		s := some(r, 3+r.IntN(10), 2)
		p := &attack.Published{Set: s, Counts: moved(s, r, law), Law: law.P, Reach: 1}
		if k%2 == 1 {
			p = &attack.Published{Set: s, Counts: make([]int, len(s.Cells))}
			for c := range p.Counts {
				if p.Counts[c] = s.Cells[c].Records; r.IntN(3) == 0 {
					p.Counts[c] = -1
				}
			}
		}
		lo, hi := p.Bounds()
		least, most := possible(p)
		for c := range s.Cells {
			if n := s.Cells[c].Records; float64(n) < lo[c] || float64(n) > hi[c] || float64(least[c]) < lo[c] ||
				float64(most[c]) > hi[c] && most[c] < 15 {
				t.Fatalf("table %d, cell %d: from %d to %d is possible, the bounds are %v and %v", k, c, least[c], most[c],
					lo[c], hi[c])
			}
			if p.Law != nil {
				ends += 2
				if lo[c] == float64(least[c]) {
					tight++
				}
				if hi[c] == float64(most[c]) {
					tight++
				}
			}
			if least[c] == most[c] && p.Counts[c] != s.Cells[c].Records {
				if sole++; lo[c] == hi[c] {
					seen++
				}
			}
		}
	}
	t.Logf("%d of %d ends are as near as can be, %d of %d sole values are seen", tight, ends, seen, sole)
	if tight*100 < ends*95 {
		t.Errorf("%d of %d ends are as near as can be", tight, ends)
	}
	if sole < 20 || seen*10 < sole*8 {
		t.Errorf("%d of %d values that are the only ones possible are seen", seen, sole)
	}
}

// possible is the least and the largest of each cell over all tables that give what is shown, with 15 at most in a
// cell.
func possible(p *attack.Published) (least, most []int) {
	s := p.Set
	least, most = make([]int, len(s.Cells)), make([]int, len(s.Cells))
	for c := range least {
		least[c] = 1 << 30
	}
	fits := func(c, n int) bool {
		switch shown := p.Counts[c]; {
		case p.Law == nil:
			return shown < 0 || n == shown
		case n == 0:
			return shown == 0
		default:
			return p.Law(n, shown) > 0
		}
	}
	for code := range 1 << 16 {
		inner := [4]int{code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12} // by the codes of both dimensions
		sums, ok := make([]int, len(s.Cells)), true
		known := 0 // combinations that have a cell
		for c := range s.Cells {
			codes := s.Cells[c].Codes
			for at, n := range inner {
				if (codes[0] == 0 || int(codes[0]) == 1+at/2) && (codes[1] == 0 || int(codes[1]) == 1+at%2) {
					sums[c] += n
				}
			}
			if codes[0] > 0 && codes[1] > 0 {
				known++
				ok = ok && (p.Law != nil || sums[c] > 0) // zeros are shown where cells are left out
			}
			ok = ok && fits(c, sums[c])
		}
		all := 0
		for _, n := range inner {
			if n > 0 {
				all++
			}
		}
		if !ok || p.Law == nil && all != known || p.Law != nil && hiddenOver(s, inner) {
			continue
		}
		for c, n := range sums {
			least[c], most[c] = min(least[c], n), max(most[c], n)
		}
	}
	return least, most
}

// hiddenOver reports whether a combination without a cell has more than a count that is shown as 0 can have.
func hiddenOver(s *tabulate.Set, inner [4]int) bool {
	has := [4]bool{}
	for _, c := range s.Cells {
		if c.Codes[0] > 0 && c.Codes[1] > 0 {
			has[2*(c.Codes[0]-1)+c.Codes[1]-1] = true
		}
	}
	for at, n := range inner {
		if !has[at] && n > 1 {
			return true
		}
	}
	return false
}

// Counts that hardly move are guessed, and so are small differences; those that move by the usual law are guessed no
// oftener, by much, than by somebody who says 1 of every unsafe one. The keys are fixed.
func TestGuessed(t *testing.T) {
	long.Only(t, "many tables")
	share := map[float64][2]float64{}
	for _, v := range []float64{0.01, 2} {
		law := must.Get(cellkey.New(cellkey.Params{Deviation: 3, Variance: v}))(t)
		r := rand.New(rand.NewPCG(1, 9))
		s := some(r, 4_000, 60)
		unsafe := make([]bool, len(s.Cells))
		for c := range unsafe {
			unsafe[c] = s.Cells[c].Records < 3
		}
		p := &attack.Published{Set: s, Counts: moved(s, r, law), Law: law.P, Reach: 3}
		g, d := p.Guessed(unsafe), attack.Tally{}
		for range 300 {
			own := some(r, 12, 4)
			few := &attack.Published{Set: own, Counts: moved(own, r, law), Law: law.P, Reach: 3}
			one := few.Differences(3)
			d = attack.Tally{d.Tried + one.Tried, d.Right + one.Right, d.Control + one.Control}
		}
		if g.Tried < 200 || d.Tried < 200 || g.Control > g.Tried {
			t.Fatalf("%+v", g)
		}
		share[v] = [2]float64{g.Share(), d.Share()}
		t.Logf("variance %v: counts %+v, differences %+v", v, g, d)
	}
	if share[0.01][0] < 0.9 || share[0.01][1] < 0.9 || share[2][0] > 0.35 || share[2][1] > 0.2 {
		t.Errorf("guessed beyond the commonest: %v", share)
	}
}

// A share is beyond what is said of all alike, and never below 0.
func TestCommonest(t *testing.T) {
	if n := attack.Commonest([]int{3, 1, 3, 2}); n != 2 {
		t.Errorf("%d", n)
	}
	if s := (attack.Tally{Tried: 10, Right: 8, Control: 6}).Share(); s != 0.5 {
		t.Errorf("%v", s)
	}
	if s := (attack.Tally{Tried: 10, Right: 5, Control: 6}).Share(); s != 0 {
		t.Errorf("%v", s)
	}
}
