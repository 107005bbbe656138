package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// input is the flags that say how a table is read and what its columns are.
type input struct {
	class     string
	roles     []string
	policy    string
	delimiter string
	missing   []string
	complete  bool
	trees     []string // value generalisation hierarchies, column=file
}

// hierarchyFlag adds the flag for the verbs that generalise or judge what was generalised.
func (f *input) hierarchyFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.trees, "hierarchy", nil, "the value generalisation hierarchy of a column: `column=file`, a CSV file as ARX writes it; may be repeated")
}

func (f *input) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.class, "class", "", "the column that decision rules predict")
	fl.StringArrayVar(&f.roles, "role", nil, "set a column's role: `column=role`, role one of identifier, quasi-identifier, confidential, class, weight, other; may be repeated")
	fl.StringVar(&f.policy, "policy", "", "read roles, domains, technique and thresholds from a policy `file` (YAML)")
	fl.StringVar(&f.delimiter, "delimiter", "", "separator of a text file: comma, semicolon, tab, pipe or one character (default: found out)")
	fl.StringArrayVar(&f.missing, "missing", nil, "a `text` that means missing; may be repeated (default: empty, ?, NA, NaN)")
	fl.BoolVar(&f.complete, "complete", false, "leave out records that miss any value")
}

// loaded is a table with what is known of it.
type loaded struct {
	table       *table.Table // roles set, the class categorical
	info        *format.Info
	file        study.File
	policy      *policy.Policy // empty when none was given
	profile     *profile.Profile
	suggestions []profile.Suggestion
	incomplete  int // records left out by --complete
	hierarchies hierarchy.Set
}

// read reads a file as it is; kinds may force column kinds.
func (a *app) read(ctx context.Context, path string, f *input, pol *policy.Policy, kinds map[string]table.Kind) (*table.Table, *format.Info, error) {
	opt := format.Options{Kinds: kinds, Delimiter: byte(pol.Delimiter())}
	for _, m := range pol.File.Missing {
		opt.Missing = append(opt.Missing, string(m))
	}
	if f.delimiter != "" {
		d, err := delimiter(f.delimiter)
		if err != nil {
			return nil, nil, err
		}
		opt.Delimiter = d
	}
	if f.missing != nil {
		opt.Missing = f.missing
	}
	p := a.progress("reading " + base(path))
	defer p.finish()
	opt.Progress = p.bytes
	if path == "-" {
		return format.ReadFrom(ctx, "standard input", a.in, opt)
	}
	return format.Read(ctx, path, opt)
}

func delimiter(flag string) (byte, error) {
	switch strings.ToLower(flag) {
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab", `\t`, "\t":
		return '\t', nil
	case "pipe":
		return '|', nil
	}
	if len(flag) != 1 || flag[0] == '"' || flag[0] == '\n' || flag[0] == '\r' || flag[0] >= 0x80 {
		return 0, usageError{fmt.Errorf("--delimiter %q: expected comma, semicolon, tab, pipe or one character", flag)}
	}
	return flag[0], nil
}

