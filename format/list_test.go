package format

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/arff"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/parquet"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A name, an alias or an extension stands for one format, and no format takes another's files for its own.
func TestFormatsAreToldApart(t *testing.T) {
	count := tabletest.Of(t, table.NumColumn("n", 1, []float64{1}))
	baskets := tabletest.Of(t, table.SetColumn("n", []string{"5"}, table.SetsOf([][]int32{{0}}, nil)))
	names, extensions := map[string]bool{}, map[string]bool{}
	for _, f := range Formats() {
		if err := f.Check(); err != nil {
			t.Error(err)
		}
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			if names[n] {
				t.Errorf("two formats are named %s", n)
			}
			names[n] = true
		}
		for _, e := range f.Extensions {
			if extensions[e] {
				t.Errorf("two formats have the extension %s", e)
			}
			extensions[e] = true
		}
		var out bytes.Buffer
		held := count
		if f.Holds == dialect.SetsOnly {
			held = baskets
		}
		if f.Write == nil {
			if err := CheckName("a" + f.Extensions[0]); err == nil || strings.Contains(Extensions(), f.Extensions[0]) {
				t.Errorf("%s is not written, and people are told that it is", f.Name)
			}
			continue
		}
		must.NoError(t, f.Write(context.Background(), &out, held, Options{}))
		for _, g := range Formats() {
			if g.Name != f.Name && g.Looks != nil && g.Looks(out.Bytes()) {
				t.Errorf("a file of %s looks like one of %s", f.Name, g.Name)
			}
		}
		if f.Variant != "" &&
			!slices.ContainsFunc(Formats(), func(g Format) bool { return g.Name == f.Variant && g.Variant == "" }) {
			t.Errorf("%s is a variant of %s, which is no format", f.Name, f.Variant)
		}
	}
	if len(Formats()) != len(registered()) || len(registered()) < 5 {
		t.Errorf("%d formats are told of, %d listed", len(Formats()), len(registered()))
	}
}

// The list is a copy: anyone who changes it changes nobody's formats.
func TestFormatsIsACopy(t *testing.T) {
	Formats()[0].Name, Formats()[0].Read = "spoilt", nil
	if f := Formats()[0]; f.Name != "csv" || f.Read == nil {
		t.Errorf("the first format is %q", f.Name)
	}
}

// only lists these formats while a test runs.
func only(t *testing.T, list ...Format) {
	was := registered
	t.Cleanup(func() { registered = was })
	registered = func() []Format { return list }
}

func TestFormatsInSentences(t *testing.T) {
	only(t, arff.Format, csv.Format, csv.FormatTSV, csv.FormatText, parquet.Format)
	for want, got := range map[string]string{
		"CSV, ARFF or Parquet":    Titles("or"),
		"CSV, ARFF and Parquet":   Titles("and"),
		".csv, .arff or .parquet": Extensions(),
		"csv, tsv, txt, arff, parquet": func() string {
			var names []string
			for _, f := range Formats() {
				names = append(names, f.Name)
			}
			return strings.Join(names, ", ")
		}(),
		`the extension ".ods" stands for no format, expected .csv, .tsv, .txt, .arff or .parquet`: unknown("dir.csv/a.ods").Error(),
		`the extension "" stands for no format, expected .csv, .tsv, .txt, .arff or .parquet`:     unknown("word").Error(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Lists of none, one and two formats read well too.
func TestEnumerate(t *testing.T) {
	for _, c := range []struct {
		of   []Format
		want string
	}{{nil, ""}, {[]Format{arff.Format}, "ARFF"}, {[]Format{arff.Format, csv.Format, csv.FormatTSV}, "CSV or ARFF"}} {
		only(t, c.of...)
		if got := Titles("or"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestByName(t *testing.T) {
	for name, want := range map[string]string{
		"a.csv": "csv", "a.CSV": "csv", "csv": "csv", "dir.arff/a.tab": "tsv", "a.tsv": "tsv", "TSV": "tsv", "a.b.txt": "txt",
		"x.Parquet": "parquet", "arff": "arff",
		"a.unheardof": "", "a": "", "": "", "a.csv.gz": "csv", "a.ARFF.ZST": "arff", "a.gz": "", "gz": "", ".gz": "",
		"csv.gz": "csv", "a.csv.gz.gz": "", "-": "", ".csv": "csv", "a.": "",
	} {
		f, ok := byName(name)
		if f.Name != want || ok != (want != "") {
			t.Errorf("%q stands for %q, want %q", name, f.Name, want)
		}
	}
}

// A format that someone adds is none of a stranger: its files are its reader's, whatever list of strangers they stand
// in.
func TestForeignersMakeRoom(t *testing.T) {
	only(t, csv.Format, arff.Format)
	workbook := Format{
		Extensions: []string{".ods"},
		Looks:      func(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) },
	}
	for _, c := range []struct {
		name, data      string
		without, within bool
	}{
		{"a.ods", "PK\x03\x04", true, false},
		{"a.ods", "nothing of the kind", true, false},
		{"-", "PK\x03\x04", true, false},
		{"a.csv", "PK\x03\x04", true, true},
		{"a.xls", "PK\x03\x04", true, true},
		{"a.csv", "a,b\n", false, false},
	} {
		told := func() bool {
			f := choose(c.name, []byte(c.data))
			return foreign(c.name, []byte(c.data), &f) != ""
		}
		was := registered
		if told() != c.without {
			t.Errorf("%s with %q: a stranger is %t, want %t", c.name, c.data, !c.without, c.without)
		}
		registered = func() []Format { return append(was(), workbook) }
		if told() != c.within {
			t.Errorf("%s with %q, beside a format of workbooks: a stranger is %t, want %t", c.name, c.data, !c.within, c.within)
		}
		registered = was
	}
}
