package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var ctx = context.Background()

// value draws a value as text, of the kind that its column has.
func value(t *rapid.T, kind int) string {
	if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
		return "null"
	}
	word := func() string {
		b := must.Get(json.Marshal(rapid.String().Draw(t, "word")))(t)
		return string(b)
	}
	switch kind {
	case 0:
		return fmt.Sprint(rapid.IntRange(-999, 999).Draw(t, "integer"))
	case 1:
		return fmt.Sprintf("%d.%02de%d", rapid.IntRange(-9, 9).Draw(t, "whole"), rapid.IntRange(0, 99).Draw(t, "part"),
			rapid.IntRange(-3, 3).Draw(t, "exponent"))
	case 2:
		return word()
	}
	return fmt.Sprint(rapid.Bool().Draw(t, "truth"))
}

// TestTwin holds the reader against the standard library's, line by line.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 4).Draw(t, "kinds")
		var lines []string
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			var cells []string
			for _, j := range rapid.Permutation([]int{0, 1, 2, 3}[:len(kinds)]).Draw(t, "order") {
				if rapid.IntRange(0, 4).Draw(t, "absent") > 0 {
					cells = append(cells,
						fmt.Sprintf(`"c%d"%s:%s`, j, rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "blank"), value(t, kinds[j])))
				}
			}
			lines = append(lines, "{"+strings.Join(cells, " , ")+"}")
		}
		data := []byte(strings.Join(lines, "\n"))
		if rapid.Bool().Draw(t, "array") {
			comma := rapid.SampledFrom([]string{",", " ,\n", "\n,\r\n\t"}).Draw(t, "comma")
			data = []byte("[" + strings.Join(lines, comma) + "\n] ")
		}
		opt := dialect.Options{Kinds: map[string]table.Kind{}}
		for j, k := range kinds {
			if opt.Kinds[fmt.Sprint("c", j)] = table.Categorical; k < 2 {
				opt.Kinds[fmt.Sprint("c", j)] = table.Numeric
			}
		}
		got, _, err := Read(ctx, bytes.Clone(data), opt)
		if err != nil {
			if strings.Contains(string(data), `"c`) {
				t.Fatal(err)
			}
			return
		}
		for i, line := range lines {
			var want map[string]any
			must.NoError(t, json.Unmarshal([]byte(line), &want))
			for j := range got.Width() {
				c := got.Column(j)
				var has any
				switch {
				case c.MissingAt(i):
				case c.Kind == table.Numeric:
					has = c.Num[i]
				case c.Labels[c.Cat[i]] == "true" || c.Labels[c.Cat[i]] == "false":
					if has = c.Labels[c.Cat[i]] == "true"; kinds[c.Name[1]-'0'] == 2 {
						has = c.Labels[c.Cat[i]]
					}
				default:
					has = c.Labels[c.Cat[i]]
				}
				if has != want[c.Name] {
					t.Fatalf("line %d, column %s: %v, expected %v", i+1, c.Name, has, want[c.Name])
				}
			}
		}
	})
}

