package selectmeasure

import (
	"math"
	"math/big"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// parted is a table of a number in ten bins, a class, and a column that follows the class, whose segments are the bins
// below 4, from 4 to 6, and from 7 on with class 1 alone; and the segment of each record.
func parted(rows int) (*Table, *Segments) {
	r := rng.New([32]byte{5}).Rand()
	t := &Table{Domain: graphical.Domain{10, 2, 3}, Columns: make([][]int32, 3)}
	s := &Segments{Inside: []int{1}, Allowed: [][][]bool{
		{{true, true, true, true, false, false, false, false, false, false}, nil, nil},
		{{false, false, false, false, true, true, true, false, false, false}, nil, nil},
		{{false, false, false, false, false, false, false, true, true, true}, {false, true}, nil},
	}}
	for range rows {
		x := int32(r.IntN(10))
		c := int32(r.IntN(10) / 7)
		at := int32(0)
		switch {
		case x >= 7:
			at, c = 2, 1
		case x >= 4:
			at, c = 1, 1-c
		}
		t.Columns[0], t.Columns[1] = append(t.Columns[0], x), append(t.Columns[1], c)
		t.Columns[2] = append(t.Columns[2], (c+int32(r.IntN(4)/3))%3)
		s.Of = append(s.Of, at)
	}
	return t, s
}

// No record leaves the segment that it was drawn for, whatever the noise, and in each the class is as often 1 as it was
// but for the noise: its standard error is below 0.01 at epsilon 5.
func TestInsideSegments(t *testing.T) {
	tab, s := parted(4000)
	for _, epsilon := range []float64{0.05, 5} {
		l, err := DefaultPrivBayes.FitInside(t.Context(), tab, s, Promise{Epsilon: epsilon, Group: 1}, rng.New([32]byte{6}))
		must.NoError(t, err)
		must.NoError(t, l.Check())
		made := l.Network.Sample(l.Domain, 3000, rng.New([32]byte{7}))
		var ones, n [3]float64
		for i, at := range made[0] {
			for v, allowed := range s.Allowed[at] {
				if allowed != nil && !allowed[made[1+v][i]] {
					t.Fatalf("epsilon %g: a record of segment %d has the value %d in column %d", epsilon, at, made[1+v][i], v)
				}
			}
			n[at]++
			ones[at] += float64(made[2][i])
		}
		for at, want := range []float64{0.3, 0.7, 1} {
			if got := ones[at] / n[at]; epsilon > 1 && math.Abs(got-want) > 0.06 {
				t.Errorf("in segment %d the class is 1 for %.3f, expected %.1f", at, got, want)
			}
		}
	}
}

// Of a law that is given the segment nothing is left outside it, and where noise left nothing inside all that is
// allowed is as likely.
func TestConfine(t *testing.T) {
	s := &Segments{Allowed: [][][]bool{{{true, true, false}, nil}, {{false, true, true}, nil}}}
	c := graphical.Conditional{Of: 1, Given: []int{0, 2}, Law: []float64{
		0.2, 0.2, 0.6, 0, 0, 1, // segment 0, by the values of attribute 2
		0.5, 0.25, 0.25, 1, 0, 0,
	}}
	s.confine(graphical.Domain{2, 3, 2}, &c)
	want := []float64{0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0.5, 0.5}
	for i, p := range c.Law {
		if math.Abs(p-want[i]) > 1e-12 {
			t.Fatalf("the law is %v, expected %v", c.Law, want)
		}
	}
	counts := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	s.clear(graphical.Domain{2, 3, 2}, []int{0, 1, 2}, counts)
	for i, keep := range []bool{true, true, true, true, false, false, false, false, true, true, true, true} {
		if counts[i] != 0 != keep {
			t.Fatalf("the cells are %v", counts)
		}
	}
}

// Vectors: a promise of epsilon 1, of which a fifth went to the tree, of a person with two records, leaves 0.4 for
// each; a fiftieth of it counts the records. Of the rest 0.3 chooses three sets of parents and 0.7 measures four
// tables. A mean cell of 4000 records is to hold four times its noise: so many cells has a table at most.
func TestShares(t *testing.T) {
	b := DefaultPrivBayes
	tab, _ := parted(100)
	p := Promise{Epsilon: 1, Spent: 0.2, Group: 2}
	a := must.Get(b.begin(tab, p, 3, 4, rng.New([32]byte{8})))(t)
	left, _ := a.left.Float64()
	e := 0.0686 // variance 2 exp(-e)/(1-exp(-e))^2
	variance := 2 * math.Exp(-e) / ((1 - math.Exp(-e)) * (1 - math.Exp(-e)))
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"left for one record", left, 0.392},
		{"variance of a cell", a.noise.Variance(), variance},
		{"cells of a table", b.most(4000, a.table), 68.6},
	} {
		if math.Abs(c.got-c.want) > 1e-6*c.want {
			t.Errorf("%s: %.9g, expected %.9g", c.what, c.got, c.want)
		}
	}
	// two sets of which one is 20,000 steps better: permute-and-flip takes the worse with exp(-e d/(2 s))/2, where e is
	// 0.0392 and a record moves a score by s = 2,049 steps, so 0.41295; standard error 0.0035
	words, worse := rng.New([32]byte{9}).Stream().Words(), 0.0
	for range 20_000 {
		if a.selection.PermuteAndFlip(words, []int64{0, 20_000}) == 0 {
			worse++
		}
	}
	if got := worse / 20_000; math.Abs(got-0.41295) > 0.018 {
		t.Errorf("the worse set of parents is chosen with %.4f, expected 0.4130", got)
	}
}

