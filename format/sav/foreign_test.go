package sav

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

var foreign = map[string][]string{
	"pspp": {
		`sex: "male" "female" "female" "refused" ?`,
		`income_of_the_household_per_month_in_euros: 1200.50 ? ? 0.25 ?`,
		`income_of_the_household_per_month_in_euros_missing: ? "refused" "does not know" ? ?`,
		`age: 41 98 ? 17 ?`,
		`age_missing: ? ? ? ? "-1"`,
		`mood: "good (1)" "don't know" "bad" "good (3)" "good (1)"`,
		`town: "Ulm" "Bonn" ? "Köln" "Ulm"`,
		`note: "a long note" ? "x" "y" "Ünïcödé"`,
		`born: 31.01.1980 24.12.1979 ? 01.01.1970 29.02.2000`,
		`seen: 2021-02-03T10:20:30 ? 2021-02-04T00:00:00 2021-02-03T10:20:31 2021-02-03T10:20:30`,
		`dur: 37230 60 ? 3600 7200`,
		`code: "male" "female" "female" "x" ?`,
		`verylong: ` + long + ` ? ` + strings.Repeat(long+" ", 2) + long,
	},
	"haven": {
		`id: 1.0 2.0 3.0 1000000.5`,
		`sex: "male" "female" "refused" ?`,
		`wage: 10.5 ? ? 12.0`,
		`wage_missing: ? "not asked" "-8" ?`,
		`day: 2024-02-29 ? 1969-12-31 2020-01-01`,
		`seen: 2024-02-29T12:00:01 ? 1999-12-31T23:59:59 2020-01-01T00:00:00`,
		`name: "Zoë" ? "a longer name than eight" "x"`,
		`town: "Ulm" "Bonn" "Ulm" ?`,
		`grade: "low" "high" "low" ?`,
	},
}

var long = `"abc` + strings.Repeat("x", 297) + `def` + strings.Repeat("y", 297) + `"`

// Files that PSPP and haven wrote hold what testdata/make.sps and make.R say, and written again they hold the same,
// byte for byte from then on.
func TestForeignFiles(t *testing.T) {
	for file, from := range map[string]string{"pspp.sav": "pspp", "pspp.zsav": "pspp", "plain.sav": "pspp",
		"haven.sav": "haven", "haven.zsav": "haven"} {
		data := mustRead(t, file)
		var last []byte
		for k := range 3 {
			got, info, err := Read(ctx, bytes.Clone(data), dialect.Options{})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if d := cmp.Diff(foreign[from], formattest.Shown(got)); d != "" {
				t.Errorf("%s, written %d times (-want +got):\n%s", file, k, d)
			}
			var out bytes.Buffer
			must.NoError(t, Format.Write(ctx, &out, got, info.Like(dialect.Options{})))
			if k > 0 && !bytes.Equal(last, out.Bytes()) {
				t.Errorf("%s: other bytes when written again", file)
			}
			last, data = out.Bytes(), bytes.Clone(out.Bytes())
		}
	}
}

// What is written of a foreign file is the same to PSPP and to haven as what they wrote: values, labels, declared
// missing values, long names, formats.
func TestWhatOthersRead(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain run has asked them")
	}
	for _, z := range []dialect.Format{Format, FormatZ} {
		for _, from := range []string{"pspp", "haven"} {
			dir := t.TempDir()
			data := mustRead(t, from+".sav")
			got, info, err := Read(ctx, data, dialect.Options{})
			must.NoError(t, err)
			var out bytes.Buffer
			must.NoError(t, z.Write(ctx, &out, got, info.Like(dialect.Options{})))
			for name, content := range map[string][]byte{"ours.sav": out.Bytes(), "theirs.sav": data} {
				must.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
			}
			t.Run(from+z.Name+"/pspp", func(t *testing.T) {
				pspp := []string{"pspp-convert", "--version"}
				for _, name := range []string{"ours", "theirs"} {
					formattest.Program(t, "pspp", pspp, dir, "pspp-convert", name+".sav", name+".csv")
				}
				const syntax = "GET FILE='%s.sav'.\nDISPLAY DICTIONARY.\n"
				sayings := map[string]string{}
				for _, name := range []string{"ours", "theirs"} {
					file := filepath.Join(dir, name+".sps")
					must.NoError(t, os.WriteFile(file, fmt.Appendf(nil, syntax, name), 0o600))
					said := formattest.Program(t, "pspp", pspp, dir, "pspp", "-O", "format=csv", file)
					_, said, _ = strings.Cut(said, "Table: Value Labels")
					sayings[name] = said
				}
				if d := cmp.Diff(sayings["theirs"], sayings["ours"]); d != "" || !strings.Contains(sayings["ours"], "refused") {
					t.Errorf("other value labels (-theirs +ours):\n%s", d)
				}
				ours := must.Get(os.ReadFile(filepath.Join(dir, "ours.csv")))(t)
				theirs, err := os.ReadFile(filepath.Join(dir, "theirs.csv"))
				if err != nil || !bytes.Equal(ours, theirs) || len(ours) < 100 {
					t.Errorf("other values: %v\n%s\n%s", err, ours, theirs)
				}
			})
			if (from == "haven") != (z.Name == "zsav") {
				continue // R takes seconds to start
			}
			t.Run(from+z.Name+"/haven", func(t *testing.T) {
				const script = `library(haven); a <- read_sav("ours.sav", user_na = TRUE); b <- read_sav("theirs.sav", user_na = TRUE)
stopifnot(identical(names(a), names(b)), nrow(a) > 3)
say <- function(x) list(class(x), unclass(as.vector(x)), attr(x, "label", TRUE), sort(trimws(attr(x, "labels"))), attr(x, "na_values"), attr(x, "na_range"))
for (n in names(a)) if (!isTRUE(all.equal(say(a[[n]]), say(b[[n]])))) { print(n); str(a[[n]]); str(b[[n]]) }
cat("compared\n")`
				said := formattest.Program(t, "r-cran-haven", []string{"Rscript", "-e", "library(haven)"}, dir, "Rscript", "-e",
					script)
				if said != "compared\n" {
					t.Error(said)
				}
			})
		}
	}
}

