package unit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/unit"
)

// sheet collects columns of texts and numbers, row by row.
type sheet struct {
	names []string
	cells map[string][]any
}

// row adds a row of names and values in turn.
func (s *sheet) row(cells ...any) {
	if s.cells == nil {
		s.cells = map[string][]any{}
	}
	for k := 0; k < len(cells); k += 2 {
		name := cells[k].(string)
		if _, ok := s.cells[name]; !ok {
			s.names = append(s.names, name)
		}
		s.cells[name] = append(s.cells[name], cells[k+1])
	}
}

// table makes whole numbers of int, numbers of float64, and texts of strings. Rows are shuffled.
func (s *sheet) table(t testing.TB, r *rand.Rand) *table.Table {
	t.Helper()
	order := r.Perm(len(s.cells[s.names[0]]))
	var cols []table.Column
	for _, name := range s.names {
		var num []float64
		var cat []int32
		var labels []string
		code, step := map[string]int32{}, 1.0
		for _, i := range order {
			switch v := s.cells[name][i].(type) {
			case int:
				num = append(num, float64(v))
			case float64:
				num, step = append(num, v), 0
			case string:
				if _, ok := code[v]; !ok {
					code[v] = int32(len(labels))
					labels = append(labels, v)
				}
				cat = append(cat, code[v])
			}
		}
		if cat != nil {
			cols = append(cols, table.Column{
				Attribute: table.Attribute{Name: name, Kind: table.Categorical, Labels: labels}, Cat: cat})
		} else {
			lo, hi := table.Range(num)
			cols = append(cols, table.Column{Attribute: table.Attribute{Name: name, Kind: table.Numeric, Step: step,
				Domain: table.Interval{Lo: lo, Hi: hi}}, Num: num})
		}
	}
	return must.Get(table.New(cols...))(t)
}

// person is what somebody keeps over all records.
type person struct {
	sex, birth, origin string
	age                int
}

func anyone(r *rand.Rand) person {
	age := 18 + r.IntN(70)
	return person{[]string{"f", "m"}[r.IntN(2)], fmt.Sprint(2020 - age), fmt.Sprint("land", r.IntN(8)), age}
}

// found shows the units found, without figures: levels, then ties, others and whether records are alike.
func found(t testing.TB, tab *table.Table) (*unit.Units, string) {
	t.Helper()
	u := must.Get(unit.Find(t.Context(), tab))(t)
	show := func(keys []unit.Key) string {
		var out []string
		for _, k := range keys {
			out = append(out, strings.Join(k.Columns, "+"))
		}
		return strings.Join(out, " < ")
	}
	out := show(u.Levels)
	if len(u.Ties) > 0 {
		out += "; ties " + show(u.Ties)
	}
	if len(u.Others) > 0 {
		out += "; others " + show(u.Others)
	}
	if u.Alike != nil {
		out += "; alike " + strings.Join(u.Alike.Columns, "+")
	}
	return u, out
}

// visits are those of people, so many records each, with a key made of the person's number.
func visits(r *rand.Rand, people, each int, key func(p int) any) *sheet {
	s := &sheet{}
	for p := range people {
		who, at := anyone(r), r.IntN(9)
		for range each {
			if r.IntN(12) == 0 { // some move
				at = r.IntN(9)
			}
			s.row("x7", key(p), "alter", who.age, "sex", who.sex, "origin", who.origin, "ward",
				string(rune('A'+r.IntN(5))), "glucose", 100+float64(r.IntN(400))/10, "home", fmt.Sprint("home", at))
		}
	}
	return s
}

// TestPerson finds the person by values, whatever its key looks like.
func TestPerson(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := make([]int, 2000)
	for k := range digits {
		digits[k] = 1_000_000 + r.IntN(9_000_000)
	}
	for name, key := range map[string]func(p int) any{
		"numbers in a row":    func(p int) any { return p + 1 },
		"numbers of a centre": func(p int) any { return 1000*(1+p%7) + p/7 },
		"scattered numbers":   func(p int) any { return digits[p] },
		"hundreds":            func(p int) any { return 100 * (p + 1) },
		"codes":               func(p int) any { return fmt.Sprintf("P%05d", p) },
		"texts":               func(p int) any { return fmt.Sprintf("%x", digits[p]) },
	} {
		for _, each := range []int{2, 7, 40} {
			u, got := found(t, visits(r, 2000/each, each, key).table(t, r))
			if got != "x7" {
				t.Errorf("%s, %d records each: found %q", name, each, got)
				continue
			}
			k := u.Levels[0]
			slices.Sort(k.Holds)
			if k.Values != 2000/each || k.Least != each || k.Median != each || k.Most != each ||
				k.Records != 2000/each*each || !slices.Equal(k.Holds, []string{"alter", "origin", "sex"}) || k.Suspects != 0 {
				t.Errorf("%s, %d records each: %+v", name, each, k)
			}
		}
	}
}

