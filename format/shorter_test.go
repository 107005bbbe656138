package format_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table/tabletest"
)

// TestShorter: a file that becomes shorter while it is read is an error that names it, whether its table is in memory
// or in files: never a part of the table, and never the end of the process, as where a file is mapped.
func TestShorter(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // where no file that is open can be cut
	}
	text := "a,b\n" + strings.Repeat("1,x\n", 1<<18)
	for _, name := range []string{"a.csv", "a.csv.gz", "a.arrow", "a.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		cut := func(in *mmap.Space) error {
			whole, _, err := format.ReadFrom(t.Context(), "a.csv", strings.NewReader(text), format.Options{})
			if err == nil {
				_, err = format.Write(t.Context(), path, whole, format.Options{})
			}
			if err != nil {
				return err
			}
			asked := false
			_, _, err = format.Read(t.Context(), path, format.Options{Space: in, Progress: func(_, _ int64) {
				asked = true
				if err := os.Truncate(path, 100); err != nil {
					t.Error(err)
				}
			}})
			const want = ": the file became shorter while it was read; read it when nothing writes to it"
			if got := message(err); !asked || got != path+want {
				t.Errorf("%s, in memory: %t: %q", name, in == nil, got)
			}
			return nil
		}
		if err := errors.Join(cut(nil), tabletest.Within(0, cut)); err != nil {
			t.Error(err)
		}
	}
}
