package format_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var packings = []string{".gz", ".zst", ".GZ"}

// A table goes through every format in every compression and comes back the same, whatever the name says of what is
// inside, and its bytes do not hang on the cores.
func TestPacked(t *testing.T) {
	want := tabletest.Of(t, table.NumColumn("n", 0.1, []float64{1.5, 2}),
		table.CatColumn("c", []string{"x", "y"}, []int32{0, 1}))
	for _, f := range format.Formats() {
		if f.Holds == dialect.SetsOnly || f.Write == nil {
			continue
		}
		for _, ext := range packings {
			path := filepath.Join(t.TempDir(), "a"+f.Extensions[0]+ext)
			sum := must.Get(format.Write(ctx, path, want, format.Options{}))(t)
			got, info, err := format.Read(ctx, path, format.Options{})
			if err != nil || !same(want, got) {
				t.Errorf("%s: %v", path, err)
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil || info.SHA256 != sum || info.Bytes != int64(len(data)) || hash(data) != sum {
				t.Errorf("%s: the size and the hash are not those of the file", path)
			}
			if f.Looks == nil && f.Name != "csv" {
				continue
			}
			if got, _, err = format.ReadFrom(ctx, "standard input", bytes.NewReader(data), format.Options{}); err != nil ||
				!same(want, got) {
				t.Errorf("%s, piped: %v", path, err)
			}
		}
	}
}

func TestPackedBytes(t *testing.T) {
	text := bytes.Repeat([]byte("a,b\n1,2\n3,4\n5,6\n"), 1)
	for range 200_000 {
		text = append(text, "17,x\n"...)
	}
	tab, _, err := format.ReadFrom(ctx, "a.csv", bytes.NewReader(text), format.Options{})
	must.NoError(t, err)
	for _, ext := range packings {
		var first []byte
		for _, n := range []int{1, 2, 5} {
			was := runtime.GOMAXPROCS(n)
			var out bytes.Buffer
			err := format.WriteTo(ctx, &out, "a.csv"+ext, tab, format.Options{})
			runtime.GOMAXPROCS(was)
			must.NoError(t, err)
			if first == nil {
				first = out.Bytes()
			}
			if !bytes.Equal(first, out.Bytes()) {
				t.Errorf("%s: other bytes on %d cores", ext, n)
			}
		}
	}
}

// What is no sound file is refused in one line, and never fills the memory.
func TestHostilePacked(t *testing.T) {
	long.Only(t, "files that would fill the memory")
	var gz, zst, bomb bytes.Buffer
	w := gzip.NewWriter(&gz)
	if _, err := w.Write([]byte("a,b\n1,x\n")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	z := must.Get(zstd.NewWriter(&zst))(t)
	if _, err := z.Write([]byte("a,b\n1,x\n")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	b := must.Get(zstd.NewWriter(&bomb))(t)
	for range 300 {
		must.Get(b.Write(make([]byte, 1<<20)))(t)
	}
	must.NoError(t, b.Close())
	for _, c := range []struct {
		name string
		data []byte
		want string // the error
	}{
		{"a.csv.gz", gz.Bytes(), ""},
		{"a.csv", gz.Bytes(), ""},
		{"a.csv.zst", gz.Bytes(), ""},
		{"a.csv.gz", zst.Bytes(), ""},
		{"a.gz", gz.Bytes(), ""},
		{"a.csv.gz", append(bytes.Clone(gz.Bytes()), gz.Bytes()...), `a.csv.gz: line 3: column "a" holds something else than a number, expected numbers or missing values`},
		{"a.csv.gz", gz.Bytes()[:gz.Len()-1], "a.csv.gz: compressed with gzip, but damaged or cut short"},
		{"a.csv.zst", zst.Bytes()[:zst.Len()-1], "a.csv.zst: compressed with zstd, but damaged or cut short"},
		{"a.csv.gz", []byte("a,b\n1,x\n"), "a.csv.gz: not compressed with gzip, as its name says"},
		{"a.csv.zst", bomb.Bytes(), "a.csv.zst: unpacks to more than 2000 times its size, which no table does"},
		{"a.ods.gz", gz.Bytes(), "a.ods.gz: an OpenDocument spreadsheet or another zip archive: save the sheet as .xlsx or " +
			"CSV"},
	} {
		opt := format.Options{}
		if strings.Contains(c.want, "something else") {
			opt.Kinds = map[string]table.Kind{"a": table.Numeric}
		}
		_, _, err := format.ReadFrom(context.Background(), c.name, bytes.NewReader(c.data), opt)
		if got := message(err); got != c.want {
			t.Errorf("%s with %.8q: %q, expected %q", c.name, c.data, got, c.want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Members of gzip and frames of zstd that stand behind each other are one file.
func TestJoinedPackings(t *testing.T) {
	for _, ext := range []string{".gz", ".zst"} {
		data := packedBy(t, ext, "a,b\n1,x\n") + packedBy(t, ext, "2,y\n")
		got, _, err := format.ReadFrom(ctx, "a.csv"+ext, strings.NewReader(data), format.Options{})
		if err != nil || got.Rows() != 2 || got.Num(0)[1] != 2 {
			t.Errorf("%s: %v, %v", ext, err, got)
		}
	}
}

// A file of zstd with a window beyond what is unpacked is sound, and its error says what to do.
func TestLargeWindow(t *testing.T) {
	const frame = "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00" // of a window of 2^28 bytes, with an empty last block
	_, _, err := format.ReadFrom(ctx, "a.csv.zst", strings.NewReader(frame), format.Options{})
	if err == nil || !strings.Contains(err.Error(), "zstd -d --long=31") {
		t.Error(err)
	}
}