// Number, choices and tables together cost at most what a promise has left for one record, exactly, and all of it but a
// part in 10^5.
func TestSharesOfARecord(t *testing.T) {
	b := DefaultPrivBayes
	for _, p := range []Promise{{Epsilon: 1}, {Epsilon: 0.1, Spent: 0.1}, {Epsilon: 0.7, Spent: 0.3, Group: 3},
		{Epsilon: 1.6, Spent: 0.44, Group: 7, Records: 50}, {Epsilon: 10, Records: 1}} {
		for choices := range 40 {
			tables := choices + 1
			s := must.Get(b.shares(p, choices, tables))(t)
			all, has := new(big.Rat), new(big.Rat).SetFloat64(p.Spent)
			for _, c := range []struct {
				times int
				cost  mechanism.Ratio
			}{{1, s.number}, {choices, s.choice}, {tables, s.table}} {
				if c.cost != (mechanism.Ratio{}) {
					all.Add(all, new(big.Rat).Mul(big.NewRat(int64(c.times*max(1, p.Group)), 1), c.cost.Rat()))
				}
			}
			epsilon := must.Get(mechanism.Decimal(p.Epsilon))(t)
			has.Sub(big.NewRat(1, 1), has).Mul(has, epsilon.Rat())
			share, _ := new(big.Rat).Quo(all, has).Float64()
			if all.Cmp(has) > 0 || share < 1-1e-5 {
				t.Errorf("of %+v %d choices and %d tables cost %.18f", p, choices, tables, share)
			}
			if p.Records > 0 != (s.number == mechanism.Ratio{}) {
				t.Errorf("of %+v the number costs %v", p, s.number)
			}
		}
	}
}

// A fit pays for each of its questions when it asks: one table or choice more than were shared out fails.
func TestNothingIsOverdrawn(t *testing.T) {
	tab, s := parted(100)
	d := len(tab.Domain)
	for _, questions := range [][2]int{{d, d + 1}, {1, d + 1}, {d, 1}, {d - 1, d + 1}, {d, d}} {
		a, err := DefaultPrivBayes.begin(tab, Promise{Epsilon: 1}, questions[0], questions[1], rng.New([32]byte{3}))
		must.NoError(t, err)
		for range d {
			if _, again := a.pick([]int64{1, 2}); again != nil {
				err = again
			}
		}
		if _, again := a.measure(tab, make([]parenthood, d+1)); again != nil {
			err = again
		}
		if right := questions == [2]int{d, d + 1}; right != (err == nil) {
			t.Errorf("%d choices and %d tables of an account for %v: %v", d, d+1, questions, err)
		}
	}
	nothing := Promise{Epsilon: 1, Spent: 1}
	if _, err := DefaultPrivBayes.FitInside(t.Context(), tab, s, nothing, rng.New([32]byte{3})); err == nil {
		t.Error("a law is fitted where all is spent")
	}
	for _, c := range []struct {
		p    Promise
		cost *big.Rat
		want float64 // spent then; above 1: refused
	}{
		{Promise{Epsilon: 1, Spent: 0.25, Group: 2}, big.NewRat(1, 4), 0.75},
		{Promise{Epsilon: 10, Spent: 0.1}, big.NewRat(1, 3), 0.1 + 1.0/30},
		{Promise{Epsilon: 1, Spent: 0.25, Group: 2}, big.NewRat(376, 1000), 2},
	} {
		err := c.p.Pay(c.cost)
		if c.want > 1 != (err != nil) || err == nil && math.Abs(c.p.Spent-c.want) > 1e-15 {
			t.Errorf("%v is paid: %v, and %v is spent; expected %v", c.cost, err, c.p.Spent, c.want)
		}
	}
}
