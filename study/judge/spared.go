package judge

import (
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// spared names the intruders for whom a release need not be withheld, whatever they find: the technique promises
// k-anonymity over the quasi-identifiers, the owner declared all of these, and declared of all else that they know that
// it is none. Guessed roles spare nobody: somebody may know such a column.
func (s *Subject) spared(o *study.Outcome, attrs []table.Attribute, played []intruder.Intruder) (names []string) {
	promised := false
	for j, a := range s.Table.Attrs() {
		if a.Role&table.Quasi == 0 || a.Role&table.Identifier != 0 {
			continue
		}
		if !s.Roles[j].Given || !slices.Contains(o.Crowd, a.Name) {
			return nil
		}
		promised = true
	}
	if !promised {
		return nil
	}
	for k := range played {
		v, err := played[k].On(attrs)
		if err == nil && !slices.ContainsFunc(append(v.Columns(), v.Sets...), func(j int) bool {
			at := s.Table.Find(attrs[j].Name)
			return at < 0 || !s.Roles[at].Given
		}) {
			names = append(names, played[k].Name)
		}
	}
	return names
}
