package dta

import (
	"bytes"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// %tC counts the 27 leap seconds so far, and is read as dates without them; the leap second itself is the second
// before it.
func TestLeapSeconds(t *testing.T) {
	first, last := 912*86_400.0, 17_167*86_400.0 // the days behind the first leap second and the last
	c := table.DateColumn("a", calendar.ISOTime, []float64{0, first - 1, first, first + 1, last + 26, last + 27,
		last + 28})
	written := must.Get(table.New(c))(t)
	var out bytes.Buffer
	must.NoError(t, Write(ctx, &out, written, dialect.Options{}))
	data := bytes.ReplaceAll(out.Bytes(), []byte("%tc\x00"), []byte("%tC\x00"))
	got, info, err := Read(ctx, data, dialect.Options{})
	if err != nil || got.Attr(0).Dates != calendar.ISOTime {
		t.Fatal(err, got.Attr(0).Dates)
	}
	for i, want := range []float64{0, first - 1, first - 1, first, last - 1, last, last + 1} {
		if v := got.Num(0)[i]; v != want {
			t.Errorf("%v seconds since 1970, want %v", v, want)
		}
	}
	out.Reset()
	if err := Write(ctx, &out, got, info.Like(dialect.Options{})); err != nil || !bytes.Contains(out.Bytes(),
		[]byte("%tc\x00")) {
		t.Errorf("written again with leap seconds, which are gone: %v", err)
	}
}