// load reads a table, applies the policy, profiles it and sets the roles.
func (a *app) load(ctx context.Context, path string, f *input) (*loaded, error) {
	l := &loaded{policy: &policy.Policy{}}
	if f.policy != "" {
		data, err := os.ReadFile(f.policy)
		if err != nil {
			return nil, err
		}
		if l.policy, err = policy.Parse(f.policy, data); err != nil {
			return nil, err
		}
		if err := foresee(l.policy); err != nil {
			return nil, err
		}
		if name := f.namedClass(); name != "" {
			l.policy = l.policy.WithClass(name)
		}
	}
	t, info, err := a.read(ctx, path, f, l.policy, l.policy.Kinds())
	if err != nil {
		return nil, err
	}
	l.info = info
	l.file = study.File{Name: base(path), SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
	if f.complete {
		t, l.incomplete = complete(t)
	}
	if t, err = l.policy.Apply(t); err != nil {
		return nil, fmt.Errorf("%s: %w", base(path), err)
	}
	if err := l.roles(ctx, t, f); err != nil {
		return nil, fmt.Errorf("%s: %w", base(path), err)
	}
	return l, l.readHierarchies(f)
}

// namedClass returns the class that a flag names, "" when none does.
func (f *input) namedClass() string {
	if f.class != "" {
		return f.class
	}
	for _, r := range f.roles {
		if at := strings.LastIndexByte(r, '='); at > 0 && strings.TrimSpace(r[at+1:]) == table.Class.String() {
			return r[:at]
		}
	}
	return ""
}

// foresee finds what will be wrong with a policy before the table is read.
func foresee(p *policy.Policy) error {
	ranges := map[string][2]float64{}
	for _, m := range catalog.Measures() {
		ranges[m.Name] = [2]float64{m.Range.Lo, m.Range.Hi}
	}
	if err := p.CheckThresholds(ranges); err != nil {
		return err
	}
	if p.Method.Name == "" {
		return nil
	}
	m, err := catalog.Method(p.Method.Name)
	if err == nil {
		err = m.New().Params().Apply(p.Method.Settings())
	}
	if err != nil {
		return p.MethodFault(err)
	}
	return nil
}

// learnable returns an error that names the class when a tree has nothing to learn from it.
func (l *loaded) learnable() error {
	if err := profile.CheckClass(l.table); err != nil {
		return fmt.Errorf("%s: %w", l.file.Name, err)
	}
	return nil
}

// roles profiles the table and sets the roles: flags win over the policy, the policy over what the profile suggests.
func (l *loaded) roles(ctx context.Context, t *table.Table, f *input) error {
	given := l.policy.Roles()
	class := l.policy.Class
	flagged := map[string]bool{}
	for _, r := range f.roles {
		at := strings.LastIndexByte(r, '=') // a column's name may hold one
		ok := at > 0
		col, name := r[:max(0, at)], r[at+1:]
		role, err := table.ParseRole(strings.TrimSpace(name))
		if !ok || err != nil {
			return usageError{fmt.Errorf("--role %q: expected column=role with a role of %s", r, strings.Join(table.RoleNames(), ", "))}
		}
		if given == nil {
			given = map[string]table.Role{}
		}
		if !flagged[col] {
			given[col] = 0 // flags win over the policy
		}
		flagged[col] = true
		given[col] |= role
		if role&table.Class != 0 {
			class = col
		}
	}
	if f.class != "" {
		class = f.class
	}
	for col := range given {
		if col != class {
			given[col] &^= table.Class
		}
	}
	var err error
	if l.profile, err = profile.Of(ctx, t); err != nil {
		return err
	}
	l.table, l.suggestions, err = profile.Roles(t, l.profile, class, given)
	return err
}

// complete leaves out the records that miss a value and says how many.
func complete(t *table.Table) (*table.Table, int) {
	var rows []int
	for i := range t.Rows() {
		whole := true
		for j := 0; j < t.Width() && whole; j++ {
			whole = !t.MissingAt(i, j)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	if len(rows) == t.Rows() {
		return t, 0
	}
	return t.Gather(rows), t.Rows() - len(rows)
}

// remarks prints what a reader of the table should know.
func (l *loaded) remarks(a *app) {
	for _, n := range l.info.Notes {
		say(a.err, "note: %s", printable(n))
	}
	if l.incomplete > 0 {
		say(a.err, "note: %s records with a missing value were left out", thousands(l.incomplete))
	}
}

func base(path string) string {
	if path == "-" {
		return "standard input"
	}
	return filepath.Base(path)
}

// sets splits parameters written as name=value; with dotted names, measure.name=value.
func sets(flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range flags {
		k, v, ok := strings.Cut(s, "=")
		if !ok || k == "" {
			return nil, usageError{fmt.Errorf("--set %q: expected name=value", s)}
		}
		if _, dup := out[k]; dup {
			return nil, usageError{fmt.Errorf("--set %q: %s is set twice", s, k)}
		}
		out[k] = v
	}
	return out, nil
}
