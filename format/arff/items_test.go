package arff

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func asked(t must.T, text string) dialect.Options {
	s := must.Get(layout.Parse(text))(t)
	return dialect.Options{Items: []layout.Spec{s}}
}

// words says what is in a row of a table, by name.
func words(t *table.Table, i int) (out []string) {
	for _, c := range t.Columns() {
		switch {
		case c.MissingAt(i):
			out = append(out, c.Name+"=?")
		case c.Kind == table.Numeric:
			out = append(out, fmt.Sprint(c.Name, "=", c.Num[i], "/", c.Step))
		case c.Kind == table.Categorical:
			out = append(out, c.Name+"="+c.Labels[c.Cat[i]])
		default:
			for _, v := range c.Sets.Present.Row(i) {
				out = append(out, c.Name+" has "+c.Labels[v])
			}
			for _, v := range c.Sets.Unknown.Row(i) {
				out = append(out, c.Name+" may have "+c.Labels[v])
			}
		}
	}
	return out
}

// TestItemsTwin: items read straight from dense and sparse rows are those of a table of numbers whose columns are
// joined.
func TestItemsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows, width := rapid.IntRange(0, 6).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "width")
		var cells [][]string
		var plain, file strings.Builder
		head := "@relation r\n"
		plain.WriteString(head)
		file.WriteString(head)
		for j := range width {
			col := rapid.SliceOfN(rapid.SampledFrom([]string{"0", "0", "1", "1", "?", "2.5", "1.0", "0.0"}), rows,
				rows).Draw(t, "column")
			if rapid.IntRange(0, 2).Draw(t, "binary") > 0 {
				for i := range col {
					col[i] = strings.NewReplacer("2.5", "1", ".0", "").Replace(col[i])
				}
			}
			declared := "numeric"
			if !slices.ContainsFunc(col, func(s string) bool { return len(s) > 1 }) {
				declared = rapid.SampledFrom([]string{"numeric", "real", "{0,1}"}).Draw(t, "declared")
			}
			fmt.Fprintf(&plain, "@attribute x%d numeric\n", j)
			fmt.Fprintf(&file, "@attribute x%d %s\n", j, declared)
			cells = append(cells, col)
		}
		plain.WriteString("@data\n")
		file.WriteString("@data\n")
		for i := range rows {
			sparse := rapid.Bool().Draw(t, "sparse")
			var dense, pairs []string
			for j := range width {
				dense = append(dense, cells[j][i])
				if v := cells[j][i]; v != "0" || rapid.IntRange(0, 3).Draw(t, "told") == 0 {
					pairs = append(pairs, fmt.Sprintf("%d%s%s", j, rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "blank"), v))
				}
			}
			plain.WriteString(strings.Join(dense, ",") + "\n")
			if sparse {
				file.WriteString("{" + strings.Join(pairs, rapid.SampledFrom([]string{",", ", "}).Draw(t, "comma")) + "}\n")
			} else {
				file.WriteString(strings.Join(dense, ",") + "\n")
			}
		}
		for _, how := range []string{"wide:", "wide:x"} {
			opt := asked(t, how)
			numbers, _, err := Read(context.Background(), []byte(plain.String()), dialect.Options{})
			must.NoError(t, err)
			want, _, failed := layout.Fold(context.Background(), numbers, opt.Items)
			got, _, err := Read(context.Background(), []byte(file.String()), opt)
			if (failed == nil) != (err == nil) {
				t.Fatalf("%q: %v, expected %v", file.String(), err, failed)
			}
			for i := 0; err == nil && i < rows; i++ {
				if a, b := words(got, i), words(want, i); !slices.Equal(a, b) {
					t.Fatalf("%q, row %d: %q, expected %q", file.String(), i+1, a, b)
				}
			}
		}
	})
}

// Labels of two kinds of no and yes are items, others stay; the set stands where its first item stood.
func TestLabelsAsItems(t *testing.T) {
	const file = "@relation r\n@attribute age integer\n@attribute milk {f,t}\n@attribute class {no, YES}\n@attribute " +
		"town {t,f}\n@attribute eggs {n,y}\n@data\n{0 7,1 t,3 f}\n30,f,yes,t,y\n"
	if _, _, err := Read(context.Background(), []byte(file), asked(t, "wide:")); err == nil ||
		err.Error() != `line 9, byte 6: attribute "class": the value is not among the declared labels` {
		t.Error(err)
	}
	opt := asked(t, "wide:")
	opt.Kinds = map[string]table.Kind{"class": table.Categorical}
	got, info, err := Read(context.Background(), []byte(strings.Replace(file, "yes,", "YES,", 1)), opt)
	if err != nil || info.Notes != nil {
		t.Fatal(err, info)
	}
	for i, want := range [][]string{{"age=7/1", "items has milk", "class=no", "town=f"},
		{"age=30/1", "items has eggs", "class=YES", "town=t"}} {
		if w := words(got, i); !slices.Equal(w, want) {
			t.Errorf("row %d: %q, expected %q", i+1, w, want)
		}
	}
}

