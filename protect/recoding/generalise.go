package recoding

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// FullDomain is full-domain generalisation: it replaces exact values by more general ones, at the same level
// for all records of an attribute.
//
// Every attribute has a value generalisation hierarchy, in which a value is raised level by level to ever larger
// groups. The release shows the group of each value on one level per attribute, chosen by hand: "level" for all,
// "levels" where they differ (age=2, city=top; 0 leaves an attribute alone). Hierarchies are given
// (protect.Hierarchical; ARX files load unchanged) or built: numbers are cut into some 16 intervals of a round width,
// which doubles from level to level; ordered categories are joined in pairs, fours, and so on. Nothing is known of how
// other categories belong together, so one without a hierarchy is left alone, and the notes say so; named in "levels"
// it becomes one group. kanonymise looks for the levels by itself; globalrecode takes one level, written by hand.
//
// What an informed intruder learns: the group of every value, for certain, and no more than that. A level chosen by
// hand promises nothing of how many records share a combination of groups: measure k-anonymity, and who is alone in the
// release is found as before. Confidential values are not changed, so what all records of a group share of them is
// disclosed. Limits of built intervals are multiples of a round width, and tell no value of the table; those of given
// hierarchies and the labels in the release tell what they tell.
//
// Missing values stay missing. A value that a hierarchy does not list is an error, which names column and row, when it
// occurs: in the table that is fitted or in one that the plan is applied to. Intervals hold every number, those at the
// ends are open.
//
// Sampling weights are not used: groups are the same with and without.
//
// Cost: O(n) per attribute, O(n log v) for numbers cut into v intervals: the six numbers of a million records like
// Adult's take 0.6 of slices.Sort on a million numbers, and as much to fit. Works on any chunk; draws nothing at
// random.
//
// Departures: none from the definition of full-domain generalisation; how hierarchies are built is not part of it.
//
// Reference: P. Samarati, "Protecting respondents' identities in microdata release", IEEE Transactions on Knowledge and
// Data Engineering 13, 2001; L. Sweeney, "Achieving k-anonymity privacy protection using generalization and
// suppression", International Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002; Nai Fovino &
// Masera 2008, sections 1 and 6, for the precision among the notes.
var FullDomain = protect.Method{
	Card: card.Card{
		Name:  "generalise",
		Title: "Full-domain generalisation",
		Short: "Generalise",
		Aliases: []string{"generalization", "generalisation", "generalize", "full-domain-generalisation",
			"full-domain-generalization"},
		Summary: "Replaces values by groups from their value generalisation hierarchies, at one level per attribute.",
		Paper:   "Samarati 2001; Sweeney 2002",
		Needs:   "quasi-identifiers (none marked: all except confidential attributes); hierarchies for unordered categories",
		Changes: "the quasi-identifiers, which become categorical",
		Preserves: "the truth of every value; counts of groups and of their combinations; rules that test limits " +
			"between groups; unchanged attributes in full",
		Biases: "exact values are lost: distributions become histograms (type D), moments are those of groups " +
			"(types A to C), rules blur (type DM)",
		Exposes: "the group of every value, with certainty; combinations may still be rare, so measure k-anonymity",
		Missing: "stay missing",
		Cost:    "O(n) per attribute, O(n log v) for v intervals",
	},
	Purpose: protect.Generalises,
	Growth:  1,
	New:     func() protect.Technique { return NewFullDomain() },
	Plan:    func() protect.Plan { return &FullDomainPlan{} },
	Claims: []protect.Claim{protect.Recodes, protect.Raises, protect.Spans, protect.Notes, protect.Describes,
		protect.Checks, protect.TakesHierarchies},
}

// highest bounds the parameter level: the tallest hierarchies double a width from a step to the whole range of numbers.
const highest = 64

// FullDomainTechnique holds the parameters.
type FullDomainTechnique struct {
	Level  int      // of the columns that Levels does not name; the top where a hierarchy is lower
	Levels []string // "column=level"
	Except []string // columns left alone

	hierarchies hierarchy.Set
}

