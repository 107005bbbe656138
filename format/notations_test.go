package format_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
)

// notations are the layouts of package time for notations of dates; empty for what is no notation.
var notations = map[calendar.Notation]string{
	"yyyy-mm-dd":                 "2006-01-02",
	"dd.mm.yyyy":                 "02.01.2006",
	"m/d/yyyy":                   "1/2/2006",
	"dd/mm/yyyy hh:mm":           "02/01/2006 15:04",
	"m/d/yyyy h:mm AM":           "1/2/2006 3:04 PM",
	"mm/dd/yyyy hh:mm:ssam":      "01/02/2006 03:04:05pm",
	"yyyy-mm-ddThh:mm:ssZ":       "2006-01-02T15:04:05Z",
	"yyyy-mm-ddThh:mm:ss+08:00":  "2006-01-02T15:04:05+08:00",
	"yyyy-mm-dd hh:mm:ss.fff-08": "2006-01-02 15:04:05.000-08",
	"d.m.yyyy h:mm:ss AM +0800":  "2.1.2006 3:04:05 PM +0800",
	"yyyy-mm-ddThh:mm:ss.ffffff": "2006-01-02T15:04:05.000000",
	"dd-mm-yyyyThh:mm:ss.fPM":    "",
}

// TestNotationsAcrossFormats: dates in a notation are recognised in CSV and written back byte for byte; through ARFF
// they keep their notation, through Parquet the instant of the clock, and told the notation they come back from there
// as they were.
func TestNotationsAcrossFormats(t *testing.T) {
	for n, layout := range notations {
		if layout == "" {
			if _, err := calendar.Parse(string(n)); err == nil {
				t.Errorf("%s is a notation", n)
			}
			continue
		}
		var csv strings.Builder
		csv.WriteString("seen,y\n")
		for i := range 48 {
			at := time.Date(
				1999,
				12,
				25,
				0,
				0,
				0,
				0,
				time.UTC,
			).Add(time.Duration(i) * (37*time.Hour + 11*time.Minute + 7*time.Second + 250*time.Millisecond))
			fmt.Fprintf(&csv, "%s,%d\n", at.Format(layout), i%2)
		}
		read := func(name, data string, opt format.Options) *table.Table {
			got, info, err := format.ReadFrom(t.Context(), name, strings.NewReader(data), opt)
			if err != nil {
				t.Fatalf("%s: %s: %v", n, name, err)
			}
			if len(info.Notes) > 0 {
				t.Errorf("%s: %s: %q", n, name, info.Notes)
			}
			return got
		}
		write := func(name string, x *table.Table) string {
			var b strings.Builder
			if err := format.WriteTo(t.Context(), &b, name, x, format.Options{}); err != nil {
				t.Fatalf("%s: %s: %v", n, name, err)
			}
			return b.String()
		}
		x := read("x.csv", csv.String(), format.Options{})
		if x.Attr(0).Dates != n {
			t.Errorf("%s is read as %q, %v", n, x.Attr(0).Dates, x.Attr(0).Kind)
			continue
		}
		if got := write("x.csv", x); got != csv.String() {
			t.Errorf("%s becomes\n%.200s", n, got)
		}
		upper := calendar.Notation(strings.Replace(string(n), "am", "AM", 1))
		if back := read("x.arff", write("x.arff", x), format.Options{}); back.Attr(0).Dates != upper ||
			!slices.Equal(back.Num(0), x.Num(0)) {
			t.Errorf("%s: through ARFF it is %q", n, back.Attr(0).Dates)
		}
		told := format.Options{Dates: map[string]calendar.Notation{"seen": n}}
		if back := read("x.parquet", write("x.parquet", x), told); back.Attr(0).Dates != n ||
			write("x.csv", back) != csv.String() {
			t.Errorf("%s: through Parquet it is\n%.200s", n, write("x.csv", back))
		}
	}
}
