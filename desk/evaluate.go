package desk

import (
	"context"
	"errors"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// EvaluateRequest asks what a release is worth beside its original. Whom it is measured against, and what it must keep,
// says its source.
type EvaluateRequest struct {
	Source          // the original; the release and the hold-out are read in the same way
	Released string // path
	// SensitiveTable is the path of the second table of a release that went out as two: the values of a sensitive column
	// by group, with their counts (ProtectRequest.SensitiveOut); empty for none.
	SensitiveTable string
	Holdout        string // path of a table of records that are in neither; empty for none
	Plan           string // path of the plan the release was made with; empty when it is not known
	// EarlierPlan are the paths of the plans of the earlier releases, which know whose their records are, in the same
	// order; none when they are not known.
	EarlierPlan []string
	Measures    []string // by any of their names; none takes all
	SeedFile    string   // path of the seed of the record's digests, as in ProtectRequest
	Report      string   // path for a report in HTML; empty for none
	Unpaired    bool     // the release is in another order: no measure of single records is taken
	Paired      bool     // rows are in the same order, however little they look like it
	Key         string   // column by whose values the rows of both tables are paired; empty for none
	Overwrite   bool     // replace a report that exists
	Record      string   // path for the record of the run, public; empty for none
	SignKey     string   // path of the SSH key, Ed25519, that the record is signed with; empty for none
}

// Evaluation is what was measured of a release.
type Evaluation struct {
	Outcome *study.Outcome
	Broken  *Broken // the limits that it does not keep; nil when it keeps all
	Record  string  // path of the record; empty where none was asked for
	Public  bool    // its report and its document hold nothing that helps an intruder

	end func(error) error
}

// Close gives back what the tables take. Nothing of the outcome's tables may be used any more.
func (e *Evaluation) Close() error {
	if e.end == nil {
		return nil
	}
	return e.end(nil)
}

// Evaluate takes measures of a release, judges it and writes a report. Where measures are named, limits on others are
// not judged, and the verdict says so. The evaluation of a release that must not go out comes with a *Broken, and is
// closed like any other. Cost: that of the measures.
func (d *Desk) Evaluate(ctx context.Context, q EvaluateRequest) (*Evaluation, error) {
	e, err := d.evaluation(ctx, q, task{"evaluate", q.Measures, len(q.Measures) > 0})
	if err != nil {
		return nil, err
	}
	return e, refusal(e.Broken)
}

// files are those of the request.
func (q *EvaluateRequest) files(public bool) *files {
	f := &files{reads: append(q.inputs(), q.Released, q.SensitiveTable, q.Holdout),
		plan: append([]string{q.Plan}, q.EarlierPlan...), seed: q.SeedFile, secret: []string{q.Report}, replace: q.Overwrite}
	if public {
		f.secret, f.shown = nil, f.secret
	}
	if q.Record != "" {
		f.shown, f.sums = append(f.shown, q.Record), map[string]string{}
	}
	if q.SignKey != "" {
		f.plan = append(f.plan, q.SignKey)
	}
	return f
}

// AttackRequest asks what intruders can do with a release. It takes all measures of risk unless it names some, and its
// report cannot be public.
type AttackRequest struct {
	EvaluateRequest
	Riskiest int // how many of the records at the highest risk to list for each intruder, at least 0
}

// AttackOutcome is what intruders can do with a release.
type AttackOutcome struct {
	Evaluation
	Attacks []study.Attack // one per intruder
}

// Attack plays the intruders. What they can do with a release that must not go out comes with a *Broken. Cost: that of
// the measures.
func (d *Desk) Attack(ctx context.Context, q AttackRequest) (*AttackOutcome, error) {
	switch {
	case q.Riskiest < 0:
		return nil, number("riskiest", q.Riskiest, "expected at least 0")
	case q.Said.Public:
		return nil, usage(ErrPublicAttack)
	case q.Memory != 0:
		return nil, usage(errors.New("an attack has all records in memory: leave out memory, or evaluate, which tries some " +
			"people"))
	}
	as := task{"attack", q.Measures, len(q.Measures) > 0}
	if !as.named {
		as.measures = nil
		for _, m := range catalog.Measures() {
			if m.Side == measure.Risk {
				as.measures = append(as.measures, m.Name)
			}
		}
	}
	e, err := d.evaluation(ctx, q.EvaluateRequest, as)
	if err != nil {
		return nil, err
	}
	return &AttackOutcome{*e, study.Attacks(e.Outcome, q.Riskiest)}, refusal(e.Broken)
}
