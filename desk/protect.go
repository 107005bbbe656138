package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// ProtectRequest asks for a release.
type ProtectRequest struct {
	Source
	Release       string            // path; its extension says the format
	Method        string            // the technique by any of its names; empty takes the policy's or the Framework
	Within        string            // tree, forest, or columns with commas: inside whose segments the technique works; empty for the whole table
	Set           map[string]string // parameters of the technique, which win over the policy's, and of measures that are taken, by measure.name
	Pseudonymise  []string          // identifiers that get a keyed pseudonym instead of being dropped, besides the policy's
	Plan          string            // path of a plan to apply instead of fitting a technique; Method and Set are then empty
	SeedFile      string            // path of the secret seed; one that does not exist is written; empty forgets a fresh seed
	PlanOut       string            // path for the fitted plan, confidential; empty for none
	LawOut        string            // path for the law of the release, public; empty for none
	Report        string            // path for a report in HTML; empty for none
	Public        bool              // the report and the document hold nothing that helps an intruder
	Recur         bool              // the same people are in other releases: by one seed and plan a value that stays is released alike; so says a policy or a plan, too
	KeepOrder     bool              // write the records in the order of the original instead of a random one
	Overwrite     bool              // replace outputs that exist; inputs never
	Limits        string            // what the release must keep: default, hipaa, ema, none, or the path of a file; empty takes the policy's or the default
	Accept        []string          // limits that are overridden, as limit.Set.Accept reads them
	AtMost        []string          // limits besides, name=value, each in place of what there was on the same measure
	GuardFormulas bool              // put an apostrophe before categories that a spreadsheet would run as formulas
	Record        string            // path for the record of the run, public; empty for none
	SignKey       string            // path of the SSH key, Ed25519, that the record is signed with; empty for none
	BlankLookups  bool              // blank few cells, until none of the intruders whom the limits bind can look anybody up; so says a policy, too
}

// Protection is a release that was made, or withheld.
type Protection struct {
	Outcome  *study.Outcome
	Broken   *Broken // the limits that it does not keep: it is then withheld; nil when it was written
	Measured bool    // every measure was taken, not just the certificate
	Files    Files
	Original []study.Measured // of a trial on all: what the original reaches on the axes of the policy's thresholds
	public   bool             // its document is for whoever receives the release

	end func(error) error
}

// Close gives back what the tables take. Nothing of the outcome's tables may be used any more.
func (p *Protection) Close() error {
	if p.end == nil {
		return nil
	}
	return p.end(nil)
}

// Files says where what was made is; a withheld release and its plan are nowhere.
type Files struct {
	Release, Report, Plan, Law, Record string // paths; empty for what was not made
}

// Protect reads the table, perturbs it, measures what the limits need, and writes the release with its plan unless a limit is not
// kept: then only the report is written, and what is known of the withheld release comes with a *Broken; it is closed like any
// other. All other measures are taken for a report, and for thresholds. All files take their places together at the end, so that
// no old one stands beside a new one. Cost: that of the technique and of the measures.
func (d *Desk) Protect(ctx context.Context, q ProtectRequest) (*Protection, error) {
	p, err := d.release(ctx, q, course{})
	if err != nil {
		return nil, err
	}
	return p, refusal(p.Broken)
}

// check refuses what can be seen to be wrong before anything is read.
func (q *ProtectRequest) check(by course) error {
	if q.Release == "" && !by.trial {
		return usage(errors.New("the release has no name"))
	}
	if q.Plan != "" && (q.Method != "" || q.Within != "") {
		return usage(errors.New("a plan brings its technique and parameters"))
	}
	return nil
}

// split divides what is set into the parameters of the technique and those of measures, by their names.
func (q *ProtectRequest) split() (own map[string]string, measures map[string]map[string]string, err error) {
	own, measures = map[string]string{}, map[string]map[string]string{}
	for key, value := range q.Set {
		name, par, dotted := strings.Cut(key, ".")
		m, err := catalog.Measure(name)
		if !dotted || err != nil {
			own[key] = value
			continue
		}
		if measures[m.Name] == nil {
			measures[m.Name] = map[string]string{}
		}
		measures[m.Name][par] = value
	}
	for name, set := range measures {
		m, err := catalog.Measure(name)
		if err == nil {
			err = judge.Settle(m.New().Params(), set)
		}
		if err != nil {
			return nil, nil, usage(fmt.Errorf("%s: %w", name, err))
		}
	}
	if q.Plan != "" && len(own) > 0 {
		return nil, nil, usage(errors.New("a plan brings its technique and parameters"))
	}
	return own, measures, nil
}

