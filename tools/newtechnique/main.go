// Command newtechnique writes the skeleton of a technique, a measure, a miner or a format into a new folder:
//
//	go run -C tools ./newtechnique protect/NAME
//	go run -C tools ./newtechnique measure/NAME
//	go run -C tools ./newtechnique mine/NAME
//	go run -C tools ./newtechnique format/NAME
//
// The skeleton does something small and right: it compiles, and its tests pass, the conformance suite among them. What
// the author must replace says FILL IN: the package comment, the card, and the tests that show the paper's figures.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "github.com/dither-data/dither/format/all"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/format"
)

//go:embed skeleton
var skeletons embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "newtechnique: expected one folder, such as protect/NAME, measure/NAME, mine/NAME or "+
			"format/NAME")
		os.Exit(2)
	}
	folder := filepath.ToSlash(filepath.Clean(os.Args[1]))
	files, err := render(folder)
	if err == nil {
		err = write("..", folder, files) // go run -C tools runs this program in the folder tools
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newtechnique:", err)
		os.Exit(1)
	}
	fmt.Printf(`%[1]s has a skeleton that passes its tests. Now

  1. replace what says FILL IN:  grep -rn "FILL IN" %[1]s
  2. while you work:             go test ./%[1]s
  3. put it on the lists:        go generate ./...
`, folder)
}

// kinds are the folders that a new one may be made in. A name is taken in all of them when it is in one: the catalogue
// imports them all.
var kinds = map[string]func(name string) error{
	"protect": func(name string) error { _, err := catalog.Method(name); return err },
	"measure": func(name string) error { _, err := catalog.Measure(name); return err },
	"mine":    func(name string) error { _, err := catalog.Miner(name); return err },
	"format": func(name string) error {
		for _, f := range format.Formats() {
			if f.Answers(name) || slices.Contains(f.Extensions, "."+name) {
				return nil
			}
		}
		return fmt.Errorf("unknown format %q", name)
	},
}

// taken reports whether an entry of the catalogue goes by the name.
func taken(name string) bool {
	for _, find := range kinds {
		if find(name) == nil {
			return true
		}
	}
	return false
}

var published = regexp.MustCompile(`^[a-z][a-z0-9]{1,39}$`)

// render returns the files of a skeleton by their names inside its folder. It is an error when the folder is in the
// wrong place or its name is bad or taken.
func render(folder string) (map[string]string, error) {
	kind, name := path.Split(folder)
	kind = strings.TrimSuffix(kind, "/")
	switch {
	case kinds[kind] == nil:
		return nil, fmt.Errorf("%q is no place for a skeleton; expected protect/NAME, measure/NAME, mine/NAME or "+
			"format/NAME", folder)
	case !published.MatchString(name):
		return nil, fmt.Errorf("%q is a bad name; expected the published one in lower case letters and digits, without "+
			"hyphens", name)
	case strings.HasSuffix(name, "test") || reserved[name]:
		return nil, fmt.Errorf("%q is a bad name: it means something to Go or to this code base", name)
	case taken(name):
		return nil, fmt.Errorf("the name %q is taken in the catalogue", name)
	}
	files := map[string]string{}
	root := "skeleton/" + kind
	err := fs.WalkDir(skeletons, root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := skeletons.ReadFile(file)
		if err != nil {
			return err
		}
		to := strings.TrimSuffix(strings.TrimPrefix(file, root+"/"), ".tmpl")
		files[strings.ReplaceAll(to, "NAME", name)] = strings.ReplaceAll(string(text), "NAME", name)
		return nil
	})
	return files, err
}

// reserved are names that no folder can have: Go's keywords, what the skeletons import, and the folders that are not
// one technique.
var reserved = func() map[string]bool {
	words := "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
		"package range return " +
		"select struct switch type var main internal testdata vendor " +
		"init card context embed errors fmt math measure mine param protect rapid rng slices table testing yardstick"
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}()

// write makes the folder in the module at root, where it must not exist, and writes the files.
func write(root, folder string, files map[string]string) error {
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return errors.New("there is no go.mod above this folder; run it as go run -C tools ./newtechnique")
	}
	at := filepath.Join(root, filepath.FromSlash(folder))
	if _, err := os.Lstat(at); err == nil {
		return fmt.Errorf("%s exists", folder)
	}
	for name, text := range files {
		file := filepath.Join(at, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
