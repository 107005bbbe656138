package judge

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// Usage is the error for a request that cannot be served as it is put.
type Usage struct {
	Field string // of the request, in lower case, where one alone is to blame
	Value string // what the field, or the part of it that is to blame, holds; may be empty
	Err   error
}

// Error is one line: the field and its value, then what is wrong with them.
func (u *Usage) Error() string {
	subject := strings.TrimSpace(u.Field + " " + u.Value)
	if subject == "" {
		return u.Err.Error()
	}
	return subject + ": " + u.Err.Error()
}

// Unwrap returns what is wrong.
func (u *Usage) Unwrap() error { return u.Err }

func usage(err error) error { return &Usage{Err: err} }

// Subject is a table with what is known of it: what a release is made of and judged by. It holds no file.
type Subject struct {
	Table         *table.Table // roles set, the class categorical
	File          study.File   // the file that the table was read from, or the name that a table in memory goes by
	Policy        *policy.Policy
	Profile       *profile.Profile
	Roles         []profile.Suggestion // one per column, in order
	Hierarchies   hierarchy.Set
	Relations     study.Relations    // what holds between columns
	Suppressed    []study.Suppressed // values of the table as it was read that are not in Table
	Rare          []study.Rare       // categories that fewer people have than Few, and that are in Table
	Few           int                // how many people have a value at least that need not be withheld
	Sensitive     string             // the itemsets and rules that are to be hidden, a line each; empty for none
	SensitiveFile string             // the file they come from; empty for none
	Noticed       []message.Sentence // what was noticed while the table was read and profiled
	Model         string             // the text of the information quality model, which fits the table; empty for none

	expanded *sync.Map // lists in which * stood, by what they were looked for: both are texts; nil keeps none
}

// ColumnRole gives a column a role. A column that is named more than once has all its roles.
type ColumnRole struct {
	Column string     `json:"column"`
	Role   table.Role `json:"role"`
}

// Declared is what is known of the columns of a table besides its policy.
type Declared struct {
	Roles []ColumnRole // of columns that the policy does not speak of; they win over what the profile suggests
	Keys  []string     // columns that held the rows of a record together: identifiers
	Brief bool         // a brief profile will do
	// Limits are those that releases must keep: their bound on kanonymity is how many people have a value at least that
	// need not be withheld, if it is above profile.Few. Nil where they are not known.
	Limits *limit.Set
}

// New profiles a table and sets its roles: those of the policy win over those declared, and these over what the profile
// suggests. The policy was applied to the table. Cost: that of the profile.
func New(ctx context.Context, t *table.Table, pol *policy.Policy, d Declared) (*Subject, error) {
	class, given := d.given(pol)
	profiled := profile.Of
	if d.Brief {
		profiled = profile.Brief
	}
	s := &Subject{Policy: pol, Few: fewOf(d.Limits), expanded: &sync.Map{}}
	known := func(t *table.Table) (err error) {
		if s.Profile, err = profiled(ctx, t); err == nil {
			s.Table, s.Roles, err = profile.Roles(t, s.Profile, class, given)
		}
		return err
	}
	if err := known(t); err != nil {
		return nil, err
	}
	if err := s.suppress(known); err != nil {
		return nil, err
	}
	if err := oneEach(s.Table); err != nil {
		return nil, err
	}
	return s, s.relate(ctx, d.Brief)
}

// suppress takes the values out of the table that a release must not show, and looks at what is left anew. A column
// that would have none left becomes an identifier.
func (s *Subject) suppress(known func(*table.Table) error) error {
	var t *table.Table
	if t, s.Suppressed = study.Suppress(s.Table, s.Policy.KeepsValues, s.Few); t != s.Table {
		if err := known(t); err != nil {
			return err
		}
	}
	for _, w := range s.Suppressed {
		if j := s.Table.Find(w.Column); w.Whole && !s.Roles[j].Given {
			s.Roles[j].Withhold()
			a := *s.Table.Attr(j)
			a.Role = s.Roles[j].Role
			s.Table = s.Table.WithAttr(j, a)
		}
	}
	s.Rare = study.FindRare(s.Table, func(column string) bool { return s.Policy.Columns[column].KeepText }, s.Few)
	return nil
}

