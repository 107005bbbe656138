package study

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// admissions is a table of so many people with one to four records each: a birth date, and two dates with times.
func admissions(people int) (t *table.Table, of []int32) {
	r := rand.New(rand.NewPCG(3, 8))
	var birth, in, out, score []float64
	var ward []int32
	for p := range people {
		born, at := float64(r.IntN(20000)), float64(16000+r.IntN(1500))
		for range 1 + r.IntN(4) {
			of = append(of, int32(p))
			birth, in = append(birth, born), append(in, at*1440+float64(r.IntN(1440)))
			at += float64(1 + r.IntN(20))
			out = append(out, at*1440+float64(r.IntN(1440)))
			at += float64(r.IntN(100))
			score, ward = append(score, float64(r.IntN(90))), append(ward, int32(r.IntN(3)))
		}
	}
	day, minute := calendar.Notation("yyyy-mm-dd"), calendar.Notation("yyyy-mm-dd hh:mm")
	cols := []table.Column{table.NumColumn("pid", 1, studytest.Floats(of)), table.NumColumn("birth", 1, birth),
		table.NumColumn("in", 1, in), table.NumColumn("out", 1, out), table.NumColumn("score", 1, score),
		table.CatColumn("ward", []string{"a", "b", "c"}, ward)}
	cols[0].Role = table.Person | table.Identifier
	cols[1].Dates, cols[2].Dates, cols[3].Dates = day, minute, minute
	cols[1].Role, cols[4].Role, cols[5].Role = table.Quasi, table.Confidential, table.Class
	return tabletest.Must(cols...), of
}

// TestDatesShift: by several techniques all dates of a person move by one offset of whole days, or weeks, within the
// bounds and never 0; a person has the same one in another table by the same seed, and another one where the most
// days are others.
func TestDatesShift(t *testing.T) {
	tab, of := admissions(200)
	offsets := func(method, how string, tab *table.Table) map[int32]float64 {
		m := must.Get(catalog.Method(method))(t)
		s := must.Get(ParseDateShift(how))(t)
		p, err := Protect(context.Background(), Request{KeepOrder: true, Table: tab, Method: m,
			Seed: rng.SeedOf([32]byte{1}), DatesShift: s})
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		days := map[int32]float64{}
		for _, name := range []string{"birth", "in", "out"} {
			j, k := tab.Find(name), p.Released.Find(name)
			for i := range tab.Rows() {
				who := int32(tab.Num(0)[i])
				d := (p.Released.Num(k)[i] - tab.Num(j)[i]) / tab.Attr(j).Dates.PerDay()
				if had, ok := days[who]; ok && had != d {
					t.Fatalf("%s: the dates of a person move by %v and %v days", method, had, d)
				}
				days[who] = d
				if p.Original.Num(p.Original.Find(name))[i] != tab.Num(j)[i] {
					t.Fatalf("%s: the original has other dates", method)
				}
			}
			c := p.Changes[j]
			if c.Action.Kind != Shifted || c.Changed != 1 {
				t.Errorf("%s: %+v", method, c)
			}
		}
		told := strings.Join(message.Written(append(Texts(p.OfPeople), p.Notes...)), "\n")
		if !strings.Contains(told, "are the only ones with all their intervals") ||
			!strings.Contains(told, "one random offset") {
			t.Errorf("%s: told %q", method, told)
		}
		return days
	}
	first := offsets("sadp", "person,30", tab)
	seen := map[float64]bool{}
	for _, d := range first {
		if d == 0 || math.Abs(d) > 30 || d != math.Trunc(d) {
			t.Errorf("an offset of %v days", d)
		}
		seen[d] = true
	}
	if len(seen) < 45 {
		t.Errorf("200 people have only %d of 60 offsets", len(seen))
	}
	for _, method := range []string{"extframework", "segmentsynthesis", "rankswap", "mdav"} {
		for who, d := range offsets(method, "person,weeks", tab) {
			if d == 0 || math.Abs(d) > 365 || math.Mod(d, 7) != 0 {
				t.Errorf("%s: an offset of %v days for %d", method, d, who)
			}
		}
	}
	var rows []int
	for i := range of {
		if of[i]%2 == 1 {
			rows = append(rows, i)
		}
	}
	for who, d := range offsets("sadp", "person,30", tab.Gather(rows)) {
		if first[who] != d {
			t.Errorf("person %d moves by %v days in one table and by %v in another", who, first[who], d)
		}
	}
	same := 0
	for who, d := range offsets("sadp", "person,31", tab) {
		if d == first[who] {
			same++
		}
	}
	if same > 20 {
		t.Errorf("%d of 200 people move by the same days where the most days are others", same)
	}
}