// Errors name the place, and no value.
func TestErrors(t *testing.T) {
	for data, want := range map[string]string{
		"":                         "the file is empty, expected a header",
		"\n\n":                     "no line holds an object, expected a record in each",
		"{}\n":                     "no object has a name, expected those of the columns",
		"{\"a\":1}\n{\"a\":\n2}\n": "line 2: the object does not end in its line, expected one object in each line",
		"{\"a\":1}{\"a\":2}\n":     "line 1, byte 8: found something behind the object, expected one object in each line",
		"{\"a\":1,\"a\":2}\n":      `line 1: column "a" is named twice in an object`,
		"[\n]\n":                   "the array has no elements, expected records, which name the columns",
		"[{}]":                     "no object has a name, expected those of the columns",
		"[{\"a\":1}":               "line 1, byte 1: the array does not end in a bracket of its own",
		"[{\"a\":1}}":              "line 1, byte 1: the array does not end in a bracket of its own",
		"[{\"a\":\"1}]":            "line 1, byte 1: the array does not end: a text in it has no end",
		"[{\"a\":1}]\n[]":          "line 2, byte 1: found something behind the array, expected one array of records",
		"[{\"a\":1},]":             "line 1, byte 10: expected an object, as each element of the array is a record",
		"[{\"a\":1}\n{\"a\":2}]":   "line 2, byte 1: expected a comma or the end of the array behind the object",
		"[[1,2]]":                  "line 1, byte 2: expected an object, as each element of the array is a record",
		"[{\"a\":[1}]]":            "line 1, byte 9: expected a comma or ]",
		"[{\"a\":\n1 2}]":          "line 2, byte 3: expected a comma or }",
		"[{\"a\":{\"b\":01}}]":     "line 1, byte 14: found no sound number",
		"[{\"a\":{\"b\" 01}}]":     "line 1, byte 12: expected a colon behind the name",
		`{"a":` + strings.Repeat("[", 102) + "1}": "line 1, byte 107: found values more than 100 deep in each other",
		"{\"a\":01}\n":              "line 1, byte 8: found no sound number",
		"{\"a\":\"\\ud800\"}\n":     "line 1, byte 7: found an escape that stands for no character",
		"{\"a\":\"x\ty\"}\n":        "line 1, byte 8: found a control character in a text, expected an escape",
		"{\"a\":Zarathustra}\n":     "line 1, byte 6: expected a value: a text in quotes, a number, true, false or null",
		"{\"a\":Infinity}\n":        "line 1, byte 6: expected a value: a text in quotes, a number, true, false or null",
		"{a:1}\n":                   "line 1, byte 2: expected a name in quotes",
		"{\"a\" 1}\n":               "line 1, byte 6: expected a colon behind the name",
		"{\"a\":1 \"b\":2}\n":       "line 1, byte 8: expected a comma or }",
		"{\"a\":\"\xff\"}{\"b\":1}": "line 1, byte 8: found bytes that are not UTF-8 before here, expected text in UTF-8",
	} {
		if _, _, err := Read(ctx, []byte(data), dialect.Options{Encoding: "utf-8"}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", data, err, want)
		}
	}
}

