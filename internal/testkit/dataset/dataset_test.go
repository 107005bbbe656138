package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
)

func TestPath(t *testing.T) {
	root := t.TempDir()
	module, named := filepath.Join(root, "module", "deep"), filepath.Join(root, "named")
	for _, dir := range []string{module, named, filepath.Join(root, "shared", "data")} {
		must.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for _, file := range []string{"module/go.mod", "named/both.csv", "shared/data/both.csv", "shared/data/beside.csv"} {
		must.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(file)), nil, 0o644))
	}
	t.Chdir(module)
	t.Setenv("DITHER_DATA", named)
	for name, want := range map[string]string{"both.csv": "named/both.csv", "beside.csv": "shared/data/beside.csv",
		"absent.csv": ""} {
		if want != "" {
			want = filepath.Join(root, filepath.FromSlash(want))
		}
		if got, err := dataset.Path(name); got != want || (err == nil) != (want != "") {
			t.Errorf("%s is found at %q, error %v; expected %q", name, got, err, want)
		}
	}
	inner := filepath.Join(module, "tools") // a module inside another finds what stands beside the outer one, too
	must.NoError(t, os.MkdirAll(inner, 0o755))
	must.NoError(t, os.WriteFile(filepath.Join(inner, "go.mod"), nil, 0o644))
	t.Chdir(inner)
	want := filepath.Join(root, "shared", "data", "beside.csv")
	if got, err := dataset.Path("beside.csv"); err != nil || got != want {
		t.Errorf("from a module inside another: %q, %v; expected %q", got, err, want)
	}
	t.Chdir(root) // outside a module nothing stands beside it
	if got, err := dataset.Path("beside.csv"); err == nil {
		t.Errorf("found at %q", got)
	}
	if got := dataset.File(t, "both.csv"); got != filepath.Join(named, "both.csv") {
		t.Errorf("File finds %q", got)
	}
}
