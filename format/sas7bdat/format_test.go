package sas7bdat

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/dta"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var ctx = context.Background()

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

// small is a file of the fewest bytes, so that every one of them can be damaged.
func small(names ...string) []byte {
	m := &made{encoding: 20, perPage: 3, pageSize: 1024}
	for _, n := range names {
		m.vars = append(m.vars, madeVar{name: n, bytes: 8, format: "YYMMDD"})
	}
	for _, v := range []any{24108.0, m.tagged(1), 3652.0} {
		m.rows = append(m.rows, slices.Repeat([]any{v}, len(names)))
	}
	return m.file()
}

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    small("day"),
		Nameless: bytes.ReplaceAll(small("twin1"), []byte("twin1"), []byte("\x00\x00\x00\x00\x00")),
		Twins:    bytes.ReplaceAll(small("twin1", "twin2"), []byte("twin2"), []byte("twin1")),
		More: [][]byte{
			sample(func(m *made) { m.wide, m.packing = true, doubles }).file(),
			sample(func(m *made) { m.packing = runs }).file(),
		},
	})
}

var samples = []string{
	`id: 1 2 3 70000 -1000000000`,
	`few: 0.5 -3.0 1024.0 0.0 3.0`,
	`name: "Zoe" ? "@@@@@@@@@@@@@@@@@@@@@@@@@ab ab ab ab ab ab ab ab ab ab ab ab abcabcabcabcxxxxxxxxxxxxxxxxxxxxxxxyyyy" "Zoe" "Zoë"`,
	`day: 2024-02-29 ? 1959-12-31 2020-01-01 1970-01-01`,
	`seen: 2024-02-29T12:00:01.500 ? 1960-01-01T00:00:00.000 2020-01-01T00:00:00.000 ?`,
	`wage: 10.5 ? ? ? ?`,
	`wage_missing: ? ".A" "._" ".Z" ?`,
	`code: "a" ? "bb" "ccc" "a"`,
}

// Files of every machine, packed in every way, hold what was put into them.
func TestEveryMachine(t *testing.T) {
	for name, data := range all(t) {
		got, info, err := Read(ctx, data, dialect.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(samples, formattest.Shown(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if info.Codebook["wage"].Label != "what they earn" || len(info.Notes) > 0 {
			t.Errorf("%s: %+v", name, info)
		}
	}
}

// haven reads the files that the tests make, so they are what ReadStat takes for files of SAS, too; of the second
// packing it knows nothing.
func TestWhatHavenReads(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain run has asked it")
	}
	dir := t.TempDir()
	for name, data := range all(t) {
		if !strings.HasPrefix(name, "doubles") {
			must.NoError(t, os.WriteFile(filepath.Join(dir, name+".sas7bdat"), data, 0o600))
		}
	}
	const script = `library(haven)
n <- 0
for (f in list.files(pattern = "sas7bdat")) {
  x <- read_sas(f)
  stopifnot(x$id == c(1, 2, 3, 70000, -1e9), x$few == c(.5, -3, 1024, 0, 3), x$name[c(1, 2, 4, 5)] == c("Zoe", "", "Zoe", "Zo\u00eb"), nchar(x$name[3]) == 100)
  stopifnot(identical(format(x$day), c("2024-02-29", NA, "1959-12-31", "2020-01-01", "1970-01-01")), x$seen[1] == as.POSIXct("2024-02-29 12:00:01.5", tz = "UTC"), is.na(x$seen[2]))
  stopifnot(identical(toupper(na_tag(x$wage)), c(NA, "A", "_", "Z", NA)), attr(x$wage, "label") == "what they earn", x$code == c("a", "", "bb", "ccc", "a"))
  n <- n + 1
}
cat(n, "compared\n")`
	if said := formattest.Program(t, "r-cran-haven", []string{"Rscript", "-e", "library(haven)"}, dir, "Rscript", "-e",
		script); said != "12 compared\n" {
		t.Error(said)
	}
}

// A file that haven wrote holds what testdata/make.R says, and one that SAS wrote what haven reads in it.
func TestForeignFiles(t *testing.T) {
	got, info, err := Read(ctx, mustRead(t, "haven.sas7bdat"), dialect.Options{})
	must.NoError(t, err)
	want := []string{
		`id: 1 2 3 70000`,
		`wage: 10.5 ? ? -12.0`,
		`wage_missing: ? ".D" ? ?`,
		`day: 2024-02-29 ? 1969-12-31 2020-01-01`,
		`seen: 2024-02-29T12:00:01 ? 1999-12-31T23:59:59 2020-01-01T00:00:00`,
		`name: "Zoë" ? "a longer name" "x"`,
		`grade: "low" "high" "low" ?`,
	}
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" || info.Codebook["wage"].Label != "what they earn" {
		t.Errorf("(-want +got):\n%s", d)
	}
	const iris = "/usr/lib/R/site-library/haven/examples/iris.sas7bdat" // of Debian's r-cran-haven; SAS wrote it
	data, err := os.ReadFile(iris)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("there is no file that SAS wrote: apt-get install r-cran-haven")
	}
	if got, _, err = Read(ctx, data, dialect.Options{}); err != nil || got.Rows() != 150 || got.Width() != 5 {
		t.Fatal(err)
	}
	sum := 0.0
	for j := range 4 {
		for _, x := range got.Num(j) {
			sum += x
		}
	}
	if c := got.Column(4); sum < 2078.65 || sum > 2078.75 ||
		!slices.Equal(c.Labels, []string{"setosa", "versic", "virgin"}) ||
		got.Attr(0).Step != 0.1 {
		t.Errorf("the sum of the flowers' measures is %v; %q", sum, c.Labels)
	}
}

