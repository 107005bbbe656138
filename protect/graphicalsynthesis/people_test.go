package graphicalsynthesis

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// visits is the table of visits with declared domains.
func visits() *table.Table {
	tab := visited()
	cols := tab.Columns()
	for j := range cols {
		cols[j].Declared = true
	}
	cols[0].Domain, cols[2].Role = table.Interval{Lo: 0, Hi: 150}, table.Class
	return tabletest.Must(cols...).Owned(tab.Owners())
}

func asPeople(q *Technique) {
	q.Epsilon, q.Delta, q.Records, q.Constant = 50, 1e-6, 5, []string{"sex"}
}

// People are drawn as people under a promise, too: about as many, with one sex, with as many visits as their sex goes
// with, and care that stays from a visit to the next.
func TestPeopleUnderEpsilon(t *testing.T) {
	tab := visits()
	for _, name := range []string{"mst", "privbayes", "privatesegments"} {
		p := fitted(t, name, tab, asPeople)
		if p.Promise.Unit.Of != units.Person || p.Promise.Unit.Records != 5 || p.Several {
			t.Fatalf("%s: the promise is %+v", name, p.Promise)
		}
		out := released(t, p)
		of, n := out.People()
		if n < 590 || n > 610 {
			t.Fatalf("%s: %d people are drawn, expected about 600", name, n)
		}
		count, sex, care := make([]float64, n), make([]int32, n), make([]int32, n)
		again, same := 0, 0
		for i, who := range of {
			s, c := out.Cat(1)[i], out.Cat(2)[i]
			if count[who]++; count[who] == 1 {
				sex[who] = s
			} else {
				if again++; c == care[who] {
					same++
				}
			}
			if care[who] = c; s != sex[who] {
				t.Fatalf("%s: a person changes their sex", name)
			}
		}
		var sum, all [2]float64
		for who, k := range count {
			if sex[who] >= 0 {
				sum[sex[who]] += k
				all[sex[who]]++
			}
		}
		for s, want := range []float64{1.5, 4.5} { // standard error 0.03, without noise
			if m := sum[s] / all[s]; math.Abs(m-want) > 0.4 {
				t.Errorf("%s: people of sex %d have %.2f visits, expected %.1f", name, s, m, want)
			}
		}
		if share := float64(same) / float64(again); share < 0.6 { // by chance a third; in the table 13 of 15
			t.Errorf("%s: care stays at %.3f of the visits, expected about 0.87", name, share)
		}
	}
}

// released is the table that a plan draws.
func released(t *testing.T, p *Private) *table.Table {
	t.Helper()
	blank, err := p.Blank(protecttest.Seed(2))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(blank, protecttest.Seed(2))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A neighbour differs in one person: of two tables, of which the second has one more with six records, the wider tables
// differ in one row, the codings and all of the plan that is not noise are the same, and the noise is that of one row.
func TestAPersonIsOneRow(t *testing.T) {
	with := visits()
	var rows []int
	for i, who := range with.Owners() {
		if who != 7 {
			rows = append(rows, i)
		}
	}
	var wide [2]*table.Table
	var shapes [2]string
	for k, tab := range []*table.Table{with, with.Gather(rows)} {
		u := &People{Most: 5, Constant: []int{1}}
		columns := []Coding{{Column: 0, Bins: 20}, {Column: 1, Bins: 2}, {Column: 2, Bins: 3}}
		of, _ := units.Members(units.Of(units.Told, tab, 5), tab)
		w, coded, err := u.widen(tab, of, every(tab)[:], columns)
		if err != nil {
			t.Fatal(err)
		}
		wide[k] = w
		p := fitted(t, "mst", tab, asPeople)
		shape, err := json.Marshal([]any{w.Attrs(), coded, p.People, p.Columns, p.Promise})
		if err != nil {
			t.Fatal(err)
		}
		shapes[k] = string(shape)
	}
	if shapes[0] != shapes[1] {
		t.Error("the shape of the model depends on who is there")
	}
	if wide[0].Rows() != wide[1].Rows()+1 {
		t.Fatalf("one person more are %d rows more", wide[0].Rows()-wide[1].Rows())
	}
	at := 0
	for i := range wide[0].Rows() {
		same := at < wide[1].Rows()
		for j := 0; same && j < wide[0].Width(); j++ {
			a, b := wide[0].Column(j), wide[1].Column(j)
			same = a.Same(i, &b, at)
		}
		if same {
			at++
		}
	}
	if at != wide[1].Rows() {
		t.Errorf("%d rows of %d are the same", at, wide[1].Rows())
	}
}

// More records than a table can hold side by side are refused, and so is a column that there is not; with one record of
// each there are no people to draw, and a note says how to have them.
func TestPeopleThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, why string
		set       func(q *Technique)
	}{
		{"aim", "draws at most 48", func(q *Technique) { q.Records = 30 }},
		{"mst", "draws at most 400", func(q *Technique) { q.Records = 300 }},
		{"privbayes", `no column "height"`, func(q *Technique) { q.Constant = []string{"height"} }},
	} {
		at := slices.IndexFunc(Methods, func(m protect.Method) bool { return m.Name == c.name })
		q := Methods[at].New().(*private)
		c.set(&q.Technique)
		if _, err := q.Fit(t.Context(), visits(), protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	p := fitted(t, "mst", visits(), nil)
	if !p.Several || p.People != nil {
		t.Error("with one record of each person, people of several are drawn")
	}
}

// So many records as are asked for come of as many people as have them.
func TestRecordsOfPeople(t *testing.T) {
	p := fitted(t, "mst", visits(), func(q *Technique) { asPeople(q); q.Rows = 3000 })
	if out := released(t, p); out.Rows() < 2800 || out.Rows() > 3200 {
		t.Errorf("%d records are drawn, expected about 3000", out.Rows())
	}
}
