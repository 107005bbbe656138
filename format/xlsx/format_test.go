package xlsx

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/ziptest"
)

var (
	ctx = context.Background()
	opt = dialect.Options{}
)

var nan = math.NaN()

// workbook is a workbook whose list of sheets, formats of cells, shared texts and sheets are given as they stand within
// their parts.
func workbook(t testing.TB, list, styles, texts string, sheets ...string) []byte {
	rels := `<Relationships><Relationship Id="s" Type="x/styles" Target="styles.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="/xl/texts.xml"/>`
	parts := []string{"_rels/.rels", `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook>` + list + `</workbook>`, "xl/styles.xml", `<styleSheet>` + styles + `</styleSheet>`, "xl/texts.xml", `<sst>` + texts + `</sst>`}
	for k, s := range sheets {
		id := string(rune('1' + k))
		rels += `<Relationship Id="r` + id + `" Type="x/worksheet" Target="s` + id + `.xml"/>`
		parts = append(parts, "xl/s"+id+".xml", `<worksheet>`+s+`</worksheet>`)
	}
	return ziptest.Of(t, append(parts, "xl/_rels/workbook.xml.rels", rels+`</Relationships>`)...)
}

const one = `<sheets><sheet name="one" sheetId="1" r:id="r1"/></sheets>`

// cells is the content of a sheet of rows, whose cells are parted by bars: a number, or else a text.
func cells(rows ...string) string {
	var out strings.Builder
	out.WriteString("<sheetData>")
	for _, r := range rows {
		out.WriteString("<row>")
		for _, c := range strings.Split(r, "|") {
			switch _, _, isNumber := decimal.Parse([]byte(c), '.'); {
			case c == "":
				out.WriteString("<c/>")
			case c[0] == '<':
				out.WriteString(c)
			case isNumber:
				out.WriteString("<c><v>" + c + "</v></c>")
			default:
				out.WriteString(`<c t="inlineStr"><is><t>` + c + `</t></is></c>`)
			}
		}
		out.WriteString("</row>")
	}
	return out.String() + "</sheetData>"
}

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    workbook(t, one, `<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>`, "", cells("day|x", `<c s="1"><v>46024</v></c>|1`, "|1", `<c s="1"><v>25568</v></c>|1`)),
		Nameless: workbook(t, one, "", "", cells("a||b", "1|2|3")),
		Twins:    workbook(t, one, "", "", cells("twin1|twin1", "1|2")),
	})
}
