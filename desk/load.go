package desk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/space"
	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// Source says where a table is, how it is read and what its columns are.
type Source struct {
	Path        string            `json:"-"`                       // of a file, or the address of a table in a database; "-" is Desk.In
	Query       string            `json:"query,omitempty"`         // what is read of the database that Path is the address of, where that names no table
	Class       string            `json:"class,omitempty"`         // the column that decision rules predict; empty takes the policy's
	Roles       []ColumnRole      `json:"roles,omitempty"`         // they win over the policy's, and those over what the profile suggests
	Policy      string            `json:"policy,omitempty"`        // path of a policy file; empty for none
	Encoding    string            `json:"encoding,omitempty"`      // of a text file, any name that text.Encoding knows; empty takes the policy's or finds it out
	Delimiter   string            `json:"delimiter,omitempty"`     // of a text file: comma, semicolon, tab, pipe, blank or one character; empty takes the policy's or finds it out
	Sheet       string            `json:"sheet,omitempty"`         // of a workbook; empty takes the policy's, or the first one that is not hidden
	Items       []string          `json:"items,omitempty"`         // layouts of sets of items, as package layout reads them; none takes the policy's
	KeepText    []string          `json:"keepText,omitempty"`      // columns of texts that stay although they look like names, contacts or free text: without a role, and accepted by the limits
	Missing     []string          `json:"missing,omitempty"`       // texts that mean missing besides the policy's or the default ones; column=text in that column only
	Merge       bool              `json:"mergeVariants,omitempty"` // make one of texts that differ only in how they are written; see profile.MergeVariants
	Dates       map[string]string `json:"dates,omitempty"`         // by column, the notation of its dates, such as dd/mm/yyyy; they win over the policy's
	Complete    bool              `json:"complete,omitempty"`      // leave out the records that miss any value
	Sensitive   string            `json:"sensitive,omitempty"`     // path of a list of itemsets and rules that are to be hidden, as basket.Coding.Patterns reads them; empty takes the policy's
	IQM         string            `json:"iqm,omitempty"`           // path of an information quality model, as quality.Parse reads it; empty takes the policy's
	Hierarchies map[string]string `json:"hierarchies,omitempty"`   // by column, the path of its value generalisation hierarchy, a CSV file as ARX writes it; they win over the policy's

	// Memory is how many bytes of memory the request may take; 0 for all there is. The columns of a file that takes more are on the disk, in the folder for temporary files.
	Memory int64 `json:"-"`
}

// reader is a source with how one request reads it.
type reader struct {
	Source
	space    *space.Space    // where the columns are; nil for the heap
	brief    bool            // a brief profile will do
	baskets  bool            // sets of items may be in the space
	unhashed bool            // File.SHA256 is left empty
	kept     *policy.Reading // how the table was read for a plan; nil when that is not known
}

// ColumnRole gives a column a role. A column that is named more than once has all its roles.
type ColumnRole = judge.ColumnRole

// Loaded is a table with what is known of it.
type Loaded struct {
	judge.Subject // its policy is empty when none was given
	Info          *format.Info
	Incomplete    int // records that were left out because they miss a value

	clipped  []string // what the policy set to an end of its domain
	recalled recalled
}

// Load reads a table, applies the policy, profiles the table and sets the roles. Its notes are those of Loaded.Notes, which are not told yet. Cost: O(bytes),
// and that of the profile.
func (d *Desk) Load(ctx context.Context, s Source) (*Loaded, error) {
	return d.load(ctx, reader{Source: s})
}

// load is Load in the way of a request.
func (d *Desk) load(ctx context.Context, s reader) (*Loaded, error) {
	l := &Loaded{}
	var err error
	if l.Policy, err = s.policy(); err != nil {
		return nil, err
	}
	if l.Policy, l.recalled, err = s.recall(l.Policy); err != nil {
		return nil, err
	}
	want := expected{kinds: l.Policy.Kinds()}
	sensitive, err := s.sensitive(l.Policy)
	if err != nil {
		return nil, err
	}
	if want.dates, err = s.dates(l.Policy); err != nil {
		return nil, err
	}
	t, info, err := d.read(ctx, s.Path, s, l.Policy, want)
	if err != nil {
		return nil, err
	}
	if err := s.datesOf(t); err != nil {
		return nil, err
	}
	if s.space != nil && !s.baskets && setValued(t) {
		return nil, tooLarge(nameOf(s.Path), "to do more with sets of items than to mine them")
	}
	l.Info, l.File = info, fileOf(s.Path, info, t)
	if s.Complete {
		t, l.Incomplete = complete(t)
	}
	l.clipped = l.Policy.Clipped(t)
	if t, err = l.Policy.Apply(t); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(s.Path), err)
	}
	if err := s.keepable(t); err != nil {
		return nil, err
	}
	if err := l.known(ctx, t, &s, sensitive); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(s.Path), err)
	}
	if err := l.readHierarchies(s.Source); err != nil {
		return nil, err
	}
	if err := l.small(&s); err != nil {
		return nil, err
	}
	return l, l.readModel(&s.Source)
}

