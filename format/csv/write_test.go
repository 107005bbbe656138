package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func mustReadRapid(t *rapid.T, text string, opt dialect.Options, workers int) (*table.Table, *dialect.Info) {
	tb, info, err := read(context.Background(), []byte(text), opt, workers)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return tb, info
}

// drawTable draws a table as Read returns it: labels in the order of their appearance, numbers on the grid of their
// most precise value.
func drawTable(t *rapid.T) (*table.Table, map[string]table.Kind) {
	rows := rapid.IntRange(0, 12).Draw(t, "rows")
	kinds := make(map[string]table.Kind)
	var cols []table.Column
	for j := range rapid.IntRange(1, 4).Draw(t, "width") {
		name := rapid.SampledFrom(
			[]string{"a", "b c", " d", "e,f", "g\"h", "\ufeffi", "k\r\nl", "?", "12"},
		).Draw(t, "name") + fmt.Sprint(j)
		if rapid.Bool().Draw(t, "numeric") {
			kinds[name] = table.Numeric
			cols = append(cols, drawNumbers(t, name, rows))
		} else {
			kinds[name] = table.Categorical
			cols = append(cols, drawLabels(t, name, rows))
		}
	}
	tb := tabletest.Of(t, cols...)
	return tb, kinds
}

func drawNumbers(t *rapid.T, name string, rows int) table.Column {
	v := make([]float64, rows)
	decs := rapid.IntRange(0, 4).Draw(t, "decs")
	known, round := false, true
	for i := range v {
		if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			v[i] = math.NaN()
			continue
		}
		known = true
		k := rapid.Int64Range(-1e9, 1e9).Draw(t, "v")
		round = round && k%10 == 0
		v[i] = float64(k) / math.Pow10(decs)
	}
	if !known || round { // where zeros at the end would make a coarser grid
		return table.NumColumn(name, decimal.Grid(v), v)
	}
	return table.NumColumn(name, 1/math.Pow10(decs), v)
}

func drawLabels(t *rapid.T, name string, rows int) table.Column {
	text := rapid.OneOf(
		rapid.SampledFrom(
			[]string{
				"",
				"?",
				"NA",
				"NaN",
				"x",
				" x",
				"x ",
				"a,b",
				"a;b",
				"\"",
				"\n",
				"\r",
				"\r\n",
				"1",
				"-1.5",
				"\ufeff",
				"é",
				"x\ty",
				"%",
			},
		),
		rapid.StringMatching(`[ -~]{0,6}`),
	)
	var labels []string
	seen := make(map[string]int32)
	codes := make([]int32, rows)
	for i := range codes {
		codes[i] = -1
		if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			continue
		}
		l := text.Draw(t, "label")
		if _, ok := seen[l]; !ok {
			seen[l] = int32(len(labels))
			labels = append(labels, l)
		}
		codes[i] = seen[l]
	}
	return table.CatColumn(name, labels, codes)
}

// What is written is read as the same table, whatever the dialect.
func TestRoundTrip(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		want, kinds := drawTable(t)
		opt := dialect.Options{
			Delimiter:    rapid.SampledFrom([]byte(",;\t| -5")).Draw(t, "delimiter"),
			MissingOut:   rapid.SampledFrom([]string{"", "?", "NA", "NaN"}).Draw(t, "mark"),
			CRLF:         rapid.Bool().Draw(t, "crlf"),
			BOM:          rapid.Bool().Draw(t, "bom"),
			DecimalComma: rapid.Bool().Draw(t, "comma"),
			Kinds:        kinds,
			Header:       dialect.HasHeader,
		}
		if rapid.Bool().Draw(t, "odd mark") {
			opt.MissingOut, opt.Missing = "*", []string{"*", "-1"}
		}
		if strings.Contains(opt.MissingOut, string(opt.Delimiter)) {
			return
		}
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, want, opt))
		got, _ := mustReadRapid(t, out.String(), opt, 2)
		if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
			t.Fatalf("written %q (-want +got):\n%s", out.String(), d)
		}
	})
}

func TestWrite(t *testing.T) {
	tb := must.Get(table.New(table.NumColumn("n", 0.01, []float64{1.5, -0.25, math.NaN()}),
		table.NumColumn("k", 1, []float64{1, -9, 3}),
		table.CatColumn("c d", []string{"x", "a;b", "NA", " y", "say \"hi\""}, []int32{1, 2, 3})))(t)
	for _, c := range []struct {
		name string
		opt  dialect.Options
		want string
	}{
		{"default", dialect.Options{}, "n,k,c d\n1.50,1,a;b\n-0.25,-9,\"NA\"\n,3,\" y\"\n"},
		{"semicolons, decimal commas", dialect.Options{Delimiter: ';', DecimalComma: true}, "n;k;c d\n1,50;1;\"a;b\"\n" +
			"-0,25;-9;\"NA\"\n;3;\" y\"\n"},
		{"decimal commas among commas", dialect.Options{DecimalComma: true}, "n,k,c d\n\"1,50\",1,a;b\n" +
			"\"-0,25\",-9,\"NA\"\n,3,\" y\"\n"},
		{"mark, CRLF, BOM", dialect.Options{MissingOut: "?", CRLF: true, BOM: true}, "\ufeffn,k,c d\r\n1.50,1,a;b\r\n" +
			"-0.25,-9,\"NA\"\r\n?,3,\" y\"\r\n"},
		{"a mark that is a number", dialect.Options{MissingOut: "-9", Missing: []string{"-9"}}, "n,k,c d\n1.50,1,a;b\n" +
			"-0.25,\"-9\",NA\n-9,3,\" y\"\n"},
	} {
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, tb, c.opt))
		if out.String() != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, out.String(), c.want)
		}
	}
}

type failing struct{ left int }

var errDisk = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

// Rows come in order whatever the number of chunks, and an error of the writer ends the writing.
func TestWriteInChunks(t *testing.T) {
	const rows = 5*chunk + 7
	v := make([]float64, rows)
	var want strings.Builder
	want.WriteString("a\n")
	for i := range v {
		v[i] = float64(i)
		fmt.Fprintln(&want, i)
	}
	tb := tabletest.Of(t, table.NumColumn("a", 1, v))
	var out bytes.Buffer
	last := int64(0)
	opt := dialect.Options{Progress: func(done, total int64) {
		if done <= last || total != rows {
			t.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		last = done
	}}
	if err := Write(context.Background(), &out, tb, opt); err != nil || out.String() != want.String() || last != rows {
		t.Errorf("%v, %d bytes, expected %d; progress ended at %d", err, out.Len(), want.Len(), last)
	}
	for _, left := range []int{0, 5, chunk, 10 * chunk} {
		if err := Write(context.Background(), &failing{left}, tb, dialect.Options{}); err != errDisk {
			t.Errorf("a disk of %d bytes: %v", left, err)
		}
	}
}
