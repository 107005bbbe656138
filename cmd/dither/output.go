package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/rng"
)

// free checks that an output may be written: it must not be an input, and it must not exist unless force is set.
func free(path string, force bool, inputs ...string) error {
	if path == "" {
		return nil
	}
	for _, in := range inputs {
		if in != "" && in != "-" && same(path, in) {
			return usageError{fmt.Errorf("%s is an input and is never overwritten", path)}
		}
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return err
		}
		return nil
	case err != nil:
		return err
	case st.IsDir():
		return usageError{fmt.Errorf("%s is a folder; name a file", path)}
	case !st.Mode().IsRegular():
		return usageError{fmt.Errorf("%s is no ordinary file and is never replaced", path)}
	case !force:
		return usageError{fmt.Errorf("%s exists; --force overwrites it", path)}
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
				return usageError{fmt.Errorf("%s is named for two outputs", p)}
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

// seed reads the seed of a seed file, or makes a fresh one: without a path it is forgotten after the run, with the path of a file that
// does not exist yet it is written there, for its owner only.
func seed(path string) ([32]byte, error) {
	fresh := rng.Fresh()
	if path == "" {
		return fresh, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, whole(path, 0o600, func(w io.Writer) error {
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
