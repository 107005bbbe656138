package swapping

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func dataFit(t testing.TB, tab *table.Table, set map[string]string) *DataPlan {
	t.Helper()
	q := NewData()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*DataPlan)
}

// tally counts all combinations of t classes by their text; class is by counted column and record.
func tally(class [][]int32, t int) map[string]int {
	out := map[string]int{}
	for _, set := range combin.Combinations(len(class), min(t, len(class))) {
		for i := range class[0] {
			var key strings.Builder
			for _, c := range set {
				fmt.Fprint(&key, c, "=", class[c][i], " ")
			}
			out[key.String()]++
		}
	}
	return out
}

// allowed is the definition: no count off by more than the tolerance, no combination made.
func allowed(was, is map[string]int, tolerance float64) bool {
	for key, n := range is {
		if was[key] == 0 && n > 0 {
			return false
		}
	}
	for key, n := range was {
		if math.Abs(float64(is[key]-n)) > max(1, tolerance*float64(n)) {
			return false
		}
	}
	return true
}

// dataTwin makes the same draws, and counts everything anew for each of them.
func dataTwin(p *DataPlan, t *table.Table, src rng.Source) [][]int32 {
	var class, from [][]int32
	var used [][]bool
	var most []int
	var swapped []int
	for c, j := range p.Counted {
		of, _ := classes(t, j, p.Cuts[c])
		class = append(class, of)
		if slices.Contains(p.Columns, j) {
			known := len(of)
			for _, x := range of {
				if x == 0 {
					known--
				}
			}
			from, used, most = append(
				from,
				identity(len(of)),
			), append(used, make([]bool, len(of))), append(most, int(p.Rate*float64(known)))
			swapped = append(swapped, c)
		}
	}
	was, random := tally(class, p.T), src.Fork("partner").Rand()
	for _, i := range order(t, src) {
		for k, c := range swapped {
			v := class[c]
			moved := len(slices.DeleteFunc(slices.Clone(used[k]), func(u bool) bool { return !u }))
			for n := 0; n < p.Tries && moved+2 <= most[k] && v[i] > 0 && !used[k][i]; n++ {
				j := rng.Below(random.Uint64(), len(v))
				if int(i) == j || v[j] == 0 || used[k][j] ||
					v[i] == v[j] && (t.Attr(p.Columns[k]).Kind == table.Categorical || slices.Contains(p.Exact, p.Columns[k])) {
					continue
				}
				v[i], v[j] = v[j], v[i]
				if !allowed(was, tally(class, p.T), p.Tolerance) {
					v[i], v[j] = v[j], v[i]
					continue
				}
				used[k][i], used[k][j], from[k][i], from[k][j] = true, true, int32(j), i
			}
		}
	}
	return from
}

// The swaps are those of the twin, and the counts of the release are as near as promised.
func TestSwapsEqualTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		tab = tab.Slice(0, min(14, tab.Rows()))
		q := NewData()
		q.T, q.Bins, q.Tries = rapid.IntRange(
			1,
			3,
		).Draw(r, "t"), rapid.IntRange(1, 4).Draw(r, "bins"), rapid.IntRange(1, 5).Draw(r, "tries")
		q.Tolerance = rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(r, "tolerance")
		q.Rate = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(r, "rate")
		fitted := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(r)
		p, src := fitted.(*DataPlan), protecttest.Seed(rapid.Byte().Draw(r, "seed"))
		s := must.Get(p.swap(context.Background(), tab, src))(r)
		if want := dataTwin(p, tab, src); fmt.Sprint(s.from) != fmt.Sprint(want) {
			r.Fatalf("values come from %v, expected %v", s.from, want)
		}
		out := must.Get(p.Apply(tab, src))(r)
		var was, is [][]int32
		for c, j := range p.Counted {
			a, _ := classes(tab, j, p.Cuts[c])
			b, _ := classes(out, j, p.Cuts[c])
			was, is = append(was, a), append(is, b)
		}
		if !allowed(tally(was, p.T), tally(is, p.T), p.Tolerance) {
			r.Fatal("a count of the release is off by more than the tolerance")
		}
	})
}

