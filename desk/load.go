package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// Source says where a table is, and what is decided of it.
type Source struct {
	Path   string        // of a file, or the address of a table in a database; "-" is Desk.In
	Policy string        // path of a policy file; empty for none
	Said   policy.Policy // what the caller says besides; it wins over the file (policy.With)

	// Memory is how many bytes of memory the request may take; 0 for all there is. The columns of a file that takes more
	// are on the disk, in the folder for temporary files.
	Memory int64
}

// Saying returns the source with more said, which wins over what is said already.
func (s Source) Saying(more policy.Policy) Source {
	s.Said = *s.Said.With(&more)
	return s
}

// reader is a source with how one request reads it.
type reader struct {
	Source
	pol      *policy.Policy  // what file and caller say; nil until it is read
	space    *mmap.Space     // where the columns are; nil for the heap
	brief    bool            // a brief profile will do
	declared bool            // of codes for missing values only those that are declared count
	baskets  bool            // sets of items may be in the space
	unhashed bool            // File.SHA256 is left empty
	key      string          // column that pairs the table with another: an identifier; empty for none
	kept     *policy.Reading // how the table was read for a plan; nil when that is not known

	sharded *Sharded // the table was read elsewhere; nil where it is read here
}

// Loaded is a table with what is known of it.
type Loaded struct {
	judge.Subject // its policy is what file and caller say
	Info          *format.Info
	NoValues      []reading.NoValue // what was read as missing because it cannot be a value
	Incomplete    int               // records that were left out because they miss a value

	unused   []reading.NoValue  // what would be read as missing if it were declared
	clipped  []message.Sentence // what the policy set to an end of its domain
	recalled recalled
}

// Load reads a table, applies the policy, profiles the table and sets the roles. Its notes are those of Loaded.Notes,
// which are not told yet. Cost: O(bytes), and that of the profile.
func (d *Desk) Load(ctx context.Context, s Source) (*Loaded, error) {
	return d.load(ctx, reader{Source: s})
}

// load is Load in the way of a request.
func (d *Desk) load(ctx context.Context, s reader) (*Loaded, error) {
	l := &Loaded{}
	var err error
	if s.pol == nil {
		if s.pol, err = s.policy(); err != nil {
			return nil, err
		}
	}
	l.Policy, l.recalled = s.recall(s.pol)
	sensitive, err := sensitiveOf(l.Policy)
	if err != nil {
		return nil, err
	}
	t, info, err := d.read(ctx, s.Path, s, l.Policy, expected{l.Policy.Kinds(), l.Policy.Dates(), l.Policy.Numbers()})
	if err != nil {
		return nil, err
	}
	if err := s.lacking(t); err != nil {
		return nil, err
	}
	if err := reading.Left(s.pol, t, info); err != nil {
		return nil, err
	}
	if err := reading.Doubt(l.Policy, t, info); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(s.Path), err)
	}
	if s.space != nil && !s.baskets && setValued(t) {
		return nil, tooLarge(nameOf(s.Path), "to do more with sets of items than to mine them")
	}
	if s.decodes() { // else the plan says which, or values stay as they were read
		if t, err = l.coded(t, info, &s); err != nil {
			return nil, err
		}
	}
	if t, l.Policy, err = reading.Cut(t, info, l.Policy); err != nil {
		return nil, err
	}
	l.Info, l.File = info, s.fileIs(info, t)
	if l.Policy.Complete {
		t, l.Incomplete = reading.Complete(t)
	}
	l.clipped = l.Policy.Clipped(t)
	if t, err = l.Policy.Apply(t); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(s.Path), err)
	}
	if err := l.known(ctx, t, &s, sensitive); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(s.Path), err)
	}
	l.Noticed = l.noticed()
	if err := l.readHierarchies(); err != nil {
		return nil, err
	}
	if err := l.small(&s); err != nil {
		return nil, err
	}
	return l, l.readModel()
}

// coded returns the table with missing values for what cannot be a value, unless only what is declared counts, and with
// dates.
func (l *Loaded) coded(t *table.Table, info *format.Info, s *reader) (_ *table.Table, err error) {
	if s.declared {
		l.unused = reading.NoValues(t, info, l.Policy)
	} else if t, l.Policy, l.NoValues, err = reading.Without(t, info, l.Policy); err != nil {
		return nil, err
	}
	t, l.Policy, err = reading.Dated(t, info, l.Policy)
	return t, err
}

// Notes returns what a reader of the table should know.
func (l *Loaded) Notes() []message.Sentence {
	notes := message.Texts(dialect.Texts(l.Info.Notes))
	for _, v := range l.NoValues {
		notes = append(notes, v.Says())
	}
	for _, v := range l.unused {
		notes = append(notes, v.Unused())
	}
	return append(notes, l.afterReading()...)
}

