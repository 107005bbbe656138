package kimwinkler

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// rowsOf returns the rows of numbers of the records, sorted, by keys and missing values.
func rowsOf(t *table.Table, p *Plan) map[string][]string {
	out := map[string][]string{}
	for i := range t.Rows() {
		group, row := "", ""
		for _, j := range p.Keys {
			group += fmt.Sprint(t.Cat(j)[i], " ")
		}
		for _, j := range p.Columns {
			v := t.Num(j)[i]
			group += fmt.Sprint(v != v)
			row += fmt.Sprint(v, " ")
		}
		out[group] = append(out[group], row)
	}
	for _, rows := range out {
		slices.Sort(rows)
	}
	return out
}

// Swapping deals the masked rows of numbers out anew among records of the same keys that miss the same values, whole,
// and nothing else.
func TestSwapsInsideGroups(t *testing.T) {
	tab := protecttest.Mixed(400)
	set := map[string]string{"keys": "sex,size", "target": "100"}
	still := release(t, fit(t, tab, set), tab)
	set["target"] = "0"
	p := fit(t, tab, set)
	out := release(t, p, tab)
	if got, want := fmt.Sprint(rowsOf(out, p)), fmt.Sprint(rowsOf(still, p)); got != want {
		t.Error("the groups have other rows of numbers after swapping")
	}
	moved := 0
	for i, v := range out.Num(1) {
		if v != still.Num(1)[i] {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("%d of 400 records swap; expected most of them", moved)
	}
}

// In the first round, which suffices here, records swap with records of their size.
func TestSwapsBySize(t *testing.T) {
	tab := firms(t, 3000)
	p := fit(t, tab, map[string]string{"bins": "3", "target": "5"})
	if len(p.Cuts) != 2 {
		t.Fatalf("the limits are %v, expected two", p.Cuts)
	}
	g := p.group(tab)
	if g.partner.n != 6 || g.near.n != 18 {
		t.Errorf("%d groups, %d with sizes; expected 6 and 18", g.partner.n, g.near.n)
	}
	noisy := must.Get(p.Plan.Apply(tab, protecttest.Seed(7)))(t)
	moved := 0
	for i, f := range p.swap(tab, p.values(tab), p.values(noisy), g, protecttest.Seed(3)) {
		if g.near.of[i] != g.near.of[f] {
			t.Errorf("record %d swaps with record %d of another size", i, f)
		}
		if int(f) != i {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("%d of 3000 records swap, expected more", moved)
	}
}

// The records at risk are those that a comparison with all records finds, before any swap and after some.
func TestAssess(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := fit(t, tab, map[string]string{"noise": "0.02"})
	noisy := must.Get(p.Plan.Apply(tab, protecttest.Seed(7)))(t)
	l := p.link(p.values(tab), p.values(noisy))
	all := func(int) bool { return true }
	for _, shift := range []int{0, 1} {
		rows := make([]int, 300)
		for i := range rows {
			if rows[i] = i; i >= 200 {
				rows[i] = 200 + (i-200+shift)%100
			}
			l.from[i] = int32(rows[i])
		}
		got, want := float64(l.assess(all))/3, atRisk(t, tab, noisy.Gather(rows), p.Columns)
		if math.Abs(got-want) > 1e-9 || shift == 0 && got < 5 {
			t.Errorf("%.2f %% are at risk, expected %.2f %%", got, want)
		}
	}
}

// pair swaps every record at risk once, with anybody from whom it differs in two of the columns that stay behind, where
// there is somebody.
func TestPair(t *testing.T) {
	for _, c := range []struct {
		risky  string
		behind [3]string // a letter for each record
		from   string
	}{
		{"", all(0), "[]"}, {"r", all(1), "[0]"}, {"-", all(1), "[0]"}, {"rr", all(2), "[1 0]"}, {"r-", all(2), "[1 0]"},
		{"-r", all(2), "[1 0]"},
		{"rrr", all(3), "[1 0 2]"}, {"-rr", all(3), "[0 2 1]"}, {"--r", all(3), "[2 1 0]"}, {"-r-r", all(4), "[3 2 1 0]"},
		{"r--r", all(4), "[1 0 3 2]"},
		{"rr", [3]string{"ab", "cc", "dd"}, "[0 1]"}, {"rr", [3]string{"ab", "ef", "dd"}, "[1 0]"},
		{"rr", [3]string{"ab", "", ""}, "[0 1]"},
		{"rrr", [3]string{"aab", "ccd", "eef"}, "[2 1 0]"}, {"rr-r", [3]string{"aabb", "cccd", "eeee"}, "[3 1 2 0]"},
	} {
		n := len(c.risky)
		l := &linkage{from: make([]int32, n), risky: make([]bool, n)}
		for _, column := range c.behind {
			if len(column) == n {
				l.behind, l.near = append(l.behind, letters(column)), append(l.near, 0)
			}
		}
		lots := make([]int32, n)
		for i := range n {
			lots[i], l.from[i], l.risky[i] = int32(i), int32(i), c.risky[i] == 'r'
		}
		swapped := make([]bool, n)
		l.pair(lots, swapped)
		if got := fmt.Sprint(l.from); got != c.from {
			t.Errorf("%q with %q: the rows are those of %s, expected %s", c.risky, c.behind, got, c.from)
		}
		for i := range n {
			if swapped[i] != (l.from[i] != int32(i)) {
				t.Errorf("%q: record %d: swapped %v", c.risky, i, swapped[i])
			}
		}
	}
}

// Numbers that stay behind are alike where they are near each other, or both missing.
func TestHidesNumbers(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		v, w float64
		want bool
	}{{0, 2, true}, {0, 1, false}, {2, 0, true}, {none, 0, true}, {0, none, true}, {none, none, false}} {
		l := &linkage{
			behind: []table.Column{letters("ab"), table.NumColumn("n", 1, []float64{c.v, c.w})},
			near:   []float64{0, 1},
		}
		if got := l.hides(0, 1); got != c.want {
			t.Errorf("%v beside %v hides: %v, expected %v", c.v, c.w, got, c.want)
		}
	}
}

// all are columns in which all records differ.
func all(n int) [3]string { return [3]string{"abcdefgh"[:n], "abcdefgh"[:n], ""} }

// letters is a column of one letter for each record.
func letters(text string) table.Column {
	codes := make([]int32, len(text))
	for i, c := range text {
		codes[i] = int32(c - 'a')
	}
	return table.CatColumn("letters", strings.Split("abcdefgh", ""), codes)
}

// A record whose keys nobody shares does not swap, and is counted.
func TestAlone(t *testing.T) {
	tab := firms(t, 200)
	region := slices.Clone(tab.Cat(0))
	for i, r := range region {
		region[i] = max(r, 1)
	}
	region[17] = 0
	tab = tab.WithCat(0, region)
	p := fit(t, tab, map[string]string{"target": "0"})
	if p.Alone != 1 || !strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "1 records have no other") {
		t.Errorf("%d records are alone, expected one; %q", p.Alone, p.Notes())
	}
	still := fit(t, tab, map[string]string{"target": "100"})
	a, b := release(t, p, tab), release(t, still, tab)
	for _, j := range p.Columns {
		if a.Num(j)[17] != b.Num(j)[17] {
			t.Errorf("column %q of the record alone is swapped", tab.Attr(j).Name)
		}
	}
}

