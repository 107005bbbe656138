package arff

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var nan = math.NaN()

// sameTable leaves out whether labels are declared: a text column is written as nominal and comes back declared.
var sameTable = cmp.Options{
	cmpopts.EquateNaNs(),
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(table.Attribute{}, "Declared"),
}

func columns(t *table.Table) []table.Column {
	cols := make([]table.Column, t.Width())
	for j := range cols {
		cols[j] = t.Column(j)
	}
	return cols
}

const weather = `% a comment
@RELATION 'the weather'

@attribute outlook {sunny, overcast, 'light rain'}
@ATTRIBUTE temperature real	% in degrees
@attribute humidity integer
@attribute "wind speed" NUMERIC
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute play {yes,no}

@DATA
sunny,85.5,85,1e2,'it''s',2026-01-02,no
`

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        dialect.Options
		want       []table.Column
	}{
		{"kinds", strings.ReplaceAll(weather, "it''s", `it\'s`) + "'light rain',?,?,?,?,?,?\n% end\n\n" +
			"?,-3,+07,0.5,'?',\"2026-01-02\",yes", dialect.Options{}, []table.Column{
			table.CatColumn("outlook", []string{"sunny", "overcast", "light rain"}, []int32{0, 2, -1}),
			table.NumColumn("temperature", 0.1, []float64{85.5, nan, -3}),
			table.NumColumn("humidity", 1, []float64{85, nan, 7}),
			table.NumColumn("wind speed", 0, []float64{100, nan, 0.5}),
			table.CatColumn("note", []string{"it's", "?"}, []int32{0, -1, 1}),
			table.DateColumn("day", "yyyy-mm-dd", []float64{20455, nan, 20455}),
			table.CatColumn("play", []string{"yes", "no"}, []int32{1, -1, 0}),
		}},
		{"sparse", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c integer\n@data\n{}\n{1 y, 2 5}\n{0 " +
			"?,1 x}\n", dialect.Options{}, []table.Column{
			table.NumColumn("a", 1, []float64{0, 0, nan}),
			table.CatColumn("b", []string{"x", "y"}, []int32{0, 1, 0}),
			table.NumColumn("c", 1, []float64{0, 5, 0}),
		}},
		{"escapes", "@relation r\n@attribute 'a\\tb\\u001Ec\\'' {'\\n', '\\\\', \"it's\", '\\%'}\r\n@data\r\n'\\\\'\r\n" +
			"\"it's\"\r\n", dialect.Options{}, []table.Column{
			table.CatColumn("a\tb\x1ec'", []string{"\n", "\\", "it's", "%"}, []int32{1, 2}),
		}},
		{"blanks between values", "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1\t2\n 3 , 4 \n",
			dialect.Options{}, []table.Column{
				table.NumColumn("a", 1, []float64{1, 3}), table.NumColumn("b", 1, []float64{2, 4}),
			}},
		{"declared numbers that look like codes", "@relation r\n@attribute a numeric\n@attribute b integer\n@data\n" +
			"-007,12345678901234567890\n+5,1\n", dialect.Options{}, []table.Column{
			table.NumColumn("a", 1, []float64{-7, 5}), table.NumColumn("b", 0, []float64{12345678901234567890, 1}),
		}},
		{"no rows", "@relation r\n@attribute a {x}\n@attribute b real\n@data\n", dialect.Options{}, []table.Column{
			table.CatColumn("a", []string{"x"}, nil), table.NumColumn("b", 1, nil),
		}},
		{"given marks and kinds", "@relation r\n@attribute a {10,20,-1}\n@attribute b numeric\n@data\n-1,2\n20,-1\n",
			dialect.Options{Missing: []string{"-1"}, Kinds: map[string]table.Kind{"a": table.Numeric, "b": table.Categorical}},
			[]table.Column{
				table.NumColumn("a", 1, []float64{nan, 20}),
				{Attribute: table.Attribute{Name: "b", Kind: table.Categorical, Labels: []string{"2"}, Ordered: true},
					Cat: []int32{0, -1}},
			}},
	} {
		got, info, err := Read(context.Background(), []byte(c.text), c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := tabletest.Of(t, c.want...)
		if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" || info.Format != "arff" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestNominalLabelsAreDeclared keeps the labels of the header, also those that never occur, and tells them from those
// of a text.
func TestNominalLabelsAreDeclared(t *testing.T) {
	got, _, err := Read(context.Background(), []byte("@relation r\n@attribute a {z,y,x}\n@attribute b string\n@data\n"+
		"x,k\n"), dialect.Options{})
	must.NoError(t, err)
	if !got.Attr(0).Declared || len(got.Column(0).Compact().Labels) != 3 || got.Attr(1).Declared {
		t.Errorf("declared: %v, %v", got.Attr(0).Declared, got.Attr(1).Declared)
	}
}

func TestRefusals(t *testing.T) {
	const head = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute s string\n@data\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty, expected a header"},
		{"no data", "@relation r\n@attribute a numeric\n", "line 3, byte 1: the file ends before @data"},
		{"no attribute", "@relation r\n@data\n", "line 2, byte 1: found @data before any @attribute"},
		{"two relations", "@relation r\n@relation r\n", "line 2, byte 1: a second @relation"},
		{"something else", "@relation r\nhidden\n", "line 2, byte 1: found a word, expected @relation, @attribute or @data"},
		{"type", "@relation r\n@attribute a relational\n", `line 2, byte 14: attribute 1: found a word, expected numeric, real, integer, string, date or {labels}`},
		{"no type", "@relation r\n@attribute a\n", `line 2, byte 13: attribute 1: found the end of the line, expected numeric, real, integer, string, date or {labels}`},
		{"no name", "@relation r\n@attribute '' real\n", "line 2, byte 12: found a word, expected the name of an attribute"},
		{"twice the same name", "@relation r\n@attribute a real\n@attribute a real\n", `line 3, byte 12: attributes 1 and 2 are both named "a"`},
		{"twice the same label", "@relation r\n@attribute a {x,x}\n", `line 2, byte 17: attribute 1: a label is declared twice`},
		{"no label", "@relation r\n@attribute a {x,,y}\n", `line 2, byte 17: attribute 1: found ',', expected a label or a closing brace`},
		{"open brace", "@relation r\n@attribute a {x\n", `line 2, byte 16: attribute 1: found the end of the line, expected a label or a closing brace`},
		{"something behind the type", "@relation r\n@attribute a real [0,1]\n", "line 2, byte 19: found a word, expected " +
			"the end of the line"},
		{"open quote", head + "1,'hidden,t\n", "line 6, byte 3: the quote is not closed on its line"},
		{"quote inside", head + "1,hid'den,t\n", "line 6, byte 6: a quote inside a word, expected the whole word in quotes"},
		{"text behind a quote", head + "1,'hid'den,t\n", "line 6, byte 8: text behind a closing quote, expected a comma or " +
			"a blank"},
		{"unknown label", head + "1,hidden,t\n", `line 6, byte 3: attribute "b": the value is not among the declared labels`},
		{"no number", head + "hidden,x,t\n", `line 6, byte 1: attribute "a": found something else than a number, expected a finite number`},
		{"infinite", head + "1e999,x,t\n", `line 6, byte 1: attribute "a": found something else than a number, expected a finite number`},
		{"short row", head + "1,x,t\n2,x\n", "line 7: 2 values, expected 3"},
		{"long row", head + "1,x,t,u,v\n", "line 6: 5 values, expected 3"},
		{"empty value", head + "1,,t\n", "line 6, byte 3: found ',', expected a value"},
		{"comma at the end", head + "1,x,t,\n", "line 6, byte 7: found the end of the line, expected a value"},
		{"weight", head + "1,x,t,{5}\n", "line 6, byte 7: found '{', expected a value"},
		{"weight behind a blank", head + "1,x,t {5}\n", "line 6, byte 7: found a brace behind the values; weights of rows " +
			"are not supported"},
		{"sparse index", head + "{3 1}\n", "line 6, byte 2: expected the index of an attribute, from 0 to 2"},
		{"sparse twice", head + "{0 1,0 2}\n", `line 6, byte 6: attribute "a" has two values`},
		{"sparse without order", head + "{2 t,0 1}\n", "line 6, byte 6: the indexes of a sparse row must ascend"},
		{"sparse string", head + "{0 1}\n", `line 6, byte 1: attribute "s" is left out of a sparse row, which only numbers and labels can be`},
		{"sparse without a comma", head + "{0 1 2 t}\n", "line 6, byte 6: found a word, expected a comma or a closing brace"},
		{"encoding", head + "1,x,ü\xfc\n", "line 6, byte 7: found bytes that are not UTF-8, expected text in UTF-8; " +
			"--encoding NAME (file: {encoding: NAME} in a policy) reads another, such as gb18030 or shift_jis"},
	} {
		_, _, err := Read(context.Background(), []byte(c.text), dialect.Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
	number := dialect.Options{Kinds: map[string]table.Kind{"b": table.Numeric}}
	want := `column "b" holds something else than a number, expected numbers or missing values`
	if _, _, err := Read(context.Background(), []byte(head), number); err == nil || err.Error() != want {
		t.Errorf("forced number: %v, want %s", err, want)
	}
}

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		weather: true, "\ufeff@Relation r\n": true, "@relation\n": false, "a,b\n1,2\n": false, "": false, "% only\n": false,
	} {
		if Looks([]byte(text)) != want {
			t.Errorf("Looks(%.20q) = %v", text, !want)
		}
	}
}

func TestWrite(t *testing.T) {
	tb := must.Get(table.New(table.NumColumn("n", 0.01, []float64{1.5, nan}),
		table.NumColumn("wind speed", 1, []float64{1, -9}),
		table.CatColumn("c", []string{"x", "light rain", "?", "it's", "", "50%", "a,b"}, []int32{1, 2}),
		table.CatColumn("empty", nil, []int32{-1, -1})))(t)
	const want = `@relation table

@attribute n numeric
@attribute 'wind speed' integer
@attribute c {x,'light rain','?','it\'s','','50\%','a,b'}
@attribute empty string

@data
1.50,1,'light rain',?
?,-9,'?',?
`
	var out bytes.Buffer
	if err := Write(context.Background(), &out, tb, dialect.Options{}); err != nil || out.String() != want {
		t.Errorf("%v\n got %s\nwant %s", err, out.String(), want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Write(ctx, &out, tb, dialect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, c := range []struct {
		col  table.Column
		want string
	}{
		{table.NumColumn("a", 1, []float64{math.Inf(1)}), `column "a" is infinite in row 1`},
		{table.CatColumn("a", []string{"\xff"}, []int32{0}), `column "a" has a label that is not UTF-8 text`},
		{table.CatColumn("\xff", []string{"x"}, []int32{0}), `column "\xff" has a name that is not UTF-8 text`},
	} {
		tb := tabletest.Of(t, c.col)
		if err := Write(context.Background(), &out, tb, dialect.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Zeros at the end make no grid and are written back; padded integers are declared numeric.
func TestDecimalsAreKept(t *testing.T) {
	const text = "@relation table\n\n@attribute a numeric\n@attribute b numeric\n@attribute c {1.0,x}\n\n@data\n" +
		"1.0,1.50,1.0\n?,-2.00,x\n"
	tb, info, err := Read(context.Background(), []byte(text), dialect.Options{})
	must.NoError(t, err)
	var out bytes.Buffer
	must.NoError(t, Write(context.Background(), &out, tb, info.Like(dialect.Options{})))
	if out.String() != text || tb.Attr(0).Step != 1 || tb.Attr(1).Step != 0.1 {
		t.Errorf("steps %v and %v, written\n%s", tb.Attr(0).Step, tb.Attr(1).Step, out.String())
	}
	if _, _, err := Read(context.Background(), []byte("@relation r\n@attribute a numeric\n@data\n+-5\n"),
		dialect.Options{}); err == nil {
		t.Error("a number with two signs was accepted")
	}
}
