package xpt

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var ctx = context.Background()

var nan = math.NaN()

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

// What haven wrote is read as testdata/make.R says, of both versions.
func TestForeignFiles(t *testing.T) {
	want := []string{
		`id: 1 2 3`,
		`wage: 10.5 ? -0.1`,
		"big: 1" + strings.Repeat("0", 60) + " 0." + strings.Repeat("0", 59) + "1 0",
		`day: 2024-02-29 ? 1969-12-31`,
		`t: 2024-02-29T12:00:01 1999-12-31T23:59:59 ?`,
		`s: "Zoë" "a longer text" ?`,
		`m: 5 ? ?`,
		`m_missing: ? ".A" ?`,
	}
	for file, wage := range map[string][2]string{"haven5.xpt": {"wage", "what they earn"},
		"haven8.xpt": {"a_longer_name", "what they earn, in a label that is longer than forty bytes"}} {
		got, info, err := Read(ctx, mustRead(t, file), dialect.Options{})
		must.NoError(t, err)
		want[1] = strings.Replace(want[1], want[1][:strings.Index(want[1], ":")], wage[0], 1)
		shown := formattest.Shown(got)
		if sum := got.Num(2); sum[0] != 1e60 || sum[1] != 1e-60 || sum[2] != 0 {
			t.Errorf("%s: %v", file, sum)
		}
		shown[2] = want[2]
		if d := cmp.Diff(want, shown); d != "" || info.Codebook[wage[0]].Label != wage[1] || info.Sheet != "DATA" {
			t.Errorf("%s, %q (-want +got):\n%s", file, info.Codebook[wage[0]].Label, d)
		}
	}
}

// written is a table with everything that a file may hold.
func written(t *testing.T, change func(cols []table.Column, opt *dialect.Options)) []byte {
	t.Helper()
	cols := []table.Column{
		table.NumColumn("n", 0.1, []float64{1.5, nan, -0.1, 1e15}),
		table.DateColumn("day", calendar.ISO, []float64{20455, nan, -1, 0}),
		table.DateColumn("seen", calendar.ISOTime, []float64{1.5e9, nan, -1, 0}),
		table.CatColumn("name", []string{"Zoë", " x", "1"}, []int32{0, 1, -1, 2}),
		table.CatColumn("n_missing", []string{".A"}, []int32{-1, 0, -1, -1}),
	}
	opt := dialect.Options{Codebook: map[string]codebook.Variable{"n": {Label: "what they earn", Why: "n_missing",
		Reasons: []codebook.Value{{Letter: 'a', Label: ".A", Text: ".A", Bare: true}}}}}
	change(cols, &opt)
	return formattest.Written(t, Format, opt, cols...)
}

// Reasons with words of their own stay a column, for a file has no place for the words.
func TestWordedReasons(t *testing.T) {
	data := written(t, func(cols []table.Column, opt *dialect.Options) {
		cols[4].Labels = []string{"refused"}
		opt.Codebook["n"] = codebook.Variable{Why: "n_missing",
			Reasons: []codebook.Value{{Letter: 'a', Label: "refused", Text: "refused"}}}
	})
	got, _, err := Read(ctx, data, dialect.Options{})
	if err != nil || got.Width() != 5 || got.Attr(4).Labels[0] != "refused" {
		t.Errorf("%v, %q", err, formattest.Shown(got))
	}
}

