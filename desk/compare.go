package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bycolumn"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// CompareRequest asks for a comparison of techniques and settings.
type CompareRequest struct {
	// a data set is named after its file; the policy of the first names the intruders and the limits
	Tables   []Source
	Methods  []string     // by any of their names, at least one
	Measures []string     // by any of their names; none takes all but the slow ones, bounded as for a report
	Set      []Assignment // of a technique, a measure, or all that have the parameter
	Folds    int          // at least 2
	Repeats  int          // at least 1
	Workers  int          // runs worked on at a time; 0 for one per core
	Results  string       // path for the JSON document; empty for none
	Runs     string       // path for a table with one row per run, as CSV; empty for none
	Report   string       // path for a report in HTML; empty for none
	Utility  string       // the measure on the utility axis of the report's map; empty chooses
	Risk     string       // the measure on its risk axis; empty chooses
	// path of a checkpoint: finished runs are kept there, and those that it has are not run again; empty for none
	Resume string
	// path of the seed, as in ProtectRequest; empty takes that beside the checkpoint, Resume + ".seed"
	SeedFile  string
	Overwrite bool // replace outputs that exist
	Times     bool // add the seconds that every run took to the results
}

// Assignment sets a parameter. Its name is technique.name, whose value may be several with commas between,
// measure.name, or a name alone for every technique and measure that has it.
type Assignment struct{ Name, Value string }

// Compared is a comparison and how many of its runs failed. The original's do not count.
type Compared struct {
	*study.Comparison
	Failed, Runs int
	First        string // which failed first, and why; it may hold names as they are in the data
	Options      report.CompareOptions
	choice       *ChoiceDocument
	told         *document.Document
	times        bool
}

// Err returns an error when every run failed.
func (c *Compared) Err() error {
	if c.Failed == c.Runs {
		return fmt.Errorf("every run failed; the first: %s", c.First)
	}
	return nil
}

// Compare runs the comparison and writes its results. A run that fails is recorded and does not stop the rest. A
// comparison that is interrupted with a checkpoint goes on from there by the same request and ends with the same bytes.
// Cost: see study.Compare.
func (d *Desk) Compare(ctx context.Context, q CompareRequest) (*Compared, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	r := study.CompareRequest{Version: d.Version, Folds: q.Folds, Repeats: q.Repeats, Workers: q.Workers}
	shared, err := q.choose(&r)
	if err != nil {
		return nil, err
	}
	if err := q.axes(&r); err != nil {
		return nil, err
	}
	for _, s := range q.Tables {
		if err := s.misspelt(); err != nil {
			return nil, err
		}
	}
	f := q.files()
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	pol, understood, err := d.tables(ctx, &q, &r, shared)
	if err != nil {
		return nil, err
	}
	set, err := q.limits(pol, r.Data)
	if err != nil {
		return nil, err
	}
	list, binding, err := againstAll(pol, r.Data, understood)
	if err != nil {
		return nil, err
	}
	r.Measures = study.Against(r.Measures, list)
	if r.Seed, err = d.seed(q.SeedFile); err != nil {
		return nil, err
	}
	c, err := d.run(ctx, &r, q.Resume)
	if err != nil {
		return nil, err
	}
	out := tally(c)
	out.times = q.Times
	o := report.CompareOptions{Utility: q.Utility, Risk: q.Risk, Limits: set, Binding: binding}
	if err := out.judge(o); err != nil {
		return nil, err
	}
	if err := out.write(&q, f); err != nil {
		return nil, err
	}
	if out.Failed > 0 && out.Failed < out.Runs {
		d.note(message.Say("told.failed").Count("n", out.Failed).Count("runs", out.Runs).Text("first", out.First))
	}
	return out, nil
}

// check refuses what can be seen to be wrong before anything is read.
func (q *CompareRequest) check() error {
	switch {
	case len(q.Tables) == 0:
		return usage(errors.New("a comparison needs a table"))
	case len(q.Methods) == 0:
		return usage(errors.New("a comparison needs techniques"))
	case q.Folds < 2:
		return number("folds", q.Folds, "expected at least 2")
	case q.Repeats < 1:
		return number("repeats", q.Repeats, "expected at least 1")
	case q.Workers < 0:
		return number("workers", q.Workers, "expected at least 0")
	}
	for i, s := range q.Tables {
		if s.Path == standardInput && i > 0 {
			return usage(errors.New("compare: standard input can only be the first table"))
		}
	}
	if q.Resume != "" && q.SeedFile == "" {
		q.SeedFile = q.Resume + ".seed"
	}
	return nil
}

