package xlsx

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/ziptest"
	"github.com/dither-data/dither/table"
)

const styles = `<numFmts><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy"/><numFmt numFmtId="165" formatCode="[$-407]d/ mmm yyyy\ hh:mm;@"/><numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="&quot;day &quot;0"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="49"/><xf numFmtId="49" quotePrefix="1"/></cellXfs>`

// What a sheet holds, as it is read, and what is said of it.
func TestReads(t *testing.T) {
	at := func(style, v string) string { return `<c s="` + style + `"><v>` + v + `</v></c>` }
	text := func(style, v string) string {
		return `<c s="` + style + `" t="inlineStr"><is><t>` + v + `</t></is></c>`
	}
	for name, c := range map[string]struct {
		sheet string
		want  []string
		notes []string
	}{
		"numbers": {cells("n|x", "33.299999999999997|1E-2", "0.10000000000000001|1.5e3"),
			[]string{"n: 33.3 0.1", "x: 0.01 1500.00"}, nil},
		"dates by their format": {cells("a|b|c|d",
			at("1", "45292")+"|"+at("2", "45292")+"|"+at("3", "45292.5")+"|"+at("5", "45292"),
			at("1", "1")+"|"+at("2", "61")+"|"+at("3", "45292.000011574")+"|"+at("5", "2")),
			[]string{"a: 2024-01-01 1900-01-01", "b: 2024-01-01 1900-03-01", "c: 2024-01-01T12:00:00 2024-01-01T00:00:01",
				"d: 45292 2"}, nil},
		"a time that is not shown": {cells("a", at("1", "45292.25")), []string{"a: 2024-01-01T06:00:00"}, nil},
		"times of day":             {cells("a", at("4", "0.52083333333333337"), at("4", "1.25")), []string{"a: 45000 108000"}, []string{`column "a": its times of day, or durations, are read as seconds`}},
		"no dates":                 {cells("a", at("1", "0"), at("1", "45292")), []string{"a: 0 45292"}, []string{`column "a": its numbers are shown as dates, but are none of the years 1900 to 9999; it is read as numbers`}},
		"the day that there was not": {cells("a", at("1", "60")), []string{"a: 60"},
			[]string{`column "a": its numbers are shown as dates, but are none of the years 1900 to 9999; it is read as numbers`}},
		"dates, and older ones as texts": {cells("a", at("1", "45292"), "1848-03-18"), []string{"a: 2024-01-01 1848-03-18"},
			nil},
		"texts that are dates": {cells("a", "18.03.1848", "19.03.1848"), []string{"a: 18.03.1848 19.03.1848"}, nil},
		"numbers that are texts": {cells("a|b", "7|"+text("6", "1.50"), text("0", "8")+"|"+text("6", "2")),
			[]string{"a: 7 8", "b: 1.5 2.0"}, []string{
				`column "a": 1 of its numbers are stored as texts, and are read as numbers (kind: categorical in a policy keeps them)`,
				`column "b": 2 of its numbers are stored as texts, and are read as numbers (kind: categorical in a policy keeps them)`}},
		"behind an apostrophe": {cells("a|b", text("7", "7")+"|"+text("7", "NA"), text("7", "8")+"|x"), []string{`a: "7" "8"`, `b: "NA" "x"`}, nil},
		"codes":                {cells("a", text("0", "007"), text("0", "8")), []string{`a: "007" "8"`}, nil},
		"numbers and texts":    {cells("a", "7", "x", "?"), []string{`a: "7" "x" ?`}, []string{`column "a": it holds texts beside 1 numbers, dates or truth values, and is read as categories`}},
		"marks":                {cells("a|b", "1|NA", "?|2", "NaN|", "|4"), []string{"a: 1 ? ? ?", "b: ? 2 ? 4"}, nil},
		"errors": {cells("a|b", `<c t="e"><v>#N/A</v></c>|x`, "2|"+`<c t="str"><v>#N/A</v></c>`), []string{"a: ? 2", `b: "x" "#N/A"`},
			[]string{`column "a": 1 cells hold an error such as #N/A, and are missing`}},
		"truth values": {cells("a", `<c t="b"><v>1</v></c>`, `<c t="b"><v>0</v></c>`), []string{`a: "TRUE" "FALSE"`}, nil},
		"formulas": {cells("a|b", `<c><f>1+1</f><v>2</v></c>|<c t="str"><f>""</f><v></v></c>`, "3|y"), []string{"a: 2 3", `b: ? "y"`},
			[]string{`column "a": 1 of its values were worked out by formulas; they are read as they were last worked out, and a release has no formula`,
				`column "b": 1 of its values were worked out by formulas; they are read as they were last worked out, and a release has no formula`}},
		"merged cells": {cells("a|b", "1|x", "|y") + `<mergeCells><mergeCell ref="A2:A3"/></mergeCells>`, []string{"a: 1 ?", `b: "x" "y"`},
			[]string{"cells are merged in 1 places, such as A2:A3: the value is that of the first cell, and the others are " +
				"missing"}},
		"empty rows": {`<sheetData><row r="3"><c r="C3" t="str"><v>a</v></c></row><row r="4"><c r="C4"><v>1</v></c></row><row r="5" spans="1:2"/><row r="9"><c r="C9"><v>2</v></c></row><row r="10"/></sheetData>`,
			[]string{"a: 1 2"}, []string{"the names of columns are taken from row 3, the first that is not empty",
				"1 empty rows between records are left out"}},
		"hidden": {`<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row hidden="1"><c><v>1</v></c><c><v>2</v></c></row></sheetData>`,
			[]string{"a: 1", "b: 2"}, []string{"1 records stand in rows that are hidden, by a filter perhaps, and are read " +
				"all the same", `column "b": it is hidden in the sheet, and is read all the same`}},
		"rich texts": {`<sheetData><row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row><row><c t="s"><v>2</v></c></row></sheetData>`, []string{`a: "one two" "x\ry_x0041_&<"`}, nil},
		"other names": {strings.ReplaceAll(strings.ReplaceAll(cells("a", "1"), "<", "<x:"), "<x:/", "</x:"),
			[]string{"a: 1"}, nil},
		"names that are numbers": {`<sheetData><row><c><v>2020</v></c><c s="1"><v>45292</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row></sheetData>`, []string{"2020: 1", "2024-01-01: 2"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			texts := `<si><t>a</t></si><si><r><t>one</t></r><r><rPr><b/></rPr><t xml:space="preserve"> two</t></r><rPh sb="0" eb="1"><t>wan</t></rPh></si><si><t>x_x000D_y_x005F_x0041_&amp;&#60;</t></si>`
			got, info, err := Read(ctx, workbook(t, one, styles, texts, c.sheet), dialect.Options{})
			must.NoError(t, err)
			if d := cmp.Diff(c.want, formattest.Shown(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.notes, dialect.Texts(info.Notes)); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			again := formattest.Shown(mustRead(t, mustWriteLike(t, got, info)))
			if d := cmp.Diff(c.want, again); d != "" {
				t.Errorf("written and read again (-want +got):\n%s", d)
			}
		})
	}
}

func mustRead(t *testing.T, data []byte) *table.Table {
	t.Helper()
	got, _, err := Read(ctx, data, dialect.Options{})
	must.NoError(t, err)
	return got
}

func mustWriteLike(t *testing.T, tab *table.Table, info *dialect.Info) []byte {
	t.Helper()
	var out bytes.Buffer
	must.NoError(t, Write(ctx, &out, tab, info.Like(dialect.Options{})))
	return out.Bytes()
}

// A release has the formats of its original, and the name of its sheet.
func TestFormatsStay(t *testing.T) {
	list := `<workbookPr date1904="1"/><sheets><sheet name="visits &amp; more" sheetId="1" r:id="r1"/></sheets>`
	sheet := cells("a|b|c", `<c s="2"><v>43830</v></c>|<c s="4"><v>0.5</v></c>|<c s="5"><v>7</v></c>`)
	got, info, err := Read(ctx, workbook(t, list, styles, "", sheet), dialect.Options{})
	must.NoError(t, err)
	want := []string{"a: 2024-01-01", "b: 43200", "c: 7"}
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
		t.Error(d)
	}
	again, after, err := Read(ctx, mustWriteLike(t, got, info), dialect.Options{})
	must.NoError(t, err)
	if d := cmp.Diff(want, formattest.Shown(again)); d != "" {
		t.Error(d)
	}
	types := map[string]string{"a": `excel dd\.mm\.yyyy`, "b": "excel [h]:mm", "c": `excel "day "0`}
	if d := cmp.Diff(types, info.Types); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(info.Types, after.Types); d != "" || after.Sheet != "visits & more" {
		t.Errorf("sheet %q, %s", after.Sheet, d)
	}
}

