package rerun_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "mice",
	Times:   "runs",
	Default: 2,
	Print: func(_ context.Context, p *rerun.Page, times int) error {
		if times > 9 {
			return errors.New("too many mice")
		}
		fmt.Fprintf(p, "%d mice\n", times)
		p.Beside("mice.svg", "<svg/>")
		return nil
	},
}

func TestAPageIsPrinted(t *testing.T) {
	var out bytes.Buffer
	if err := program.Run(t.Context(), &out, 3, ""); err != nil || out.String() != "3 mice\n" {
		t.Errorf("printed %q, error %v", out.String(), err)
	}
}

func TestAPageIsWrittenWithWhatStandsBesideIt(t *testing.T) {
	folder := t.TempDir()
	var out bytes.Buffer
	if err := program.Run(t.Context(), &out, 4, folder); err != nil || out.Len() > 0 {
		t.Fatalf("printed %q, error %v", out.String(), err)
	}
	for name, want := range map[string]string{"mice.md": "4 mice\n", "mice.svg": "<svg/>"} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, error %v", name, got, err)
		}
	}
}

func TestAnExperimentThatFailsWritesNothing(t *testing.T) {
	folder := t.TempDir()
	if err := program.Run(t.Context(), &bytes.Buffer{}, 10, folder); err == nil || err.Error() != "too many mice" {
		t.Errorf("error %v", err)
	}
	if files, _ := os.ReadDir(folder); len(files) > 0 {
		t.Errorf("%d files are written", len(files))
	}
	if err := program.Run(t.Context(), &bytes.Buffer{}, 1, filepath.Join(folder, "absent")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

func TestDataAreRead(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("DITHER_DATA", folder)
	if err := os.WriteFile(filepath.Join(folder, "mice.csv"), []byte("id,tail,kind\n1,7,0\n2,,1\n3,9,1\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	tab, err := rerun.Read(t.Context(), "mice.csv", "id", "no such column")
	if err != nil {
		t.Fatal(err)
	}
	if tab, err = rerun.Classed(rerun.Complete(tab), "kind"); err != nil {
		t.Fatal(err)
	}
	if tab.Width() != 2 || !slices.Equal(tab.Num(0), []float64{7, 9}) || tab.WithRole(table.Class) != 1 ||
		!slices.Equal(tab.Attr(1).Labels, []string{"0", "1"}) {
		t.Errorf("read %v with tails %v", tab.Attrs(), tab.Num(0))
	}
	if _, err := rerun.Read(t.Context(), "rats.csv"); err == nil || !strings.Contains(err.Error(), "set DITHER_DATA") {
		t.Errorf("data that are not there: %v", err)
	}
}

func TestColumnsThatAreNotThere(t *testing.T) {
	tab := tabletest.Of(t, tabletest.Numbers(1, []float64{1}, []float64{2})...)
	if _, err := rerun.Categorical(tab, "a", "z"); err == nil {
		t.Error("a column that is not there becomes categorical")
	}
	if _, err := rerun.Classed(tab, "z"); err == nil {
		t.Error("a column that is not there becomes the class")
	}
	if got := rerun.Select(tab, func(a *table.Attribute) bool { return a.Name == "b" }); got.Width() != 1 ||
		got.Attr(0).Name != "b" {
		t.Errorf("selected %v", got.Attrs())
	}
}

func TestWrap(t *testing.T) {
	word := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	long := "| " + word(40) + " |"
	for text, want := range map[string]string{
		"# " + word(30) + "\n\n" + word(21) + "\n": "# " + word(30) + "\n\n" + word(20) + "\nword\n",
		"a\nb\n\n- " + word(21) + "\n- c":          "a b\n\n- " + word(19) + "\n  word word\n- c",
		"a\n1. " + word(21) + "\n2. c":             "a\n1. " + word(19) + "\n   word word\n2. c",
		long + "\n" + long:                         long + "\n" + long,
		"":                                         "",
	} {
		if got := rerun.Wrap(text); got != want {
			t.Errorf("%q becomes\n%q, expected\n%q", text, got, want)
		}
	}
}