func TestKeys(t *testing.T) {
	tab := protecttest.Mixed(50)
	if p := fit(t, tab.Select(0, 1, 4, 7), nil); len(p.Keys) != 0 ||
		!strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "there are no keys") ||
		!strings.Contains(strings.Join(message.Written(p.Notes()), "\n"),
			`part the numbers of a record from its other columns: "city", "sex"`) {
		t.Errorf("keys %v, notes %q; expected none, and two notes", p.Keys, p.Notes())
	}
	if p := fit(t, tab, nil); fmt.Sprint(p.Keys) != "[10]" {
		t.Errorf("the keys are %v, expected the class", p.Keys)
	}
	if p := fit(t, firms(t, 50), nil); fmt.Sprint(p.Keys) != "[0 1]" {
		t.Errorf("the keys are %v, expected the quasi-identifiers", p.Keys)
	}
	if p := fit(t, tab, map[string]string{"keys": "size,city,size"}); fmt.Sprint(p.Keys) != "[4 9]" {
		t.Errorf("the keys are %v, expected [4 9]", p.Keys)
	}
	q := New()
	q.Keys = []string{"age"}
	if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), `"age" is numeric`) {
		t.Errorf("a numeric key: %v", err)
	}
	if p := fit(t, firms(t, 50).Select(0, 3, 4), nil); !strings.Contains(strings.Join(message.Written(p.Notes()), "\n"),
		"only the noise protects") {
		t.Errorf("nothing is left to be parted from the numbers, and no note says so: %q", p.Notes())
	}
}

