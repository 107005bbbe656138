package format_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/fixed"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

const survey = `DATA LIST /id 1-3 name 4-9 (A) sex 10 income 11-16 (2) born 17-26 (EDATE) area 27-28 (A).
VARIABLE LABELS sex 'Sex of the person'.
VALUE LABELS sex 1 'male' 2 'female' 9 'refused' /area '01' 'north' '02' 'south' '03' 'west'.
MISSING VALUES sex (9) income (HI THRU 9999) income (9999).
`

// A text of fixed width is read by its description: numbers with their points, dates, texts as they stand, labels, and
// codes of missing values, from whichever encoding has them.
func TestFixedWidth(t *testing.T) {
	l := must.Get(fixed.Parse([]byte(strings.Replace(survey, "(HI THRU 9999) income ", "", 1))))(t)
	text := "001Zo\xeb, x101234531.12.198001\n" +
		" 12     y200005001.02.199102\r\n" +
		"003NA    9999900              \n" +
		"004\n"
	want := []string{`id: 1 12 3 4`, `name: "Zoë, x" "     y" "NA" ?`, `sex: "male" "female" "refused" ?`,
		`income: 123.45 0.50 ? ?`, `income_missing: ? ? "9999" ?`, `born: 31.12.1980 01.02.1991 ? ?`,
		`area: "north" "south" ? ?`}
	opt := format.Options{Fixed: l.Read}
	got, info, err := format.ReadFrom(ctx, "a.txt", strings.NewReader(text), opt)
	must.NoError(t, err)
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	notes := strings.Join(dialect.Texts(info.Notes), "\n")
	if info.Codebook["sex"].Label != "Sex of the person" || info.Codebook["area"].Spare[0].Label != "west" ||
		info.FirstLine != 1 ||
		!strings.Contains(notes, "1 records end before the place of their last column") {
		t.Errorf("%+v", info)
	}
	for _, ext := range []string{".csv", ".sav", ".dta", ".xpt", ".txt"} {
		var out bytes.Buffer
		if err := format.WriteTo(ctx, &out, "a"+ext, got, info.Like(format.Options{})); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
	}
	forced, _, err := format.ReadFrom(ctx, "a.txt", strings.NewReader(text), format.Options{Fixed: l.Read,
		Kinds: map[string]table.Kind{"id": table.Categorical}})
	if err != nil || forced.Attr(0).Kind != table.Categorical {
		t.Error(err)
	}
	for data, fault := range map[string]string{"\xff\xfe1\x00\n\x00": "UTF-16", "": "empty"} {
		if _, _, err := format.ReadFrom(ctx, "a.txt", strings.NewReader(data), opt); err == nil ||
			!strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