// The first sheet that is not hidden is read, and the others are named; another is read by its name.
func TestSheets(t *testing.T) {
	data := workbook(
		t,
		`<sheets><sheet name="lists" state="veryHidden" r:id="r1"/><sheet name="people" r:id="r2"/><sheet name="a chart" r:id="r9"/></sheets>`,
		"",
		"",
		cells("a", "1"),
		cells("b", "2"),
	)
	got, info, err := Read(ctx, data, dialect.Options{})
	if err != nil || got.Attr(0).Name != "b" || info.Sheet != "people" ||
		!slices.Equal(
			dialect.Texts(info.Notes),
			[]string{
				`the sheet "people" is read, of "lists" (hidden), "people" (--sheet names another, or file: sheet in a policy)`,
			},
		) {
		t.Errorf("%v, %q", err, info.Notes)
	}
	got, info, err = Read(ctx, data, dialect.Options{Sheet: "lists"})
	if err != nil || got.Attr(0).Name != "a" || info.Sheet != "lists" || len(info.Notes) > 0 {
		t.Errorf("%v, %q", err, info.Notes)
	}
	if _, _, err = Read(ctx, data, dialect.Options{Sheet: "others"}); err == nil ||
		err.Error() != `the workbook has no sheet "others", its sheets are "lists" (hidden), "people"` {
		t.Error(err)
	}
}