// A file of a few bytes does not fill the memory.
func TestSparse(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"c0":1`)
	for j := range 20_000 {
		fmt.Fprintf(&b, `,"d%d":1`, j)
	}
	b.WriteString("}\n" + strings.Repeat("{}\n", 1_000_000))
	if _, _, err := Read(ctx, []byte(b.String()), dialect.Options{}); err == nil ||
		!strings.Contains(err.Error(), "leave columns out") {
		t.Errorf("%v", err)
	}
}

// What is of several kinds in a column, and what stays what it was when it is written again.
func TestKinds(t *testing.T) {
	const data = `{"n":1.50,"b":true,"mixed":1.0,"code":"007","long":12345678901234567,"l":[2,1],"w":["x"]}
{"n":2.00,"b":false,"mixed":"x","code":"1","long":2,"l":[],"w":null}
`
	got, info, err := Read(ctx, []byte(data), dialect.Options{})
	must.NoError(t, err)
	want := []string{"numeric 0.1", "categorical [true false]", "categorical [1.0 x]", "categorical [007 1]",
		"categorical [12345678901234567 2]", "set-valued [2 1]", "set-valued [x]"}
	for j, a := range got.Attrs() {
		is := fmt.Sprint(a.Kind, " ", a.Labels)
		if a.Kind == table.Numeric {
			is = fmt.Sprint(a.Kind, " ", a.Step)
		}
		if is != want[j] {
			t.Errorf("column %s is %s, expected %s", a.Name, is, want[j])
		}
	}
	var out bytes.Buffer
	must.NoError(t, Write(ctx, &out, got, info.Like(dialect.Options{})))
	const again = `{"n":1.50,"b":true,"mixed":"1.0","code":"007","long":12345678901234567,"l":[1,2],"w":["x"]}
{"n":2.00,"b":false,"mixed":"x","code":"1","long":2,"l":[],"w":null}
`
	if out.String() != again {
		t.Errorf("written again: %s", out.String())
	}
}

// What a table cannot hold is left out by name, and the rest is read.
func TestLeftOut(t *testing.T) {
	for value, want := range map[string]string{
		`{"b":[1,{"c":null}]}`: "it holds values inside values, expected single values and lists of them",
		`[1,["x"]]`:            "it holds values inside lists, expected single values and lists of them",
		`[{}]`:                 "it holds values inside lists, expected single values and lists of them",
		`[true]`:               "it holds truth values in lists, expected texts or numbers",
		`1e999`:                "it holds a number beyond those that a computer holds",
		`[5]`:                  "it holds lists and single values (line 3), expected one of them",
	} {
		const lines = `{"n":1,"a":2}` + "\n" + `{"n":2}` + "\n"
		for _, data := range []string{lines + `{"a":` + value + `,"n":3}`,
			"[" + strings.ReplaceAll(lines, "\n", ",\n") + `{"a":` + value + `,"n":3}]`} {
			got, info, err := Read(ctx, []byte(data), dialect.Options{})
			if err != nil {
				t.Errorf("%s: %v", value, err)
				continue
			}
			if got.Width() != 1 || got.Attr(0).Name != "n" || !slices.Equal(got.Num(0), []float64{1, 2, 3}) {
				t.Errorf("%s: %d columns of %d records", value, got.Width(), got.Rows())
			}
			if notes := dialect.Texts(info.Notes); !slices.Equal(notes, []string{`column "a" is left out: ` + want}) {
				t.Errorf("%s: %q", value, notes)
			}
		}
	}
	_, _, err := Read(ctx, []byte(`{"a":{}}`), dialect.Options{})
	if want := `no column of the file can be read; column "a" is left out: it holds values inside values, expected ` +
		`single values and lists of them`; err == nil || err.Error() != want {
		t.Errorf("no column: %v", err)
	}
}

// An array of records is the table of its lines, whatever its size: parts of it are read at a time.
func TestArray(t *testing.T) {
	var lines []string
	for i := range 60_000 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"text":"}],[{ \\\" %d","set":["a","b%d"]}`, i, i%7, i%3))
	}
	want, _, err := Read(ctx, []byte(strings.Join(lines, "\n")), dialect.Options{})
	must.NoError(t, err)
	data := []byte("\n[" + strings.Join(lines, ",\n  ") + "]")
	if len(data) < 3*chunkBytes {
		t.Fatalf("%d bytes are no three parts", len(data))
	}
	for range 2 {
		got, info, err := Read(ctx, data, dialect.Options{})
		must.NoError(t, err)
		if d := cmp.Diff(want.Attrs(), got.Attrs()); d != "" || got.Rows() != want.Rows() ||
			!slices.Equal(want.Num(0), got.Num(0)) || !slices.Equal(want.Cat(1), got.Cat(1)) {
			t.Fatalf("%d records: %s", got.Rows(), d)
		}
		var out bytes.Buffer
		must.NoError(t, FormatArray.Write(ctx, &out, got, info.Like(dialect.Options{})))
		data = out.Bytes()
		var all []map[string]any
		if err := json.Unmarshal(data, &all); err != nil || len(all) != len(lines) {
			t.Fatalf("%d records were written: %v", len(all), err)
		}
	}
	small := must.Get(os.ReadFile("testdata/array.json"))(t)
	got, _, err := Read(ctx, small, dialect.Options{})
	if err != nil || got.Rows() != 2 || !slices.Equal(got.Num(0), []float64{1, 2}) ||
		!slices.Equal(got.Attr(1).Labels, []string{"x", "y"}) {
		t.Errorf("%v: %v", got, err)
	}
}

// An item whose name begins with a question mark may be unknown, and an empty one present; not the other way round.
func TestMarks(t *testing.T) {
	const data = `{"a":["","??x","?y"]}` + "\n" + `{"a":["?"]}` + "\n"
	got, info, err := Read(ctx, []byte(data), dialect.Options{})
	must.NoError(t, err)
	var out bytes.Buffer
	if err := Write(ctx, &out, got, info.Like(dialect.Options{})); err != nil || out.String() != data {
		t.Errorf("%v, %s", err, out.String())
	}
	for _, s := range []*table.Sets{table.SetsOf([][]int32{{0}}, nil), table.SetsOf([][]int32{{}}, [][]int32{{1}})} {
		odd := must.Get(table.New(table.SetColumn("a", []string{"?x", ""}, s)))(t)
		if err := Write(ctx, &out, odd, dialect.Options{}); err == nil {
			t.Error("an item is written that would be read as another")
		}
	}
}