// What cannot be items, and rows of them that are none, are told with their place.
func TestItemsRefused(t *testing.T) {
	const head = "@relation r\n@attribute dx_a {0,1}\n@attribute dx_b numeric\n@attribute num numeric\n@attribute dx_ " +
		"string\n@data\n"
	for _, c := range []struct{ how, file, want string }{
		{"wide:dx_", head, `items wide:dx_: the name of attribute "dx_" leaves no name for an item`},
		{"wide:n", head + "0,0,5,x\n", `line 7, byte 5: attribute "num": found something else than 0 and 1, expected an item`},
		{"wide:z", head, "items wide:z: no attribute of 0 and 1 has a name that begins so"},
		{"wide:dx", head, `items wide:dx: attribute "dx_" is not declared numeric, {0,1}, {f,t}, {n,y}, {no,yes} or {false,true}`},
		{"wide:", "@relation r\n@attribute a numeric\n@data\n5\n", "items wide:: every attribute holds something else than " +
			"0 and 1"},
		{"wide:a", "@relation r\n@attribute ab {0,1}\n@attribute ac {0,1}\n@data\n{0 1,2 1}\n", "line 5, byte 6: expected " +
			"the index of an attribute, from 0 to 1"},
		{"wide:a", "@relation r\n@attribute ab {0,1}\n@attribute ac {0,1}\n@data\n{0 1,0 1}\n", `line 5, byte 6: attribute "ab" has two values`},
		{"wide:a", "@relation r\n@attribute ab {0,1}\n@attribute ac {0,1}\n@data\n{1 1,0 1}\n", "line 5, byte 6: the " +
			"indexes of a sparse row must ascend"},
		{"wide:a", "@relation r\n@attribute ab {0,1}\n@attribute ac {0,1}\n@data\n{-1 1}\n", "line 5, byte 2: expected the " +
			"index of an attribute, from 0 to 1"},
		{"wide:a", "@relation r\n@attribute ab {0,1}\n@attribute ac {0,1}\n@data\n{1000000000 1,}\n",
			"line 5, byte 2: expected the index of an attribute, from 0 to 1"},
	} {
		if _, _, err := Read(context.Background(), []byte(c.file), asked(t, c.how)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, expected %s", c.how, err, c.want)
		}
	}
}

// A basket is pointed out, and read as one where that is asked for.
func TestBasketIsPointedOut(t *testing.T) {
	for file, told := range map[string]bool{
		"@relation r\n@attribute a {f,t}\n@attribute b numeric\n@data\n{}\n{0 t,1 1}\n": true,
		"@relation r\n@attribute a {f,t}\n@attribute b numeric\n@data\n{}\nt,1\n":       false,
		"@relation r\n@attribute a {f,t}\n@attribute b numeric\n@data\n{1 2}\n":         false,
		"@relation r\n@attribute a {t,f}\n@data\n{}\n":                                  false,
		"@relation r\n@attribute a {f,t}\n@data\n":                                      false,
	} {
		_, info, err := Read(context.Background(), []byte(file), dialect.Options{})
		if err != nil || slices.Contains(dialect.Texts(info.Notes), "every row is sparse and every attribute 0 or 1: "+
			"--items wide: reads them as one column of sets") != told {
			t.Errorf("%q: %v, %v", file, info, err)
		}
	}
}

// Sets are written as sparse rows that Weka reads as baskets; beside others only where each item has a column.
func TestWriteItems(t *testing.T) {
	baskets := table.SetColumn("items", []string{"10", "9", "a b"},
		table.SetsOf([][]int32{{0, 1}, {}, nil, {2}}, [][]int32{{}, {1}, {}, {0}}))
	few := table.NumColumn("n", 0.01, []float64{0, 1.5, nan, -2})
	town := table.CatColumn("town", []string{"Ulm", "x"}, []int32{0, 1, -1, 1})
	day := table.DateColumn("day", "yyyy-mm-dd", []float64{0, 1, nan, 2})
	for _, c := range []struct {
		how  string
		cols []table.Column
		want string
	}{
		{"", []table.Column{baskets}, "@relation table\n\n@attribute 9 {0,1}\n@attribute 10 {0,1}\n@attribute 'a b' {0,1}\n" +
			"\n@data\n{0 1,1 1}\n{0 ?}\n{0 ?,1 ?,2 ?}\n{1 ?,2 1}\n"},
		{"wide:", []table.Column{few, baskets, town, day}, "@relation table\n\n@attribute n numeric\n@attribute 9 {0,1}\n" +
			"@attribute 10 {0,1}\n@attribute 'a b' {0,1}\n" +
			"@attribute town {Ulm,x}\n@attribute day date \"yyyy-MM-dd\"\n\n@data\n{1 1,2 1,5 1970-01-01}\n{0 1.50,1 ?,4 x,5 " +
			"1970-01-02}\n{0 ?,1 ?,2 ?,3 ?,4 ?,5 ?}\n{0 -2.00,2 ?,3 1,4 x,5 1970-01-03}\n"},
		{"", []table.Column{few, baskets}, "@relation table\n\n@attribute n numeric\n@attribute items {9;10,?9,'?10;a b'}\n" +
			"\n@data\n0.00,9;10\n1.50,?9\n?,?\n-2.00,'?10;a b'\n"},
	} {
		opt := dialect.Options{}
		if c.how != "" {
			opt = asked(t, c.how)
		}
		var out bytes.Buffer
		if err := Write(context.Background(), &out, tabletest.Of(t, c.cols...), opt); err != nil || out.String() != c.want {
			t.Errorf("%v\n got %s\nwant %s", err, out.String(), c.want)
		}
	}
	twin := tabletest.Of(t, table.NumColumn("9", 1, make([]float64, 4)), baskets)
	if err := Write(context.Background(), &bytes.Buffer{}, twin, asked(t, "wide:")); err == nil ||
		err.Error() != `column "items" has an item with an attribute name that is already used` {
		t.Error(err)
	}
	none := tabletest.Of(t, table.SetColumn("items", nil, table.SetsOf([][]int32{{}}, nil)))
	if err := Write(context.Background(), &bytes.Buffer{}, none, dialect.Options{}); err == nil ||
		err.Error() != `column "items" has sets without an item, for none of which there is an attribute` {
		t.Error(err)
	}
}
