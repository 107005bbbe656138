package workbench

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// inspected is the table as a policy describes it.
type inspected struct {
	*desk.Inspection
	text    []byte // of the policy
	seen    string // its digest
	without []int  // unique people by all quasi-identifiers but one, in column order
	coarser []int  // and where that one is coarsened; -1 where it cannot be
	groups  []int  // by column, into how many groups it is then put
	shapes  []shape

	counting sync.Mutex
	counted  map[string][2]int // people who are alone, and all, by the columns known
}

// source is the table with a policy of the folder.
func (s *Server) source(name string) desk.Source {
	return desk.Source{Path: s.folder.table, Policy: s.folder.path(name)}
}

// now is the table under the policy as it stands, which may have been edited by hand. An error comes with the text of
// the policy.
func (s *Server) now(ctx context.Context) (*inspected, []byte, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	text, err := s.folder.read(policyName)
	if err != nil {
		return nil, nil, err
	}
	if s.seen != nil && string(s.seen.text) == string(text) {
		return s.seen, text, nil
	}
	i, err := s.inspect(ctx, policyName, text)
	if err == nil {
		s.seen = i
	}
	return i, text, err
}

// inspect looks at the table under a policy of the folder.
func (s *Server) inspect(ctx context.Context, name string, text []byte) (*inspected, error) {
	found, err := s.desk.Inspect(ctx, s.source(name))
	if err != nil {
		return nil, err
	}
	for _, one := range found.Policy.Intruders {
		if _, err := one.On(found.Table.Attrs()); err != nil {
			return nil, err
		}
	}
	i := &inspected{Inspection: found, text: text, seen: digest(string(text))}
	i.groups = make([]int, i.Table.Width())
	if i.without, i.coarser, err = profile.Without(ctx, i.Table, i.coarsen); err != nil {
		return nil, err
	}
	for j := range i.Table.Width() {
		i.shapes = append(i.shapes, shapeOf(i.Table.Column(j)))
	}
	return i, nil
}

// coarsen puts the values of a column into the groups of the lowest level of its hierarchy: the policy's, or the one
// that generalising makes itself. It is nil where that level is one group, which is no better than leaving the column
// out.
func (i *inspected) coarsen(c *table.Column) []int32 {
	if c.Kind == table.SetValued || c.Kind == table.Categorical && len(c.Labels) == 0 {
		return nil
	}
	h := i.Hierarchies[c.Name]
	if h == nil {
		h = hierarchy.Build(c)
	}
	if len(h.Labels(1)) < 2 {
		return nil
	}
	groups, err := h.Groups(c, 1)
	if err != nil {
		return nil // of a hierarchy that lacks values, which is told where it is used
	}
	i.groups[i.Table.Find(c.Name)] = len(h.Labels(1))
	return groups
}

// change is a key of the policy and what it is set to; nil removes it.
type change struct {
	path  []string
	value any
}

// errStale is the error for a form that was made for another state of the policy.
var errStale = wrong("stale")

// edit changes keys of the policy, as replace does.
func (s *Server) edit(ctx context.Context, seen string, changes []change) error {
	return s.replace(ctx, seen, changing(changes), func(text []byte) (_ []byte, err error) {
		for _, c := range changes {
			if text, err = policy.Set(policyName, text, c.path, c.value); err != nil {
				return nil, err
			}
		}
		return text, nil
	})
}

// replace changes the policy as swap does, so that it can be undone, and ends a trial of the policy that was.
func (s *Server) replace(
	ctx context.Context, seen string, says message.Sentence, change func(text []byte) ([]byte, error),
) error {
	return s.swap(ctx, seen, change, s.work.endTrial, func(from, to string) { s.history.changed(from, to, says) })
}