// Withheld says which values are taken out of the table because they tell of one person or of a few. A column that
// holds nothing else stays where its role was given: a release with it is withheld.
func (s *Subject) Withheld() (out []message.Sentence) {
	for k := range s.Suppressed {
		w := &s.Suppressed[k]
		if j := s.Table.Find(w.Column); !w.Whole || s.Table.Attr(j).Role&table.Identifier != 0 {
			out = append(out, w.Says())
		}
	}
	if rare := study.SaysRare(s.Rare, s.Few); !rare.Empty() {
		out = append(out, rare)
	}
	return out
}

// Unlisted returns the subject with missing values instead of the category that stands for those that were taken out,
// where the values that a column may have do not list it.
func (s *Subject) Unlisted(lists func(column, value string) bool) *Subject {
	own := *s
	own.Table, own.Suppressed = study.Unlisted(s.Table, s.Suppressed, lists)
	return &own
}

// fewOf is how many people have a value at least that need not be withheld, by limits.
func fewOf(set *limit.Set) int {
	few := profile.Few
	if set == nil {
		return few
	}
	for _, l := range set.Limits {
		if l.Measure == "kanonymity" && l.Min != nil {
			few = max(few, int(math.Ceil(*l.Min)))
		}
	}
	return few
}

// relate finds what holds between columns, and checks what is declared to.
func (s *Subject) relate(ctx context.Context, brief bool) (err error) {
	if s.Relations.Declared, err = s.Policy.Declared(); err != nil {
		return usage(err)
	}
	if s.Relations.Shares, err = s.Policy.SharesOfSums(); err != nil {
		return usage(err)
	}
	for k := range s.Relations.Declared {
		r := &s.Relations.Declared[k]
		if _, err := r.On(s.Table); err != nil {
			return usage(fmt.Errorf("relation %q: %w", r, err))
		}
	}
	if brief || s.Table.Space() != nil {
		s.Relations.Large = !brief
		return nil
	}
	s.Relations.Wide = s.Table.Width() > relation.Widest
	doubted := func(orders []relation.Relation) {
		s.Relations.Doubted = slices.DeleteFunc(orders, func(r relation.Relation) bool {
			return slices.ContainsFunc(s.Relations.Declared, func(d relation.Relation) bool { return d.Equal(&r) })
		})
	}
	found, err := relation.Find(ctx, s.Table, relation.Options{Doubted: doubted})
	switch {
	case err != nil:
		return err
	case !s.Policy.FindsRelations():
		s.Relations.Loose = found
	default:
		s.Relations.Found = found
		s.imply()
	}
	return nil
}

// imply makes quasi-identifiers of the columns that follow from quasi-identifiers: who knows these knows them, too. A
// column with a role, or one that was given none, keeps what it has.
func (s *Subject) imply() {
	quasi := func(name string) bool {
		j := s.Table.Find(name)
		return j >= 0 && s.Table.Attr(j).Role&table.Quasi != 0
	}
	for _, i := range relation.Implied(s.Relations.All(), quasi) {
		j := s.Table.Find(i.Column)
		if r := &s.Roles[j]; r.Role == 0 && !r.Given {
			r.Follow(i.From)
			a := *s.Table.Attr(j)
			a.Role = r.Role
			s.Table = s.Table.WithAttr(j, a)
		}
	}
}

// given returns the class and the roles that are declared.
func (d *Declared) given(pol *policy.Policy) (class string, given map[string]table.Role) {
	class, given = pol.Class, pol.Roles()
	for _, key := range d.Keys {
		if _, ok := given[key]; !ok && key != "" {
			given[key] = table.Identifier
		}
	}
	for _, r := range d.Roles {
		if given[r.Column] = r.Role; r.Role&table.Class != 0 {
			class = r.Column
		}
	}
	for col := range given {
		if col != class {
			given[col] &^= table.Class
		}
	}
	return class, given
}

// Learnable returns an error that names the class when a tree has nothing to learn from it.
func (s *Subject) Learnable() error {
	if err := profile.CheckClass(s.Table); err != nil {
		return fmt.Errorf("%s: %w", s.File.Name, err)
	}
	return nil
}

// Anonymous returns the table without its identifiers, of which something must be left.
func (s *Subject) Anonymous() (*table.Table, error) {
	t := study.WithoutIdentifiers(s.Table)
	if t == nil {
		return nil, fmt.Errorf("%s: every column is an identifier", s.File.Name)
	}
	return t, nil
}

// WithHierarchies returns the subject with more value generalisation hierarchies, by column.
func (s *Subject) WithHierarchies(more hierarchy.Set) *Subject {
	all := hierarchy.Set{}
	maps.Copy(all, s.Hierarchies)
	maps.Copy(all, more)
	own := *s
	own.Hierarchies = all
	return &own
}
