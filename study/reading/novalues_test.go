package reading_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// texts are 100 texts: what is given at the beginning, and then the others in turn.
func texts(first []string, others ...string) []string {
	out := slices.Clone(first)
	for k := 0; len(out) < 100; k++ {
		out = append(out, others[k%len(others)])
	}
	return out
}

func categories(name string, values []string) table.Column {
	var labels []string
	codes := make([]int32, len(values))
	for i, v := range values {
		k := slices.Index(labels, v)
		if k < 0 {
			k, labels = len(labels), append(labels, v)
		}
		codes[i] = int32(k)
	}
	return table.CatColumn(name, labels, codes)
}

// What cannot be a value of its column is missing, the rest stays: by the texts among numbers, among dates and as a
// category.
func TestWithoutTexts(t *testing.T) {
	days := []string{"2020-01-03", "2020-02-14", "2021-11-30"}
	for _, c := range []struct {
		what   string
		values []string
		want   string // the codes
		kind   table.Kind
	}{
		{"not told among numbers", texts([]string{"k.A.", "Refused"}, "12", "13", "8"), "k.A. Refused", table.Numeric},
		{"unknown among numbers", texts([]string{"unknown"}, "12", "13", "8"), "unknown", table.Numeric},
		{"a program's and a questionnaire's", texts([]string{".A", "NSP"}, "12", "13", "8"), ".A NSP", table.Numeric},
		{"faults of a spreadsheet", texts([]string{"#DIV/0!", "#WERT!"}, "12", "13", "8"), "#DIV/0! #WERT!", table.Numeric},
		{"no day", texts([]string{"00.00.0000"}, "03.01.2020", "14.02.2020"), "00.00.0000", table.Numeric},
		{"unknown among month words", texts([]string{"unknown"}, "3 Jan 2020", "14 Feb 2020"), "unknown", table.Categorical},
		{"grades", texts([]string{".a", "NSP"}, "Ulm", "Bonn"), "", table.Categorical},
		{"suppressed numbers", texts([]string{"*", "*"}, "12", "13", "8"), "*", table.Numeric},
		{"no time among dates", texts([]string{"NaT"}, days...), "NaT", table.Numeric},
		{"rare refusals", texts([]string{"Refused", "Refused"}, "Ulm", "Bonn"), "Refused", table.Categorical},
		{"many refusals", texts(slices.Repeat([]string{"Refused"}, 11), "Ulm", "Bonn"), "", table.Categorical},
		{"unknown as a category", texts([]string{"unknown"}, "Ulm", "Bonn"), "", table.Categorical},
		{"many nulls", texts(slices.Repeat([]string{`\N`, "(null)"}, 30), "Ulm", "Bonn"), `\N (null)`, table.Categorical},
		{"signs", texts([]string{"-"}, "+"), "", table.Categorical},
		{"a hyphen among words", texts([]string{"-"}, "low", "high"), "-", table.Categorical},
		{"an amount among numbers", texts([]string{"12 kg"}, "12", "13", "8"), "", table.Categorical},
	} {
		info := &format.Info{}
		info.NoteText("x", message.Text("in any words"))
		tab, pol, found, err := reading.Without(tabletest.Of(t, categories("x", c.values)), info, &policy.Policy{})
		if err != nil {
			t.Fatal(c.what, err)
		}
		var codes []string
		missing := 0
		for _, f := range found {
			codes, missing = append(codes, f.Code), missing+f.Records
		}
		if got := strings.Join(codes, " "); got != c.want || tab.Attr(0).Kind != c.kind {
			t.Errorf("%s: %q are missing, and the column is %s", c.what, got, tab.Attr(0).Kind)
		}
		if got := reading.Texts(pol.Columns["x"].Missing); !slices.Equal(got, codes) {
			t.Errorf("%s: the policy says %q", c.what, got)
		}
		for i, v := range c.values {
			if gone := slices.Contains(codes, v); gone != tab.MissingAt(i, 0) {
				t.Fatalf("%s: record %d", c.what, i)
			} else if gone {
				missing--
			}
		}
		if missing != 0 {
			t.Errorf("%s: the counts are wrong by %d", c.what, missing)
		}
	}
}