// swap changes the policy, if what comes of it describes the table. Seen is the digest of the policy that the caller
// has seen. Before is called before the policy is another one, and after when it is.
func (s *Server) swap(
	ctx context.Context, seen string, change func(text []byte) ([]byte, error), before func(), after func(from, to string),
) error {
	s.looking.Lock()
	defer s.looking.Unlock()
	text, err := s.folder.read(policyName)
	if err != nil {
		return err
	}
	if digest(string(text)) != seen {
		return errStale
	}
	old := string(text)
	if text, err = change(text); err != nil {
		return err
	}
	if string(text) == old {
		return nil
	}
	if err := s.folder.write(draftName, text); err != nil {
		return err
	}
	defer s.folder.root.Remove(draftName)
	i, err := s.inspect(ctx, draftName, text)
	if err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), draftName, policyName))
	}
	before()
	if err := s.folder.write(policyName, text); err != nil {
		return err
	}
	s.seen = i
	after(old, string(text))
	return nil
}

// column finds a column by its name.
func (i *inspected) column(name string) (int, error) {
	j := i.Table.Find(name)
	if j < 0 {
		return 0, wrong("column")
	}
	return j, nil
}

// technique is the name of the technique that the policy takes.
func (i *inspected) technique() string { return cmp.Or(i.Policy.Technique(), desk.Default(i.Policy)) }

// people reports whether people are counted, as the table tells them apart, and not records.
func (i *inspected) people() bool { return i.Table.WithRole(table.Person) >= 0 }

// order is the columns, worst first: what an intruder may know, by how many people are less unique without it, then the
// others by how far they tell people apart, and last what is dropped.
func (i *inspected) order() []int {
	gain := i.gains()
	rank := func(j int) (int, float64) {
		role := i.Roles[j].Role
		switch {
		case role&table.Quasi != 0:
			return 0, -float64(gain[j])
		case role&table.Identifier != 0:
			return 2, 0
		}
		return 1, -i.Profile.Columns[j].Uniqueness
	}
	out := make([]int, i.Table.Width())
	for j := range out {
		out[j] = j
	}
	slices.SortStableFunc(out, func(a, b int) int {
		ra, va := rank(a)
		rb, vb := rank(b)
		return cmp.Or(ra-rb, cmp.Compare(va, vb))
	})
	return out
}

// gains is, by column, how many people fewer are unique without it; 0 for what nobody is taken to know.
func (i *inspected) gains() []int { return i.fewer(i.without, 0) }

// fewer is, by column, how many people fewer are unique than now by counts of the quasi-identifiers in their order;
// none for a count below 0 and for other columns.
func (i *inspected) fewer(counts []int, none int) []int {
	out, k := slices.Repeat([]int{none}, i.Table.Width()), 0
	for j := range out {
		if i.Table.Attr(j).Role&table.Quasi == 0 || k >= len(counts) {
			continue
		}
		if counts[k] >= 0 {
			out[j] = i.Exposure.Uniques - counts[k]
		}
		k++
	}
	return out
}

// shape is the distribution of a column in a few bars, in shares of the highest.
type shape struct {
	bars []float64
	of   message.Sentence // what a bar is
}

// mostBars is how many bars a small histogram has.
const mostBars = 24

func shapeOf(c table.Column) shape {
	var counts []float64
	of := message.Sentence{}
	switch c.Kind {
	case table.Numeric:
		lo, hi := table.Range(c.Num)
		if !(lo <= hi) || math.IsInf(hi-lo, 0) {
			return shape{}
		}
		n := mostBars
		if c.Step > 0 {
			n = int(min(float64(n), math.Round((hi-lo)/c.Step)+1))
		}
		counts = make([]float64, n)
		for _, v := range c.Num {
			if v == v {
				counts[min(int((v-lo)/(hi-lo)*float64(n)), n-1)*b2i(hi > lo)]++
			}
		}
		of = message.Say("workbench.shape.intervals")
	case table.Categorical:
		all := make([]float64, len(c.Labels))
		for _, v := range c.Cat {
			if v >= 0 {
				all[v]++
			}
		}
		if of = message.Say("workbench.shape.ordered"); !c.Ordered || len(all) > mostBars {
			slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
			of = message.Say("workbench.shape.frequent")
		}
		counts = all[:min(len(all), mostBars)]
	case table.SetValued:
		return shape{}
	}
	most := 0.0
	for _, v := range counts {
		most = max(most, v)
	}
	for k := range counts {
		counts[k] /= max(most, 1)
	}
	return shape{counts, of}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