// A sample has as many records as asked for, from the first to nearly the last, none of them twice; a small table is
// its own. The notes of a plan whose trial had a sample say so.
func TestSample(t *testing.T) {
	tab := protecttest.Mixed(300)
	if sample(tab, 300) != tab {
		t.Error("300 records are not taken as they are")
	}
	some := sample(tab, 70)
	last := table.RecordID(0)
	for i := range some.Rows() {
		if id := some.ID(i); i > 0 && id <= last {
			t.Fatalf("record %d of the sample is number %d, after %d", i, id, last)
		}
		last = some.ID(i)
	}
	if some.Rows() != 70 || some.ID(0) != tab.ID(0) || last < tab.ID(290) {
		t.Errorf("%d records, from %d to %d", some.Rows(), some.ID(0), last)
	}
	p := dataFit(t, tab, nil)
	if p.Trial.Records != 0 || strings.Contains(p.Notes()[0].String(), "of the records with") {
		t.Errorf("a trial with all records: %d, %q", p.Trial.Records, p.Notes()[0])
	}
	if p.Trial.Records = 1234; !strings.Contains(p.Notes()[0].String(), "in a trial of 1,234 of the records with other "+
		"random numbers") {
		t.Errorf("a trial with a sample: %q", p.Notes()[0])
	}
}

// The trial says by how much counts change, as counting anew does.
func TestTrial(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := dataFit(t, tab, map[string]string{"tolerance": "0.2"})
	s := must.Get(p.swap(context.Background(), tab, protecttest.Seed(1)))(t)
	var was, is [][]int32
	for c, j := range p.Counted {
		of, _ := classes(tab, j, p.Cuts[c])
		was = append(was, of)
		now := make([]int32, tab.Rows())
		for i := range now {
			now[i] = s.row(int32(i))[c] &^ used
		}
		is = append(is, now)
	}
	a, b := tally(was, 2), tally(is, 2)
	want := Trial{Values: p.Trial.Values, Moved: s.moved, Cells: len(a)}
	sum := 0
	for key, n := range a {
		d := max(b[key]-n, n-b[key])
		want.Largest, sum = max(want.Largest, d), sum+d
		if d > 0 {
			want.Changed++
		}
	}
	want.Share = float64(sum) / 2 / float64(300*combin.Binomial(len(was), 2))
	got := s.trial()
	if protecttest.Near(t, "the share", got.Share, want.Share, 1e-12); got.Changed == 0 ||
		fmt.Sprint(got.Moved) != fmt.Sprint(p.Trial.Moved) {
		t.Errorf("with the same source the trial is %v, %v in the plan", got, p.Trial)
	}
	if want.Share = got.Share; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the trial is %v, expected %v", got, want)
	}
	if notes := p.Notes(); !strings.Contains(notes[0].String(), "counts of order 2 changed") {
		t.Errorf("notes %q", notes)
	}
}

// With t = 1 nothing is refused: each of the six pairs of four records is exchanged as often. At a probability of 1e-9
// of the chi-square a right program fails once in 10^9.
func TestDataPartnersAreUniform(t *testing.T) {
	tab := tabletest.Of(t, table.CatColumn("x", []string{"a", "b", "c", "d"}, []int32{0, 1, 2, 3}))
	p := dataFit(t, tab, map[string]string{"t": "1", "rate": "0.5", "tries": "100"}) // one pair
	const n = 6000
	pairs := map[string]float64{}
	for k := range n {
		s := must.Get(p.swap(context.Background(), tab, protecttest.Seed(3).Fork(fmt.Sprint(k))))(t)
		pairs[fmt.Sprint(s.from[0])]++
	}
	chi := 0.0
	for _, seen := range pairs {
		chi += (seen - n/6.) * (seen - n/6.) / (n / 6.)
	}
	if len(pairs) != 6 || (distuv.ChiSquared{K: 5}).Survival(chi) < 1e-9 {
		t.Errorf("exchanges %v, chi-square %v", pairs, chi)
	}
}