// files are those of the request.
func (q *CompareRequest) files() *files {
	f := &files{
		seed:    q.SeedFile,
		ledger:  q.Resume,
		main:    q.Results,
		shown:   []string{q.Results, q.Runs, q.Report},
		replace: q.Overwrite,
	}
	for _, s := range q.Tables {
		f.reads = slices.Concat(f.reads, s.inputs())
	}
	return f
}

// choose finds the techniques and measures with their parameters, and returns the parameters that are for all of them.
func (q *CompareRequest) choose(r *study.CompareRequest) (shared map[string]string, err error) {
	var methods []protect.Method
	for _, n := range q.Methods {
		m, err := catalog.Method(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		methods = append(methods, m)
	}
	measures, err := judge.MeasuresOf(q.Measures)
	if err != nil {
		return nil, err
	}
	if len(q.Measures) == 0 {
		measures = slices.DeleteFunc(slices.Clone(catalog.Measures()),
			func(m measure.Measure) bool { return m.Effort == measure.Slow })
	}
	if shared, err = deal(r, methods, measures, q.Set); err != nil || len(q.Measures) > 0 {
		return shared, err
	}
	// every run takes them all, so each is bounded as for a report, unless its bound is given
	for _, s := range r.Measures {
		for name, bound := range s.Measure.Bounds {
			if _, own := s.Set[name]; !own && shared[name] == "" {
				s.Set[name] = bound
			}
		}
	}
	return shared, nil
}

// deal hands the parameters to the techniques, which expand into settings, and to the measures.
func deal(
	r *study.CompareRequest,
	methods []protect.Method,
	measures []measure.Measure,
	set []Assignment,
) (shared map[string]string, err error) {
	axes := make([][]study.Axis, len(methods))
	own := make([]map[string]string, len(measures))
	for i := range own {
		own[i] = map[string]string{}
	}
	shared = map[string]string{}
	for _, a := range set {
		name, par, dotted := strings.Cut(a.Name, ".")
		if !dotted {
			shared[a.Name] = a.Value
			continue
		}
		used := false
		for i, m := range methods {
			if m.Answers(name) {
				axes[i] = append(axes[i], study.ParseAxis(m.New().Params(), par, a.Value))
				used = true
			}
		}
		for i, m := range measures {
			if m.Answers(name) {
				own[i][par] = a.Value
				used = true
			}
		}
		if !used {
			return nil, &Usage{Field: "set", Value: a.Name + "=" + a.Value, Err: fmt.Errorf("%q is neither a "+
				"technique nor a measure of the comparison", name)}
		}
	}
	for i, m := range methods {
		grid, err := study.Grid(m, axes[i])
		if err != nil {
			return nil, usage(err)
		}
		for _, s := range grid {
			if err := judge.Settle(m.New().Params(), s.Set); err != nil {
				return nil, usage(fmt.Errorf("%s: %w", m.Name, bycolumn.Refusal(m, err)))
			}
		}
		r.Settings = append(r.Settings, grid...)
	}
	for i, m := range measures {
		if err := judge.Settle(m.New().Params(), own[i]); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", m.Name, err))
		}
		r.Measures = append(r.Measures, study.Spec{Measure: m, Set: own[i]})
	}
	return shared, nil
}

// axes checks that the measures of the report's map are taken, before anything is run.
func (q *CompareRequest) axes(r *study.CompareRequest) error {
	for _, axis := range []struct{ field, measure string }{{"utility", q.Utility}, {"risk", q.Risk}} {
		taken := func(s study.Spec) bool { return s.Measure.Answers(axis.measure) }
		if axis.measure != "" && !slices.ContainsFunc(r.Measures, taken) {
			var names []string
			for _, s := range r.Measures {
				names = append(names, s.Measure.Name)
			}
			return &Usage{
				Field: axis.field,
				Value: axis.measure,
				Err:   fmt.Errorf("not a measure of the comparison%s", spelling.Hint(axis.measure, names)),
			}
		}
	}
	return nil
}