// TestDatesStayInDomain: where a domain was declared, the dates of a person stay in it, all by one offset.
func TestDatesStayInDomain(t *testing.T) {
	tab, _ := admissions(100)
	j := tab.Find("birth")
	c := tab.Column(j)
	lo, hi := table.Range(c.Num)
	c.Declared, c.Domain = true, table.Interval{Lo: lo, Hi: hi}
	tab = must.Get(tab.WithColumn(j, c))(t)
	q, was, err := DateShift{Days: 9000}.shift(Request{Table: tab, Seed: rng.SeedOf([32]byte{1})})
	must.NoError(t, err)
	moved := 0
	for i, v := range q.Table.Num(j) {
		if v < lo || v > hi {
			t.Errorf("a date at %v, outside from %v to %v", v, lo, hi)
		}
		if v != was.Num(j)[i] {
			moved++
		}
	}
	if moved < tab.Rows()*9/10 {
		t.Errorf("only %d dates of %d moved", moved, tab.Rows())
	}
}

// TestIntervals: the counts agree with those of a plain twin that compares everybody with everybody.
func TestIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		n := 1 + r.IntN(15)
		days, of := make([]float64, n), make([]int32, n)
		for i := range days {
			days[i], of[i] = float64(r.IntN(8)), int32(r.IntN(6))
		}
		c := table.NumColumn("day", 1, days)
		c.Dates = calendar.Notation("yyyy-mm-dd")
		tab := tabletest.Must(c).Owned(of)
		gaps := map[int32][]float64{}
		for p := range int32(6) {
			var own []float64
			for i := range days {
				if of[i] == p {
					own = append(own, days[i])
				}
			}
			slices.Sort(own)
			for k := 1; k < len(own); k++ {
				gaps[p] = append(gaps[p], own[k]-own[k-1])
			}
		}
		wantAll, wantOne := 0, 0
		for p, own := range gaps {
			alone := true
			one := map[float64]bool{}
			for _, g := range own {
				one[g] = true
			}
			for o, other := range gaps {
				if o == p {
					continue
				}
				alone = alone && !slices.Equal(own, other)
				for _, g := range other {
					delete(one, g)
				}
			}
			if alone {
				wantAll++
			}
			if len(one) > 0 {
				wantOne++
			}
		}
		if all, one, _ := intervals(tab, []int{0}); all != wantAll || one != wantOne {
			t.Fatalf("%v of %v: %d and %d, expected %d and %d", days, of, all, one, wantAll, wantOne)
		}
	}
}

// TestParseDateShift: what it reads, and what it refuses; and a request without people, or without dates.
func TestParseDateShift(t *testing.T) {
	for text, want := range map[string]DateShift{
		"": {}, "person": {Days: 365}, "person,weeks": {Days: 365, Weeks: true}, "person,30": {Days: 30},
		"person, weeks, 90": {Days: 90, Weeks: true},
	} {
		if got, err := ParseDateShift(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"weeks", "record", "person,6", "person,40000", "person,months"} {
		if _, err := ParseDateShift(text); err == nil || !strings.Contains(err.Error(), "such as person,weeks,90") {
			t.Errorf("%q: %v", text, err)
		}
	}
	tab, _ := admissions(3)
	for want, some := range map[string]*table.Table{"role person": tab.Select(1, 4), "--dates": tab.Select(0, 4)} {
		if _, _, err := (DateShift{Days: 9}).shift(Request{Table: some}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected %q", err, want)
		}
	}
}
