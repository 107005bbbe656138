package arff

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// hand writes ARFF as people and programs do: each time in another of the ways that mean the same.
type hand struct {
	*rapid.T
	strings.Builder
}

func (h *hand) pick(words ...string) string { return rapid.SampledFrom(words).Draw(h.T, "way") }

// blank is what may stand between two pieces of a line.
func (h *hand) blank(least string) string { return least + h.pick("", "", " ", "\t", "  ") }

// line ends a line, and may put lines behind it that say nothing.
func (h *hand) line() {
	h.WriteString(
		h.blank("") + h.pick("", "", "", "% remark, 'with' {everything}") + h.pick(
			"\n",
			"\n",
			"\r\n",
			"\n\n",
			"\n% a remark\n",
			"\n \t\n",
		),
	)
}

// keyword writes a word of the format.
func (h *hand) keyword(word string) string {
	return h.pick(word, strings.ToUpper(word), strings.ToUpper(word[:2])+word[2:])
}

// word writes a text as it is, where it can be, or in quotes.
func (h *hand) word(text string) string {
	plain := text != "" && text != "?" && !strings.ContainsAny(text, " ,{}%'\"\\@\n\r\t")
	if plain && h.pick("plain", "quoted") == "plain" {
		return text
	}
	mark := h.pick("'", `"`)
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(h.pick(`\t`, "\t"))
		case string(c) == mark || c == '\\':
			b.WriteString(`\` + string(c))
		case c == '%' || c == '\'' || c == '"':
			b.WriteString(h.pick(`\`, "") + string(c))
		default:
			b.WriteRune(c)
		}
	}
	return mark + b.String() + mark
}

// number writes an integer divided by a power of ten, with zeros, signs and exponents that change nothing, and says
// whether it has an exponent.
func (h *hand) number(k int64, decs int) (text string, exponent bool) {
	text = fmt.Sprintf("%.*f", decs, float64(k)/math.Pow10(decs))
	switch h.pick("plain", "plain", "sign", "zeros", "exponent") {
	case "sign":
		if k >= 0 {
			text = "+" + text
		}
	case "zeros":
		if decs > 0 {
			text += "00"
		}
	case "exponent":
		return fmt.Sprintf("%de%d", k, -decs), true
	}
	if h.pick("", "quoted") != "" {
		text = h.pick("'", `"`) + text
		text += text[:1]
	}
	return text, false
}