// noticed is what is told of the table besides what it holds.
func (l *Loaded) noticed() (out []message.Sentence) {
	out = l.Notes()
	for _, d := range l.doubts() {
		out = append(out, d.Says)
	}
	out = append(out, l.Withheld()...)
	out = append(out, l.Relations.Errors()...)
	return append(out, said(l.ClassNote().Says, l.leftOut(l.Policy.Pseudonymised()), l.weighing(), l.unrecognised())...)
}

// unlisted keeps to the values that the schema of a plan lists.
func (l *Loaded) unlisted(how *plan) {
	l.Subject = *l.Unlisted(study.Schema(how.columns()))
	l.Noticed = l.noticed()
}

// said are the sentences that say something.
func said(all ...message.Sentence) []message.Sentence {
	return slices.DeleteFunc(all, message.Sentence.Empty)
}

// afterReading is what there is to know besides what its reader said.
func (l *Loaded) afterReading() []message.Sentence {
	notes := slices.Clone(l.clipped)
	if l.Incomplete > 0 {
		notes = append(notes, message.Say("told.incomplete").Count("n", l.Incomplete))
	}
	return notes
}

// told loads a table and tells its notes.
func (d *Desk) told(ctx context.Context, s reader) (*Loaded, error) {
	l, err := d.load(ctx, s)
	if err != nil {
		return nil, err
	}
	if s.Memory > 0 && s.Memory < leastMemory {
		d.note(message.Say("told.memory").Count("least", leastMemory>>20))
	}
	for _, n := range l.Notes() {
		d.note(n)
	}
	if n := l.ClassNote(); !n.Says.Empty() {
		d.remark(n)
	}
	return l, nil
}

// policy is what the caller says laid over the policy file, with the intruders of the files that it names. What will be
// wrong with either is found before the table is read.
func (s *Source) policy() (*policy.Policy, error) {
	file, err := s.file()
	if err != nil {
		return nil, err
	}
	if err := foresee(file); err != nil {
		return nil, err
	}
	if err := s.sound(); err != nil {
		return nil, err
	}
	pol := reading.Described(file.With(&s.Said))
	if pol.Intruders, err = intrudersOf(pol); err != nil {
		return nil, err
	}
	return pol, nil
}

// file reads the policy file; an empty path is the empty policy.
func (s *Source) file() (*policy.Policy, error) {
	p, err := parsePolicy(s.Policy)
	if err != nil {
		return nil, err
	}
	return p.Beside(s.Policy), nil
}

// parsePolicy reads a policy file; an empty path is the empty policy.
func parsePolicy(path string) (*policy.Policy, error) {
	switch path {
	case "":
		return &policy.Policy{}, nil
	case standardInput:
		return nil, usage(errPipes)
	}
	if err := readable(path); err != nil {
		return nil, err
	}
	data, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	p, err := parsed(path, data)
	if err != nil {
		return nil, usage(err)
	}
	return p, nil
}

// lastParsed is the policy that was parsed last: a call reads its policy several times, and a long one takes a second.
// Nobody changes what Parse returns.
var lastParsed struct {
	sync.Mutex
	path   string
	data   []byte
	policy *policy.Policy
}

func parsed(path string, data []byte) (*policy.Policy, error) {
	l := &lastParsed
	l.Lock()
	defer l.Unlock()
	if l.policy != nil && l.path == path && bytes.Equal(l.data, data) {
		return l.policy, nil
	}
	p, err := policy.Parse(path, data)
	if err == nil {
		l.path, l.data, l.policy = path, data, p
	}
	return p, err
}