// files are those of the request.
func (q *ProtectRequest) files() *files {
	f := &files{reads: q.inputs(q.Limits), plan: []string{q.Plan}, seed: q.SeedFile, tables: []string{q.Release}, main: q.Release, secret: []string{q.PlanOut}, replace: q.Overwrite}
	for _, path := range []string{q.LawOut, q.Record} {
		if path != "" {
			f.shown = append(f.shown, path)
		}
	}
	if q.SignKey != "" {
		f.plan = append(f.plan, q.SignKey)
	}
	if q.Public {
		f.shown = append(f.shown, q.Report)
	} else {
		f.secret = append(f.secret, q.Report)
	}
	return f
}

// technique finds the technique before the table is read, so that a wrong request fails at once.
func (q *ProtectRequest) technique(r *study.Request) error {
	if q.Method == "" && q.Policy != "" {
		return nil // the policy may name it
	}
	return choose(r, q.inside(q.Method, r))
}

// columns refuses misspelt names of columns.
func (q *ProtectRequest) columns(r *study.Request) error {
	var more []word
	if r.Method.New != nil { // else the policy names the technique
		more = namedBy(r.Method.New().Params(), r.Set)
	}
	for _, n := range q.Pseudonymise {
		more = append(more, word{"pseudonymise", n})
	}
	return q.misspelt(more...)
}

// inside returns the name of a technique, inside segments where the request says so: then the parameters that make these are added.
func (q *ProtectRequest) inside(name string, r *study.Request) string {
	if q.Within == "" {
		return name
	}
	if r.Set == nil {
		r.Set = map[string]string{}
	}
	by := q.Within
	if by != within.Tree && by != within.Forest {
		by, r.Set[within.Prefix+"columns"] = within.Columns, by
	}
	r.Set[within.Prefix+"by"] = by
	return strings.TrimSuffix(cmp.Or(name, DefaultMethod), within.Suffix) + within.Suffix
}

// DefaultMethod is the technique where none is named.
const DefaultMethod = judge.DefaultMethod

// choose finds the technique of a name and checks its parameters.
func choose(r *study.Request, name string) (err error) {
	if r.Method, err = catalog.Method(cmp.Or(name, DefaultMethod)); err != nil {
		return usage(err)
	}
	if err := judge.Settle(r.Method.New().Params(), r.Set); err != nil {
		return usage(fmt.Errorf("%s: %w", r.Method.Name, err))
	}
	return nil
}

// fromPolicy is how the release is made: what the request says, and what the policy says and the request does not.
func (l *loaded) fromPolicy(ctx context.Context) (study.Request, error) {
	r, q, pol := l.start, l.q, l.t.Policy
	r.Set = maps.Clone(r.Set)
	if r.Plan == nil && r.Method.Name == "" {
		set := pol.Settings()
		maps.Copy(set, r.Set)
		r.Set = set
		if err := choose(&r, q.inside(pol.Technique(), &r)); err != nil {
			return r, err
		}
	}
	inside := q.Within != "" || strings.HasSuffix(q.Method, within.Suffix)
	if q.Method != "" && l.by.seen == nil && pol.Method.Within != nil && !inside {
		return r, usage(errors.New("the policy's technique works inside segments (method, within), the one asked for would work " +
			"on the whole table; say inside what it works, too, or leave the technique to the policy"))
	}
	if r.Plan == nil {
		if _, err := l.t.Hide(ctx, r.Method.New().Params(), r.Set); err != nil {
			return r, err
		}
	}
	r.Keep = pol.Kept()
	r.Pseudonymise = slices.Concat(r.Pseudonymise, pol.Pseudonymised())
	return r, nil
}

// made runs the technique.
func (d *Desk) made(ctx context.Context, r study.Request, l *Loaded) (*study.Protected, error) {
	p := d.begin("protecting")
	defer p.End()
	r.Table, r.Options.Progress, r.Hierarchies = l.Table, steps(p), l.Hierarchies
	made, err := study.Protect(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.File.Name, err)
	}
	return made, nil
}

// outcome is what is known of a release before it is measured.
func (d *Desk) outcome(r *study.Request, l *Loaded, p *study.Protected) *study.Outcome {
	o := l.Made(r, p)
	o.Version = d.Version
	return o
}

// output is the table that is written, and how.
func (d *Desk) output(q *ProtectRequest, l *Loaded, made *study.Protected) (*table.Table, format.Options, error) {
	opt := l.Info.Like(format.Options{})
	if m := l.Policy.File.MissingOut; m != nil {
		opt.MissingOut, opt.MissingMarks = string(*m), nil
	}
	out, err := d.guardFormulas(q, made.Output)
	return out, opt, err
}
