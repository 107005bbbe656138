package format_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/format"
)

// One table in Stata's and in SPSS's format, whose dates have fractions finer than Stata's unit, is the same table of
// dates from both; the two count in doubles of other sizes, which differ by a few millionths of a second.
func TestFractionsOfDates(t *testing.T) {
	stata, _, err := format.Read(ctx, "testdata/birth-fraction.dta", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spss, _, err := format.Read(ctx, "testdata/birth-fraction.sav", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