// survey is households with members and waves. A member moves at the end of a wave with that probability.
func survey(r *rand.Rand, households, waves int, move float64) *sheet {
	s := &sheet{}
	type home struct {
		region, tenure string
		size           int
		weight         float64
	}
	homes := make([]home, households)
	for h := range homes {
		homes[h] = home{fmt.Sprint("r", r.IntN(6)), []string{"own", "rent", "free"}[r.IntN(3)], 1 + r.IntN(5),
			r.Float64() * 900}
	}
	n := 0
	for h := range homes {
		for m := range homes[h].size {
			who, at := anyone(r), h
			for wave := range waves {
				o := homes[at]
				s.row("idpers", 4000+n, "hh", fmt.Sprintf("H%04d", at), "no", m+1, "sex", who.sex, "born", who.birth,
					"origin", who.origin, "region", o.region, "tenure", o.tenure, "hsize", o.size, "weight", o.weight,
					"wave", fmt.Sprint(wave), "income", 1000+10*r.IntN(500))
				if r.Float64() < move {
					at = r.IntN(households)
				}
			}
			n++
		}
	}
	return s
}

// without takes columns out.
func (s *sheet) without(names ...string) *sheet {
	left := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return slices.Contains(names, n) })
	return &sheet{left, s.cells}
}

func TestLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name  string
		sheet *sheet
		want  string
	}{
		{"members of households", survey(r, 300, 1, 0).without("idpers"), "hh"},
		{"a person is a record", survey(r, 300, 1, 0), "hh"},
		{"waves", survey(r, 300, 4, 0), "idpers < hh"},
		{"some move", survey(r, 300, 4, 0.02), "idpers < hh"},
		{"members are numbered", survey(r, 300, 4, 0).without("idpers"), "hh+no < hh"},
	} {
		if u, got := found(t, c.sheet.table(t, r)); got != c.want {
			t.Errorf("%s: found %q, want %q: %+v", c.name, got, c.want, u)
		}
	}
	u, _ := found(t, survey(r, 300, 4, 0.02).table(t, r))
	if moved := u.Levels[1].Astray; moved < 20 || moved > 80 { // of some 900
		t.Errorf("%d people moved", moved)
	}
	u, _ = found(t, survey(r, 300, 4, 0).table(t, r))
	if k := u.Levels[1]; k.Astray != 0 || !slices.Equal(k.Same, []string{"weight"}) {
		t.Errorf("the household is %+v", k)
	}
}

// TestTwoKeys finds both keys of a record.
func TestTwoKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	people := make([]person, 300)
	for k := range people {
		people[k] = anyone(r)
	}
	s := &sheet{}
	for range 3000 {
		a, b := r.IntN(300), r.IntN(300)
		s.row("from", fmt.Sprintf("K%03d", a), "fromsex", people[a].sex, "fromage", people[a].age, "to",
			fmt.Sprintf("K%03d", b), "tosex", people[b].sex, "toage", people[b].age, "amount", 1+r.IntN(1000))
	}
	_, got := found(t, s.table(t, r))
	if got != "from; others to" && got != "to; others from" {
		t.Errorf("found %q", got)
	}
}

// TestNoUnit takes nothing for a unit that is a relation, a category or a measurement.
func TestNoUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := &sheet{}
	names := make([]int, 5000)
	for k := range names {
		names[k] = int(r.ExpFloat64() * 200) // some names are many people's
	}
	for k := range 4000 {
		who, place, job := anyone(r), r.IntN(400), r.IntN(60)
		s.row("zip", 8000+place*7, "town", fmt.Sprint("town", place/3), "county", fmt.Sprint("county", place/40),
			"job", fmt.Sprint("job", job), "sector", fmt.Sprint("sector", job/6), "name", fmt.Sprint("name", names[k]),
			"sex", who.sex, "age", who.age, "group", fmt.Sprint(who.age/10), "income", 1000+r.IntN(900),
			"tax", float64(1000+r.IntN(900))/7, "batch", k%1300, "line", fmt.Sprint("line", k%1300/40),
			"fault", fmt.Sprint(r.IntN(250) == 0), "stop", fmt.Sprint(r.IntN(250) == 0))
	}
	if u, got := found(t, s.table(t, r)); got != "" {
		t.Errorf("found %q: %+v", got, u)
	}
}

// TestNamesakes prefers the code that holds a person to the name that merges namesakes.
func TestNamesakes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := &sheet{}
	for p := range 1500 {
		who := anyone(r)
		name := fmt.Sprintf("%s%d", who.sex, int(r.ExpFloat64()*200))
		for range 3 {
			s.row("Name", name, "q1", fmt.Sprintf("P%05d", p), "sex", who.sex, "age", who.age, "born", who.birth)
		}
	}
	if _, got := found(t, s.table(t, r)); got != "q1" {
		t.Errorf("found %q", got)
	}
}

// TestWithoutKey says that many records agree where the key was taken out.
func TestWithoutKey(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := &sheet{}
	for range 150 {
		who, place := anyone(r), r.IntN(300)
		for range 12 {
			s.row("born", who.birth, "place", fmt.Sprint("place", place), "sex", who.sex, "value", r.Float64())
		}
	}
	u, got := found(t, s.table(t, r))
	if got != "; alike born+place+sex" || u.Alike.Groups < 145 || u.Alike.Groups > 150 || u.Alike.Records != 1800 {
		t.Errorf("found %q: %+v", got, u.Alike)
	}
}