// sound refuses what a policy file could not say, and the caller does.
func (s *Source) sound() error {
	for _, name := range slices.Sorted(maps.Keys(s.Said.Columns)) {
		c := s.Said.Columns[name]
		for _, word := range c.Role {
			if role, err := table.ParseRole(word); err != nil {
				return &Usage{Field: "role", Value: strconv.Quote(name + "=" + word), Err: err}
			} else if c.KeepText && role&table.Identifier != 0 {
				return &Usage{Field: "keep-text", Value: strconv.Quote(name), Err: errors.New("it is given the role of an " +
					"identifier, which never reaches a release")}
			}
		}
		if _, err := calendar.Parse(c.Dates); c.Dates != "" && err != nil {
			return &Usage{Field: "dates", Value: strconv.Quote(name + "=" + c.Dates), Err: err}
		}
		if _, err := decimal.ParseNotation(c.Numbers); c.Numbers != "" && err != nil {
			return &Usage{Field: "numbers", Value: strconv.Quote(name + "=" + c.Numbers), Err: err}
		}
	}
	return nil
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

// expected is what columns are to hold, by name; the others are as the file has them.
type expected struct {
	kinds   map[string]table.Kind
	dates   map[string]calendar.Notation
	numbers map[string]decimal.Notation
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
func (d *Desk) read(
	ctx context.Context,
	path string,
	s reader,
	pol *policy.Policy,
	want expected,
) (*table.Table, *format.Info, error) {
	if s.sharded != nil {
		return s.sharded.Original, s.sharded.Info, nil
	}
	opt, err := reading.Options(pol)
	if err != nil {
		return nil, nil, err
	}
	query := pol.File.Query
	if path != s.Path { // a release has one sheet, and is no answer to a query
		opt.Sheet, query = "", ""
	} else if opt.Fixed, err = layoutOf(pol.File.Layout); err != nil {
		return nil, nil, err
	}
	p := d.begin(message.Say("work.reading").Name("file", nameOf(path)).String())
	defer p.End()
	opt.Progress, opt.Space, opt.Unhashed = p.Done, s.space, s.unhashed
	codes := reading.Codes(pol)
	opt.Kinds, opt.Dates, opt.Numbers = maps.Clone(want.kinds), maps.Clone(want.dates), maps.Clone(want.numbers)
	reading.Besides(&opt, codes) // a code may be no number
	t, info, err := d.begun(ctx, path, query, opt, path != s.Path)
	if err == nil && path == s.Path && s.Said.File.Sheet != "" && info.Sheet == "" {
		err = &Usage{Field: "sheet", Err: fmt.Errorf("%s is not a workbook", nameOf(path))}
	}
	if err == nil && len(codes) > 0 {
		t, err = reading.Blank(t, codes, format.Options{Kinds: want.kinds, Dates: want.dates, Numbers: want.numbers}, info)
	}
	if err == nil && pol.File.Merge {
		t, err = reading.Merge(t, info)
	}
	return t, info, err
}

// layoutOf returns what reads a text of fixed width by the file that says where its columns stand; nil where there is
// none.
func layoutOf(path string) (dialect.Reader, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Usage{Field: "layout", Value: path, Err: err}
	}
	read, err := dialect.Places(data)
	if err != nil {
		return nil, &Usage{Field: "layout", Value: path, Err: err}
	}
	return read, nil
}

// begun reads a table whose header is where the options say, or of another table than the original, at the top of the
// file, as a release has it.
func (d *Desk) begun(ctx context.Context, path, query string, opt format.Options, other bool) (
	t *table.Table, info *format.Info, err error) {
	if other && (opt.Skip > 0 || opt.Header == dialect.NoHeader) {
		top := opt
		top.Skip, top.Header = 0, dialect.GuessHeader
		if t, info, err = d.readAs(ctx, path, query, top); err == nil || path == standardInput { // which comes once
			return t, info, err
		}
	}
	return d.readAs(ctx, path, query, opt)
}

func fileOf(path string, info *format.Info, t *table.Table) study.File {
	return study.File{Name: nameOf(path), SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
}

// known profiles the table, sets the roles, and keeps what is sensitive.
func (l *Loaded) known(ctx context.Context, t *table.Table, s *reader, sensitive string) error {
	if s.key != "" && t.Find(s.key) < 0 {
		return &Usage{Field: "key", Value: s.key, Err: fmt.Errorf("%s has no such column", l.File.Name)}
	}
	d := judge.Declared{Brief: s.brief}
	if set, err := limitsOf(l.Policy); err == nil { // else a release says what is wrong with them
		d.Limits = set
	}
	for _, layout := range l.Info.Items { // what held the rows of a record together names it
		d.Keys = append(d.Keys, layout.ID)
	}
	d.Keys = append(d.Keys, s.key)
	of, err := judge.New(ctx, t, l.Policy, d)
	if err != nil {
		return err
	}
	of.File, of.Sensitive, of.SensitiveFile = l.File, sensitive, l.Policy.SensitiveFile
	l.Subject = *of
	return nil
}

// inputs are the paths of all files that the table is read with and held against. A policy that cannot be read has no
// more of them: loading says what is wrong with it.
func (s *Source) inputs() []string {
	paths := append([]string{s.Path, s.Policy}, s.Said.Paths()...)
	file, err := s.file()
	if err != nil {
		return paths
	}
	pol := file.With(&s.Said)
	if path := pol.Limits; path != "" && !slices.Contains(limit.Names(), path) {
		if _, err := os.Stat(path); err == nil { // else it is a preset that was misspelt
			paths = append(paths, path)
		}
	}
	return append(paths, pol.Paths()...)
}

// readHierarchies reads the value generalisation hierarchies.
func (l *Loaded) readHierarchies() error {
	files := l.Policy.Hierarchies()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h, err := readHierarchy(name, files[name])
		if err != nil {
			return err
		}
		if err := reading.Listed(h, l.Table, l.Table.Find(name), nameOf(files[name]), l.Info); err != nil {
			return usage(err)
		}
		if l.Hierarchies == nil {
			l.Hierarchies = hierarchy.Set{}
		}
		l.Hierarchies[name] = h
	}
	return nil
}

func readHierarchy(column, path string) (*hierarchy.Hierarchy, error) {
	text, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	h, err := hierarchy.Parse(column, bytes.NewReader(text))
	if err == nil {
		err = h.Check()
	}
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", nameOf(path), err))
	}
	return h, nil
}
