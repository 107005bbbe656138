package dta

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var havens = []string{
	`id: 1 2 3 70000`,
	`sex: "male" "female" "refused" ?`,
	`wage: 10.5 ? ? -12.0`,
	`wage_missing: ? "refused" ".d" ?`,
	`day: 2024-02-29 ? 1969-12-31 2020-01-01`,
	`seen: 2024-02-29T12:00:01 ? 1999-12-31T23:59:59 2020-01-01T00:00:00`,
	`name: "Zoe" ? "a longer name" "x"`,
	`grade: "low" "high" "low" ?`,
}

var pandas = []string{`small: 1 -2 100 3`, `middle: 1 -2 32000 3`, `large: 1 -2 2000000000 3`,
	`single: 0.1 -2.5 ? 3.0`, `real: 0.1 1e+300 ? -3`, `name: "Zoe" ? "a longer name" "x"`,
	`grade: "low" "high" "low" ?`, `day: 2024-02-29 ? 1969-12-31 2020-01-01`}

// Files of all releases that haven and pandas wrote hold what testdata/make.R and make.py say, and written again they
// hold the same, byte for byte from then on.
func TestForeignFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.dta")
	if err != nil || len(files) < 11 {
		t.Fatal(files, err)
	}
	releases := map[int]bool{}
	for _, file := range files {
		data := mustRead(t, filepath.Base(file))
		want := pandas
		switch {
		case strings.Contains(file, "haven"):
			want = havens
		case strings.Contains(file, "big"):
			want = append(pandas[:7:7], `day: 2024-02-29T00:00:00 ? 1969-12-31T00:00:00 2020-01-01T00:00:00`)
		}
		head, err := readHead(data, "")
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		releases[head.release] = true
		var last []byte
		for k := range 3 {
			got, info, err := Read(ctx, bytes.Clone(data), dialect.Options{})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			lines := formattest.Shown(got)
			if want[4] == pandas[4] && lines[4] == "real: 0.1 1"+strings.Repeat("0", 300)+" ? -3" {
				lines[4] = pandas[4]
			}
			if d := cmp.Diff(want, lines); d != "" {
				t.Errorf("%s, written %d times (-want +got):\n%s", file, k, d)
			}
			var out bytes.Buffer
			must.NoError(t, Write(ctx, &out, got, info.Like(dialect.Options{})))
			if k > 0 && !bytes.Equal(last, out.Bytes()) {
				t.Errorf("%s: other bytes when written again", file)
			}
			last, data = out.Bytes(), bytes.Clone(out.Bytes())
		}
	}
	for _, r := range []int{113, 114, 115, 117, 118, 119} {
		if !releases[r] {
			t.Errorf("no file is of release %d", r)
		}
	}
}

// What is written of a foreign file is the same to haven and to pandas as what they wrote: values, labels, letters of
// missing values, formats.
func TestWhatOthersRead(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain run has asked them")
	}
	dir := t.TempDir()
	for _, name := range []string{"haven14", "pandas118"} {
		data := mustRead(t, name+".dta")
		got, info, err := Read(ctx, data, dialect.Options{})
		must.NoError(t, err)
		var out bytes.Buffer
		must.NoError(t, Write(ctx, &out, got, info.Like(dialect.Options{})))
		for name, content := range map[string][]byte{name + "ours.dta": out.Bytes(), name + "theirs.dta": data} {
			must.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
	}
	odd := formattest.Written(t, Format, dialect.Options{},
		table.CatColumn("a b", []string{"", "x"}, []int32{0, 1, -1}),
		table.CatColumn("lengthy", []string{strings.Repeat("é", 2000), "y"}, []int32{0, 1, 0}),
		table.DateColumn("if", "dd.mm.yyyy", []float64{0, nan, 20455}))
	must.NoError(t, os.WriteFile(filepath.Join(dir, "odd.dta"), odd, 0o600))
	t.Run("haven", func(t *testing.T) {
		const script = `library(haven)
say <- function(x) list(class(x), as.character(x), if (is.double(x)) na_tag(x), attr(x, "label", TRUE), sort(names(attr(x, "labels"))), attr(x, "format.stata"))
for (f in c("haven14", "pandas118")) {
  a <- read_dta(paste0(f, "ours.dta")); b <- read_dta(paste0(f, "theirs.dta"))
  stopifnot(identical(names(a), names(b)), nrow(a) == 4)
  for (n in names(a)) if (!isTRUE(all.equal(say(a[[n]]), say(b[[n]])))) { print(n); str(say(a[[n]])); str(say(b[[n]])) }
}
o <- read_dta("odd.dta")
stopifnot(names(o) == c("a_b", "lengthy", "_if"), nchar(o$lengthy[c(1, 3)]) == 2000, o[["_if"]][3] == as.Date("2026-01-02"), is.na(o$a_b[3]))
cat("compared\n")`
		if said := formattest.Program(t, "r-cran-haven", []string{"Rscript", "-e", "library(haven)"}, dir, "Rscript", "-e",
			script); said != "compared\n" {
			t.Error(said)
		}
	})
	t.Run("pandas", func(t *testing.T) {
		const script = `
import pandas as pd
for f in ("haven14", "pandas118"):
    a, b = (pd.read_stata(f + w + ".dta") for w in ("ours", "theirs"))
    pd.testing.assert_frame_equal(a, b, check_categorical=False)
o = pd.read_stata("odd.dta")
assert list(o["lengthy"].str.len()) == [2000, 1, 2000], o
print("compared")`
		python := "/usr/bin/python3" // Debian's, which has Debian's pandas
		if said := formattest.Program(t, "python3-pandas", []string{python, "-c", "import pandas"}, dir, python, "-W",
			"ignore", "-c", script); said != "compared\n" {
			t.Error(said)
		}
	})
}