// Where fewer than two columns stay behind nothing swaps: the rows of numbers would be whole rows of people, or all but
// a column of them, in other records, which measures of risk that go by records take for safe.
func TestNothingParted(t *testing.T) {
	firm := firms(t, 300)
	var numbers []int
	for j := range firm.Width() {
		if firm.Attr(j).Kind == table.Numeric {
			numbers = append(numbers, j)
		}
	}
	for _, columns := range [][]int{numbers, append(slices.Clone(numbers), firm.Find("owner")),
		append(slices.Clone(numbers), firm.Find("owner"), firm.Find("region"))} {
		tab := firm.Select(columns...)
		if moved := moves(t, tab); moved != 0 {
			t.Errorf("columns %v: the rows of %d records change places", columns, moved)
		}
	}
	if moved := moves(t, firm); moved < 50 {
		t.Errorf("the rows of %d of 300 records change places, expected more", moved)
	}
	town := firm.Find("town")
	attr := *firm.Attr(town)
	attr.Role = table.Weight
	if moved := moves(t, firm.WithAttr(town, attr)); moved != 0 {
		t.Errorf("only a weight and one column stay behind, and the rows of %d records change places", moved)
	}
}

// moves returns how many records carry the row of numbers of another one.
func moves(t *testing.T, tab *table.Table) int {
	t.Helper()
	a, b := release(
		t,
		fit(t, tab, map[string]string{"target": "100"}),
		tab,
	), release(t, fit(t, tab, map[string]string{"target": "0"}), tab)
	moved := 0
	for i := range tab.Rows() {
		for j := range tab.Width() {
			if tab.Attr(j).Kind == table.Numeric && a.Num(j)[i] != b.Num(j)[i] {
				moved++
				break
			}
		}
	}
	return moved
}

// Nobody's row stands in a record that differs from theirs in fewer than two of the columns that stay behind, however
// many rounds there were and however few values these columns have; numbers count as alike up to a tenth of their
// standard deviation.
func TestHides(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(20, 200).Draw(rt, "records")
		tab := firms(t, n)
		few := rapid.IntRange(1, 3).Draw(rt, "values")
		owner, town := make([]int32, n), make([]int32, n)
		for i := range n {
			owner[i], town[i] = tab.Cat(2)[i]%int32(few), max(-1, tab.Cat(6)[i]%3-1)
		}
		tab = tab.WithCat(2, owner).WithCat(6, town)
		p := fit(t, tab, map[string]string{"target": "0", "except": "cost", "keys": "branch"})
		noisy := must.Get(p.Plan.Apply(tab, protecttest.Seed(7)))(rt)
		from := p.swap(tab, p.values(tab), p.values(noisy), p.group(tab), protecttest.Seed(3))
		sd := stat.PopStdDev(tab.Num(5), nil)
		for i, f := range from {
			differ := 0
			for _, j := range []int{0, 2, 6} {
				if tab.Cat(j)[i] != tab.Cat(j)[f] {
					differ++
				}
			}
			if math.Abs(tab.Num(5)[i]-tab.Num(5)[f]) > sd/10 {
				differ++
			}
			if int(f) != i && differ < 2 {
				rt.Errorf("record %d carries the row of record %d, from which it differs in %d columns", i, f, differ)
			}
		}
	})
}
