package format_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// One table in Stata's and in SPSS's format, whose dates have fractions finer than Stata's unit, is the same table of
// dates from both; the two count in doubles of other sizes, which differ by a few millionths of a second.
func TestFractionsOfDates(t *testing.T) {
	stata, _, err := format.Read(ctx, "testdata/birth-fraction.dta", format.Options{})
	must.NoError(t, err)
	spss, _, err := format.Read(ctx, "testdata/birth-fraction.sav", format.Options{})
	must.NoError(t, err)
	a, b := stata.Column(stata.Find("birth")), spss.Column(spss.Find("birth"))
	if a.Dates == "" || a.Dates != b.Dates || stata.Rows() != 800 || spss.Rows() != 800 {
		t.Fatalf("dates written %q and %q, %d and %d records", a.Dates, b.Dates, stata.Rows(), spss.Rows())
	}
	for i := range a.Num {
		if !(math.Abs(a.Num[i]-b.Num[i]) <= 2) {
			t.Fatalf("row %d: %v and %v millionths of a second since 1970", i+1, a.Num[i], b.Num[i])
		}
	}
	if got := string(a.AppendValue(nil, a.Num[0])); got != "1961-01-31T22:06:56.944778" {
		t.Errorf("the first date is %s", got)
	}
}

// Delimited texts as people have them are read as what they say, or what they are is told.
func TestTextsOfUsers(t *testing.T) {
	for name, c := range map[string]struct {
		opt   format.Options
		want  []string // columns, with their values
		told  string   // in a note
		fault string
	}{
		"pandas-index":          {want: []string{"row: 0 1 2", "age: 31 40 50", `sex: "m" "f" "m"`}, told: `it is read as "row"`},
		"sep-line":              {want: []string{"age: 31 40", `sex: "m" "f"`}, told: "which delimiter separates the columns"},
		"inches":                {want: []string{`height: "5'11\"" "6'2\""`, `sex: "m" "f"`}, told: "quotes inside cells"},
		"preamble":              {fault: "--skip 1"},
		"header-only":           {want: []string{"age:", "sex:"}},
		"one-column-semicolons": {want: []string{`a;b;c: "1;2;3" "4;5;6" "7;8;9"`}},
	} {
		got, info, err := format.Read(ctx, "testdata/"+name+".csv", c.opt)
		if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, want %q", name, err, c.fault)
		}
		if err != nil {
			continue
		}
		if d := cmp.Diff(c.want, formattest.Shown(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if notes := strings.Join(dialect.Texts(info.Notes), "\n"); !strings.Contains(notes, c.told) {
			t.Errorf("%s: %s", name, notes)
		}
		for _, ext := range []string{".csv", ".txt", ".tsv", ".xlsx", ".sav", ".dta"} { // whatever a release is written as
			var out bytes.Buffer
			must.NoError(t, format.WriteTo(ctx, &out, "a"+ext, got, info.Like(format.Options{})))
			again, _, err := format.ReadFrom(ctx, "a"+ext, &out, format.Options{})
			if err != nil || !cmp.Equal(formattest.Shown(again), formattest.Shown(got)) {
				t.Errorf("%s, written as %s: %v", name, ext, err)
			}
		}
	}
}

// Numbers such as 1.234 beside 2,5 may have a separator of thousands; they stay texts, and a note says both ways.
func TestThousandsAreNamed(t *testing.T) {
	got, info, err := format.Read(ctx, "testdata/thousands-points.csv", format.Options{})
	if err != nil || got.Attr(0).Kind != table.Categorical || got.Num(1)[0] != 2.5 || got.Num(2)[0] != 50 {
		t.Fatal(err, formattest.Shown(got))
	}
	if notes := strings.Join(dialect.Texts(info.Notes), "\n"); !strings.Contains(notes, "--numbers x=1.234,56") {
		t.Error(notes)
	}
}

// A text without a header is refused, or read without one where that is said.
func TestNoHeader(t *testing.T) {
	if _, _, err := format.Read(ctx, "testdata/nohead.csv", format.Options{}); err == nil ||
		!strings.Contains(err.Error(), "--no-header") {
		t.Error(err)
	}
	got, _, err := format.Read(ctx, "testdata/nohead.csv", format.Options{Header: dialect.NoHeader})
	if err != nil || got.Attr(0).Name != "c1" || got.Rows() != 600 {
		t.Error(err)
	}
}
