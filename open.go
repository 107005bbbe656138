package dither

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// Source is where a table comes from: File, Reader or Memory.
type Source struct {
	name string
	read func(ctx context.Context, opt format.Options) (*table.Table, *format.Info, error)
}

// File is a table in a file, in any format whose package is imported (text formats always are; format/all has the
// rest), or at the address of a database whose driver registered itself.
func File(path string) Source {
	name := filepath.Base(path)
	if strings.Contains(path, "://") {
		name = "the database"
	}
	return Source{name, func(ctx context.Context, opt format.Options) (*table.Table, *format.Info, error) {
		if d, ok := database.DriverOf(path); ok {
			return d.Read(ctx, path, opt)
		}
		if err := database.Unknown(path); err != nil {
			return nil, nil, err
		}
		return format.Read(ctx, path, opt)
	}}
}

// Reader is a table that is read from elsewhere. The name says the format and stands in messages.
func Reader(name string, r io.Reader) Source {
	return Source{name, func(ctx context.Context, opt format.Options) (*table.Table, *format.Info, error) {
		return format.ReadFrom(ctx, name, r, opt)
	}}
}

// Memory is a table that is in memory already. The name stands in messages. Roles that its columns have win over those
// that the profile suggests, and those of the policy over both.
func Memory(name string, t *table.Table) Source {
	return Source{name, func(_ context.Context, opt format.Options) (*table.Table, *format.Info, error) {
		info := &format.Info{}
		left, err := opt.Without(t, info)
		return left, info, err
	}}
}

var errQuery = errors.New("the policy puts a query to a database (file, query), and Open reads tables: name the " +
	"table in the address")

var errNoSource = errors.New("there is no source to open: use File, Reader or Memory")

// Data is a table with what is known of it: its policy, the roles of its columns, and what was noticed while it was
// read. It is as confidential as the table, and safe for concurrent use.
type Data struct {
	subject *judge.Subject
	info    *format.Info
	of      *Release // whose records these are; nil for a table that was opened
}

