package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

type evaluateFlags struct {
	input
	intruders
	measures, set                   []string
	holdout, plan, report, seedFile string
	public, unpaired, force, json   bool
}

func (a *app) evaluate() *cobra.Command {
	f := &evaluateFlags{}
	c := &cobra.Command{
		Use:   "evaluate ORIGINAL RELEASED",
		Short: "measure what a release is still worth",
		Long: `evaluate compares a release with its original: whether the decision rules survived, what a classifier learned from the
release is worth, how means and correlations moved, and, with the plan, whether every record is inside its segment.`,
		Example: `  dither evaluate patients.csv release.csv --class diagnosis
  dither evaluate patients.csv release.csv --class diagnosis --measure accuracy --set accuracy.minLeaf=50 --holdout newer.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return a.runEvaluate(c.Context(), args[0], args[1], f) },
	}
	f.flags(c)
	return c
}

func (f *evaluateFlags) flags(c *cobra.Command) {
	f.input.flags(c)
	f.hierarchyFlag(c)
	f.intruders.flags(c)
	fl := c.Flags()
	fl.StringArrayVar(&f.measures, "measure", nil, "take this measure; may be repeated (default: all; \"dither measures\" lists them)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter: `measure.name=value`; may be repeated")
	fl.StringVar(&f.holdout, "holdout", "", "a `file` of records that are in neither table")
	fl.StringVar(&f.plan, "plan", "", "the plan `file` the release was made with")
	fl.StringVar(&f.report, "report", "", "write a report to this HTML `file`")
	fl.StringVar(&f.seedFile, "seed-file", "", "read the seed of sampled measures from this `file`, or write a fresh one there")
	fl.BoolVar(&f.unpaired, "unpaired", false, "the release is in another order: take only measures that need no pairs")
	fl.BoolVar(&f.public, "public", false, "make the report fit to publish")
	fl.BoolVar(&f.force, "force", false, "overwrite a report that exists")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
}

// specs finds the measures and their parameters.
func (f *evaluateFlags) specs() ([]study.Spec, error) {
	set, err := sets(f.set)
	if err != nil {
		return nil, err
	}
	var chosen []measure.Measure
	for _, n := range f.measures {
		m, err := catalog.Measure(n)
		if err != nil {
			return nil, usageError{err}
		}
		if !slices.ContainsFunc(chosen, func(c measure.Measure) bool { return c.Name == m.Name }) {
			chosen = append(chosen, m)
		}
	}
	if chosen == nil {
		chosen = catalog.Measures()
	}
	specs := make([]study.Spec, len(chosen))
	for i, m := range chosen {
		specs[i] = study.Spec{Measure: m, Set: map[string]string{}}
	}
	for k, v := range set {
		name, par, _ := strings.Cut(k, ".")
		used := false
		for _, s := range specs {
			if s.Measure.Answers(name) {
				s.Set[par] = v
				used = true
			}
		}
		if !used {
			return nil, usageError{fmt.Errorf("--set %s: expected measure.name=value with a measure that is taken", k)}
		}
	}
	for _, s := range specs {
		if err := s.Measure.New().Params().Apply(s.Set); err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", s.Measure.Name, err)}
		}
	}
	return specs, nil
}

func (a *app) runEvaluate(ctx context.Context, original, released string, f *evaluateFlags) error {
	o, l, err := a.measured(ctx, original, released, f)
	if err != nil {
		return err
	}
	if f.json {
		err = printJSON(a.out, evaluateDoc(o))
	} else {
		if err = report.Text(a.out, o); err == nil && f.report != "" {
			say(a.out, "\nreport       %s", f.report)
		}
	}
	if err != nil {
		return err
	}
	return gate(l.policy, o.Measures, len(f.measures) == 0, "the release breaks the policy")
}

// measured reads both tables, takes the measures against every intruder and writes the report.
func (a *app) measured(ctx context.Context, original, released string, f *evaluateFlags) (*study.Outcome, *loaded, error) {
	fail := func(err error) (*study.Outcome, *loaded, error) { return nil, nil, err }
	specs, err := f.specs()
	if err != nil {
		return fail(err)
	}
	declared, err := f.declared()
	if err != nil {
		return fail(err)
	}
	if f.public && f.report == "" {
		return fail(usageError{fmt.Errorf("--public is about the report; name one with --report FILE")})
	}
	if err := free(f.report, f.force, append([]string{original, released, f.holdout, f.plan, f.policy, f.seedFile}, f.files...)...); err != nil {
		return fail(err)
	}
	l, err := a.load(ctx, original, &f.input)
	if err != nil {
		return fail(err)
	}
	l.remarks(a)
	o := &study.Outcome{Version: version(), OriginalFile: l.file}
	r, err := a.pair(ctx, l, released, f, o)
	if err != nil {
		return fail(err)
	}
	list, err := against(declared, l.policy, l.table.Attrs(), r.Original.Attrs())
	if err != nil {
		return fail(err)
	}
	s, err := seed(f.seedFile)
	if err != nil {
		return fail(err)
	}
	bar := a.progress("measuring")
	o.Measures, err = study.Evaluate(ctx, r, study.Against(specs, list), rng.New(s).Fork("evaluate"), func(done, total int, _ string) { bar.steps(done, total) })
	bar.finish()
	if err != nil {
		return fail(err)
	}
	o.NotProtected = study.Limits(o)
	if f.report != "" {
		if err := writeReport(f.report, o, f.public); err != nil {
			return fail(err)
		}
	}
	return o, l, nil
}

// pair reads the released table and the hold-out and lines them up with the original.
func (a *app) pair(ctx context.Context, l *loaded, released string, f *evaluateFlags, o *study.Outcome) (*measure.Release, error) {
	orig := study.WithoutIdentifiers(l.table)
	if orig == nil {
		return nil, fmt.Errorf("%s: every column is an identifier", l.file.Name)
	}
	how, err := f.planned()
	if err != nil {
		return nil, err
	}
	g, kinds, err := l.recoding(how, orig)
	if err != nil {
		return nil, err
	}
	exact := numericKinds(orig)
	read := func(path string, kinds map[string]table.Kind) (*table.Table, *study.File, error) {
		t, info, err := a.read(ctx, path, &f.input, l.policy, kinds)
		if err != nil {
			return nil, nil, err
		}
		file := &study.File{Name: base(path), SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
		if f.complete && t.Rows() != orig.Rows() { // a release of complete records may have lost values to suppression
			t, _ = complete(t)
		}
		return only(t, orig, l.table), file, nil
	}
	rel, file, err := read(released, kinds)
	if err != nil {
		if how == nil && strings.Contains(err.Error(), "something else than a number") {
			err = fmt.Errorf("%w; a release that generalises needs its plan (--plan) or its hierarchies (--hierarchy)", err)
		}
		return nil, err
	}
	o.ReleasedFile = *file
	var hold *table.Table
	if f.holdout != "" {
		if hold, o.HoldoutFile, err = read(f.holdout, exact); err != nil {
			return nil, err
		}
	}
	if g == nil && len(l.hierarchies) > 0 {
		g = study.ByLabels(l.hierarchies, rel)
	}
	r, missing, err := study.Pair(orig, rel, hold, g)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		say(a.err, "note: the release lacks %s; these columns are not compared", strings.Join(missing, ", "))
	}
	if !r.Paired {
		say(a.err, "note: the tables differ in length (%s and %s), so measures of single records are not taken",
			thousands(orig.Rows()), thousands(rel.Rows()))
	}
	if r.Paired && !f.unpaired && f.plan == "" {
		say(a.err, "note: row i of the release is taken for row i of the original; a release in another order needs --unpaired")
	}
	if f.unpaired {
		r.Paired = false
	}
	a.order(r, how)
	r.Hierarchies = l.hierarchies
	if err := f.known(r, how, o); err != nil {
		return nil, err
	}
	o.Original, o.Released, o.Generalised = r.Original, r.Released, r.Exact != nil
	if o.Method == nil {
		o.Changes = study.Differences(r)
	}
	return r, nil
}

// made is the plan a release was made with.
type made struct {
	file *protect.File
	plan protect.Plan
}

// planned reads the plan; nil when none was given.
func (f *evaluateFlags) planned() (*made, error) {
	if f.plan == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.plan)
	if err != nil {
		return nil, err
	}
	file, plan, err := protect.Decode(data, func(name string) (protect.Method, bool) {
		m, err := catalog.Method(name)
		return m, err == nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.plan, err)
	}
	return &made{file, plan}, nil
}

// known tells the release how it was made.
func (f *evaluateFlags) known(r *measure.Release, how *made, o *study.Outcome) error {
	if how == nil {
		return nil
	}
	if err := study.WithPlan(r, how.plan); err != nil {
		return fmt.Errorf("%s: %w", f.plan, err)
	}
	m, err := catalog.Method(how.file.Method)
	if err != nil {
		return err
	}
	o.Method, o.Params, o.Shuffled = &m.Card, how.file.Params, how.file.Shuffled
	o.Changes = study.Described(r, how.plan)
	if !f.public {
		o.Corrections = study.Corrections(how.plan)
	}
	return nil
}

// order sees by what the plan says and by the columns it leaves alone whether row i of the release can be row i of the original. Rows of a release in
// another order are not compared: everybody would look safe.
func (a *app) order(r *measure.Release, how *made) {
	if how == nil || !r.Paired {
		return
	}
	if how.file.Shuffled {
		r.Paired = false
		say(a.err, "note: the plan says that the release was shuffled, so measures of single records are not taken")
		return
	}
	names, reordered := study.Strays(r, how.plan)
	switch {
	case len(names) == 0:
	case reordered:
		r.Paired = false
		say(a.err, "note: the plan leaves %s alone, and the release has the same values in another order: rows are not compared, and measures of single records not taken", strings.Join(names, ", "))
	default:
		say(a.err, "note: the plan leaves %s alone, but the release has other values: it may be the release of another plan or table", strings.Join(names, ", "))
	}
}

// recoding returns how a release generalises, nil when it does not, and the kinds of the released columns.
func (l *loaded) recoding(how *made, orig *table.Table) (g study.Recoding, kinds map[string]table.Kind, err error) {
	kinds = numericKinds(orig)
	if how != nil {
		if r, ok := how.plan.(protect.Recoder); ok {
			empty, err := orig.Slice(0, 0).Conform(how.plan.Schema(), true)
			if err == nil {
				empty, err = r.Recode(empty)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("the table does not fit the plan: %w", err)
			}
			for j := range empty.Width() {
				kinds[empty.Attr(j).Name] = empty.Attr(j).Kind
			}
			return r, kinds, nil
		}
	}
	for name := range l.hierarchies {
		kinds[name] = table.Categorical
	}
	return nil, kinds, nil
}

// numericKinds are the numeric columns of a table: a released column must not be read as categories because it is short.
func numericKinds(t *table.Table) map[string]table.Kind {
	kinds := map[string]table.Kind{}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric {
			kinds[a.Name] = table.Numeric
		}
	}
	return kinds
}

// only leaves out the columns that are identifiers of the original.
func only(t, orig, whole *table.Table) *table.Table {
	var cols []int
	for j := range t.Width() {
		n := t.Attr(j).Name
		if orig.Find(n) >= 0 || whole.Find(n) < 0 {
			cols = append(cols, j)
		}
	}
	return t.Select(cols...)
}

func evaluateDoc(o *study.Outcome) any {
	return struct {
		Schema      string       `json:"schema"`
		Version     string       `json:"version"`
		Original    study.File   `json:"original"`
		Released    study.File   `json:"released"`
		Holdout     *study.File  `json:"holdout,omitempty"`
		Corrections []string     `json:"corrections,omitempty"` // absent with --public
		Measures    []measureDoc `json:"measures"`
	}{"dither/evaluate/1", o.Version, o.OriginalFile, o.ReleasedFile, o.HoldoutFile, o.Corrections, measureDocs(o.Measures)}
}
