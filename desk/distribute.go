package desk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// The modes of files: a confidential one is its owner's alone.
const (
	confidential fs.FileMode = 0o600
	open         fs.FileMode = 0o644
)

// vacant checks that outputs may be written: none must be an input, and none must exist unless it is to be overwritten. An empty path is no output.
func vacant(outputs []string, overwrite bool, inputs ...string) error {
	for _, path := range outputs {
		if path == "" {
			continue
		}
		if err := free(path, overwrite, inputs); err != nil {
			return err
		}
	}
	return nil
}

func free(path string, overwrite bool, inputs []string) error {
	for _, in := range inputs {
		if in != "" && in != standardInput && same(path, in) {
			return usage(fmt.Errorf("%s is an input and is never overwritten", path))
		}
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		_, err := os.Stat(filepath.Dir(path))
		return err
	case err != nil:
		return err
	case st.IsDir():
		return usage(fmt.Errorf("%s is a folder; name a file", path))
	case !st.Mode().IsRegular():
		return usage(fmt.Errorf("%s is no ordinary file and is never replaced", path))
	case !overwrite:
		return usage(fmt.Errorf("%s %w", path, ErrExists))
	}
	return nil
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	ax, _ := filepath.Abs(a)
	bx, _ := filepath.Abs(b)
	return ax == bx
}

// distinct refuses two outputs of one name.
func distinct(paths ...string) error {
	for i, p := range paths {
		for _, q := range paths[:i] {
			if p != "" && q != "" && same(p, q) {
				return usage(fmt.Errorf("%s is named for two outputs", p))
			}
		}
	}
	return nil
}

// whole writes a file so that it is absent or whole: into a temporary file beside it, which is then renamed.
func whole(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = write(f); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// seed reads the seed of a seed file, or makes a fresh one: without a path it is forgotten after the request, with the path of a file that does not
// exist yet it is written there, for its owner only.
func seed(path string) ([32]byte, error) {
	fresh := rng.Fresh()
	if path == "" {
		return fresh, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, whole(path, confidential, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%x\n", fresh)
			return err
		})
	}
	if err != nil {
		return fresh, err
	}
	s, err := rng.ParseSeed(string(data))
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// writeReport writes a report; the internal one is confidential.
func writeReport(path string, o *study.Outcome, public bool) error {
	mode := confidential
	if public {
		mode = open
	}
	return whole(path, mode, func(w io.Writer) error { return report.HTML(w, o, report.Options{Public: public}) })
}
