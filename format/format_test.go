package format_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var ctx = context.Background()

// same reports whether two tables hold the same values under the same names and labels, and on the same grids.
func same(a, b *table.Table) bool {
	if a.Width() != b.Width() {
		return false
	}
	for j := range a.Width() {
		x, y := *a.Attr(j), *b.Attr(j)
		x.Declared, y.Declared = false, false // the header of an ARFF file declares labels
		if !cmp.Equal(x, y, cmpopts.EquateEmpty()) || !slices.Equal(a.Cat(j), b.Cat(j)) ||
			!slices.EqualFunc(a.Num(j), b.Num(j), func(v, w float64) bool { return v == w || v != v && w != w }) {
			return false
		}
	}
	return true
}

func small(t testing.TB) *table.Table {
	t.Helper()
	return tabletest.Of(t, table.NumColumn("n", 0.5, []float64{1.5, 2}),
		table.CatColumn("c", []string{"x", "y"}, []int32{0, -1}))
}

func hash(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// names returns the files in a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	files := must.Get(os.ReadDir(dir))(t)
	for _, f := range files {
		list = append(list, f.Name())
	}
	return list
}

// extensions returns those of the formats that are written and hold any table, or of those that hold sets only.
func extensions(setsOnly bool) (list []string) {
	for _, f := range format.Formats() {
		if f.Write != nil && setsOnly == (f.Holds == dialect.SetsOnly) {
			list = append(list, f.Extensions...)
		}
	}
	return list
}

// Sets of items go through every format of transactions and come back the same.
func TestTransactions(t *testing.T) {
	want := tabletest.Of(t,
		table.SetColumn("items", []string{"1", "5", "40"}, table.SetsOf([][]int32{{0, 2}, {}, {1}, nil}, nil)))
	for _, ext := range extensions(true) {
		path := filepath.Join(t.TempDir(), "baskets"+ext)
		must.Get(format.Write(ctx, path, want, format.Options{}))(t)
		got, _, err := format.Read(ctx, path, format.Options{})
		if err != nil || got.Rows() != 4 || !got.MissingAt(3, 0) || got.Sets(0).Present.Row(0) == nil ||
			len(got.Sets(0).Present.Row(1)) != 0 {
			t.Errorf("%s: %v, %v", ext, got, err)
		}
	}
}