// TestSuspects counts the people who are split by a slip, and none where numbers are neighbours.
func TestSuspects(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	s := visits(r, 300, 8, func(p int) any { return fmt.Sprintf("P%05d", p) })
	for k := range 12 { // the last record of some
		at := 8*20*(k+1) + 7
		id := s.cells["x7"][at].(string)
		s.cells["x7"][at] = id[:3] + string(id[4]) + string(id[3]) + id[5:]
		if s.cells["x7"][at] == id {
			s.cells["x7"][at] = id + "X"
		}
	}
	tab := s.table(t, r)
	u, got := found(t, tab)
	if got != "x7" || u.Levels[0].Suspects < 9 || u.Levels[0].Suspects > 14 ||
		len(u.Levels[0].Slips) != u.Levels[0].Suspects {
		t.Errorf("found %q: %+v", got, u.Levels)
	}
	x := tab.Column(tab.Find("x7"))
	for _, pair := range u.Levels[0].Slips {
		a, b := x.Labels[x.Cat[pair[0]]], x.Labels[x.Cat[pair[1]]]
		if a == b || a[:3] != b[:3] {
			t.Errorf("%s is no slip of %s", a, b)
		}
	}
	s = &sheet{} // numbers in a row, of whom many have the same age and sex
	for p := range 1000 {
		who := anyone(r)
		for range 1 + r.IntN(3) {
			s.row("n", p, "age", who.age, "sex", who.sex)
		}
	}
	if u, got := found(t, s.table(t, r)); got != "n" || u.Levels[0].Suspects != 0 {
		t.Errorf("found %q: %+v", got, u.Levels)
	}
}

// TestReplaced: of two keys of the same units the one is taken that puts together what belongs together.
func TestReplaced(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	s := visits(r, 500, 4, func(p int) any { return p })
	for k, id := range s.cells["x7"] {
		card := 10_000 + 3*id.(int)
		if id.(int)%20 == 0 && k%4 == 3 { // lost
			card++
		}
		rent := 500 + 31*max(1, id.(int)) // two have the same
		s.cells["card"], s.cells["rent"] = append(s.cells["card"], card), append(s.cells["rent"], rent)
	}
	s.names = append([]string{"card", "rent"}, s.names...)
	u, got := found(t, s.table(t, r))
	if got == "x7" {
		slices.Sort(u.Levels[0].Same)
	}
	if got != "x7" || !slices.Equal(u.Levels[0].Same, []string{"card", "rent"}) {
		t.Errorf("found %q: %+v", got, u)
	}
}

// TestTwins takes children of one mother, numbered one after the other, for no slips.
func TestTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	s, n := &sheet{}, 0
	for m := range 600 {
		mother := anyone(r)
		for range 1 + r.IntN(4) {
			n++
			sex, month := []string{"f", "m"}[r.IntN(2)], 1+r.IntN(40)
			for range 1 + r.IntN(3) {
				s.row("mother", 5000+m, "origin", mother.origin, "born", mother.birth, "child", 20_000+n, "sex", sex,
					"month", month, "weight", 1000+r.IntN(9000))
			}
		}
	}
	if u, got := found(t, s.table(t, r)); got != "child < mother" || u.Levels[0].Suspects != 0 {
		t.Errorf("found %q: %+v", got, u.Levels)
	}
}

// TestCounts: of the numbers that are one in each household, that is named which is how many records the household has,
// with an exception among a thousand records, and not one that is by one more; nor is any where all have as many.
func TestCounts(t *testing.T) {
	households := func(most, odd int) *table.Table {
		r := rand.New(rand.NewPCG(3, uint64(most)))
		var id, size, more, income, street, age []float64
		for h := range 600 {
			n, pay, lives := 2+r.IntN(most), float64(1000+r.IntN(5000)), float64(r.IntN(40))
			for range n {
				id, income, age = append(id, float64(4000+h)), append(income, pay), append(age, float64(r.IntN(90)))
				size, more, street = append(size, float64(n)), append(more, float64(n+1)), append(street, lives)
			}
		}
		for i := range odd {
			size[7*i+3]++
		}
		return tabletest.Of(t, table.NumColumn("hid", 1, id), table.NumColumn("hsize", 1, size),
			table.NumColumn("rooms", 1, more), table.NumColumn("income", 1, income),
			table.NumColumn("street", 1, street), table.NumColumn("age", 1, age))
	}
	for _, c := range []struct {
		most, odd int
		want      []string
	}{{4, 0, []string{"hsize"}}, {4, 2, []string{"hsize"}}, {4, 4, []string{}}, {1, 0, []string{}}} {
		u, err := unit.Find(t.Context(), households(c.most, c.odd))
		if err != nil || len(u.Levels) != 1 {
			t.Fatalf("%+v, %v", u, err)
		}
		if got := u.Levels[0].Counts; !slices.Equal(got, c.want) {
			t.Errorf("households of 2 to %d, %d records of another number: %q, expected %q", c.most+1, c.odd, got, c.want)
		}
	}
}
