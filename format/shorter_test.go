package format_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/must"
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

// growing is a context that lets a file grow when it is first asked whether it has ended.
type growing struct {
	context.Context
	grow func()
}

// Err lets the file grow.
func (g *growing) Err() error {
	if g.grow != nil {
		g.grow()
		g.grow = nil
	}
	return g.Context.Err()
}

// A file that grows while it is read may end in half a record, and is refused.
func TestGrowing(t *testing.T) {
	for _, more := range []string{"", "2,y\n3"} {
		path := filepath.Join(t.TempDir(), "a.csv")
		must.NoError(t, os.WriteFile(path, []byte("a,b\n1,x\n"), 0o600))
		ctx := &growing{t.Context(), func() {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(more)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Error(err)
			}
		}}
		_, _, err := format.Read(ctx, path, format.Options{})
		if grew := strings.Contains(message(err), "the file grew while it was read"); grew != (more != "") {
			t.Errorf("%q more: %v", more, err)
		}
	}
}