// Every data set goes through every format and comes back the same.
func TestDataSets(t *testing.T) {
	long.Only(t, "16 data sets in each format")
	for _, name := range []string{"wbc", "adult", "bhp", "wine", "crx", "cmc", "abalone", "breast-cancer", "heart-c",
		"mammography", "vote", "mushroom", "wages", "iris", "bupa", "soybean-large"} {
		read, info, err := format.Read(ctx, dataset.File(t, name+"/"+name+".csv"), format.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, ext := range extensions(false) {
			want := fitted(ext, read)
			path := filepath.Join(t.TempDir(), name+ext)
			sum := must.Get(format.Write(ctx, path, want, info.Like(format.Options{})))(t)
			got, back, err := format.Read(ctx, path, format.Options{})
			must.NoError(t, err)
			if !same(want, got) {
				t.Errorf("%s: another table came back", path)
			}
			if sum != back.SHA256 {
				t.Errorf("%s: written with hash %s, read with %s", path, sum, back.SHA256)
			}
		}
	}
}

// fitted is a table without what the format of an extension declares that it changes.
func fitted(ext string, t *table.Table) *table.Table {
	for _, f := range format.Formats() {
		if slices.Contains(f.Extensions, ext) {
			return formattest.Fit(f, t)
		}
	}
	return t
}

func TestFormatIsChosenByNameThenContent(t *testing.T) {
	var arff, parquet bytes.Buffer
	must.NoError(t, format.WriteTo(ctx, &arff, "arff", small(t), format.Options{}))
	must.NoError(t, format.WriteTo(ctx, &parquet, "x.PARQUET", small(t), format.Options{}))
	for _, c := range []struct{ name, data, want string }{
		{"x.csv", "n,c\n1,x\n", "csv"},
		{"x.TSV", "n\tc,d\n1\tx\n", "csv"},
		{"x.txt", "n|c\n1|x\n", "csv"},
		{"-", "n;c\n1;x\n", "csv"},
		{"-", arff.String(), "arff"},
		{"-", parquet.String(), "parquet"},
		{"data.bin", parquet.String(), "parquet"},
		{"x.arff", arff.String(), "arff"},
		{"x.parquet", parquet.String(), "parquet"},
	} {
		tb, info, err := format.ReadFrom(ctx, c.name, strings.NewReader(c.data), format.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if info.Format != c.want || tb.Width() != 2 || info.Bytes != int64(len(c.data)) ||
			info.SHA256 != hash([]byte(c.data)) {
			t.Errorf("%s: %+v, %d columns", c.name, info, tb.Width())
		}
	}
}

// The name of a file settles its delimiter, so that every reader of the name finds the table.
func TestDelimiterFollowsTheName(t *testing.T) {
	for _, c := range []struct{ from, data, to, want string }{
		{"i.csv", "a,b\n1.5,x\n", "o.tsv", "a\tb\n1.5\tx\n"},
		{"i.csv", "a;b\n1,5;x\n", "o.tsv", "a\tb\n1.5\tx\n"},
		{"i.tsv", "a\tb\n1.5\tx\n", "o.csv", "a,b\n1.5,x\n"},
		{"i.tsv", "a\tb\n1.5\tx\n", "o.txt", "a\tb\n1.5\tx\n"},
		{"i.csv", "a;b\n1,5;x\n", "o.csv", "a;b\n1,5;x\n"},
		{"i.csv", "a|b\n1.5|x\n", "o.csv", "a|b\n1.5|x\n"},
	} {
		want, info, err := format.ReadFrom(ctx, c.from, strings.NewReader(c.data), format.Options{})
		must.NoError(t, err)
		var out bytes.Buffer
		if err := format.WriteTo(ctx, &out, c.to, want, info.Like(format.Options{})); err != nil || out.String() != c.want {
			t.Errorf("%q to %s: %v, %q, want %q", c.data, c.to, err, out.String(), c.want)
		}
		got, _, err := format.ReadFrom(ctx, c.to, &out, format.Options{})
		if err != nil || !same(want, got) {
			t.Errorf("%q to %s: another table came back: %v", c.data, c.to, err)
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.csv", "PK\x03\x04...", "a.csv: an OpenDocument spreadsheet or another zip archive: save the sheet as .xlsx or " +
			"CSV"},
		{"-", "PK\x03\x04...", "-: an OpenDocument spreadsheet or another zip archive: save the sheet as .xlsx or CSV"},
		{"a.XLSX", "a,b\n1,2\n", "a.XLSX: not an Excel workbook, or one that was cut short"},
		{"a.csv", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.csv: an old Excel workbook, or one with a password: save it as " +
			".xlsx without a password, or the sheet as CSV"},
		{"a.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xlsx: an old Excel workbook, or one with a password: save it as " +
			".xlsx without a password, or the sheet as CSV"},
		{"a.xls", "", "a.xls: an old Excel workbook, or one with a password: save it as .xlsx without a password, or the " +
			"sheet as CSV"},
		{"a.zip", "PK\x03\x04", "a.zip: a zip archive: unpack it first"},
		{"a", "%PDF-1.7\n", "a: a PDF document: save the table as CSV"},
		{"a.pdf", "", "a.pdf: a PDF document: save the table as CSV"},
		{"a.csv.gz", packedBy(t, ".gz", "%PDF-1.7\n"), "a.csv.gz: a PDF document: save the table as CSV"},
	} {
		_, _, err := format.ReadFrom(ctx, c.name, strings.NewReader(c.data), format.Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// A file of another kind is named as what it is by its bytes, whatever its name, and by its name, with what to do.
func TestStrangersAreNamed(t *testing.T) {
	zeros := strings.Repeat("\x00", 12)
	for ext, c := range map[string]struct{ data, want string }{
		".por": {strings.Repeat("ASCII SPSS PORT FILE                    \n", 11) + "0000SPSSPORTA8/2026",
			"SPSS (.por)"},
		".sas7bcat": {zeros + "\xc2\xea\x81\x63\xb3\x14\x11\xcf", "a SAS catalog"},
		".rds":      {"X\n\x00\x00\x00\x03\x00\x04", "readRDS"},
		".RData":    {"RDX3\nX\n\x00", "data file of R (.RData)"},
		".orc":      {"ORC\x11\x00\x00ORC\x18", "an ORC file"},
		".avro":     {"Obj\x01\x04\x16", "an Avro file"},
		".pkl":      {"\x80\x04\x95\x10\x00.", "a pickle of Python"},
		".sqlite":   {"SQLite format 3\x00\x10", "a SQLite database"},
		".h5":       {"\x89HDF\r\n\x1a\n\x00", "an HDF5 file"},
		".accdb":    {"\x00\x01\x00\x00Standard ACE DB\x00", "an Access database"},
		".xz":       {"\xfd7zXZ\x00\x00", "compressed with xz"},
		".bz2":      {"BZh91AY&SY\x00", "compressed with bzip2"},
	} {
		for name, data := range map[string]string{"a" + ext: "a,b\n1,2\n", "a.csv": c.data, "a.unheardof": c.data,
			"-":               c.data,
			"a" + ext + ".gz": packedBy(t, ".gz", c.data)} {
			_, _, err := format.ReadFrom(ctx, name, strings.NewReader(data), format.Options{})
			if err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		}
	}
	rds := packedBy(t, ".gz", "X\n\x00\x00\x00\x03\x00\x04") // as saveRDS writes it
	if _, _, err := format.ReadFrom(ctx, "a.rds", strings.NewReader(rds), format.Options{}); err == nil ||
		!strings.Contains(err.Error(), "readRDS") {
		t.Error(err)
	}
	for _, text := range []string{"ORCID,n\n1,2\n", "BZh,Obj\n1,2\n", "X\n1\n"} {
		if _, _, err := format.ReadFrom(ctx, "-", strings.NewReader(text), format.Options{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// packedBy is data, compressed.
func packedBy(t *testing.T, ext, data string) string {
	t.Helper()
	var out bytes.Buffer
	w := io.WriteCloser(gzip.NewWriter(&out))
	if ext != ".gz" {
		var err error
		if w, err = zstd.NewWriter(&out); err != nil {
			t.Fatal(err)
		}
	}
	must.Get(io.WriteString(w, data))(t)
	must.NoError(t, w.Close())
	return out.String()
}

func TestErrorsNameTheFile(t *testing.T) {
	for name, data := range map[string]string{"a.csv": "a,b\n1\n", "a.arff": "@data\n", "a.parquet": "PAR1", "-": ""} {
		_, _, err := format.ReadFrom(ctx, name, strings.NewReader(data), format.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := format.Read(ctx, filepath.Join(t.TempDir(), "absent.csv"), format.Options{}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
	if err := format.WriteTo(ctx, new(bytes.Buffer), "x.unheardof", small(t), format.Options{}); err == nil {
		t.Error("an unknown extension was accepted")
	}
	want := `x.unheardof: the extension ".unheardof" stands for no format, expected .csv, `
	if _, err := format.Write(ctx, "x.unheardof", small(t), format.Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestWriteReplacesTheFileWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	must.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
	sum := must.Get(format.Write(ctx, path, small(t), format.Options{}))(t)
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "n,c\n1.5,x\n2.0,\n" || sum != hash(data) {
		t.Errorf("%q, hash %s, %v", data, sum, err)
	}
	if got, err := os.Stat(path); err != nil || got.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %v, want that of the file it replaces", got.Mode())
	}
	if list := names(t, dir); !cmp.Equal(list, []string{"out.csv"}) {
		t.Errorf("the folder holds %v", list)
	}
}

// A cancelled or failed writing leaves what was there, and nothing else.
func TestWriteLeavesNothingBehind(t *testing.T) {
	bad := tabletest.Of(t, table.CatColumn("a", []string{"\xff"}, []int32{0}))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, ext := range slices.Concat(extensions(false), extensions(true)) {
		whole := small(t)
		if slices.Contains(extensions(true), ext) {
			whole = tabletest.Of(t, table.SetColumn("a", []string{"5"}, table.SetsOf([][]int32{{0}}, nil)))
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "out"+ext)
		must.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
		if _, err := format.Write(cancelled, path, whole, format.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", ext, err)
		}
		if _, err := format.Write(ctx, path, bad, format.Options{}); err == nil ||
			!strings.HasPrefix(err.Error(), path+`: column "a"`) {
			t.Errorf("%s, bad table: %v", ext, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || string(data) != "before" || len(names(t, dir)) != 1 {
			t.Errorf("%s: %q, %v, %v", ext, data, err, names(t, dir))
		}
	}
	absent := filepath.Join(t.TempDir(), "absent", "out.csv")
	if _, err := format.Write(ctx, absent, small(t), format.Options{}); !errors.Is(err, os.ErrNotExist) &&
		(err == nil || !strings.Contains(err.Error(), "no such")) {
		t.Errorf("absent folder: %v", err)
	}
}

// A source that fails, or a context that ends, ends the reading.
func TestReadFromFailingSource(t *testing.T) {
	boom := errors.New("the line went dead")
	r := &source{data: []byte("a,b\n1,2\n"), err: boom}
	if _, _, err := format.ReadFrom(ctx, "-", r, format.Options{}); !errors.Is(err, boom) {
		t.Errorf("failing source: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := format.ReadFrom(cancelled, "-", strings.NewReader("a\n1\n"), format.Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type source struct {
	data []byte
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, s.err
	}
	n := copy(p, s.data)
	s.data = s.data[n:]
	return n, nil
}
