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
	all := make([]int, len(r.marks.list))
	for j, name := range r.names {
		used, mark := 0, 0
		for m := range all {
			n := 0
			for k := range r.shards {
				if marks := r.shards[k].parts[j].marks; marks != nil {
					n += marks[m]
				}
			}
			if all[m] += n; n > 0 {
				used, mark = used+1, m
			}
		}
		if used == 1 && !strings.HasPrefix(name, nameless) {
			if info.MissingMarks == nil {
				info.MissingMarks = make(map[string]string)
			}
			info.MissingMarks[name] = r.marks.list[mark]
		}
	}
	if met := r.met(); len(met) > 0 {
		first := slices.MaxFunc(met, func(a, b int) int { return all[a] - all[b] }) // the first of the most frequent
		info.Missing = r.marks.list[first]
	}
}