// tables reads the tables and returns the policy of the first; understood is false where most columns of one are not
// recognised.
func (d *Desk) tables(
	ctx context.Context,
	q *CompareRequest,
	r *study.CompareRequest,
	shared map[string]string,
) (pol *policy.Policy, understood bool, err error) {
	understood = true
	for _, s := range q.Tables {
		l, err := d.told(ctx, reader{Source: s})
		if err != nil {
			return nil, false, err
		}
		understood = understood && l.Unrecognised() == nil
		if pol == nil {
			pol = l.Policy
		}
		list, err := l.hideAll(ctx, r, shared)
		if err != nil {
			return nil, false, err
		}
		r.Data = append(
			r.Data,
			study.DataSet{Name: trimmed(s.Path), File: l.File, Table: l.Table, Set: l.weighAll(r, shared), Sensitive: list,
				Hierarchies: l.Hierarchies, Relations: l.Relations, Besides: l.Readings()},
		)
	}
	return pol, understood, nil
}

// limits returns what every setting must keep. The order of the records is no matter of a setting: a release is written
// in a random one.
func (q *CompareRequest) limits(pol *policy.Policy, data []study.DataSet) (*limit.Set, error) {
	set, err := limitsOf(pol)
	if err != nil {
		return nil, err
	}
	for _, d := range data {
		if err := judge.Acceptable(set, d.Table.Attrs()); err != nil {
			return nil, err
		}
	}
	set.Limits = slices.DeleteFunc(set.Limits, func(l limit.Limit) bool { return l.Measure == "roworder" && !l.Declared })
	return set, nil
}

// run runs the comparison, with a checkpoint if there is a path for one.
func (d *Desk) run(ctx context.Context, r *study.CompareRequest, resume string) (*study.Comparison, error) {
	var ck *checkpoint
	if resume != "" {
		var err error
		if ck, err = openCheckpoint(resume, r); err != nil {
			return nil, err
		}
		defer d.keeps(ck, resume)()
		if n := len(r.Done); n > 0 {
			d.note(message.Say("told.runs").Name("file", resume).Count("n", n))
		}
	}
	p := d.begin("comparing")
	r.Progress = steps(p)
	c, err := study.Compare(ctx, *r)
	p.End()
	if ck != nil && errors.Is(err, context.Canceled) {
		return nil, ck.interrupted(resume)
	}
	if err != nil {
		return nil, err
	}
	if ck != nil {
		err = ck.file.Close()
	}
	return c, err
}

// Interrupted is the error for a comparison that was ended before its end and has a checkpoint.
type Interrupted struct {
	Checkpoint string // path
	Runs       int    // that it keeps; of a choice, trials
}

// Error says where the finished runs are.
func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted; %s keeps %s finished runs, and the same call goes on from there", e.Checkpoint,
		count(e.Runs))
}

// tally counts the runs that failed.
func tally(c *study.Comparison) *Compared {
	out := &Compared{Comparison: c}
	for _, cell := range c.Cells {
		if cell.Setting == 0 {
			continue
		}
		out.Runs++
		if cell.Err == "" {
			continue
		}
		if out.Failed++; out.First == "" {
			out.First = fmt.Sprintf("%s, %s: %s", c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, cell.Err)
		}
	}
	return out
}

// judge makes the choice and the document that follow from the results with these options.
func (c *Compared) judge(o report.CompareOptions) (err error) {
	c.Options = o
	if c.choice, err = choiceOf(c.Comparison, o); err != nil {
		return err
	}
	c.told, err = report.CompareDocument(c.Comparison, o)
	return err
}

// write writes the results that are asked for.
func (c *Compared) write(q *CompareRequest, f *files) error {
	err := f.add(q.Results, func(w io.Writer) error { return WriteJSON(w, c.Document()) })
	if err == nil {
		err = f.add(q.Runs, func(w io.Writer) error { return writeRuns(w, c.Comparison, c.times) })
	}
	if err == nil {
		err = f.add(q.Report, func(w io.Writer) error { return report.CompareHTML(w, c.Comparison, c.Options) })
	}
	if err == nil {
		err = f.place()
	}
	return err
}
