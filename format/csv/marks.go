package csv

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
)

// met returns the missing marks of the file, by index, in the order of their first appearance.
func (r *result) met() []int {
	var met []int
	for _, s := range r.shards {
		for _, m := range s.met {
			if !slices.Contains(met, m) {
				met = append(met, m)
			}
		}
	}
	return met
}

// countMarks tells info the missing marks of the file and of its columns.
func (r *result) countMarks(info *dialect.Info) {
	for _, m := range r.met() {
		info.Marks.Met = append(info.Marks.Met, r.marks.list[m])
	}
	for j, name := range r.names {
		for m, mark := range r.marks.list {
			for k := range r.shards {
				if marks := r.shards[k].parts[j].marks; marks != nil && marks[m] > 0 {
					info.Marks.Add(name, mark, marks[m])
				}
			}
		}
	}
	info.Settle(func(name string) bool { return strings.HasPrefix(name, nameless) })
}
