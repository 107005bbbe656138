package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

type compareFlags struct {
	input
	intruders
	methods, measures, set  []string
	folds, repeats, workers int
	out, csv, report        string
	utility, risk           string
	resume, seedFile        string
	force, json, times      bool
}

func (a *app) compare() *cobra.Command {
	f := &compareFlags{}
	c := &cobra.Command{
		Use:   "compare IN...",
		Short: "compare techniques and settings by what they preserve and what they risk",
		Long: `compare deals each table into folds, stratified by class, perturbs the records outside a fold by every technique, several times,
and takes all measures of the release with the fold's records as the hold-out. It prints for every technique and measure the
mean over the folds and the standard deviation; "original" is the table released as it is.

A parameter with several values makes several settings: --set framework.spread=10,20,33.33. A parameter without a name before it goes
to every technique and measure that has it, so that all trees are grown alike: --set minLeaf=50.

With --resume FILE every finished run is kept in that file; after a crash or Ctrl-C the same call goes on from there and ends with
the same bytes. The seed is then kept in FILE.seed, unless --seed-file names another file.`,
		Example: `  dither compare patients.csv --class diagnosis --method framework,randomframework --report compare.html
  dither compare wine.csv wbc.csv --class class --method framework --set framework.spread=10,20,33.33 --measure accuracy,bias
  dither compare adult.csv --class income --method framework,rnat --resume adult.checkpoint -o adult.json --csv adult-cells.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runCompare(c.Context(), args, f) },
	}
	f.input.flags(c)
	f.hierarchyFlag(c)
	f.intruders.flags(c)
	fl := c.Flags()
	fl.Lookup("class").Usage = "the column that decision rules predict; with several tables one name for all, or one per table with commas between"
	fl.StringSliceVar(&f.methods, "method", nil, "compare these `techniques`, with commas between; \"dither methods\" lists them")
	fl.StringSliceVar(&f.measures, "measure", nil, "take these `measures`, with commas between (default: all but the slow ones, bounded as for a report; \"dither measures\" lists them)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter: `technique.name=v1,v2`, measure.name=value, or name=value for all that have it; may be repeated")
	fl.IntVar(&f.folds, "folds", 10, "how many folds")
	fl.IntVar(&f.repeats, "repeats", 10, "how often each technique perturbs the records outside a fold")
	fl.IntVar(&f.workers, "workers", 0, "runs worked on at a time (default: one per core); they never change a figure")
	fl.StringVarP(&f.out, "output", "o", "", "write the results to this JSON `file`")
	fl.StringVar(&f.csv, "csv", "", "write a table with one row per run to this CSV `file`")
	fl.StringVar(&f.report, "report", "", "write a report to this HTML `file`")
	fl.StringVar(&f.utility, "utility", "", "the `measure` on the utility axis of the report's map")
	fl.StringVar(&f.risk, "risk", "", "the `measure` on the risk axis of the report's map")
	fl.StringVar(&f.resume, "resume", "", "keep finished runs in this `file` and go on from those it has")
	fl.StringVar(&f.seedFile, "seed-file", "", "read the seed from this `file`, or write a fresh one there")
	fl.BoolVar(&f.times, "times", false, "add the seconds that every run took to the results; they differ from call to call")
	fl.BoolVar(&f.force, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (f *compareFlags) check(ins []string) error {
	if len(f.methods) == 0 {
		return usageError{errors.New("compare: name the techniques with --method A,B; \"dither methods\" lists them")}
	}
	if f.folds < 2 || f.repeats < 1 || f.workers < 0 {
		return usageError{errors.New("compare: expected --folds of at least 2, --repeats of at least 1 and --workers of at least 0")}
	}
	if f.report == "" && f.utility+f.risk != "" {
		return usageError{errors.New("compare: --utility and --risk are about the report; name one with --report FILE")}
	}
	for i, in := range ins {
		if in == "-" && i > 0 {
			return usageError{errors.New("compare: standard input can only be the first table")}
		}
	}
	if f.resume != "" && f.seedFile == "" {
		f.seedFile = f.resume + ".seed"
	}
	if err := distinct(f.out, f.csv, f.report, f.resume, f.seedFile); err != nil {
		return err
	}
	inputs := append([]string{f.policy, f.seedFile}, ins...)
	for _, p := range []string{f.out, f.csv, f.report} {
		if err := free(p, f.force, inputs...); err != nil {
			return err
		}
	}
	return free(f.resume, true, inputs...) // what is there is only ever added to
}

func (a *app) runCompare(ctx context.Context, ins []string, f *compareFlags) error {
	if err := f.check(ins); err != nil {
		return err
	}
	q := study.CompareRequest{Version: version(), Folds: f.folds, Repeats: f.repeats, Workers: f.workers}
	shared, err := f.choose(&q)
	if err != nil {
		return err
	}
	opt := report.CompareOptions{Utility: f.utility, Risk: f.risk}
	if err := f.axes(&q); err != nil {
		return err
	}
	if q.Data, err = a.tables(ctx, ins, f, shared); err != nil {
		return err
	}
	if err := f.withstand(&q); err != nil {
		return err
	}
	if q.Seed, err = seed(f.seedFile); err != nil {
		return err
	}
	c, err := a.comparing(ctx, &q, f)
	if err != nil {
		return err
	}
	for _, o := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{f.out, func(w io.Writer) error { return printJSON(w, compareDoc(c, f.times)) }},
		{f.csv, func(w io.Writer) error { return compareCSV(w, c, f.times) }},
		{f.report, func(w io.Writer) error { return report.CompareHTML(w, c, opt) }},
	} {
		if o.path != "" {
			if err := whole(o.path, 0o644, o.write); err != nil {
				return err
			}
		}
	}
	if f.json {
		err = printJSON(a.out, compareDoc(c, f.times))
	} else {
		compareText(a.out, c)
		if err := report.CompareQuartiles(a.out, c); err != nil {
			return err
		}
		for _, p := range [][2]string{{"results", f.out}, {"runs", f.csv}, {"report", f.report}} {
			if p[1] != "" {
				say(a.out, "%-12s %s", p[0], p[1])
			}
		}
	}
	if err != nil {
		return err
	}
	return a.failures(c)
}

// comparing runs the comparison, with a checkpoint if asked for.
func (a *app) comparing(ctx context.Context, q *study.CompareRequest, f *compareFlags) (*study.Comparison, error) {
	var ck *checkpoint
	if f.resume != "" {
		var err error
		if ck, err = openCheckpoint(f.resume, q); err != nil {
			return nil, err
		}
		defer ck.close()
		if n := len(q.Done); n > 0 {
			say(a.err, "note: %s has %s finished runs", f.resume, thousands(n))
		}
	}
	bar := a.progress("comparing")
	q.Progress = bar.steps
	c, err := study.Compare(ctx, *q)
	bar.finish()
	if ck != nil && errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("interrupted; %s keeps %s finished runs, and the same call goes on from there", f.resume, thousands(ck.cells))
	}
	if err != nil {
		return nil, err
	}
	if ck != nil {
		err = ck.close()
	}
	return c, err
}

// failures says how many runs failed; it is an error when all runs of all techniques did.
func (a *app) failures(c *study.Comparison) error {
	failed, total, reason := 0, 0, ""
	for _, cell := range c.Cells {
		if cell.Setting == 0 {
			continue
		}
		total++
		if cell.Err != "" {
			if failed++; reason == "" {
				reason = fmt.Sprintf("%s, %s: %s", c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, cell.Err)
			}
		}
	}
	if failed == total {
		return fmt.Errorf("every run failed; the first: %s", reason)
	}
	if failed > 0 {
		say(a.err, "note: %s of %s runs failed; the first: %s", thousands(failed), thousands(total), printable(reason))
	}
	return nil
}

// choose finds the techniques and measures with their parameters, and returns the parameters that are for all of them.
func (f *compareFlags) choose(q *study.CompareRequest) (shared map[string]string, err error) {
	var methods []protect.Method
	for _, n := range f.methods {
		m, err := catalog.Method(strings.TrimSpace(n))
		if err != nil {
			return nil, usageError{err}
		}
		methods = append(methods, m)
	}
	var measures []measure.Measure
	if len(f.measures) == 0 {
		measures = slices.DeleteFunc(slices.Clone(catalog.Measures()), func(m measure.Measure) bool { return slices.Contains(slow, m.Name) })
	}
	for _, n := range f.measures {
		m, err := catalog.Measure(strings.TrimSpace(n))
		if err != nil {
			return nil, usageError{err}
		}
		measures = append(measures, m)
	}
	if shared, err = distribute(q, methods, measures, f.set); err != nil || len(f.measures) > 0 {
		return shared, err
	}
	for _, s := range q.Measures { // every run takes them all, so each is bounded as for a report, unless its bound is given
		declared := s.Measure.New().Params()
		for name, bound := range reportBounds {
			if _, own := s.Set[name]; declared.Has(name) && !own && shared[name] == "" {
				s.Set[name] = bound
			}
		}
	}
	return shared, nil
}

// distribute hands the parameters to the techniques, which expand into settings, and to the measures.
func distribute(q *study.CompareRequest, methods []protect.Method, measures []measure.Measure, flags []string) (shared map[string]string, err error) {
	if _, err := sets(flags); err != nil {
		return nil, err
	}
	axes := make([][]study.Axis, len(methods))
	own := make([]map[string]string, len(measures))
	for i := range own {
		own[i] = map[string]string{}
	}
	shared = map[string]string{}
	for _, flag := range flags {
		key, value, _ := strings.Cut(flag, "=")
		name, par, dotted := strings.Cut(key, ".")
		if !dotted {
			shared[key] = value
			continue
		}
		used := false
		for i, m := range methods {
			if m.Answers(name) {
				axes[i] = append(axes[i], study.ParseAxis(m.New().Params(), par, value))
				used = true
			}
		}
		for i, m := range measures {
			if m.Answers(name) {
				own[i][par] = value
				used = true
			}
		}
		if !used {
			return nil, usageError{fmt.Errorf("--set %s: %q is no technique and no measure of the comparison", flag, name)}
		}
	}
	for i, m := range methods {
		grid, err := study.Grid(m, axes[i])
		if err != nil {
			return nil, usageError{err}
		}
		for _, s := range grid {
			if err := m.New().Params().Apply(s.Set); err != nil {
				return nil, usageError{fmt.Errorf("%s: %w", m.Name, err)}
			}
		}
		q.Settings = append(q.Settings, grid...)
	}
	for i, m := range measures {
		if err := m.New().Params().Apply(own[i]); err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", m.Name, err)}
		}
		q.Measures = append(q.Measures, study.Spec{Measure: m, Set: own[i]})
	}
	return shared, nil
}

// withstand asks for every measure that depends on an intruder against each of those chosen, who must fit every table.
func (f *compareFlags) withstand(q *study.CompareRequest) error {
	pol := &policy.Policy{}
	if f.policy != "" {
		data, err := os.ReadFile(f.policy)
		if err != nil {
			return err
		}
		if pol, err = policy.Parse(f.policy, data); err != nil {
			return err
		}
	}
	list, err := f.chosen(pol)
	if err != nil {
		return err
	}
	if list == nil {
		list = common(q.Data)
	}
	for _, d := range q.Data {
		for k := range list {
			if _, err := list[k].On(d.Table.Attrs()); err != nil {
				return usageError{fmt.Errorf("%s: %w", d.Name, err)}
			}
		}
	}
	q.Measures = study.Against(q.Measures, list)
	return nil
}

// common returns the default intruders of the first table whom every other has as well, or else the one who knows most.
func common(data []study.DataSet) []intruder.Intruder {
	first := intruder.Defaults(data[0].Table.Attrs())
	out := slices.Clone(first)
	for _, d := range data[1:] {
		own := intruder.Defaults(d.Table.Attrs())
		out = slices.DeleteFunc(out, func(i intruder.Intruder) bool {
			return !slices.ContainsFunc(own, func(o intruder.Intruder) bool { return o.Name == i.Name })
		})
	}
	if len(out) == 0 {
		return first[len(first)-1:]
	}
	return out
}

// axes checks that the measures of the report's map are taken, before anything is run.
func (f *compareFlags) axes(q *study.CompareRequest) error {
	for flag, name := range map[string]string{"utility": f.utility, "risk": f.risk} {
		taken := func(s study.Spec) bool { return s.Measure.Answers(name) }
		if name != "" && !slices.ContainsFunc(q.Measures, taken) {
			return usageError{fmt.Errorf("--%s %s: not a measure of the comparison", flag, name)}
		}
	}
	return nil
}

// tables reads the tables. A data set is named after its file.
func (a *app) tables(ctx context.Context, ins []string, f *compareFlags, shared map[string]string) ([]study.DataSet, error) {
	classes := []string{f.class}
	if len(ins) > 1 {
		classes = strings.Split(f.class, ",")
	}
	if len(classes) != 1 && len(classes) != len(ins) {
		return nil, usageError{fmt.Errorf("--class names %d columns for %d tables; expected one for all or one for each", len(classes), len(ins))}
	}
	var out []study.DataSet
	for i, in := range ins {
		one := f.input
		one.class = strings.TrimSpace(classes[i%len(classes)])
		l, err := a.load(ctx, in, &one)
		if err != nil {
			return nil, err
		}
		l.remarks(a)
		name := base(in)
		if in != "-" {
			name = strings.TrimSuffix(name, filepath.Ext(name))
		}
		out = append(out, study.DataSet{Name: name, File: l.file, Table: l.table, Set: shared, Hierarchies: l.hierarchies})
	}
	return out, nil
}