// A release in Stata's format has the labels, the dates and the reasons: ._ gets a letter that is free.
func TestIntoStata(t *testing.T) {
	got, info, err := Read(ctx, sample(func(*made) {}).file(), dialect.Options{})
	must.NoError(t, err)
	var out bytes.Buffer
	must.NoError(t, dta.Write(ctx, &out, got, info.Like(dialect.Options{})))
	back, about, err := dta.Read(ctx, out.Bytes(), dialect.Options{})
	must.NoError(t, err)
	want := slices.Clone(samples)
	want[6] = `wage_missing: ? ".a" ".b" ".z" ?`
	if d := cmp.Diff(want, formattest.Shown(back)); d != "" || about.Codebook["wage"].Label != "what they earn" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What is no number has a reason as ReadStat and SAS write it, or none.
func TestMissingValues(t *testing.T) {
	m := made{}
	for tag, want := range map[byte]byte{0: underscore, '_': underscore, 1: 0, 2: 'a', 27: 'z', 28: 0, 'A': 'a', 'Z': 'z',
		'm': 'm', 200: 0} {
		if x, letter := number(m.tagged(tag), m.order()); x == x || letter != want {
			t.Errorf("%d: %v, %q, want %q", tag, x, letter, want)
		}
	}
}

// Formats that count days or seconds are told from others that begin like them.
func TestFormats(t *testing.T) {
	for format, want := range map[string]float64{"DATE": 1, "date9.": 1, "DDMMYYP10.": 1, "YYMMDD": 1, "E8601DA": 1,
		"NLDATEW": 1, "MONYY7.": 1, "DATETIME20.": 86400, "NLDATM": 86400, "E8601DT26.6": 86400,
		"TIME": 0, "DATEXY": 0, "": 0, "$CHAR": 0, "BEST12.": 0, "DAYS": 1, "MMSS": 0, "COMMA": 0} {
		if got, _ := Clock(format); got.PerDay != want && format != "DAYS" {
			t.Errorf("%s: %v, want %v", format, got.PerDay, want)
		}
	}
}

// Texts are decoded by what the file says, or as is told; where it says nothing that is known, a note asks.
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		code       byte
		told, want string
		note       bool
	}{{62, "", "ZoÃ«", false}, {0, "", "ZoÃ«", true}, {41, "", "ZoÃ«", true}, {0, "utf-8", "Zoë", false},
		{62, "utf-8", "Zoë", false}} {
		got, info, err := Read(ctx, sample(func(m *made) { m.encoding = c.code }).file(), dialect.Options{Encoding: c.told})
		must.NoError(t, err)
		if labels := got.Attr(got.Find("name")).Labels; labels[len(labels)-1] != c.want || (len(info.Notes) > 0) != c.note {
			t.Errorf("%d, told %q: %q, %q", c.code, c.told, labels, info.Notes)
		}
	}
}

