package kimwinkler

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

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

// Swapping deals the masked rows of numbers out anew among records of the same keys that miss the same values, whole, and nothing else.
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
	noisy, err := p.Plan.Apply(tab, protecttest.Seed(7))
	if err != nil {
		t.Fatal(err)
	}
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
	noisy, err := p.Plan.Apply(tab, protecttest.Seed(7))
	if err != nil {
		t.Fatal(err)
	}
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

// pair swaps every record at risk once, with anybody, where there is somebody.
func TestPair(t *testing.T) {
	for _, c := range []struct {
		risky string
		from  string
	}{
		{"", "[]"}, {"r", "[0]"}, {"-", "[0]"}, {"rr", "[1 0]"}, {"r-", "[1 0]"}, {"-r", "[1 0]"}, {"rrr", "[1 0 2]"}, {"-rr", "[0 2 1]"},
		{"--r", "[2 1 0]"}, {"-r-r", "[3 2 1 0]"}, {"r--r", "[1 0 3 2]"},
	} {
		n := len(c.risky)
		l := &linkage{from: make([]int32, n), risky: make([]bool, n)}
		lots := make([]int32, n)
		for i := range n {
			lots[i], l.from[i], l.risky[i] = int32(i), int32(i), c.risky[i] == 'r'
		}
		swapped := make([]bool, n)
		l.pair(lots, swapped)
		if got := fmt.Sprint(l.from); got != c.from {
			t.Errorf("%q: the rows are those of %s, expected %s", c.risky, got, c.from)
		}
		for i := range n {
			if swapped[i] != (l.from[i] != int32(i)) {
				t.Errorf("%q: record %d: swapped %v", c.risky, i, swapped[i])
			}
		}
	}
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
	if p.Alone != 1 || !strings.Contains(strings.Join(p.Notes(), "\n"), "1 records have no other") {
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
	if p := fit(t, tab.Select(0, 1, 4, 7), nil); len(p.Keys) != 0 || !strings.Contains(strings.Join(p.Notes(), "\n"), "there are no keys") ||
		!strings.Contains(strings.Join(p.Notes(), "\n"), `part the numbers of a record from its other columns: "city", "sex"`) {
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
	if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), `"age" is numeric`) {
		t.Errorf("a numeric key: %v", err)
	}
	if p := fit(t, firms(t, 50).Select(0, 3, 4), nil); !strings.Contains(strings.Join(p.Notes(), "\n"), "only the noise protects") {
		t.Errorf("nothing is left to be parted from the numbers, and no note says so: %q", p.Notes())
	}
}

// TestNothingParted: where all columns are perturbed, whole rows would change places, the release would be the original in another order, and measures of risk would take
// it for safe.
func TestNothingParted(t *testing.T) {
	tab := firms(t, 300)
	var numbers []int
	for j := range tab.Width() {
		if tab.Attr(j).Kind == table.Numeric {
			numbers = append(numbers, j)
		}
	}
	tab = tab.Select(numbers...)
	still, swaps := release(t, fit(t, tab, map[string]string{"target": "100"}), tab), release(t, fit(t, tab, map[string]string{"target": "0"}), tab)
	for j := range tab.Width() {
		if !slices.Equal(still.Num(j), swaps.Num(j)) {
			t.Errorf("rows of column %q change places", tab.Attr(j).Name)
		}
	}
}