// Numbers at the ends of the types, where missing values begin, come back as they are.
func TestEnds(t *testing.T) {
	ends := []float64{-127, 100, 101, -32767, 32740, 32741, -2147483647, 2147483620, 2147483621, 9007199254740992,
		8.98e307, 1.7976931348623157e308}
	for k := range ends {
		for _, x := range ends[:k+1] {
			data := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("a", 1, []float64{x, nan, ends[k]}))
			got, _, err := Read(ctx, data, dialect.Options{})
			if err != nil || got.Attr(0).Kind != table.Numeric || got.Num(0)[0] != x || got.Num(0)[1] == got.Num(0)[1] ||
				got.Num(0)[2] != ends[k] {
				t.Errorf("%v and %v: %v, %v", x, ends[k], got.Num(0), err)
			}
		}
	}
}

// The missing values of all types, as Stata's description of the files lists them.
func TestMissingValues(t *testing.T) {
	for typ, first := range map[typ][]uint64{byter: {101, 1}, integer: {32741, 1}, long: {2147483621, 1},
		float: {0x7f000000, 0x800}, double: {0x7fe0000000000000, 0x10000000000}} {
		for past := range uint64(27) {
			v := &variable{typ: typ, num: make([]float64, 1)}
			b := binary.LittleEndian.AppendUint64(nil, first[0]+past*first[1])
			v.number(0, b, binary.LittleEndian, 1)
			if letter := append(v.letters, 0)[0]; !math.IsNaN(v.num[0]) || past == 0 && letter != 0 ||
				past > 0 && letter != 'a'+byte(past)-1 {
				t.Errorf("%v, %d behind .: %v, %q", typ, past, v.num[0], letter)
			}
		}
		v := &variable{typ: typ, num: make([]float64, 1)}
		if v.number(0, binary.LittleEndian.AppendUint64(nil, first[0]-1), binary.LittleEndian, 1); math.IsNaN(v.num[0]) {
			t.Errorf("%v: the largest number is missing", typ)
		}
	}
}

// Letters before Latin-1 was left behind: the encoding is told, or assumed with a note.
func TestEncodings(t *testing.T) {
	data := bytes.ReplaceAll(mustRead(t, "haven10.dta"), []byte("Zoe\x00"), []byte("Zo\xeb\x00"))
	for encoding, want := range map[string]string{"": "Zoë", "iso-8859-5": "Zoы"} {
		got, info, err := Read(ctx, bytes.Clone(data), dialect.Options{Encoding: encoding})
		must.NoError(t, err)
		if name := got.Attr(got.Find("name")).Labels[0]; name != want || (len(info.Notes) > 0) != (encoding == "") {
			t.Errorf("%q: %q, notes %q", encoding, name, info.Notes)
		}
	}
}

func FuzzDTA(f *testing.F) {
	seeds := [][]byte{
		formattest.Written(f, Format, dialect.Options{}, table.DateColumn("d", "mm/dd/yyyy", []float64{1, nan}),
			table.CatColumn("a b", []string{"x", ""}, []int32{1, 0})),
	}
	for _, name := range []string{"haven8.dta", "haven10.dta", "haven13.dta", "haven14.dta", "pandas119.dta",
		"pandasbig.dta"} {
		seeds = append(seeds, mustRead(f, name))
	}
	formattest.Fuzz(f, Format, seeds...)
}