// The policy says what is a value all the same; texts that a format means as texts stay texts; and a policy that was
// made of a table reads it in the same way again.
func TestWithoutAndThePolicy(t *testing.T) {
	numbers := make([]float64, 100)
	for i := range numbers {
		if numbers[i] = float64(20 + i%60); i%20 == 0 {
			numbers[i] = -99
		}
	}
	zips := texts([]string{"n/a"}, "01234", "01235", "98765")
	tab := tabletest.Of(t, table.NumColumn("a", 1, numbers), table.NumColumn("b", 1, numbers),
		table.NumColumn("c", 1, numbers), categories("zip", zips))
	pol := &policy.Policy{Columns: map[string]policy.Column{"b": {NotMissing: []policy.Text{"-99"}},
		"c": {Domain: []policy.Text{"-100", "100"}}}}
	got, said, found, err := reading.Without(tab, &format.Info{}, pol)
	if err != nil || fmt.Sprint(found) != "[{a -99 5} {zip n/a 1}]" {
		t.Fatal(found, err)
	}
	if c := got.Column(0); c.Domain.Lo != 21 {
		t.Errorf("the domain begins at %v", c.Domain.Lo)
	}
	again := must.Get(reading.After(tab, &format.Info{}, said))(t)
	for j := range got.Width() {
		c, want := again.Column(j), got.Column(j)
		if !c.Equal(&want) || c.Name == "zip" && c.Kind != table.Categorical {
			t.Errorf("%s, read again, is another column", c.Name)
		}
	}
	if s := found[0].Says().String(); !strings.Contains(s, "--not-missing a=-99") || !strings.Contains(s, "5 records") {
		t.Error(s)
	}
}

// Of 2,000 columns without a code, one at most has a value that is taken for missing.
func TestWithoutInventsNothing(t *testing.T) {
	invented := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 11))
		draw := func(value func() float64) []float64 {
			out := make([]float64, 300)
			for i := range out {
				out[i] = value()
			}
			return out
		}
		cols := []table.Column{
			table.NumColumn("uniform", 1, draw(func() float64 { return float64(r.IntN(100)) })),
			table.NumColumn("hundreds", 1, draw(func() float64 { return float64(r.IntN(1000)) })),
			table.NumColumn("degrees", 1, draw(func() float64 { return float64(r.IntN(40) - 9) })),
			table.NumColumn("normal", 1, draw(func() float64 { return float64(int(40 * r.NormFloat64())) })),
			table.NumColumn("long tail", 1, draw(func() float64 { return float64(int(9 * r.ExpFloat64() * r.ExpFloat64())) })),
			table.NumColumn("top code", 1, draw(func() float64 { return min(999, float64(int(200*r.ExpFloat64()))) })),
			table.NumColumn("zeros", 1, draw(func() float64 { return 99 * float64(r.IntN(20)/19) })),
			table.NumColumn("changes", 1, draw(func() float64 { return float64(r.IntN(5) - 1) })),
			categories("letters", texts(nil, strings.Split("abcdefghx-", "")...)),
			categories("signs", texts(nil, "+", "-")),
		}
		cols[8] = cols[8].Gather(slices.Repeat([]int{1, 2, 3}, 100))
		cols[9] = cols[9].Gather(slices.Repeat([]int{0, 1, 0}, 100))
		_, _, found, err := reading.Without(tabletest.Of(t, cols...), &format.Info{}, &policy.Policy{})
		must.NoError(t, err)
		if invented += len(found); len(found) > 0 {
			t.Log(found)
		}
	}
	if invented > 1 {
		t.Errorf("%d columns have a value that is taken for missing", invented)
	}
}
