package xlsx

import (
	"bytes"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// FuzzXLSX fuzzes files: what is unpacked fails its checksum mostly, so this is of the archive.
func FuzzXLSX(f *testing.F) {
	formattest.Fuzz(
		f,
		Format,
		formattest.Written(f, Format, dialect.Options{}, table.NumColumn("n", 1, []float64{1, nan}),
			table.CatColumn("c", []string{"x", "7"}, []int32{1, 0})),
		workbook(f, one, styles, "<si><t>a</t></si>", cells("a", "1")),
	)
}

// FuzzSheet fuzzes what is in the parts: whatever can be read is written, and read again as the same.
func FuzzSheet(f *testing.F) {
	f.Add([]byte(cells("a|b", "1|x", "|NA")), []byte(styles), []byte("<si><t>a</t></si>"))
	f.Add(
		[]byte(
			`<cols><col min="1" max="9" style="6" hidden="1"/></cols><sheetData><row r="3"><c r="C3" t="s"><v>0</v></c></row><row><c r="C4" s="1"><v>45292.5</v></c></row></sheetData><mergeCell ref="A1:B2"/>`,
		),
		[]byte(`<cellXfs><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>`),
		[]byte("<si><r><t>one</t></r><rPh><t>x</t></rPh></si>"),
	)
	f.Add(
		[]byte(
			cells("a", `<c t="b"><v>1</v></c>`, `<c t="e"/>`, `<c t="str"><f>1</f><v>2</v></c>`, `<c s="4"><v>.5</v></c>`),
		),
		[]byte(styles),
		[]byte("<si><t>_x0041_&#65;<![CDATA[<]]></t></si>"),
	)
	f.Fuzz(func(t *testing.T, sheet, styles, texts []byte) {
		data := workbook(t, one, string(styles), string(texts), string(sheet))
		tab, info, err := Read(ctx, bytes.Clone(data), opt)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Write(ctx, &out, tab, info.Like(opt)); err != nil {
			return // a text may be longer than a cell holds
		}
		first := out.Bytes()
		again, info, err := Read(ctx, bytes.Clone(first), opt)
		must.NoError(t, err)
		out = bytes.Buffer{}
		must.NoError(t, Write(ctx, &out, again, info.Like(opt)))
		third, _, err := Read(ctx, out.Bytes(), opt)
		must.NoError(t, err)
		a, b, c := formattest.Shown(tab), formattest.Shown(again), formattest.Shown(third)
		for j := range a {
			if a[j] != b[j] || b[j] != c[j] {
				t.Fatalf("%s\nwas read again as %s\nand then as %s", a[j], b[j], c[j])
			}
		}
	})
}
