package reading_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// inNotation are the texts of days in a notation, and the days.
func inNotation(r *rand.Rand, n calendar.Notation) (texts []string, days []int) {
	for range 60 {
		day := r.IntN(25000) - 15000
		texts = append(texts, string(n.Append(nil, float64(day))))
		days = append(days, day)
	}
	return texts, days
}

// Months and times of the day are dates where all values of a column are and they are many, and numbers that are no
// months, of one year or few stay numbers.
func TestDatedParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	const n = 200
	months, times, iso, one, codes := make([]float64, n), make([]string, n), make([]string, n), make([]float64, n),
		make([]float64, n)
	few := make([]string, n)
	for i := range n {
		m := r.IntN(300)
		months[i] = float64((1995+m/12)*100 + m%12 + 1)
		iso[i] = fmt.Sprintf("%d-%02d", 1995+m/12, m%12+1)
		times[i] = fmt.Sprintf("%02d:%02d", r.IntN(24), r.IntN(60))
		few[i] = fmt.Sprintf("%02d:00", 8+r.IntN(5))
		one[i] = float64(201901 + r.IntN(12))
		codes[i] = float64(199500 + r.IntN(3000))
	}
	tab, pol, err := reading.Dated(tabletest.Of(t, table.NumColumn("months", 1, months), categories("times", times),
		categories("iso", iso), categories("few", few), table.NumColumn("one", 1, one), table.NumColumn("codes", 1, codes)),
		&format.Info{}, &policy.Policy{})
	must.NoError(t, err)
	for name, want := range map[string]calendar.Notation{
		"months": "yyyymm", "times": "hh:mm", "iso": "yyyy-mm", "few": "", "one": "", "codes": ""} {
		if c := tab.Column(tab.Find(name)); c.Dates != want || pol.Dates()[name] != want {
			t.Errorf("%s is read as %q, and the policy says %q", name, c.Dates, pol.Dates()[name])
		}
	}
	if got := string(tab.Attr(0).AppendValue(nil, tab.Num(0)[0])); got != fmt.Sprint(months[0]) {
		t.Errorf("%v became %s", months[0], got)
	}
}

// What is written in words or without marks is dates, each the day that it says; the policy says so, and reads the
// table in the same way again.
func TestDated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, n := range []calendar.Notation{"dd Dec yyyy", "d. Dezember yyyy", "ddmmyyyy", "yyyymmdd"} {
		texts, days := inNotation(r, n)
		cols := []table.Column{categories("x", texts)}
		if !strings.ContainsAny(string(n), " ") {
			numbers := make([]float64, len(texts))
			for i, s := range texts {
				must.Get(fmt.Sscanf(s, "%f", &numbers[i]))(t)
			}
			cols = append(cols, table.NumColumn("y", 1, numbers))
		}
		info := &format.Info{}
		info.NoteText("x", message.Text("in any words"))
		tab, pol, err := reading.Dated(tabletest.Of(t, cols...), info, &policy.Policy{})
		must.NoError(t, err)
		for j := range tab.Width() {
			c := tab.Column(j)
			if c.Dates != n || pol.Dates()[c.Name] != n {
				t.Fatalf("%s: read as %q, and the policy says %q", n, c.Dates, pol.Dates()[c.Name])
			}
			for i, day := range days {
				if c.Num[i] != float64(day) {
					t.Fatalf("%s: record %d is day %v, want %d", n, i, c.Num[i], day)
				}
			}
		}
		if len(info.Notes) != len(cols) {
			t.Errorf("%s: %q", n, info.Notes)
		}
	}
}

// What the policy says of a column stands, two digits of a year are asked about, and of 1,000 columns none is dates by
// chance.
func TestDatedInventsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	short, _ := inNotation(r, "dd-DEC-yy from 1926")
	long, _ := inNotation(r, "dd Dec yyyy")
	info := &format.Info{}
	tab, _, err := reading.Dated(tabletest.Of(t, categories("short", short), categories("long", long)), info,
		&policy.Policy{Columns: map[string]policy.Column{"long": {Kind: "categorical"}}})
	if err != nil || tab.Attr(0).Dates != "" || tab.Attr(1).Dates != "" || len(info.Notes) != 1 {
		t.Fatal(err, info.Notes)
	}
	for range 250 {
		amounts, ids, words, codes := make([]float64, 60), make([]float64, 60), make([]string, 60), make([]string, 60)
		for i := range amounts {
			amounts[i] = float64(1e7 + r.IntN(9e7))
			ids[i] = float64(19000000 + r.IntN(1300000))
			words[i] = fmt.Sprintf("%d %s %d", 1+r.IntN(28), []string{"May", "North", "Dec"}[r.IntN(3)], 1900+r.IntN(100))
			codes[i] = fmt.Sprintf("%08d", r.IntN(1e8))
		}
		tab, _, err := reading.Dated(tabletest.Of(t, table.NumColumn("a", 1, amounts), table.NumColumn("b", 1, ids),
			categories("c", words), categories("d", codes)), &format.Info{}, &policy.Policy{})
		must.NoError(t, err)
		for _, a := range tab.Attrs() {
			if a.Dates != "" {
				t.Errorf("%s is read as %s", a.Name, a.Dates)
			}
		}
	}
}
