package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestInspectRefusesWhatProtectDoes: a file that cannot be read is refused by both verbs in the same words and with the
// same status, and one that inspect takes is none that protect cannot read. Tried are all files that the formats are
// tested with, what their fuzzers found, and each file cut short, and with bytes changed; a quick run tries one file of
// each format and first byte, and every twentieth of the others.
func TestInspectRefusesWhatProtectDoes(t *testing.T) {
	dir, tried, refused := t.TempDir(), 0, 0
	check := func(name, method string, data []byte) {
		in := filepath.Join(dir, name)
		must.NoError(t, os.WriteFile(in, data, 0o600))
		defer os.Remove(in)
		looked, why := complaintOf(t, "inspect", in)
		made, whyNot := complaintOf(t, "protect", in, "--method", method, "--limits", "none", "-o",
			filepath.Join(dir, "out.csv"), "--force")
		tried++
		if looked != exitDone {
			refused++
		}
		if looked == exitDone && strings.Contains(whyNot, "nothing") { // is left to release, or could be protected
			return
		}
		if looked != made || why != whyNot {
			t.Errorf("%s, %d bytes: inspect ends with %d: %s\n%s with %d: %s",
				name, len(data), looked, why, method, made, whyNot)
		}
	}
	began := map[string]bool{} // formats of which a file with nothing, and with what it begins with, was tried
	files := samples(t)
	for k, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name]
		n := len(data)
		cuts := long.Of([]int{n / 2}, []int{n / 2, n - 1})
		if begins := filepath.Ext(name) + string(data[:min(n, 1)]); !began[begins] {
			began[begins] = true
			cuts = append(cuts, long.Of([]int{0}, []int{0, 1})...)
		} else if k%long.Of(20, 1) != 0 {
			continue
		}
		check(name, "rankswap", data)
		for _, at := range cuts {
			check(name, "pram", data[:min(n, max(0, at))])
		}
		if !long.Enabled() {
			continue
		}
		for _, at := range []int{n / 3, n / 2, n * 3 / 4} {
			if n > 0 {
				changed := bytes.Clone(data)
				changed[at] ^= 0x55
				check(name, "pram", changed)
				check(name, "rankswap", changed)
			}
		}
	}
	t.Logf("%d inputs, %d refused", tried, refused)
	if tried < long.Of(60, 300) || refused < tried/5 || refused > tried*4/5 {
		t.Errorf("%d of %d inputs are refused", refused, tried)
	}
}

// complaintOf is the status of a call and its last line that is a complaint.
func complaintOf(t *testing.T, args ...string) (code int, line string) {
	code, _, said := try(t, args...)
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(l string) bool { return !strings.HasPrefix(l, "dither: ") })
	if len(lines) == 0 {
		return code, ""
	}
	return code, lines[len(lines)-1]
}

// samples are the files that the formats are tested with, and inputs that fuzzers found, by a name with the extension
// of the format.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	const most = 64 << 10
	out := map[string][]byte{}
	root := filepath.Join("..", "..", "format")
	must.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "testdata") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > most {
			return err
		}
		rel, err := filepath.Rel(root, path)
		name := strings.ReplaceAll(rel, string(filepath.Separator), "-")
		if strings.Contains(path, filepath.Join("testdata", "fuzz")) {
			format, _, _ := strings.Cut(rel, string(filepath.Separator))
			name, data = name+"."+format, seed(data)
		}
		if out[name] = data; data == nil {
			delete(out, name)
		}
		return err
	}))
	return out
}

// seed is the first text of an input that a fuzzer keeps; nil where it has none.
func seed(file []byte) []byte {
	for _, line := range strings.Split(string(file), "\n") {
		for _, kind := range []string{"[]byte(", "string("} {
			if quoted, ok := strings.CutPrefix(line, kind); ok {
				if text, err := strconv.Unquote(strings.TrimSuffix(quoted, ")")); err == nil {
					return []byte(text)
				}
			}
		}
	}
	return nil
}
