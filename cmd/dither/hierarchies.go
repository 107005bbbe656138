package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/hierarchy"
)

// readHierarchies reads the value generalisation hierarchies that the policy and the flags name; flags win. A policy names its files from its own
// folder.
func (l *loaded) readHierarchies(f *input) error {
	files, named := map[string]string{}, map[string]bool{}
	for name, c := range l.policy.Columns {
		if c.Hierarchy != "" {
			if files[name] = c.Hierarchy; !filepath.IsAbs(c.Hierarchy) {
				files[name] = filepath.Join(filepath.Dir(f.policy), c.Hierarchy)
			}
		}
	}
	for _, t := range f.trees {
		name, path, ok := strings.Cut(t, "=")
		if !ok || name == "" || path == "" {
			return usageError{fmt.Errorf("--hierarchy %q: expected column=file", t)}
		}
		if l.table.Find(name) < 0 {
			return usageError{fmt.Errorf("--hierarchy: %s has no column %q", l.file.Name, name)}
		}
		if named[name] {
			return usageError{fmt.Errorf("--hierarchy: column %q has two", name)}
		}
		files[name], named[name] = path, true
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h, err := readHierarchy(name, files[name])
		if err != nil {
			return err
		}
		if l.hierarchies == nil {
			l.hierarchies = hierarchy.Set{}
		}
		l.hierarchies[name] = h
	}
	return nil
}

func readHierarchy(column, path string) (*hierarchy.Hierarchy, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h, err := hierarchy.Parse(column, file)
	if err == nil {
		err = h.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base(path), err)
	}
	return h, nil
}