// Values keep their columns; classes are of equal size but for frequent values.
func TestMarginalsAndClasses(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := dataFit(t, tab, nil)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	for _, j := range p.Columns {
		a, b := fmt.Sprint(slices.Sorted(slices.Values(tab.Cat(j)))), fmt.Sprint(slices.Sorted(slices.Values(out.Cat(j))))
		if tab.Attr(j).Kind == table.Numeric {
			x, y := slices.Clone(tab.Num(j)), slices.Clone(out.Num(j))
			for i := range x {
				x[i], y[i] = x[i]+0, y[i]+0 // no minus zero
			}
			slices.Sort(x)
			slices.Sort(y)
			a, b = fmt.Sprint(x), fmt.Sprint(y)
		}
		if a != b {
			t.Errorf("column %q has other values", tab.Attr(j).Name)
		}
	}
	if !slices.Equal(p.Columns, []int{0, 1, 2, 3, 4, 5, 6, 7, 9}) ||
		!slices.Equal(p.Counted, []int{0, 1, 2, 3, 4, 5, 6, 7, 9, 10}) {
		t.Errorf("columns %v are swapped, %v counted", p.Columns, p.Counted)
	}
	for _, c := range []struct {
		v    []float64
		bins int
		want string
	}{
		{[]float64{0, 0, 0, 0, 0, 0, 1, 2, 3, math.NaN()}, 4, "[1 2 3]"},
		{[]float64{4, 3, 2, 1}, 2, "[3]"},
		{[]float64{4, 3, 2, 1}, 1, "[]"},
		{[]float64{4, 3, 2, 1}, 9, "[2 3 4]"},
		{[]float64{7, 7}, 3, "[]"}, {nil, 3, "[]"},
	} {
		if got := fmt.Sprint(cuts(c.v, c.bins)); got != c.want {
			t.Errorf("%v in %d classes: limits %s, expected %s", c.v, c.bins, got, c.want)
		}
	}
}

// A number of few values is counted by them: a label and its code, as in Adult's education and education_num, stay
// together where every code has one label. Only numbers of many values are counted by classes, and the notes name them.
func TestNoNewPairOfLabelAndCode(t *testing.T) {
	const n, codes = 3200, 16
	labels, label, code, many := make([]string, codes), make([]int32, n), make([]float64, n), make([]float64, n)
	for k := range labels {
		labels[k] = fmt.Sprint("level ", k)
	}
	for i := range n {
		label[i], code[i], many[i] = int32(i*i%97%codes), float64(i*i%97%codes+1), float64(i%100)
	}
	tab := tabletest.Of(t, table.CatColumn("label", labels, label), table.NumColumn("code", 1, code),
		table.NumColumn("many", 1, many))
	p := dataFit(t, tab, nil)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	for i, c := range out.Cat(0) {
		if out.Num(1)[i] != float64(c+1) {
			t.Fatalf("label %d has code %v", c, out.Num(1)[i])
		}
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "several values: many; inside "+
		"a class") {
		t.Errorf("notes %s", notes)
	}
	if p := dataFit(t, tab, map[string]string{"bins": "3"}); slices.Contains(p.Exact, 1) { // 16 values are more than 12
		t.Errorf("with 3 bins %v are counted by their values", p.Exact)
	}
}

func TestDataRefusals(t *testing.T) {
	tab := protecttest.Mixed(30)
	var wide []table.Column
	labels := make([]string, 700)
	for k := range labels {
		labels[k] = fmt.Sprint(k)
	}
	for k := range 3 {
		wide = append(wide, table.CatColumn(fmt.Sprint("x", k), labels, make([]int32, 2)))
	}
	big := tabletest.Of(t, wide...)
	q := NewData()
	q.T = 3
	if _, err := q.Fit(context.Background(), big, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "combinations") {
		t.Errorf("too many combinations: %v", err)
	}
	for want, change := range map[string]func(p *DataPlan){
		"ascending":       func(p *DataPlan) { p.Columns[0] = 3 },
		"not counted":     func(p *DataPlan) { p.Counted, p.Cuts = p.Counted[1:], p.Cuts[1:] },
		"as many":         func(p *DataPlan) { p.Cuts = nil },
		"not ascending":   func(p *DataPlan) { p.Cuts[0] = []float64{2, 1} },
		"t is":            func(p *DataPlan) { p.T = 4 },
		"tolerance is":    func(p *DataPlan) { p.Tolerance = math.NaN() },
		"tries are":       func(p *DataPlan) { p.Tries = 0 },
		"limits or count": func(p *DataPlan) { p.Trial.Moved = nil },
	} {
		p := dataFit(t, tab, nil)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
}