// haven reads what is written, of both versions.
func TestWhatOthersRead(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain run has asked it")
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"five.xpt": written(t, func([]table.Column, *dialect.Options) {}),
		"eight.xpt": written(t, func(cols []table.Column, opt *dialect.Options) {
			cols[3].Name = "a longer name"
			opt.Codebook["n"] = codebook.Variable{Label: strings.Repeat("what they earn ", 5), Why: "n_missing",
				Reasons: opt.Codebook["n"].Reasons}
		}),
	} {
		must.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	const script = `library(haven)
for (f in c("five.xpt", "eight.xpt")) {
  x <- read_xpt(f)
  stopifnot(nrow(x) == 4, x$n[c(1, 3, 4)] == c(1.5, -0.1, 1e15), toupper(na_tag(x$n[2])) == "A")
  stopifnot(identical(format(x$day), c("2026-01-02", NA, "1969-12-31", "1970-01-01")))
  stopifnot(x$seen[1] == as.POSIXct("2017-07-14 02:40:00", tz = "UTC"), is.na(x$seen[2]), x[[4]] == c("Zo\u00eb", " x", "", "1"))
  if (f == "eight.xpt") stopifnot(names(x)[4] == "a_longer_name", attr(x[[4]], "label") == "a longer name", nchar(attr(x$n, "label")) == 74)
  else stopifnot(attr(x$n, "label") == "what they earn")
}
cat("compared\n")`
	if said := formattest.Program(t, "r-cran-haven", []string{"Rscript", "-e", "library(haven)"}, dir, "Rscript", "-e",
		script); said != "compared\n" {
		t.Error(said)
	}
}

// The version is 5 unless something needs 8: a long name, label or text, and blanks that would end the file.
func TestVersions(t *testing.T) {
	short := func([]table.Column, *dialect.Options) {}
	for name, c := range map[string]struct {
		change func(cols []table.Column, opt *dialect.Options)
		long   bool
	}{
		"short": {short, false},
		"name":  {func(cols []table.Column, _ *dialect.Options) { cols[0].Name = "ninebytes" }, true},
		"text":  {func(cols []table.Column, _ *dialect.Options) { cols[3].Labels[0] = strings.Repeat("x", 201) }, true},
		"label": {func(_ []table.Column, opt *dialect.Options) {
			opt.Codebook["n"] = codebook.Variable{Label: strings.Repeat("x", 41)}
		}, true},
	} {
		if data := written(t, c.change); bytes.Contains(data, []byte("LIBV8")) != c.long || len(data)%record != 0 {
			t.Errorf("%s: %.160q", name, data)
		}
	}
	for rows := range 90 {
		cat := make([]int32, rows)
		for i := range cat {
			if cat[i] = 0; i > rows/2 {
				cat[i] = -1
			}
		}
		data := formattest.Written(t, Format, dialect.Options{}, table.CatColumn("a", []string{"x"}, cat))
		got, _, err := Read(ctx, data, dialect.Options{})
		if err != nil || got.Rows() != rows {
			t.Fatalf("%d records: %v, %d", rows, err, got.Rows())
		}
	}
}

// Every number that a file holds comes back, and no other is taken.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		x := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			x = math.Round(r.NormFloat64()*1e6) / 100
		}
		if x != x {
			continue
		}
		v, ok := stored(x)
		a := math.Abs(x)
		if holds := a == 0 || a >= 0x1p-256 && a < 0x1p252; holds && !ok || a >= 0x1p252 && ok {
			t.Fatalf("%v: %t", x, ok)
		}
		if !ok {
			continue
		}
		back, letter := number(binary.BigEndian.AppendUint64(nil, v))
		if back != x || letter != 0 {
			t.Fatalf("%v came back as %v, %q", x, back, letter)
		}
	}
	for letter, want := range map[byte]string{0: ".", 'a': "A", 'z': "Z", '_': "_"} {
		b := binary.BigEndian.AppendUint64(nil, missing(letter))
		if x, l := number(b); x == x || l != letter || string(b[:1]) != want {
			t.Errorf("%q: %v, %q, % x", letter, x, l, b)
		}
	}
	for _, c := range []struct { // TS-140
		bits uint64
		x    float64
	}{{0x4110000000000000, 1}, {0xc276a00000000000, -118.625}, {0x4250000000000000, 80}, {0, 0}, {0x4019_9999_9999_999a,
		0.1}} {
		if x, _ := number(binary.BigEndian.AppendUint64(nil, c.bits)); x != c.x {
			t.Errorf("%x: %v, want %v", c.bits, x, c.x)
		}
		if v, ok := stored(c.x); v != c.bits || !ok {
			t.Errorf("%v: %x, want %x", c.x, v, c.bits)
		}
	}
	if x, _ := number([]byte{0x41, 0x10}); x != 1 {
		t.Errorf("a number of two bytes: %v", x)
	}
}

