package desk

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/tabulation"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/cellkey"
)

// TabulateRequest asks for tables of counts and totals that go out together. Which, and how they are protected, is in
// the policy (policy.Tables).
type TabulateRequest struct {
	Source
	SeedFile string // path of the seed of keys and roundings
	Output   string // path of the cells in the long form, as CSV
	Page     string // path of a printable page; empty for none
	Report   string // path of a report for the custodian, a page; empty for none
	Record   string // path of the record of the run; empty for none
	SignKey  string // path of the key that signs it; empty for none
	Replace  bool   // outputs that exist
}

// Tabulated is what tables came to. It is confidential: what is published is in the files.
type Tabulated struct {
	Schema   string             `json:"schema"`
	Records  int                `json:"records"`
	Unit     string             `json:"unit"`   // the column that says whose a record is; empty counts records
	Tables   [][]string         `json:"tables"` // the columns of each
	Sums     []string           `json:"sums"`
	Method   string             `json:"method"`
	Rules    tabulate.Rules     `json:"rules"`
	Keys     cellkey.Params     `json:"keys"`     // of method cellkey
	Base     int                `json:"base"`     // of method rounding; else 0
	Distance int                `json:"distance"` // by how much rounding moved all counts together
	Nearest  int                `json:"nearest"`  // and by how much it does at least, where counts need not add up
	Cells    int                `json:"cells"`    // of all tables, without empty ones
	Unsafe   int                `json:"unsafe"`   // by the rules
	Left     int                `json:"left"`     // others that are left out
	Proofs   int                `json:"proofs"`   // intervals that a table like the true one was found for
	Open     int                `json:"open"`     // intervals without one
	Found    tabulation.Found   `json:"found"`    // by an intruder
	State    study.State        `json:"state"`
	Verdict  *study.Verdict     `json:"verdict"`
	Document *document.Document `json:"document"` // what text and report say
}

// tabulating is a request on its way.
type tabulating struct {
	*TabulateRequest
	l      *Loaded
	limits *limit.Set
	made   *tabulation.Made
	beside string // the digest of a release of records that goes out, too; empty for none
	out    *Tabulated
}

// Tabulate counts and sums records into tables, protects them as a whole, judges them, and writes what may be
// published. Tables that do not keep their limits are not written, nor are those that nothing judges, unless limits
// none were asked for by name; both come with a *Broken. Cost: that of reading, of the protection and of the attacks
// (study/tabulation).
func (d *Desk) Tabulate(ctx context.Context, q TabulateRequest) (*Tabulated, error) {
	pol, err := q.policy()
	if err != nil {
		return nil, err
	}
	if q.Output == "" {
		return nil, usage(errors.New("no file is named for the tables"))
	}
	plan, err := tabulation.Read(&pol.Tables)
	if err != nil {
		return nil, err
	}
	named := []word{{"person", plan.Person}}
	for _, name := range slices.Concat(append(plan.By, plan.Sums)...) {
		named = append(named, word{"by", name})
	}
	if err := q.misspelt(named...); err != nil {
		return nil, err
	}
	f := &files{reads: q.inputs(), seed: q.SeedFile, shown: []string{q.Output, q.Page, q.Report, q.Record},
		replace: q.Replace}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	t := &tabulating{TabulateRequest: &q}
	if t.limits, err = tabulation.Limits(&pol.Tables, wholefile.Read); err != nil {
		return nil, err
	}
	seed, err := d.seed(q.SeedFile)
	if err != nil {
		return nil, err
	}
	rec, err := d.newRecorder(q.Record, q.SignKey, "tabulate", recordKey(seed), rng.Commitment(seed))
	if err != nil {
		return nil, err
	}
	if rec != nil {
		f.sums = map[string]string{}
	}
	if t.l, err = d.Load(ctx, q.asTexts(plan)); err != nil {
		return nil, err
	}
	if err := t.protect(ctx, d, plan, rng.New(seed)); err != nil {
		return nil, err
	}
	return t.out, t.write(f, rec)
}

// asTexts is the source with the columns that tables are divided by, and that of persons, as texts.
func (q *TabulateRequest) asTexts(p *tabulation.Plan) Source {
	said := textual(append(slices.Concat(p.By...), p.Person)...)
	for _, name := range p.Sums {
		said.Columns[name] = policy.Column{Kind: table.Numeric.String()}
	}
	return q.Saying(said)
}

// protect makes the tables and judges them.
func (t *tabulating) protect(ctx context.Context, d *Desk, plan *tabulation.Plan, src rng.Source) error {
	q := &tabulation.Request{Plan: plan, Table: t.l.Table, Hierarchies: t.l.Hierarchies, Limits: t.limits, Source: src}
	if path := t.l.Policy.Tables.Beside; path != "" {
		want := expected{kinds: map[string]table.Kind{}}
		for _, name := range slices.Concat(plan.By...) {
			want.kinds[name] = table.Categorical
		}
		release, info, err := d.read(ctx, path, reader{Source: t.Source}, t.l.Policy, want)
		if err != nil {
			return err
		}
		q.Beside, t.beside = release, info.SHA256
	}
	p := d.begin(message.Say("work.tabulating").Count("n", t.l.Table.Rows()).String())
	defer p.End()
	var err error
	if t.made, err = q.Protect(ctx); err != nil {
		return err
	}
	if err := t.guard(d); err != nil {
		return err
	}
	t.out = t.summary()
	if plan.Method != tabulation.Suppression && t.SeedFile == "" {
		d.note(message.Say("told.tables.seed"))
	}
	return nil
}

// summary is what there is to say of the tables.
func (t *tabulating) summary() *Tabulated {
	m := t.made
	out := &Tabulated{Schema: schemaOf("tabulate"), Records: t.l.Table.Rows(), Unit: m.Unit, Tables: m.By, Sums: m.Sums,
		Method: m.Method, Rules: m.Rules, Keys: m.Keys, Base: m.Base, Cells: len(m.Set.Cells), Found: m.Found,
		State: m.Verdict.State, Verdict: m.Verdict, Document: report.TablesDocument(t.l.File.Name, m)}
	for _, unsafe := range m.Unsafe {
		if unsafe {
			out.Unsafe++
		}
	}
	if s := m.Solution; s != nil {
		out.Left, out.Proofs, out.Open = s.Secondary, s.Proofs, len(s.Open)
	}
	if r := m.Round; r != nil {
		out.Distance, out.Nearest = r.Distance, r.Nearest
	}
	return out
}

// broken is why the tables may not go out; nil where they may.
func (t *tabulating) broken() error {
	if v := t.made.Verdict; v.State != study.Unjudged || t.limits.Name == limit.None {
		return refusal(judge.Withheld(v, "the tables are withheld"))
	}
	return &Broken{Verdict: "the tables are not judged, so they may not go out", Unproven: true}
}

// write writes what may be published, and what is for the custodian.
func (t *tabulating) write(f *files, rec *recorder) error {
	b := t.broken()
	if b == nil {
		if err := f.add(t.Output, t.made.CSV); err != nil {
			return err
		}
		page := report.TablesPage(t.l.File.Name, t.made, t.grids())
		if err := f.add(t.Page, func(w io.Writer) error { return report.TablesHTML(w, page) }); err != nil {
			return err
		}
	}
	err := f.add(t.Report, func(w io.Writer) error { return report.TablesHTML(w, t.out.Document) })
	if err == nil {
		err = t.record(f, rec)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.place(), b)
}