// What cannot be read is refused in words, without a value.
func TestRefuses(t *testing.T) {
	const s = `not a sound Excel workbook: "xl/s1.xml": `
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"no zip":      {[]byte("PK\x03\x04nonsense"), "not an Excel workbook, or one that was cut short"},
		"another zip": {ziptest.Of(t, "a.txt", "x"), "a zip archive, but not an Excel workbook"},
		"binary":      {ziptest.Of(t, "xl/workbook.bin", "x"), "a binary workbook (.xlsb): save it as .xlsx"},
		"no sheet":    {workbook(t, "", "", ""), "the workbook has no sheet of cells"},
		"nothing":     {workbook(t, one, "", "", "<sheetData/>"), `the sheet "one" is empty, expected the names of columns in its first row`},
		"a title above": {workbook(t, one, "", "", cells("Report", "a|b", "1|Zarathustra")),
			s + "column B holds something in row 2 and has no name in row 1, where names are taken from: " +
				"name it or clear it, or delete what stands above the names"},
		"a formula without values": {workbook(t, one, "", "", cells("a", `<c><f>1+1</f><v></v></c>`)), s + "cell A2 has a formula without a stored value: open the file in Excel or LibreOffice and save it"},
		"no number":                {workbook(t, one, "", "", cells("a", `<c><v>Zarathustra</v></c>`)), s + "cell A2 holds no sound number"},
		"infinite":                 {workbook(t, one, "", "", cells("a", `<c><v>1e999</v></c>`)), s + "cell A2 holds no sound number"},
		"no text":                  {workbook(t, one, "", "", cells("a", `<c t="s"><v>7</v></c>`)), s + "cell A2 has a text that there is not"},
		"another type":             {workbook(t, one, "", "", cells("a", `<c t="x"><v>7</v></c>`)), s + "cell A2 is of a type that no cell has"},
		"rows out of order":        {workbook(t, one, "", "", `<sheetData><row r="2"/><row r="2"/></sheetData>`), s + "row 2 stands behind row 2, of 1048576 that a sheet has"},
		"rows that there are not":  {workbook(t, one, "", "", `<sheetData><row r="1048577"/></sheetData>`), s + "row 1048577 stands behind row 0, of 1048576 that a sheet has"},
		"columns out of order":     {workbook(t, one, "", "", `<sheetData><row><c r="B1"/><c r="A1"/></row></sheetData>`), s + "a cell behind column 2 of row 1 is not where it should be"},
		"cells of another row":     {workbook(t, one, "", "", `<sheetData><row><c r="B2"/></row></sheetData>`), s + "a cell behind column 0 of row 1 is not where it should be"},
		"columns that are not":     {workbook(t, one, "", "", `<sheetData><row><c r="XFE1"/></row></sheetData>`), s + "a cell behind column 0 of row 1 is not where it should be"},
		"cut short":                {workbook(t, one, "", "", `<sheetData><row>`), s + "its XML is damaged"},
		"entities":                 {ziptest.Of(t, "xl/workbook.xml", `<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook/>`), `not a sound Excel workbook: "xl/workbook.xml": it declares a type of document, which no workbook has`},
		"mostly air": {workbook(t, one, "", "", air()), "hardly any cell of the sheet holds a value: leave " +
			"columns out"},
	} {
		if _, _, err := Read(ctx, c.data, dialect.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, expected %s", what, err, c.want)
		}
	}
}

