package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full is said of the file that was asked for, which is not there then, nor is a part of it. Without the
// right to mount a small one the test ends, with a word.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no small file system can be mounted: %v", err)
		}
		t.Skipf("what a full disk does is not tested: only root may mount a small one (%v)", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	in := put(t, "in.csv", "a,b,y\n"+strings.Repeat("1.25,red,no\n2.75,blue,yes\n", 4000))
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 128<<10), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	for _, name := range []string{"out.csv", "out.csv.gz", "out.parquet", "out.xlsx", "out.sav", "out.dta"} {
		path := filepath.Join(dir, name)
		code, _, errs := try(t, "protect", in, "--class", "y", "--method", "round", "--limits", "none", "-o", path)
		if code != exitFailed || strings.Count(errs, "dither: ") != 1 || !strings.Contains(errs, "no space left on device") ||
			!strings.Contains(errs, path) || strings.Contains(errs, ".part") {
			t.Errorf("%s: status %d, %s", name, code, errs)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: %v, %v is left", name, err, left)
		}
	}
}
