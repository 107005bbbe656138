package graphicalsynthesis

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// visited is a table of the visits of 600 people: men have four or five, women one or two; days ascend, and who was
// given a kind of care is given it again at the next visit four times in five.
func visited() *table.Table {
	r := protecttest.Seed(4).Rand()
	var day []float64
	var sex, care, whose []int32
	for p := range int32(600) {
		s, at, c := int32(r.IntN(2)), float64(r.IntN(30)), int32(r.IntN(3))
		for range 1 + int(3*s) + r.IntN(2) {
			if at += float64(1 + r.IntN(20)); r.IntN(5) == 0 {
				c = int32(r.IntN(3))
			}
			day, sex, care, whose = append(day, at), append(sex, s), append(care, c), append(whose, p)
		}
	}
	return tabletest.Must(table.NumColumn("day", 1, day), table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("care", []string{"a", "b", "c"}, care)).Owned(whose)
}

// drawnBy fits and draws a Bayesian network.
func drawnBy(t *testing.T, tab *table.Table, set map[string]string) (*Plan, *table.Table) {
	t.Helper()
	q := Methods[3].New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	must.NoError(t, p.(*Plan).Check())
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*Plan), out
}

// People are drawn as people: as many as there were, with one sex, with days that ascend, with as many visits as their
// sex goes with, and care that stays.
func TestPersonsAreDrawn(t *testing.T) {
	tab := visited()
	p, out := drawnBy(t, tab, nil)
	if p.Units == nil || p.Several {
		t.Fatal("records are drawn each for itself")
	}
	if notes := p.Notes(); len(notes) != 1 || notes[0].Key() != "synthesis.people" {
		t.Errorf("the notes are %v", notes)
	}
	of, n := out.People()
	if n < 540 || n > 660 {
		t.Fatalf("%d people are drawn, expected about 600", n)
	}
	visits, sex := make([]float64, n), make([]int32, n)
	day, care := make([]float64, n), make([]int32, n)
	again, same := 0, 0
	for i, who := range of {
		s, c := out.Cat(1)[i], out.Cat(2)[i]
		if visits[who]++; visits[who] > 1 {
			if out.Num(0)[i] < day[who] || s != sex[who] {
				t.Fatal("days do not ascend, or the sex of a person changes")
			}
			if again++; c == care[who] {
				same++
			}
		}
		day[who], sex[who], care[who] = out.Num(0)[i], s, c
	}
	var mean, count [2]float64
	for who, k := range visits {
		mean[sex[who]] += k
		count[sex[who]]++
	}
	for s, want := range []float64{1.5, 4.5} { // standard error 0.03
		if m := mean[s] / count[s]; math.Abs(m-want) > 0.2 {
			t.Errorf("people of sex %d have %.2f visits, expected %.1f", s, m, want)
		}
	}
	// by chance a third; in the table 13 of 15; standard error 0.01
	if share := float64(same) / float64(again); math.Abs(share-13.0/15) > 0.06 {
		t.Errorf("care stays at %.3f of the visits, expected 0.867", share)
	}
}

// Records that are to be like something are, also of people with several records; what too few people are cannot be
// asked for.
func TestLike(t *testing.T) {
	_, out := drawnBy(t, visited(), map[string]string{"like": "sex=m"})
	for i := range out.Rows() {
		if out.Cat(1)[i] != 1 {
			t.Fatal("a record is not like what was asked for")
		}
	}
	_, out = drawnBy(t, protecttest.Mixed(800), map[string]string{"like": "city=b and age>=60", "rows": "90"})
	if out.Rows() != 90 {
		t.Fatalf("%d records", out.Rows())
	}
	for i := range out.Rows() {
		if out.Attr(4).Labels[out.Cat(4)[i]] != "b" || !(out.Num(0)[i] >= 60) {
			t.Fatal("a record is not like what was asked for")
		}
	}
	q := Methods[3].New()
	must.NoError(t, q.Params().Apply(map[string]string{"like": "city=zz"}))
	if _, err := q.Fit(t.Context(), protecttest.Mixed(100), protecttest.Seed(1)); err == nil {
		t.Error("a city that nobody is from is not refused")
	}
}

// A plan whose laws are given what is drawn after them is refused.
func TestStagesOfAPlan(t *testing.T) {
	p, _ := drawnBy(t, visited(), nil)
	sex, day := -1, -1
	for k := range p.Columns {
		switch p.Columns[k].Column {
		case 0:
			day = p.At[k]
		case 1:
			sex = p.At[k]
		}
	}
	for n := range p.Network {
		if c := &p.Network[n]; c.Of == sex {
			c.Given, c.Law = []int{day}, make([]float64, p.Domain[day]*p.Domain[sex])
			for i := range c.Law {
				c.Law[i] = 1 / float64(p.Domain[sex])
			}
		}
	}
	if p.Check() == nil {
		t.Error("the sex of a person is drawn given a day of one of their visits")
	}
}
