package workbench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// small mounts a file system of 4 MiB at a folder. Without the right to it the test ends there, with a word.
func small(t *testing.T, dir string) bool {
	t.Helper()
	must.NoError(t, os.Mkdir(dir, 0o700))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no small file system can be mounted: %v", err)
		}
		t.Logf("what a full disk does is not tested: only root may mount a small one (%v)", err)
		return false
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return true
}

// fill takes all the room that is left, by a file that it returns the name of.
func fill(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "filler")
	w, err := os.Create(path)
	must.NoError(t, err)
	for err == nil {
		_, err = w.Write(make([]byte, 4096))
	}
	_ = w.Close()
	return path
}

var fullSays = regexp.MustCompile("[nN]o space left on device[.]")

// TestFullDisk: where there is no room the page says so, nothing is half written, what was there stays, and all goes on
// when there is room again.
func TestFullDisk(t *testing.T) {
	long.Only(t, "a disk of its own")
	in := people(t)
	dir := filepath.Join(filepath.Dir(in), "bench")
	if !small(t, dir) {
		return
	}
	s := serve(t, in)
	_ = s.folder.write(policyName, []byte(easy))
	v := visit(t, s, true)
	v.request("/run", "try")
	s.done(t)
	_, page := v.get("/sign")
	form := []string{"name", "A", "reason", "B"}
	for _, b := range regexp.MustCompile(`name="(box\d+)"`).FindAllStringSubmatch(page, -1) {
		form = append(form, b[1], "yes")
	}

	filler := fill(t, dir)
	if code, body := v.request("/edit", "table", "what", "role", "column", "town", "value", "confidential"); code != 422 ||
		!fullSays.MatchString(body) ||
		s.policyText(t) != easy {
		t.Errorf("an edit: %d: %s", code, s.policyText(t))
	}
	if _, err := s.folder.root.Lstat(draftName); err == nil {
		t.Error("a draft is left")
	}
	code, body := v.request("/sign", "sign", form...)
	s.done(t)
	if code == 200 {
		_, body = v.get("/sign")
	}
	if !fullSays.MatchString(body) || len(s.signed()) != 0 {
		t.Errorf("what was signed: %d: %v", code, s.signed())
	}
	for _, path := range s.paths("1")[:6] {
		if !free(path) {
			t.Errorf("%s is left", filepath.Base(path))
		}
	}
	// As many candidates as the disk takes, and more: a line that did not fit is no part of the next.
	kept := 0
	for range 40 {
		all := must.Get(s.folder.candidates())(t)
		c := all[0]
		c.ID = strings.Repeat("x", 1+kept)
		if s.folder.keep(c) == nil {
			kept++
		}
	}
	if kept == 40 {
		t.Fatal("the disk is not full")
	}

	must.NoError(t, os.Remove(filler))
	all, _ := s.folder.candidates()
	c := all[0]
	c.ID = "after"
	must.NoError(t, s.folder.keep(c))
	if all, err := s.folder.candidates(); err != nil || len(all) != kept+2 || all[kept+1].ID != "after" {
		t.Errorf("%d candidates of %d (%v)", len(all), kept+2, err)
	}
	if code, _ := v.request("/sign", "sign", form...); code != 200 {
		t.Errorf("with room: %d", code)
	}
	s.done(t)
	if len(s.signed()) != 1 {
		t.Errorf("with room nothing is signed: %+v", s.work.view())
	}
}