// Of several data sets the first is read, or the one that is named, and a note names the others.
func TestMembers(t *testing.T) {
	one := written(t, func(_ []table.Column, opt *dialect.Options) { opt.Sheet = "DM" })
	two := formattest.Written(t, Format, dialect.Options{Sheet: "AE"}, table.NumColumn("x", 1, []float64{1, 2}))
	both := append(bytes.Clone(one), two[3*record:]...)
	for name, want := range map[string]string{"": "DM", "DM": "DM", "AE": "AE"} {
		got, info, err := Read(ctx, both, dialect.Options{Sheet: name})
		must.NoError(t, err)
		if info.Sheet != want || got.Rows() != map[string]int{"DM": 4, "AE": 2}[want] ||
			(len(info.Notes) > 0) != (name == "") {
			t.Errorf("%q: %q, %d records, %q", name, info.Sheet, got.Rows(), info.Notes)
		}
	}
	sheet := formattest.Written(t, Format, dialect.Options{Sheet: "Sheet 1 of 2"},
		table.NumColumn("x", 1, []float64{1, 2}))
	if _, info, err := Read(ctx, sheet, dialect.Options{Sheet: "Sheet 1 of 2"}); err != nil || info.Sheet != "Sheet_1_" {
		t.Error(err)
	}
	if _, _, err := Read(ctx, both, dialect.Options{Sheet: "LB"}); err == nil || !strings.Contains(err.Error(), `"DM", "AE"`) {
		t.Error(err)
	}
}

// Places of variables that are not in the order of the descriptions are those of the data set that SAS's macro made the
// file of: values are read in the order, with a note, unless a text is none there.
func TestPlaces(t *testing.T) {
	name, x := table.CatColumn("name", []string{"Ann", "Bob"}, []int32{0, 1}), table.NumColumn("x", 1, []float64{7, 3})
	data := formattest.Written(t, Format, dialect.Options{}, name, x)
	places := func(first, second byte) []byte {
		out := bytes.Clone(data)
		at := bytes.Index(out, []byte("NAMESTR")) - 20 + record
		if at < record {
			at = bytes.Index(out, []byte("NAMSTV8")) - 20 + record
		}
		out[at+87], out[at+longDescription+87] = first, second
		return out
	}
	if !bytes.Equal(places(0, 3), data) {
		t.Fatal("the places stand elsewhere in the file")
	}
	got, info, err := Read(ctx, places(8, 0), dialect.Options{})
	if err != nil || len(info.Notes) != 1 {
		t.Fatal(err, info)
	}
	if d := cmp.Diff([]string{`name: "Ann" "Bob"`, "x: 7 3"}, formattest.Shown(got)); d != "" {
		t.Error(d)
	}
	swapped := bytes.Replace(bytes.Clone(places(8, 0)), []byte("Ann"), []byte{0x41, 0x70, 0}, 1)
	swapped = bytes.Replace(swapped, []byte("Bob"), []byte{0x41, 1, 3}, 1)
	if _, _, err := Read(ctx, swapped, dialect.Options{}); err != errElsewhere {
		t.Error(err)
	}
}

// Names that SAS does not take are changed, each into another one, and stay as labels.
func TestSoundNames(t *testing.T) {
	got := soundNames([]string{"a b", "a_b", "1x", "", "Größe", "A_B", strings.Repeat("x", 40), strings.Repeat("x", 41)})
	want := []string{"a_b_2", "a_b", "_1x", "_", "Gr__e", "A_B_3", strings.Repeat("x", 32), strings.Repeat("x", 30) + "_2"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Texts are UTF-8 where they can be, or else Windows-1252 with a note, or what is told.
func TestEncodings(t *testing.T) {
	data := bytes.ReplaceAll(written(t, func([]table.Column, *dialect.Options) {}), []byte("Zoë"), []byte("Zo\xeb "))
	for told, note := range map[string]bool{"": true, "windows-1252": false} {
		got, info, err := Read(ctx, data, dialect.Options{Encoding: told})
		if err != nil || got.Attr(got.Find("name")).Labels[0] != "Zoë" || (len(info.Notes) > 0) != note {
			t.Errorf("%q: %v, %q, %q", told, err, formattest.Shown(got), info.Notes)
		}
	}
}
