package parquet

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/table"
)

// TestSilent: nothing of parquet-go reaches standard error, where its warnings about decimals and pages would go: not
// where all files of the tests are read, whole or cut short, nor where decimals of every precision are written.
func TestSilent(t *testing.T) {
	const child = "DITHER_TEST_SILENT"
	if os.Getenv(child) == "" {
		p := exec.Command(os.Args[0], "-test.run=^TestSilent$")
		p.Env = append(os.Environ(), child+"=1")
		var said, out bytes.Buffer
		p.Stdout, p.Stderr = &out, &said
		if err := p.Run(); err != nil || said.Len() > 0 {
			t.Errorf("%v; on standard error: %s\n%s", err, &said, &out)
		}
		return
	}
	read := 0
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".parquet") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, _, err := Read(t.Context(), data, dialect.Options{}); err == nil {
			read++
		}
		_, _, _ = Read(t.Context(), append(data[:len(data)/2], data[len(data)/2+9:]...), dialect.Options{})
		return nil
	})
	if err != nil || read < 5 {
		t.Fatalf("%d files are read: %v", read, err)
	}
	for digits := range 18 {
		typ := fmt.Sprintf("decimal(%d,0)", digits+1)
		data := formattest.Written(t, Format, dialect.Options{Types: map[string]string{"x": typ}},
			table.NumColumn("x", 1, []float64{1, 9}))
		if _, info, err := Read(t.Context(), data, dialect.Options{}); err != nil || info.Types["x"] != typ {
			t.Fatalf("%s: %v, read as %v", typ, err, info)
		}
	}
}