// A file in another encoding, told by its name or its code page, and one with the bytes in the other order.
func TestEncodings(t *testing.T) {
	data := formattest.Written(t, Format, dialect.Options{},
		table.CatColumn("town", []string{"Kxln", "Ulm"}, []int32{0, 1}),
		table.NumColumn("n", 0.5, []float64{1000.5, -2}))
	want := []string{`town: "Köln" "Ulm"`, "n: 1000.5 -2.0"}
	western := bytes.ReplaceAll(data, []byte("Kxln"), []byte("K\xf6ln"))
	unnamed := bytes.Replace(western, []byte("\x14\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00UTF-8"),
		[]byte("\x63\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00UTF-8"), 1)
	for name, c := range map[string]struct {
		data []byte
		opt  dialect.Options
	}{
		"told":      {western, dialect.Options{Encoding: "latin1"}},
		"code page": {bytes.Replace(unnamed, le.AppendUint32(nil, 65001), le.AppendUint32(nil, 1252), 1), dialect.Options{}},
		"iso":       {bytes.Replace(unnamed, le.AppendUint32(nil, 65001), le.AppendUint32(nil, 28591), 1), dialect.Options{}},
		"none":      {bytes.Replace(unnamed, le.AppendUint32(nil, 65001), le.AppendUint32(nil, 0), 1), dialect.Options{}},
	} {
		got, _, err := Read(ctx, c.data, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	le = binary.BigEndian
	big := formattest.Written(t, FormatZ, dialect.Options{},
		table.CatColumn("town", []string{"Köln", "Ulm"}, []int32{0, 1}),
		table.NumColumn("n", 0.5, []float64{1000.5, -2}))
	le = binary.LittleEndian
	got, _, err := Read(ctx, big, dialect.Options{})
	must.NoError(t, err)
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
		t.Errorf("the most significant byte first (-want +got):\n%s", d)
	}
}

// A release keeps the codes and reasons of its original, gives what is new a code of its own, and never lets noise
// become a reason.
func TestReleases(t *testing.T) {
	data := mustRead(t, "haven.sav")
	got, info, err := Read(ctx, data, dialect.Options{})
	must.NoError(t, err)
	again := func(tab *table.Table, opt dialect.Options) *table.Table {
		t.Helper()
		var out bytes.Buffer
		must.NoError(t, Format.Write(ctx, &out, tab, info.Like(opt)))
		back, _, err := Read(ctx, out.Bytes(), opt)
		must.NoError(t, err)
		return back
	}
	col := func(t *table.Table, name string) table.Column { return t.Column(t.Find(name)) }
	codes := dialect.Options{Kinds: map[string]table.Kind{"sex": table.Numeric}}
	moved := got.WithCat(got.Find("wage_missing"), []int32{-1, 0, 1, -1}).WithCat(got.Find("sex"), []int32{2, 0, 1, -1})
	if d := cmp.Diff([]string{`sex_missing: "refused" ? ? ?`, `wage: 10.5 ? ? 12.0`, `wage_missing: ? "-8" "not asked" ?`}, formattest.Shown(again(moved, codes))[2:5]); d != "" {
		t.Errorf("categories and reasons that changed places (-want +got):\n%s", d)
	}
	if c := col(again(moved, codes), "sex"); !math.IsNaN(c.Num[0]) || c.Num[1] != 1 || c.Num[2] != 2 {
		t.Errorf("the codes of the labels are %v", c.Num)
	}
	wide := col(got, "sex")
	wide.Labels, wide.Cat = []string{"male", "other"}, []int32{0, 1, 1, -1}
	raised := must.Get(got.WithColumn(got.Find("sex"), wide))(t)
	if c := col(again(raised, codes), "sex"); c.Num[0] != 1 || c.Num[1] != 3 {
		t.Errorf("a label that is new has the codes %v, expected one that is no missing value either", c.Num)
	}
	noisy := again(got.WithNum(got.Find("wage"), []float64{-5, nan, nan, 12}), dialect.Options{})
	if d := cmp.Diff([]string{`wage: -5 ? ? 12`, `wage_missing: ? "not asked" "-8" ?`}, formattest.Shown(noisy)[2:4]); d != "" {
		t.Errorf("a number inside the range of missing values (-want +got):\n%s", d)
	}
}

func FuzzSAV(f *testing.F) {
	var seeds [][]byte
	for _, name := range []string{"pspp.sav", "plain.sav", "haven.sav", "haven.zsav"} {
		seeds = append(seeds, mustRead(f, name))
	}
	formattest.Fuzz(
		f,
		Format,
		append(
			seeds,
			formattest.Written(f, Format, dialect.Options{}, table.DateColumn("d", "mm/dd/yyyy", []float64{1, nan}),
				table.CatColumn("a b", []string{"x", ""}, []int32{1, 0})),
		)...)
}