// Notes returns what a reader of the table should know.
func (l *Loaded) Notes() []string {
	return append(dialect.Texts(l.Info.Notes), l.afterReading()...)
}

// afterReading is what there is to know besides what its reader said.
func (l *Loaded) afterReading() []string {
	notes := slices.Clone(l.clipped)
	if l.Incomplete > 0 {
		notes = append(notes, count(l.Incomplete)+" records with a missing value were left out")
	}
	return notes
}

// told loads a table and tells its notes.
func (d *Desk) told(ctx context.Context, s reader) (*Loaded, error) {
	l, err := d.load(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, n := range l.Notes() {
		d.note(n)
	}
	if n := l.ClassNote(); n.Text != "" {
		d.remark(n)
	}
	return l, nil
}

// policy reads the policy, with the class that the source names, and finds what will be wrong with it before the table is read.
func (s *Source) policy() (*policy.Policy, error) {
	p, err := parsePolicy(s.Policy)
	if err != nil {
		return nil, err
	}
	if err := foresee(p); err != nil {
		return nil, err
	}
	if name := s.namedClass(); name != "" && s.Policy != "" {
		p = p.WithClass(name)
	}
	return p, nil
}

// parsePolicy reads a policy file; an empty path is the empty policy.
func parsePolicy(path string) (*policy.Policy, error) {
	if path == "" {
		return &policy.Policy{}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return policy.Parse(path, data)
}

// foresee finds what will be wrong with a policy before the table is read.
func foresee(p *policy.Policy) error {
	ranges := maps.Clone(judge.OfReleases)
	for _, m := range catalog.Measures() {
		ranges[m.Name] = [2]float64{m.Range.Lo, m.Range.Hi}
	}
	if err := p.CheckThresholds(ranges); err != nil {
		return err
	}
	if p.Technique() == "" {
		return nil
	}
	m, err := catalog.Method(p.Technique())
	if err == nil {
		err = m.New().Params().Apply(p.Settings())
	}
	if err != nil {
		return p.MethodFault(err)
	}
	return nil
}

// namedClass returns the class that the source itself names, "" when it does not.
func (s *Source) namedClass() string {
	if s.Class != "" {
		return s.Class
	}
	for _, r := range s.Roles {
		if r.Role == table.Class {
			return r.Column
		}
	}
	return ""
}

// expected is what columns are to hold, by name; the others are as the file has them.
type expected struct {
	kinds map[string]table.Kind
	dates map[string]calendar.Notation
}

// dates are the notations of the policy and of the source, whose own win.
func (s *Source) dates(p *policy.Policy) (map[string]calendar.Notation, error) {
	out := p.Dates()
	for name, text := range s.Dates {
		n, err := calendar.Parse(text)
		if err != nil {
			return nil, &Usage{Field: "dates", Value: strconv.Quote(name + "=" + text), Err: err}
		}
		out[name] = n
	}
	return out, nil
}

// datesOf refuses notations of columns that the table lacks.
func (s *Source) datesOf(t *table.Table) error {
	for _, name := range slices.Sorted(maps.Keys(s.Dates)) {
		if t.Find(name) < 0 {
			return &Usage{Field: "dates", Err: fmt.Errorf("%s has no column %q%s", nameOf(s.Path), name, spelling.Hint(name, names(t)))}
		}
	}
	return nil
}

// names are those of the columns.
func names(t *table.Table) []string {
	out := make([]string, t.Width())
	for j := range out {
		out[j] = t.Attr(j).Name
	}
	return out
}

// read reads a file as it is, in the way of the source and its policy.
func (d *Desk) read(ctx context.Context, path string, s reader, pol *policy.Policy, want expected) (*table.Table, *format.Info, error) {
	opt := format.Options{Delimiter: byte(pol.Delimiter()), Encoding: cmp.Or(s.Encoding, pol.File.Encoding)}
	if _, err := text.Encoding(opt.Encoding); err != nil {
		return nil, nil, &Usage{Field: "encoding", Value: strconv.Quote(opt.Encoding), Err: err}
	}
	opt.Missing = s.marks(pol)
	var err error
	if opt.Items, err = s.layouts(pol); err != nil {
		return nil, nil, err
	}
	if s.Delimiter != "" {
		if opt.Delimiter, err = delimiter(s.Delimiter); err != nil {
			return nil, nil, err
		}
	}
	if path == s.Path { // a release has one sheet
		opt.Sheet = cmp.Or(s.Sheet, pol.File.Sheet)
	}
	p := d.begin("reading " + nameOf(path))
	defer p.End()
	opt.Progress, opt.Space, opt.Unhashed = p.Done, s.space, s.unhashed
	codes := s.codes(pol)
	opt.Kinds = maps.Clone(want.kinds)
	opt.Dates = maps.Clone(want.dates)
	maps.DeleteFunc(opt.Dates, func(name string, _ calendar.Notation) bool { return codes[name] != nil })
	maps.DeleteFunc(opt.Kinds, func(name string, _ table.Kind) bool { return codes[name] != nil }) // a code may be no number
	t, info, err := d.readAs(ctx, path, s.Source, opt)
	if err == nil && path == s.Path && s.Sheet != "" && info.Sheet == "" {
		err = &Usage{Field: "sheet", Err: fmt.Errorf("%s is no workbook", nameOf(path))}
	}
	if err == nil && len(codes) > 0 {
		t, err = reading.Blank(t, codes, want.kinds, want.dates, info)
	}
	if err == nil && (s.Merge || pol.File.Merge) {
		t, err = reading.Merge(t, info)
	}
	return t, info, err
}

func fileOf(path string, info *format.Info, t *table.Table) study.File {
	return study.File{Name: nameOf(path), SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
}

// known profiles the table, sets the roles, and keeps what is sensitive.
func (l *Loaded) known(ctx context.Context, t *table.Table, s *reader, sensitive string) error {
	d := judge.Declared{Class: s.Class, Roles: s.Roles, KeepText: s.KeepText, Brief: s.brief}
	for _, layout := range l.Info.Items { // what held the rows of a record together names it
		d.Keys = append(d.Keys, layout.ID)
	}
	of, err := judge.New(ctx, t, l.Policy, d)
	if err != nil {
		return err
	}
	of.File, of.Sensitive, of.SensitiveFile = l.File, sensitive, s.Sensitive
	l.Subject = *of
	return nil
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

// hierarchies are the paths of the value generalisation hierarchies of the policy and of the source, whose own win. A policy names its files from its
// own folder.
func (s *Source) hierarchies(p *policy.Policy) map[string]string {
	files := map[string]string{}
	for name, c := range p.Columns {
		if c.Hierarchy != "" {
			files[name] = besidePolicy(c.Hierarchy, s.Policy)
		}
	}
	maps.Copy(files, s.Hierarchies)
	return files
}

// inputs are the paths of all files that the table is read with and held against, told the limits that are asked for. A policy that cannot be read has
// no more of them: loading says what is wrong with it.
func (s *Source) inputs(limits string) []string {
	paths := []string{s.Path, s.Policy, s.Sensitive, s.IQM}
	p, err := parsePolicy(s.Policy)
	if err != nil {
		return paths
	}
	if path := limitsFile(limits, p, s.Policy); !slices.Contains(limit.Names(), path) && path != "" {
		if _, err := os.Stat(path); err == nil { // else it is a preset that was misspelt
			paths = append(paths, path)
		}
	}
	if p.IQM != "" {
		paths = append(paths, s.model(p))
	}
	for _, path := range p.Earlier {
		paths = append(paths, besidePolicy(path, s.Policy))
	}
	return slices.AppendSeq(paths, maps.Values(s.hierarchies(p)))
}

// besidePolicy is the path of a file that a policy names, from its own folder.
func besidePolicy(path, policy string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(policy), path)
}

// readHierarchies reads the value generalisation hierarchies.
func (l *Loaded) readHierarchies(s Source) error {
	for _, name := range slices.Sorted(maps.Keys(s.Hierarchies)) {
		if l.Table.Find(name) < 0 {
			return &Usage{Field: "hierarchy", Err: fmt.Errorf("%s has no column %q", l.File.Name, name)}
		}
	}
	files := s.hierarchies(l.Policy)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h, err := readHierarchy(name, files[name])
		if err != nil {
			return err
		}
		c := l.Table.Column(l.Table.Find(name))
		if values, records := h.Unlisted(&c); values > 0 {
			return fmt.Errorf("%s does not list %s of column %q, in %s; dither hierarchy writes a file that lists all of them", nameOf(files[name]),
				numeral.Counted(values, "value"), name, numeral.Counted(records, "record"))
		}
		if l.Hierarchies == nil {
			l.Hierarchies = hierarchy.Set{}
		}
		l.Hierarchies[name] = h
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
		return nil, fmt.Errorf("%s: %w", nameOf(path), err)
	}
	return h, nil
}