// NewFullDomain returns the technique with its defaults.
func NewFullDomain() *FullDomainTechnique { return param.Default(&FullDomainTechnique{}) }

// Params declares the parameters.
func (q *FullDomainTechnique) Params() param.Set {
	return param.Set{
		param.Int(&q.Level, "level", 1, 0, highest, "",
			"level of columns that are not in levels; 0 is the exact value; lower hierarchies use their top"),
		param.Names(&q.Levels, "levels", "columns with a different level, as column=level; top is the most general"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// UseHierarchies gives the hierarchies of attributes.
func (q *FullDomainTechnique) UseHierarchies(h hierarchy.Set) { q.hierarchies = h }

// Fit chooses the columns, builds the hierarchies that are not given, and looks every value up once, for refusals and
// notes. Cost: that of a release.
func (q *FullDomainTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	may, err := protect.Open(t, q.Except)
	if err != nil {
		return nil, err
	}
	levels, err := q.levels(t, may)
	if err != nil {
		return nil, err
	}
	p := &FullDomainPlan{Recoding: hierarchy.Recoding{Attrs: t.Attrs()}}
	for _, j := range q.columns(t, may, levels) {
		c := t.Column(j)
		text, asked := levels[j]
		h := q.hierarchyOf(&c, asked)
		if h == nil {
			if q.Level > 0 && len(c.Labels) > 0 {
				p.Left = append(p.Left, c.Name)
			}
			continue
		}
		if err := h.Check(); err != nil {
			return nil, err
		}
		level := min(q.Level, h.Height())
		if asked {
			if level, err = parseLevel(text, c.Name, h.Height()); err != nil {
				return nil, err
			}
		}
		if level > 0 {
			p.Columns = append(p.Columns, hierarchy.Raised{Column: j, Level: level, Hierarchy: h})
		}
	}
	if err := p.Study(t); err != nil {
		return nil, err
	}
	return p, nil
}

// levels returns the levels of the columns that Levels names, as written.
func (q *FullDomainTechnique) levels(t *table.Table, may []int) (map[int]string, error) {
	given, err := named.Assign(t, "levels", q.Levels)
	if err != nil {
		return nil, err
	}
	out := map[int]string{}
	for _, a := range given {
		if err := named.Check(t, "levels", a.Column, may); err != nil {
			return nil, err
		}
		out[a.Column] = a.Text
	}
	return out, nil
}

// hierarchyOf returns the hierarchy of a column, built where none is given; nil where the column has no values, or
// categories without an order that are not named in Levels.
func (q *FullDomainTechnique) hierarchyOf(c *table.Column, asked bool) *hierarchy.Hierarchy {
	h, known := q.hierarchies[c.Name]
	switch {
	case known:
		return h
	case c.Kind == table.Categorical && (len(c.Labels) == 0 || !asked && !c.Ordered):
		return nil
	}
	return hierarchy.Build(c)
}

// columns returns the columns that are generalised or left alone for want of a hierarchy, ascending.
func (q *FullDomainTechnique) columns(t *table.Table, may []int, levels map[int]string) []int {
	all, _ := protect.Open(t, nil) // may is a part of it, so there is no error
	quasi := slices.ContainsFunc(all, func(j int) bool { return t.Attr(j).Role&table.Quasi != 0 })
	out := protect.QuasiIdentifiers(t, all, may)
	if !quasi && len(q.hierarchies) > 0 {
		out = slices.DeleteFunc(slices.Clone(may), func(j int) bool { return q.hierarchies[t.Attr(j).Name] == nil })
	}
	for j := range levels {
		if !slices.Contains(out, j) {
			out = append(out, j)
		}
	}
	slices.Sort(out)
	return out
}

func parseLevel(text, column string, height int) (int, error) {
	if text == "top" {
		return height, nil
	}
	level, err := strconv.Atoi(text)
	if err != nil || level < 0 || level > height {
		return 0, fmt.Errorf("parameter %q: %q is not a level for column %q; expected 0 to %d, or top", "levels", text,
			column, height)
	}
	return level, nil
}