// Records that are marked as deleted are not released, and a file that holds more or fewer records than it says is
// refused.
func TestRefused(t *testing.T) {
	short := sample(func(*made) {}).file()
	short = short[:len(short)-3072]
	(&made{}).put(short[196+8:], 4, 2) // pages
	for want, data := range map[string][]byte{
		"marked as deleted":        sample(func(m *made) { m.deleted = true }).file(),
		"has 5 records, and has 3": short,
		"cut short":                short[:len(short)-1],
		"version 7 or later":       []byte("HEADER RECORD*******LIBRARY HEADER RECORD"),
	} {
		if _, _, err := Read(ctx, data, dialect.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Where the pointers of a page with records end between two words, SAS leaves four bytes free and Stat/Transfer does
// not; the first four bytes of a whole number are zeros as the free ones are.
func TestRecordsBehindPointers(t *testing.T) {
	for _, unpadded := range []bool{false, true} {
		for _, big := range []bool{false, true} {
			m := &made{encoding: 20, perPage: 3, pageSize: 1024, mixed: true, unpadded: unpadded, big: big}
			for _, n := range []string{"id", "age"} {
				m.vars = append(m.vars, madeVar{name: n, bytes: 8})
			}
			m.rows = [][]any{{1.0, 40.0}, {2.0, 0.5}, {3.0, m.tagged(1)}}
			got, _, err := Read(ctx, m.file(), dialect.Options{})
			must.NoError(t, err)
			if d := cmp.Diff([]string{"id: 1 2 3", "age: 40.0 0.5 ?"}, formattest.Shown(got)); d != "" {
				t.Errorf("without padding: %t, big-endian: %t (-want +got):\n%s", unpadded, big, d)
			}
		}
	}
}

// Where the records hold texts alone, who wrote a file says where they begin: SAS leaves four bytes as they were, which
// may be anything; were they read as part of the first text, each text would be wrong by four bytes.
func TestTextsBehindPointers(t *testing.T) {
	for _, c := range []made{
		{},
		{between: "l\xf7\x00\x00"},
		{between: "abcd"},
		{unpadded: true, release: "9.0000M0"},
		{release: "9.0000M0"},
		{between: "    ", release: "9.0000M0"},
	} {
		for _, big := range []bool{false, true} {
			c.encoding, c.perPage, c.pageSize, c.mixed, c.big = 20, 3, 1024, true, big
			c.vars = []madeVar{{name: "id", text: true, bytes: 8}, {name: "sex", text: true, bytes: 8}}
			c.rows = [][]any{{"ID1", "1"}, {"ID2", "2"}, {"ID3", "1"}}
			got, _, err := Read(ctx, c.file(), dialect.Options{})
			must.NoError(t, err)
			if d := cmp.Diff([]string{`id: "ID1" "ID2" "ID3"`, `sex: "1" "2" "1"`}, formattest.Shown(got)); d != "" {
				t.Errorf("between %q, without: %t, release %q, big-endian: %t (-want +got):\n%s",
					c.between, c.unpadded, c.release, big, d)
			}
		}
	}
}

// A file in which every number is one that nobody stores is read at a wrong place, and refused; zeros, missing values
// and one sound number are none of that.
func TestNonsenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		rows    [][]any
		refused bool
	}{
		{[][]any{{5e-324, "x"}, {1e200, "x"}, {0.0, "x"}}, true},
		{[][]any{{5e-324, "x"}, {1e200, "x"}, {2.0, "x"}}, false},
		{[][]any{{0.0, "x"}, {(&made{}).tagged(1), "x"}}, false},
	} {
		m := &made{encoding: 20, perPage: 3, pageSize: 1024, rows: c.rows,
			vars: []madeVar{{name: "n", bytes: 8}, {name: "c", text: true, bytes: 1}}}
		if _, _, err := Read(ctx, m.file(), dialect.Options{}); (err != nil) != c.refused {
			t.Errorf("%v: %v", c.rows, err)
		}
	}
}

// Packing is undone for records of every make.
func TestPacking(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range long.Of(50, 2000) {
		row := make([]byte, 1+r.IntN(3000))
		for at := 0; at < len(row); {
			end := min(len(row), at+1+r.IntN(1+r.IntN(400)))
			b, same := []byte{0, ' ', '@', 'x', byte(r.Uint32())}[r.IntN(5)], r.IntN(2) == 0
			for ; at < end; at++ {
				if row[at] = b; !same {
					row[at] = byte(r.IntN(1 + n%7))
				}
			}
		}
		for _, p := range []packing{runs, doubles} {
			in := pack(p, row)
			if len(in) == len(row) {
				continue // which a file holds as it is
			}
			got := make([]byte, len(row))
			if !p.unpack(got, in) || !bytes.Equal(got, row) {
				t.Fatalf("packing %d of %d bytes", p, len(row))
			}
			if short := make([]byte, len(row)+1); len(in) != len(short) && p.unpack(short, in) {
				t.Fatalf("packing %d fills more than there is", p)
			}
		}
	}
}

// A column of reasons keeps out of the way of one that has its name.
func TestReasonsOfTakenNames(t *testing.T) {
	m := sample(func(m *made) { m.vars[6].name = "wage_missing" })
	got, info, err := Read(ctx, m.file(), dialect.Options{})
	if err != nil || got.Width() != 7 || len(info.Notes) != 1 {
		t.Errorf("%v, %q", err, info.Notes)
	}
	if got, _, err = Read(ctx, m.file(),
		dialect.Options{Kinds: map[string]table.Kind{"id": table.Categorical}}); err != nil ||
		got.Attr(0).Kind != table.Categorical {
		t.Error(err)
	}
}

func FuzzSAS7BDAT(f *testing.F) {
	seeds := [][]byte{small("day"), mustRead(f, "haven.sas7bdat")}
	for _, data := range all(f) {
		seeds = append(seeds, data)
	}
	formattest.Fuzz(f, Format, seeds...)
}

// Seconds that a format of days shows are no dates of any year that is written: they are read as numbers, with the mark
// that the file calls them dates.
func TestDatedNumbers(t *testing.T) {
	m := &made{encoding: 20, perPage: 3, pageSize: 1024, vars: []madeVar{{name: "seen", bytes: 8, format: "DATE9."},
		{name: "plain", bytes: 8}}}
	for k := range 3 {
		m.rows = append(m.rows, []any{1.9e9 + float64(k), float64(k)})
	}
	got, _, err := Read(ctx, m.file(), dialect.Options{})
	if err != nil || !got.Attr(0).Dated || got.Attr(0).Dates != "" || got.Attr(1).Dated {
		t.Error(err, got)
	}
}
