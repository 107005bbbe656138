// Package dataset finds the public data sets for larger tests and the pages in docs.
package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a data set's file, such as "wbc/wbc.csv". It looks in the folder that the environment
// variable DITHER_DATA names and, failing that, in shared/data beside the checkout. A file that is absent is an error.
func Path(name string) (string, error) {
	for _, dir := range append([]string{os.Getenv("DITHER_DATA")}, beside()...) {
		if dir == "" {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("data set %s is missing: set DITHER_DATA to the folder that holds it", name)
}

// File is Path for a test: where the file is absent it is skipped; with CI=true it fails instead.
func File(t testing.TB, name string) string {
	t.Helper()
	p, err := Path(name)
	if err == nil {
		return p
	}
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skip(err)
	return ""
}

// beside returns the folders shared/data beside the roots of the modules that the working directory is in, the
// innermost first: the module tools is inside another. Outside a module there is none.
func beside() (all []string) {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			all = append(all, filepath.Join(filepath.Dir(dir), "shared", "data"))
		}
	}
	return all
}
