package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// verdict is what a release was found to be, and whether it goes out. It is a file of the working folder.
type verdict struct {
	Broken   *desk.Broken    // why the release is withheld; nil where it goes out
	Notes    []string        // what is told on the way
	Text     string          // what dither protect prints of the release
	Line     string          // its last line
	Document json.RawMessage // what dither protect --json prints
	Report   []byte          // the report, where one is made
}

// Judge judges the release by the stages of dither protect (desk.Desk.Judge), over the columns of the original and of
// the release, which are mapped into memory where they take more than the job's. It is one element: the profile of the
// original, and the measures that walk over all records, take time with their number; what tries people takes those
// that one machine draws.
func Judge(ctx context.Context, folder string) (err error) {
	q, m, _, p, err := planned(folder)
	if err != nil {
		return err
	}
	e, err := q.sharded(folder)
	if err != nil {
		return err
	}
	ctx, s, end, err := q.space(ctx, folder, slices.Concat(m.Read, p.Schema()), m.Rows)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	if e.Original, err = m.original(folder, p.Schema(), s); err != nil {
		return err
	}
	if e.Released, err = m.released(folder, s); err != nil {
		return err
	}
	e.Info, e.File = &m.Info, study.File{Name: store.Base(store.Dir(q.Shards[0])), Rows: e.Original.Rows(),
		Columns: e.Original.Width()}
	v := verdict{}
	d := &desk.Desk{Version: q.Version, Note: func(n desk.Note) { v.Notes = append(v.Notes, n.Says.String()) }}
	made, err := d.Judge(ctx, desk.ProtectRequest{Source: desk.Source{Said: q.asked()}}, e)
	var wrong *desk.Usage
	switch {
	case errors.As(err, &v.Broken):
	case errors.As(err, &wrong):
		return usage("%w", err)
	case err != nil:
		return err
	}
	if made != nil { // it is nil of a table that the plan is not for
		if err := v.tell(q, made); err != nil {
			return err
		}
	}
	return write(folder, verdictFile, v)
}

// sharded is what the job knows of its release but the tables.
func (q *Job) sharded(folder string) (e desk.Sharded, err error) {
	e = desk.Sharded{Name: q.Output, Fitted: q.Plan == "", All: q.Report}
	if e.Plan, err = fetch(folder, planFile); err != nil {
		return e, err
	}
	e.Seed, err = q.begunBy()
	return e, err
}

// asked is the policy by which the release is judged: relations are looked for, and not kept.
func (q *Job) asked() policy.Policy {
	said := q.kept()
	said.Relations, said.File = policy.Words{policy.NoRelations}, policy.File{}
	if q.Plan != "" {
		said.Method = policy.Method{}
	} else {
		said.Method = policy.Method{Name: q.Method, Set: policy.Texts(q.Set)}
	}
	return said
}

// tell keeps what there is to say of a release.
func (v *verdict) tell(q *Job, made *desk.Protection) error {
	var files []report.Made
	if v.Broken == nil {
		files = append(files, report.Made{What: "release", Path: q.Output})
	}
	var text bytes.Buffer
	if err := report.Text(&text, made.Outcome, report.Screen{Verbose: q.Verbose, Files: files, After: 1}); err != nil {
		return err
	}
	v.Text, v.Line = text.String(), made.Outcome.Verdict.Line().String()
	text.Reset()
	if err := desk.WriteJSON(&text, made.Document()); err != nil {
		return err
	}
	v.Document = text.Bytes()
	if !q.Report {
		return nil
	}
	var page bytes.Buffer
	err := report.HTML(&page, made.Outcome, report.Options{Public: made.Public})
	v.Report = page.Bytes()
	return err
}
