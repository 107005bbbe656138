package study

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// letters are so many times eight letters: everybody gets two from one town, of two people who write to others, too. So
// a town leads to one receiver, and to no sender.
func letters(times int) *table.Table {
	var sender, receiver, town, pages []float64
	var class []int32
	for i := range times {
		for k := range 8 {
			sender = append(sender, float64(4*i+k%4))
			receiver, town = append(receiver, float64(4*i+k/2)), append(town, float64(4*i+k/2))
			class, pages = append(class, int32(k%2)), append(pages, float64(k%5))
		}
	}
	columns := []table.Column{table.NumColumn("sender", 1, sender), table.NumColumn("receiver", 1, receiver),
		table.NumColumn("town", 1, town), table.NumColumn("pages", 1, pages),
		table.CatColumn("kind", []string{"a", "b"}, class)}
	for j, r := range []table.Role{table.Person | table.Identifier, table.Identifier, table.Quasi, table.Confidential,
		table.Class} {
		columns[j].Role = r
	}
	return tabletest.Must(columns...)
}

var (
	byReceiver = []profile.Reading{{Columns: []string{"receiver"}, Says: message.Text("by receiver")}}
	knowsTown  = intruder.Intruder{Name: "i", Knows: []string{"town"}, Secret: []string{}}
)

// TestLookUpBesides: look-ups count the people meant by the reading that finds most, and say which one it is; where
// cells are blanked, nobody is left whom any reading finds.
func TestLookUpBesides(t *testing.T) {
	tab := letters(1)
	m := must.Get(catalog.Method("sadp"))(t)
	look := func(p *Protected, besides []profile.Reading) *Lookups {
		owned := ownersOf(tab, besides)
		l, err := LookUp(t.Context(), owned.told(&measure.Release{Original: p.Matched, Released: p.Released, Paired: true}),
			&knowsTown, rng.New([32]byte{}))
		must.NoError(t, err)
		return l
	}
	for _, c := range []struct {
		besides []profile.Reading
		share   float64
		says    string
	}{
		{nil, 0, ""},
		{[]profile.Reading{{Says: message.Text("by record")}}, 0, ""},
		{byReceiver, 1, "by receiver"},
	} {
		q := Request{KeepOrder: true, Table: tab, Method: m, Keep: []string{"town"}, Seed: rng.SeedOf([32]byte{1})}
		p, err := Protect(t.Context(), q)
		must.NoError(t, err)
		if l := look(p, c.besides); l.Share() != c.share || l.Says.String() != c.says {
			t.Errorf("%+v: %v, %q; expected %v, %q", c.besides, l.Share(), l.Says, c.share, c.says)
		}
		q.Blank, q.Besides = []intruder.Intruder{knowsTown}, c.besides
		p = must.Get(Protect(t.Context(), q))(t)
		if l := look(p, c.besides); l.Found > 0 || (len(p.Blanked) > 0) != (c.share > 0) {
			t.Errorf("%+v: %d are looked up though %v are blanked", c.besides, l.Found, p.Blanked)
		}
	}
}

// TestCompareBesides: the cells of a comparison are measured by every reading, as a release by itself is.
func TestCompareBesides(t *testing.T) {
	unique := must.Get(catalog.Measure("uniqueness"))(t)
	m := must.Get(catalog.Method("sadp"))(t)
	prints := map[string]bool{}
	for _, c := range []struct {
		besides []profile.Reading
		share   float64
		says    string
	}{{nil, 0.3, ""}, {byReceiver, 1, "by receiver"}} {
		q := CompareRequest{Data: []DataSet{{Name: "d", Table: letters(10), Besides: c.besides}}, Folds: 2, Repeats: 1,
			Measures: []Spec{{Measure: unique, Intruder: &knowsTown}},
			Settings: []Setting{{Name: "sadp", Method: m, Set: map[string]string{"except": "town"}}}}
		prints[q.Fingerprint()] = true
		got := must.Get(Compare(t.Context(), q))(t)
		for _, cell := range got.Cells {
			if s := cell.Scores[0]; s.Score != c.share || strings.Join(message.Written(s.Notes), "") != c.says {
				t.Errorf("%+v: %v, %q; expected %v, %q", c.besides, s.Score, message.Written(s.Notes), c.share, c.says)
			}
		}
	}
	if len(prints) < 2 {
		t.Error("a comparison that reads the records otherwise is taken for the same one")
	}
}
