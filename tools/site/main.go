// Command site builds the pages of docs/ as a static site with search: files that any web server hands out and that a
// browser opens from a disk, too, without any address outside of them.
//
//	go run -C tools ./site FOLDER
//
// It needs mdBook (https://rust-lang.github.io/mdBook, MPL-2.0, a program of its own that is not linked):
//
//	cargo install mdbook --locked --no-default-features --features search
//
// The order of the pages is that of docs/SUMMARY.md. A page that is not in it, and a link that leads nowhere, are
// errors.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// root is the folder of the main module: the program runs in the folder tools.
const root = ".."

// repository is where a reader finds the files that a page links to and the site does not hold.
const repository = "https://github.com/dither-data/dither/blob/main/"

// besides are the pages outside of docs/ that the site has, too.
var besides = []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}

// contents is the page that says the order of the others.
const contents = "SUMMARY.md"

// book is the configuration of mdBook.
const book = `[book]
title = "dither"
language = "en"

[output.html]
no-section-label = true
git-repository-url = "https://github.com/dither-data/dither"

[output.html.print]
enable = false

[output.html.search]
limit-results = 20
heading-split-level = 2

[output.html.search.chapter]
"CHANGELOG.md" = { enable = false }
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		log.Fatal("usage: go run -C tools ./site FOLDER")
	}
	if err := build(root, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// build writes the site of the project in a folder to an empty or new one.
func build(from, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	if old, err := os.ReadDir(to); err == nil && len(old) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", to)
	}
	room, err := os.MkdirTemp("", "site")
	if err != nil {
		return err
	}
	defer os.RemoveAll(room)
	if err := gather(from, room); err != nil {
		return err
	}
	run := exec.Command("mdbook", "build", "--dest-dir", to, room)
	if out, err := run.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		return errors.New("mdbook is missing; cargo install mdbook --locked --no-default-features --features search")
	} else if err != nil {
		return fmt.Errorf("mdbook: %w\n%s", err, out)
	}
	return check(to)
}

// gather writes the book that mdBook makes the site of to a folder.
func gather(from, to string) error {
	pages, err := gathered(from)
	if err != nil {
		return err
	}
	if err := listed(pages); err != nil {
		return err
	}
	for name, text := range pages {
		file := filepath.Join(to, "src", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, "book.toml"), []byte(book), 0o644)
}

// gathered returns the files of the site by their names in it, with the links that they have there.
func gathered(from string) (map[string][]byte, error) {
	where := map[string]string{} // the file's path in the repository: its name in the site
	for _, name := range besides {
		where[name] = name
	}
	err := fs.WalkDir(os.DirFS(from), "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			where[name] = strings.TrimPrefix(name, "docs/")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	pages := map[string][]byte{}
	for file, name := range where {
		text, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		if path.Ext(file) == ".md" && name != contents {
			if text, err = relinked(text, from, file, where); err != nil {
				return nil, err
			}
		}
		pages[name] = text
	}
	return pages, nil
}

// link is the target of a link or picture, in Markdown and in HTML.
var link = regexp.MustCompile(`(\]\(|(?:src|href|srcset)=")([^)"#\s]+)`)

// relinked returns a page with its links as they are in the site: to pages and pictures that it holds, else to the
// repository. A link to a file that does not exist is an error.
func relinked(text []byte, from, file string, where map[string]string) ([]byte, error) {
	var errs []error
	out := link.ReplaceAllFunc(text, func(match []byte) []byte {
		parts := link.FindSubmatch(match)
		before, target := string(parts[1]), string(parts[2])
		if strings.Contains(target, ":") {
			return match
		}
		full := path.Join(path.Dir(file), target)
		name, ok := where[full]
		if !ok || name == contents { // of which mdBook makes the list beside every page
			if _, err := os.Stat(filepath.Join(from, filepath.FromSlash(full))); err != nil {
				errs = append(errs, fmt.Errorf("%s: link to %s, which does not exist", file, target))
			}
			return []byte(before + repository + full)
		}
		return []byte(before + strings.Repeat("../", strings.Count(where[file], "/")) + name)
	})
	return out, errors.Join(errs...)
}

// listed returns an error for each page that the contents do not name exactly once.
func listed(pages map[string][]byte) error {
	times := map[string]int{}
	for _, m := range regexp.MustCompile(`\]\(([^)]+\.md)\)`).FindAllSubmatch(pages[contents], -1) {
		times[string(m[1])]++
	}
	var errs []error
	for name := range pages {
		if path.Ext(name) == ".md" && name != contents && times[name] != 1 {
			errs = append(errs, fmt.Errorf("docs/SUMMARY.md names %s %d times; once is right", name, times[name]))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}
