package csv

import (
	stdcsv "encoding/csv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var (
	groupText = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$`)
	bareText  = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]{0,2})$`)
)

var numberText = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// twin reads a text by encoding/csv and the words of the package comment.
func twin(text string, delim rune) (*table.Table, error) {
	r := stdcsv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.Comma = delim
	recs, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var cols []table.Column
	var all [][]string
	for j, name := range recs[0] {
		var cells []string
		for _, rec := range recs[1:] {
			cells = append(cells, strings.Trim(rec[j], " "))
		}
		cols, all = append(cols, twinColumn(strings.Trim(name, " "), cells)), append(all, cells)
	}
	known := false
	for j, cells := range all {
		known = known || cols[j].Kind == table.Numeric && slices.ContainsFunc(cells, func(cell string) bool {
			return strings.ContainsAny(cell, ".eE") && !groupText.MatchString(cell)
		})
	}
	for j, cells := range all {
		bare, grouped, other := false, false, false
		for _, cell := range cells {
			switch {
			case slices.Contains(dialect.DefaultMissing, cell):
			case groupText.MatchString(cell):
				grouped = true
			case bareText.MatchString(cell):
				bare = true
			default:
				other = true
			}
		}
		if cols[j].Kind == table.Numeric && grouped && !other && (bare || !known) { // 1.234 may be a thousand
			cols[j] = twinTexts(cols[j].Name, cells)
		}
	}
	return table.New(cols...)
}

// twinTexts is a column of texts.
func twinTexts(name string, cells []string) table.Column {
	var labels []string
	cat := make([]int32, len(cells))
	for i, cell := range cells {
		if cat[i] = -1; slices.Contains(dialect.DefaultMissing, cell) {
			continue
		}
		if cat[i] = int32(slices.Index(labels, cell)); cat[i] < 0 {
			cat[i] = int32(len(labels))
			labels = append(labels, cell)
		}
	}
	return table.CatColumn(name, labels, cat)
}

func twinColumn(name string, cells []string) table.Column {
	num, texts := make([]float64, len(cells)), twinTexts(name, cells)
	numbers, ints, decs := true, 0, 0
	for i, cell := range cells {
		num[i] = math.NaN()
		if slices.Contains(dialect.DefaultMissing, cell) {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		whole, fraction, _ := strings.Cut(strings.TrimLeft(cell, "+-"), ".")
		numbers = numbers && err == nil && numberText.MatchString(cell) &&
			(strings.ContainsAny(cell, ".eE") || len(whole) <= 15)
		num[i] = v
		if strings.ContainsAny(cell, "eE") {
			ints = 99
		} else {
			ints, decs = max(ints, len(strings.TrimPrefix(whole, "0"))), max(decs, len(strings.TrimRight(fraction, "0")))
		}
	}
	if !numbers || texts.Labels == nil {
		return texts
	}
	step, _ := strconv.ParseFloat("1e-"+strconv.Itoa(decs), 64)
	if ints+decs > 15 {
		step = 0
	}
	return table.NumColumn(name, step, num)
}

// drawText draws a text that twin understands: at least two columns, no quoted missing mark, no blank at the ends of a
// quoted cell.
func drawText(t *rapid.T, delim string) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	quoting := rapid.Bool().Draw(t, "quoting")
	cell := rapid.OneOf(
		rapid.SampledFrom(
			[]string{"", "?", "NA", "NaN", "x", "y z", "Zoë", "0", "-0", "12", "007", "+4", "+04", "1.0", "1e5", "Inf",
				"1.50", "123456789012345", "1234567890123456"},
		),
		rapid.StringMatching(`-?[0-9]{1,9}(\.[0-9]{0,9})?`),
		rapid.StringMatching(`[0-9]{1,4}\.[0-9]{3}`),
		rapid.StringMatching(`[a-c]{1,3}`),
	)
	// A column is mostly of one kind, so that kinds change late.
	width, rows := rapid.IntRange(2, 5).Draw(t, "width"), rapid.IntRange(0, 40).Draw(t, "rows")
	plain := make([]string, width)
	var b strings.Builder
	for j := range width {
		plain[j] = rapid.SampledFrom([]string{"7", "0.25", "95.645", "?", "x", ""}).Draw(t, "plain")
		b.WriteString([]string{"", delim}[min(j, 1)] + string(rune('A'+j)))
	}
	b.WriteString(eol)
	for range rows {
		for j := range width {
			text := plain[j]
			if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				text = cell.Draw(t, "cell")
				if quoting && rapid.IntRange(0, 3).Draw(t, "special") == 0 {
					text += "q\"," + delim + "\nq"
				}
			}
			switch {
			case strings.ContainsAny(text, "\"\n"+delim),
				quoting && !slices.Contains(dialect.DefaultMissing, text) && rapid.Bool().Draw(t, "quote"):
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			case rapid.IntRange(0, 9).Draw(t, "pad") == 0:
				text = " " + text + " "
			}
			b.WriteString([]string{"", delim}[min(j, 1)] + text)
		}
		b.WriteString(eol)
		if rapid.IntRange(0, 19).Draw(t, "blank") == 0 {
			b.WriteString(eol)
		}
	}
	return b.String()
}

func TestReadAgreesWithTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		delim := rapid.SampledFrom([]string{",", "|", "\t"}).Draw(t, "delim")
		text := drawText(t, delim)
		want := must.Get(twin(text, rune(delim[0])))(t)
		for _, workers := range []int{1, 2, 5} {
			got, _ := mustReadRapid(t, text, dialect.Options{Delimiter: delim[0]}, workers)
			if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
				t.Fatalf("%d workers, text %q (-want +got):\n%s", workers, text, d)
			}
		}
	})
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		text string
		want byte
	}{
		{"a,b\n1,2\n", ','}, {"a;b\n1,5;2,5\n", ';'}, {"a\tb\nx, y\tz\n", '\t'}, {"a|b|c\n1|2|3\n", '|'},
		{"a;b\n\"x,y\";1\n", ';'},
		{"a,b,c\n1,2\n", ','},        // a ragged file is still one of commas
		{"a\n1,5\n2,5\n", ';'},       // one column of decimal commas
		{"a\n1\n", ','},              // one column of anything
		{"a,b;c\n1,2;3\n1,2\n", ','}, // both cut every record, only commas evenly
		{"a,b;c;d\n1,2;3;4\n5,6;7;8\n", ';'},
		{"a,b\n\n1,2\n", ','},
	} {
		if got := sniff([]byte(c.text)); got != c.want {
			t.Errorf("sniff(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}