// Open reads a table by a policy, which says what its columns are and, for Protect, by which technique and limits it is
// to be released. A nil policy leaves all of that to the defaults. Files that the policy names (hierarchies, a quality
// model) are read, too. Cost: O(bytes), and that of the profile.
func Open(ctx context.Context, s Source, pol *policy.Policy) (*Data, error) {
	if pol == nil {
		pol = &policy.Policy{Version: 1}
	}
	if s.read == nil {
		return nil, errNoSource
	}
	if pol.File.Query != "" {
		return nil, errQuery
	}
	opt, err := reading.Options(pol)
	if err != nil {
		return nil, err
	}
	if opt.Fixed, err = fixedWidth(pol.File.Layout); err != nil {
		return nil, err
	}
	t, info, err := s.read(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := reading.Left(pol, t, info); err != nil {
		return nil, err
	}
	return known(ctx, s.name, t, info, reading.Described(pol))
}

// fixedWidth returns what reads a text of fixed width by the file that says where its columns stand; nil for no file.
func fixedWidth(path string) (dialect.Reader, error) {
	if path == "" {
		return nil, nil
	}
	text, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	read, err := dialect.Places(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return read, nil
}

// known profiles a table that was read, and reads what else its policy names.
func known(ctx context.Context, name string, t *table.Table, info *format.Info, pol *policy.Policy) (*Data, error) {
	fail := func(err error) (*Data, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	roles := rolesOf(t, pol)
	t, err := reading.After(t, info, pol)
	if err == nil {
		err = reading.Doubt(pol, t, info)
	}
	if err != nil {
		return fail(err)
	}
	t, pol, found, err := reading.Without(t, info, pol)
	if err != nil {
		return fail(err)
	}
	for _, v := range found {
		info.Note(v.Says())
	}
	if t, pol, err = reading.Dated(t, info, pol); err == nil {
		t, pol, err = reading.Cut(t, info, pol)
	}
	if err != nil {
		return fail(err)
	}
	file := study.File{Name: name, SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
	if pol.Complete {
		t = complete(t, info)
	}
	if t, err = pol.Apply(t); err != nil {
		return fail(err)
	}
	if pol, err = withFiles(pol); err != nil {
		return fail(err)
	}
	declared := judge.Declared{Roles: roles}
	if set, err := limitsOf(pol); err == nil { // else a release says what is wrong with them
		declared.Limits = set
	}
	for _, l := range info.Items {
		declared.Keys = append(declared.Keys, l.ID)
	}
	d := &Data{info: info}
	if d.subject, err = judge.New(ctx, t, pol, declared); err != nil {
		return fail(err)
	}
	d.subject.Noticed = d.noticed()
	d.subject.File, d.subject.Sensitive = file, strings.Join(reading.Texts(pol.Sensitive), "\n")
	if err := d.readModel(); err != nil {
		return fail(err)
	}
	set, err := d.readHierarchies()
	if err == nil {
		d, err = d.with(set)
	}
	if err != nil {
		return fail(err)
	}
	return d, nil
}

// complete leaves out the records that miss a value, and tells how many.
func complete(t *table.Table, info *format.Info) *table.Table {
	t, left := reading.Complete(t)
	if left > 0 {
		info.Note(message.Say("told.incomplete").Count("n", left))
	}
	return t
}

// noticed is what was noticed of the table while it was read and profiled.
func (d *Data) noticed() (out []message.Sentence) {
	for _, n := range d.info.Notes {
		out = append(out, n.Says)
	}
	out = append(out, d.subject.Withheld()...)
	for _, doubt := range d.subject.Profile.Doubts() {
		out = append(out, doubt.Says)
	}
	return out
}

// unlisted returns the data with missing values for the category that stands for those that were taken out, where the
// values that a column may have do not list it.
func (d *Data) unlisted(lists func(column, value string) bool) *Data {
	own := *d
	own.subject = d.subject.Unlisted(lists)
	own.subject.Noticed = own.noticed()
	return &own
}

// withFiles returns the policy with what stands in files that it names: patterns that are to be hidden, and intruders.
func withFiles(pol *policy.Policy) (*policy.Policy, error) {
	own := *pol
	if pol.SensitiveFile != "" {
		text, err := wholefile.Read(pol.SensitiveFile)
		if err != nil {
			return nil, err
		}
		own.Sensitive = []policy.Text{policy.Text(text)}
	}
	own.Intruders = nil
	for _, path := range pol.IntruderFiles {
		text, err := wholefile.Read(path)
		if err != nil {
			return nil, err
		}
		p, err := policy.Parse(path, text)
		if err != nil {
			return nil, err
		}
		own.Intruders = append(own.Intruders, p.Intruders...)
	}
	if own.Intruders = append(own.Intruders, pol.Intruders...); own.Intruders == nil {
		own.Intruders = pol.Intruders // none, or an empty list
	}
	return &own, nil
}

// rolesOf are the roles that the columns of a table in memory have and the policy does not speak of.
func rolesOf(t *table.Table, pol *policy.Policy) (out []judge.ColumnRole) {
	given := pol.Roles()
	for _, a := range t.Attrs() {
		if _, ok := given[a.Name]; a.Role != 0 && !ok && (a.Role&table.Class == 0 || pol.Class == "" || pol.Class == a.Name) {
			out = append(out, judge.ColumnRole{Column: a.Name, Role: a.Role})
		}
	}
	return out
}

// readHierarchies reads the value generalisation hierarchies that the policy names.
func (d *Data) readHierarchies() (hierarchy.Set, error) {
	set := hierarchy.Set{}
	for _, name := range d.columns() {
		path := d.subject.Policy.Columns[name].Hierarchy
		if path == "" {
			continue
		}
		text, err := wholefile.Read(path)
		if err != nil {
			return nil, err
		}
		h, err := hierarchy.Parse(name, bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		set[name] = h
	}
	return set, nil
}

// columns are the names of the columns that the policy speaks of, sorted.
func (d *Data) columns() (names []string) {
	for name := range d.subject.Policy.Columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// with returns the data with more hierarchies, which must list every value of their columns. The data stay as they are.
func (d *Data) with(more hierarchy.Set) (*Data, error) {
	if len(more) == 0 {
		return d, nil
	}
	d = d.unlisted(func(column, value string) bool {
		h := more[column]
		return h == nil || h.Numeric() || slices.Contains(h.Labels(0), value)
	})
	for _, name := range slices.Sorted(maps.Keys(more)) {
		j := d.subject.Table.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("a hierarchy is for column %q, which is not in the table", name)
		}
		if err := reading.Listed(more[name], d.subject.Table, j, "the hierarchy", d.info); err != nil {
			return nil, err
		}
	}
	return &Data{subject: d.subject.WithHierarchies(more), info: d.info, of: d.of}, nil
}

// readModel reads the information quality model that the policy names.
func (d *Data) readModel() error {
	path := d.subject.Policy.IQM
	if path == "" {
		return nil
	}
	text, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	m, err := quality.Parse(path, text)
	if err == nil {
		err = m.Fit(d.subject.Table.Attrs())
	}
	d.subject.Model = string(text)
	return err
}

// Table returns the table, with its roles. It must not be changed.
func (d *Data) Table() *table.Table { return d.subject.Table }

// Policy returns the policy that the table was opened by. It must not be changed.
func (d *Data) Policy() *policy.Policy { return d.subject.Policy }

// Inspection is what a table shows before anything is done to it. It is as confidential as the table.
type Inspection struct {
	Profile  *profile.Profile
	Roles    []profile.Suggestion // one for each column, in order, with the reason in words
	Exposure *profile.Exposure    // who stands alone by the quasi-identifiers
	Notes    []string             // what was noticed while the table was read
}

// Inspect says what the columns of a table hold, which roles they are taken to have, and how many people stand alone.
// Cost: that of partitioning the records by sets of quasi-identifiers.
func Inspect(ctx context.Context, d *Data) (*Inspection, error) {
	e, err := profile.Expose(ctx, d.subject.Table)
	if err != nil {
		return nil, err
	}
	return &Inspection{
		Profile:  d.subject.Profile,
		Roles:    d.subject.Roles,
		Exposure: e,
		Notes:    dialect.Texts(d.info.Notes),
	}, nil
}