// What would fill the memory is refused, too.
func TestRefusesBombs(t *testing.T) {
	long.Only(t, "files that would fill the memory")
	const s = `not a sound Excel workbook: "xl/s1.xml": `
	for text, want := range map[string]string{
		strings.Repeat(" ", 80<<20) + "x": "a tag or a text in it has more than 16777216 bytes",
		strings.Repeat("<x/>", 20<<20):    "it unpacks to more than 150 times the file",
	} {
		data := workbook(t, one, "", "", cells("a", text))
		if _, _, err := Read(ctx, data, dialect.Options{}); err == nil || err.Error() != s+want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

// air is a sheet of many columns and records of one value each.
func air() string {
	var out strings.Builder
	out.WriteString("<sheetData><row>")
	for k := range 1 << 12 {
		out.WriteString(`<c t="str"><v>` + letters(k) + "</v></c>")
	}
	return out.String() + "</row>" + strings.Repeat("<row><c><v>1</v></c></row>", 1<<13) + "</sheetData>"
}

// A sheet of air is refused before its columns are filled: one full record behind many of a single value would take
// gigabytes.
func TestAirTakesNoMemory(t *testing.T) {
	full := "<row>" + strings.Repeat("<c><v>1</v></c>", 1<<12) + "</row></sheetData>"
	data := workbook(t, one, "", "", strings.TrimSuffix(air(), "</sheetData>")+full)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := Read(ctx, data, dialect.Options{})
	runtime.ReadMemStats(&after)
	if err == nil || err.Error() != "hardly any cell of the sheet holds a value: leave columns out" {
		t.Error(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
		t.Errorf("a file of %d bytes took %d MiB", len(data), taken>>20)
	}
}

// A label is a text, whatever it looks like, and no formula; the parts are sound XML.
func TestNoFormula(t *testing.T) {
	labels := []string{"=1+1", "+1", "-x", "@SUM(A1)", `=HYPERLINK("http://x","y")`, "\t=1", "plain", "2024-01-01", "7",
		"", "NA", "a<b>&\"c\x01_x0041_"}
	codes := make([]int32, len(labels))
	for k := range codes {
		codes[k] = int32(k)
	}
	data := formattest.Written(t, Format, dialect.Options{}, table.CatColumn("=1+1", labels, codes))
	tab, _, err := Read(ctx, data, dialect.Options{Header: dialect.HasHeader})
	must.NoError(t, err)
	if got := formattest.Shown(tab)[0]; !strings.Contains(got,
		`"@SUM(A1)" "=HYPERLINK(\"http://x\",\"y\")" "\t=1" "plain" "2024-01-01" "7" "" "NA"`) {
		t.Error(got)
	}
	b := must.Get(open(data))(t)
	for name, f := range b.parts {
		r := must.Get(f.Open())(t)
		body, err := io.ReadAll(r)
		if err != nil || bytes.Contains(body, []byte("<f>")) {
			t.Errorf("%s holds a formula, or: %v", name, err)
		}
		for d := xml.NewDecoder(bytes.NewReader(body)); err != io.EOF; {
			if _, err = d.Token(); err != nil && err != io.EOF {
				t.Errorf("%s: %v\n%s", name, err, body)
				break
			}
		}
	}
	if sheet := read(t, b, "xl/worksheets/sheet1.xml"); strings.Count(sheet, ` s="2"`) != 10 {
		t.Errorf("some doubtful labels stand without an apostrophe, or other ones with it: %s", sheet)
	}
}

func read(t *testing.T, b *book, part string) string {
	t.Helper()
	r := must.Get(b.unpack(part))(t)
	body := must.Get(io.ReadAll(r))(t)
	return string(body)
}

// More records than a sheet holds are refused before anything is written.
func TestTooMany(t *testing.T) {
	tab, err := table.New(table.NumColumn("a", 1, make([]float64, maxRows)))
	must.NoError(t, err)
	err = Write(ctx, io.Discard, tab, dialect.Options{})
	if err == nil || err.Error() != "a sheet holds 1048575 records of 16384 columns, and the table has 1048576 of 1: "+
		"write CSV or Parquet" {
		t.Error(err)
	}
}

// What a format shows, by its code.
func TestCodes(t *testing.T) {
	for code, want := range map[string]shows{
		"": numbers, "0.00": numbers, "0.00E+00": numbers, `#,##0.00\ "days"`: numbers, `"d"0`: numbers, "[Red]0": numbers, "@": numbers, "General": numbers, `General" h"`: numbers, `\d0`: numbers, `_-* #,##0 _d`: numbers, `[$-409]0`: numbers,
		"mm-dd-yy": days, "d-mmm": days, "mmm-yy": days, "mmmm": days, `[$-407]dddd, d. mmmm yyyy`: days, `yyyy"年"m"月"`: days, "dd/mm/yyyy;@": days,
		"m/d/yy h:mm": instants, `yyyy\-mm\-dd\ hh:mm:ss.000`: instants, "[$-409]m/d/yy h:mm AM/PM;@": instants,
		"h:mm": clock, "mm:ss": clock, "mm:ss.0": clock, "[h]:mm:ss": clock, "[mm]:ss": clock, "[ss]": clock,
		"h:mm AM/PM": clock, "h:mm:ss am/pm": clock,
	} {
		if got := showsOf(code); got != want {
			t.Errorf("%q shows %d, expected %d", code, got, want)
		}
	}
}

// A file that another program wrote; see testdata/make.go.
func TestForeign(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/excelize.xlsx"))(t)
	got, info, err := Read(ctx, data, dialect.Options{})
	must.NoError(t, err)
	want := []string{"born: 1980-01-31 ? 2000-02-29", "seen: 2021-02-03T10:20:30 2021-02-04T00:00:00 ?",
		"wage: 1250.50 ? 0.25", `town: "Ulm" "=1+1" "Köln"`, `alive: "TRUE" "FALSE" ?`, `code: "007" ? "8"`}
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`the sheet "people" is read, of "people", "notes" (hidden) (--sheet names another, or file: sheet in a policy)`}, dialect.Texts(info.Notes)); d != "" {
		t.Error(d)
	}
}
