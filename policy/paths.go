package policy

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/dither-data/dither/limit"
)

// Beside returns the policy with the paths of the files that it names as they are from the current folder, told the
// path of its own file: a policy names files from its own folder. Limits that are a preset by name are no file.
func (p *Policy) Beside(file string) *Policy {
	return p.MapPaths(func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(filepath.Dir(file), path)
	})
}

// MapPaths returns the policy with other paths of the files that it names. The policy itself stays as it is.
func (p *Policy) MapPaths(to func(path string) string) *Policy {
	out := *p
	some := func(path string) string {
		if path == "" {
			return ""
		}
		return to(path)
	}
	out.IQM, out.SensitiveFile, out.File.Layout = some(p.IQM), some(p.SensitiveFile), some(p.File.Layout)
	if !slices.Contains(limit.Names(), p.Limits) {
		out.Limits = some(p.Limits)
	}
	out.Tables.Beside = some(p.Tables.Beside)
	if p.Tables.Limits != limit.None {
		out.Tables.Limits = some(p.Tables.Limits)
	}
	out.Earlier, out.IntruderFiles, out.Shared = p.Earlier.each(to), p.IntruderFiles.each(to), p.Shared.each(to)
	out.Columns = maps.Clone(p.Columns)
	for name, c := range out.Columns {
		if c.Hierarchy != "" {
			c.Hierarchy = to(c.Hierarchy)
			out.Columns[name] = c
		}
	}
	return &out
}

func (f Files) each(to func(path string) string) (out Files) {
	for _, path := range f {
		out = append(out, to(path))
	}
	return out
}

// Paths are the files that the policy names, each once: hierarchies by column, then the others. The file of limits is
// not among them, for its name may be that of a preset that is misspelt.
func (p *Policy) Paths() (paths []string) {
	for _, name := range slices.Sorted(maps.Keys(p.Columns)) {
		paths = append(paths, p.Columns[name].Hierarchy)
	}
	paths = slices.Concat(paths, []string{p.IQM, p.SensitiveFile, p.File.Layout, p.Tables.Beside},
		p.Earlier, p.Shared, p.IntruderFiles)
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// Hierarchies are the files of the value generalisation hierarchies, by column.
func (p *Policy) Hierarchies() map[string]string {
	files := map[string]string{}
	for name, c := range p.Columns {
		if c.Hierarchy != "" {
			files[name] = c.Hierarchy
		}
	}
	return files
}
