package format_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/ziptest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestDatesByTheFile: what a file calls dates, and is read as numbers or texts because most values are none, bears a
// mark, by which the limits on dates find it; other columns bear none, nor do dates.
func TestDatesByTheFile(t *testing.T) {
	seconds := []float64{1_900_000_000, 1_910_000_001, 1_920_000_002, 17} // as days they are beyond the year 9999
	days := []float64{-7000, 11, 2400, 12_345}
	// written returns a file of a column "seen", with the piece was replaced by is wherever it stands.
	written := func(name string, c table.Column, was, is []byte, wish string) []byte {
		t.Helper()
		plain := table.NumColumn("plain", 1, []float64{1, 2, 3, 4})
		opt := format.Options{Types: map[string]string{c.Name: wish}}
		var out bytes.Buffer
		if err := format.WriteTo(ctx, &out, name, tabletest.Of(t, c, plain), opt); err != nil {
			t.Fatal(name, err)
		}
		if !bytes.Contains(out.Bytes(), was) {
			t.Fatalf("%s has no %q", name, was)
		}
		return bytes.ReplaceAll(out.Bytes(), was, is)
	}
	word := func(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
	numbers, dates := table.NumColumn("seen", 1, seconds), table.DateColumn("seen", calendar.ISO, days)
	styles := `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
	cell := func(of string) string { return `<row><c ` + of + `</v></c><c><v>5</v></c></row>` }
	book := func(rows string) []byte {
		const rel = `<Relationship Id="%s" Type="x/%s" Target="%s"/>`
		relations := func(list ...string) string { return "<Relationships>" + strings.Join(list, "") + "</Relationships>" }
		return ziptest.Of(t, "_rels/.rels", relations(fmt.Sprintf(rel, "1", "officeDocument", "xl/workbook.xml")),
			"xl/workbook.xml", `<workbook><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", relations(fmt.Sprintf(rel, "s", "styles", "styles.xml"),
				fmt.Sprintf(rel, "r1", "worksheet", "s1.xml")),
			"xl/styles.xml", styles, "xl/s1.xml", `<worksheet><sheetData>`+
				`<row><c t="str"><v>seen</v></c><c t="str"><v>plain</v></c></row>`+rows+`</sheetData></worksheet>`)
	}
	for _, c := range []struct {
		name string
		data []byte
		kind table.Kind
	}{
		{"a.dta", written("a.dta", numbers, []byte("%9.2f"), []byte("%td\x00\x00"), "double %9.2f"), table.Numeric},
		{"a.sav", written("a.sav", table.NumColumn("seen", 1, []float64{1e15, 2e15, 3e15, 17}), word(5<<16|9<<8|2),
			word(20<<16|11<<8), "F9.2"), table.Numeric},
		{"a.xpt", written("a.xpt", numbers, []byte("COMMA   "), []byte("DATE    "), "COMMA9."), table.Numeric},
		{"a.parquet", written("a.parquet", dates, word(12_345), word(math.MaxInt32), "date"), table.Categorical},
		{"a.arrow", written("a.arrow", dates, word(12_345), word(math.MaxInt32), "date32"), table.Categorical},
		{"a.arff", []byte("@relation a\n@attribute seen date yyyy-MM-dd\n@attribute plain numeric\n@data\n" +
			"1950-01-31,1\nunknown,2\n'about 1950',3\nnever,4\n"), table.Categorical},
		{"numbers.xlsx", book(cell(`s="1"><v>9900000`) + cell(`s="1"><v>9800000`) + cell(`s="1"><v>31000`)), table.Numeric},
		{"texts.xlsx", book(cell(`s="1"><v>31000`) + cell(`t="str"><v>before 1950`) + cell(`t="str"><v>late`)),
			table.Categorical},
	} {
		got, _, err := format.ReadFrom(ctx, c.name, bytes.NewReader(c.data), format.Options{})
		if err != nil {
			t.Error(c.name, err)
			continue
		}
		if a := got.Attr(got.Find("seen")); !a.Dated || a.Dates != "" || a.Kind != c.kind {
			t.Errorf("%s: a column of kind %v, dates written %q, called dates by the file: %t", c.name, a.Kind, a.Dates,
				a.Dated)
		}
		if got.Attr(got.Find("plain")).Dated {
			t.Errorf("%s: a column of numbers is called dates", c.name)
		}
	}
	one := "" // of many texts Excel took one for a date
	for k := range 12 {
		one += cell(`t="str"><v>` + string(rune('a'+k)))
	}
	got, _, err := format.ReadFrom(ctx, "one.xlsx", bytes.NewReader(book(one+cell(`s="1"><v>31000`))), format.Options{})
	if err != nil || got.Attr(0).Dated || got.Attr(0).Kind != table.Categorical {
		t.Errorf("a column of texts, of which Excel took one for a date: %v, %+v", err, got.Attr(0))
	}
	sound := written("a.parquet", dates, word(12_345), word(12_346), "date")
	if got, _, err := format.ReadFrom(ctx, "a.parquet", bytes.NewReader(sound), format.Options{}); err != nil ||
		got.Attr(0).Dated || got.Attr(0).Dates == "" {
		t.Errorf("dates that are read as such: %v", err)
	}
}
