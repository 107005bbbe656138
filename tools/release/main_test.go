package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

var when = time.Unix(1_700_000_000, 0).UTC()

// TestArchives: an archive depends on names, contents, modes and the time of the commit alone, and holds what it was
// given.
func TestArchives(t *testing.T) {
	write := func(at time.Time) []entry {
		dir := t.TempDir()
		entries := []entry{{filepath.Join(dir, "p"), "dither", 0o755}, {filepath.Join(dir, "l"), "man/LICENSE", 0o644}}
		for _, e := range entries {
			if err := os.WriteFile(e.path, []byte(strings.Repeat(e.name, 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(e.path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		return entries
	}
	for name, bundle := range map[string]func(string, string, []entry, time.Time) (string, error){"tar": tarball,
		"zip": zipped} {
		var made [][]byte
		for _, at := range []time.Time{time.Unix(1, 0), time.Now()} {
			file, err := bundle(t.TempDir(), "dither-1", write(at), when)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, data)
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s: the bytes depend on more than the contents", name)
		}
		want := []string{"dither-1/dither -rwxr-xr-x 6000", "dither-1/man/LICENSE -rw-r--r-- 11000"}
		if got := held(t, made[0]); !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
}

// held lists an archive's files with modes and sizes.
func held(t *testing.T, data []byte) (out []string) {
	line := func(name, mode string, r io.Reader) {
		all, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name+" "+mode+" "+strconv.Itoa(len(all)))
	}
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if !f.Modified.Equal(when) {
				t.Errorf("%s is of %v", f.Name, f.Modified)
			}
			line(f.Name, f.Mode().String(), r)
		}
		return out
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for a := tar.NewReader(z); ; {
		h, err := a.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(when) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s is of %v, %d", h.Name, h.ModTime, h.Uid)
		}
		line(h.Name, h.FileInfo().Mode().String(), a)
	}
}

// TestMaterials: the bill lists the modules linked into a program, each once, with a sum.
func TestMaterials(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bill.json")
	if err := materials(file, []string{self, self}, commit{"v1", when}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(f, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range *bom.Components {
		if p.Name == "github.com/CycloneDX/cyclonedx-go" {
			found++
			if p.Properties == nil || !strings.HasPrefix((*p.Properties)[0].Value, "h1:") {
				t.Errorf("%s has no sum", p.Name)
			}
		}
	}
	if found != 1 || bom.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("the library is listed %d times, the time is %s", found, bom.Metadata.Timestamp)
	}
}

// TestSums: the sums are those that sha256sum reads.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sums(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}