var texts = []string{
	"x",
	"y z",
	"?",
	"",
	"it's",
	`say "hi"`,
	"a,b",
	"{1}",
	"50%",
	`\`,
	"\n",
	"\t",
	"\r",
	"@data",
	"é",
	"1",
	"-2.50",
	"numeric",
}

// attribute draws a column and what each of its values is written as.
func (h *hand) attribute(name string, rows int) (declared string, col table.Column, cells []string) {
	cells = make([]string, rows)
	missing := func() bool { return h.pick("known", "known", "known", "missing") == "missing" }
	kind := h.pick("numeric", "integer", "real", "string", "nominal")
	switch kind {
	case "numeric", "integer", "real":
		num, decs, fine, exponents := make([]float64, rows), 0, 0, false
		if kind != "integer" {
			decs = rapid.IntRange(0, 3).Draw(h.T, "decs")
		}
		for i := range num {
			if num[i], cells[i] = nan, "?"; missing() {
				continue
			}
			k := rapid.Int64Range(-99999, 99999).Draw(h.T, "k")
			var e bool
			cells[i], e = h.number(k, decs)
			exponents = exponents || e
			num[i] = float64(k) / math.Pow10(decs)
			for d, q := decs, k; d > fine; d, q = d-1, q/10 {
				if q%10 != 0 {
					fine = d
				}
			}
		}
		step := 1 / math.Pow10(fine)
		if exponents && kind != "integer" {
			step = 0
		}
		return h.keyword(kind), table.NumColumn(name, step, num), cells
	}
	labels := rapid.SliceOfNDistinct(rapid.SampledFrom(texts), 1, 5, rapid.ID[string]).Draw(h.T, "labels")
	codes := make([]int32, rows)
	for i := range codes {
		if codes[i], cells[i] = -1, "?"; !missing() {
			codes[i] = rapid.Int32Range(0, int32(len(labels)-1)).Draw(h.T, "code")
			cells[i] = h.word(labels[codes[i]])
		}
	}
	col = table.CatColumn(name, labels, codes)
	if kind == "string" {
		return h.keyword("string"), col.Compact(), cells
	}
	col.Declared = true
	var words []string
	for _, l := range labels {
		words = append(words, h.word(l))
	}
	return "{" + h.blank("") + strings.Join(words, h.blank(",")) + h.blank("") + "}", col, cells
}

// TestReadAgreesWithTheHand reads files written by hand: however a table is written, it is read as the same.
func TestReadAgreesWithTheHand(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		h := &hand{T: t}
		rows := rapid.IntRange(0, 6).Draw(t, "rows")
		h.WriteString(h.pick("", "", "\ufeff") + h.pick("", "% first\n", "\n"))
		h.WriteString(h.keyword("@relation") + h.blank(" ") + h.word("people"))
		h.line()
		var cols []table.Column
		var cells [][]string
		for j := range rapid.IntRange(1, 4).Draw(t, "width") {
			name := h.pick(texts...) + fmt.Sprint(j)
			declared, col, words := h.attribute(name, rows)
			h.WriteString(h.keyword("@attribute") + h.blank(" ") + h.word(name) + h.blank(" ") + declared)
			h.line()
			cols, cells = append(cols, col), append(cells, words)
		}
		h.WriteString(h.keyword("@data"))
		h.line()
		for i := range rows {
			h.row(cells, i)
			h.line()
		}
		want := tabletest.Of(t, cols...)
		got, info, err := Read(context.Background(), []byte(h.String()), dialect.Options{})
		if err != nil {
			t.Fatalf("%q: %v", h.String(), err)
		}
		if d := cmp.Diff(byText(want), byText(got)); d != "" {
			t.Fatalf("%q (-want +got):\n%s", h.String(), d)
		}
		for j := range want.Width() {
			if w, g := want.Attr(j), got.Attr(j); w.Declared && !cmp.Equal(w.Labels, g.Labels) || w.Declared != g.Declared ||
				w.Step != g.Step {
				t.Fatalf("%q: column %d is read as %+v, want %+v", h.String(), j+1, g, w)
			}
		}
		if info.BOM != strings.HasPrefix(h.String(), "\ufeff") {
			t.Fatalf("byte order mark: %t", info.BOM)
		}
	})
}

// row writes row i, dense or sparse, with commas or blanks.
func (h *hand) row(cells [][]string, i int) {
	var pairs, words []string
	for j, c := range cells {
		words = append(words, c[i])
		pairs = append(pairs, fmt.Sprintf("%d%s%s", j, h.blank(" "), c[i]))
	}
	switch h.pick("commas", "commas", "blanks", "sparse") {
	case "sparse":
		h.WriteString("{" + h.blank("") + strings.Join(pairs, h.blank(",")) + h.blank("") + "}")
	case "blanks":
		h.WriteString(strings.Join(words, h.pick(" ", "\t", " , ")))
	default:
		h.WriteString(h.blank("") + strings.Join(words, h.blank(",")))
	}
}

// byText returns what stands in a table, by column and row.
func byText(t *table.Table) [][]string {
	var out [][]string
	for _, c := range t.Columns() {
		cells := []string{c.Name, c.Kind.String()}
		for i := range t.Rows() {
			switch {
			case c.Kind == table.Numeric:
				cells = append(cells, fmt.Sprint(c.Num[i]))
			case c.Cat[i] < 0:
				cells = append(cells, "missing")
			default:
				cells = append(cells, fmt.Sprintf("%q", c.Labels[c.Cat[i]]))
			}
		}
		out = append(out, cells)
	}
	return out
}
