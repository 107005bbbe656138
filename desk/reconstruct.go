package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// ReconstructRequest asks for the distributions of the original of a release.
type ReconstructRequest struct {
	Source
	Law       string            // path of the law of the release; empty with Plan
	Plan      string            // path of the plan of the release instead, for its custodian
	Original  string            // path of the original, for its custodian; empty for none
	Method    string            // the reconstruction; empty takes em for numbers and inversion for categories
	Set       map[string]string // its parameters
	Report    string            // path for a page; empty for none
	Overwrite bool              // replace a page that exists
}

// Reconstructed are the distributions of the original of a release.
type Reconstructed struct {
	Schema  string                      `json:"schema"`
	Release string                      `json:"release"`
	Records int                         `json:"records"`
	Method  string                      `json:"method"` // of the release
	Columns []report.ReconstructedShape `json:"columns"`
	Left    []string                    `json:"left"` // columns of the law that no reconstruction is for: sets of items
	// Document is what text and page say.
	Document *document.Document `json:"document"`
}

// usualIntervals is how many intervals a number is divided into unless the request says otherwise: as many as one
// reads.
const usualIntervals = "20"

// Reconstruct reconstructs every column that the law names.
func (d *Desk) Reconstruct(ctx context.Context, q ReconstructRequest) (*Reconstructed, error) {
	f := &files{
		reads:   append(q.inputs(), q.Law, q.Original),
		plan:    []string{q.Plan},
		secret:  []string{q.Report},
		replace: q.Overwrite,
	}
	defer f.discard()
	if (q.Law == "") == (q.Plan == "") {
		return nil, usage(errors.New("reconstruction needs the noise model of the release: name it with --noise-model, or " +
			"the plan with --plan"))
	}
	if err := d.check(f); err != nil {
		return nil, err
	}
	law, err := readLaw(q.Law, q.Plan)
	if err != nil {
		return nil, err
	}
	release, original, err := d.both(ctx, &q)
	if err != nil {
		return nil, err
	}
	if sum := law.Release.SHA256; sum != "" && sum != release.File.SHA256 {
		return nil, usage(fmt.Errorf("%s: the noise model belongs to another release: the SHA-256 is not that of "+
			"the file it was written with", release.File.Name))
	}
	if err := reconstruct.Fits(release.Table, law); err != nil {
		return nil, usage(fmt.Errorf("%s: %w", release.File.Name, err))
	}
	out := &Reconstructed{
		Schema:  schemaOf("reconstruct"),
		Release: release.File.Name,
		Records: release.Table.Rows(),
		Method:  law.Method,
	}
	p := d.begin(message.Say("work.reconstructing").Count("n", out.Records).String())
	defer p.End()
	for i := range law.Parts {
		if err := out.part(ctx, &q, release.Table, original, &law.Parts[i]); err != nil {
			return nil, err
		}
	}
	if len(out.Columns) == 0 {
		return nil, usage(fmt.Errorf("%s: the noise model has no column of numbers or categories; mine itemsets "+
			"--noise-model estimates itemsets", cmp.Or(q.Law, q.Plan)))
	}
	out.Document = report.ReconstructedDocument(out.Release, out.Records, out.Method, out.Columns)
	if q.Report != "" {
		if err := f.add(q.Report, func(w io.Writer) error {
			return report.ReconstructedHTML(w, out.Release, out.Records, out.Method, out.Columns)
		}); err != nil {
			return nil, err
		}
	}
	return out, f.place()
}

// both loads the release and the original, which is nil where none is named.
func (d *Desk) both(ctx context.Context, q *ReconstructRequest) (release *Loaded, original *table.Table, err error) {
	if release, err = d.told(ctx, reader{Source: q.Source}); err != nil || q.Original == "" {
		return release, nil, err
	}
	s := q.Source
	s.Path = q.Original
	l, err := d.Load(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	return release, l.Table, nil
}

// method returns the reconstruction of a part; false where there is none for it.
func (q *ReconstructRequest) method(p *modelfile.Part) (string, reconstruct.Method, bool, error) {
	name, set := q.Method, map[string]string{}
	if name == "" {
		if name = "inversion"; p.Number != nil {
			name = "em"
		}
	}
	entry, err := catalog.Reconstruction(name)
	if err != nil {
		return "", nil, false, usage(err)
	}
	m := entry.New()
	for key, value := range q.Set {
		if q.Method != "" || m.Params().Has(key) {
			set[key] = value
		}
	}
	if _, given := set["intervals"]; !given && m.Params().Has("intervals") {
		set["intervals"] = usualIntervals
	}
	if err := judge.Settle(m.Params(), set); err != nil {
		return "", nil, false, usage(fmt.Errorf("%s: %w", entry.Name, err))
	}
	return entry.Name, m, m.Takes(p), nil
}

// part reconstructs the columns of a part of the law.
func (r *Reconstructed) part(
	ctx context.Context,
	q *ReconstructRequest,
	release, original *table.Table,
	p *modelfile.Part,
) error {
	name, m, takes, err := q.method(p)
	if err != nil {
		return err
	}
	if !takes {
		r.Left = append(r.Left, p.Columns...)
		return nil
	}
	for k, column := range p.Columns {
		d, err := m.Reconstruct(ctx, release, p, k)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Release, err)
		}
		s, err := shape(name, release.Attr(release.Find(column)), d, p, k)
		if err != nil {
			return err
		}
		if original != nil {
			if s.Truth, _, err = d.Count(original); err != nil {
				return usage(fmt.Errorf("the original: %w", err))
			}
			loss, err := reconstruction.Loss(d.Shares, s.Truth)
			if err != nil {
				return err
			}
			seen, err := reconstruction.Loss(d.Observed, s.Truth)
			if err != nil {
				return err
			}
			seen += d.Outside / 2
			s.Loss, s.FaceLoss = &loss, &seen
		}
		r.Columns = append(r.Columns, *s)
	}
	return nil
}

// shape returns a distribution as it is shown.
func shape(
	method string,
	a *table.Attribute,
	d *reconstruct.Distribution,
	p *modelfile.Part,
	k int,
) (*report.ReconstructedShape, error) {
	s := &report.ReconstructedShape{
		Column:     d.Column,
		By:         method,
		Edges:      d.Edges,
		Observed:   d.Observed,
		Shares:     d.Shares,
		Errors:     d.Errors,
		Values:     d.Values,
		Outside:    d.Outside,
		Impossible: d.Impossible,
		Rounds:     d.Rounds,
		Settled:    d.Settled || d.Rounds == 0,
	}
	for i := range d.Shares {
		lo, hi := d.Band(i)
		s.Low, s.High = append(s.Low, lo), append(s.High, hi)
		s.Names = append(s.Names, valueNamed(a, d, i))
	}
	figures, err := d.Conditional(p, k)
	if err != nil {
		return nil, err
	}
	s.Privacy, s.Left, s.Lost = figures.Privacy(), figures.Remaining(), figures.Loss()
	return s, nil
}

// valueNamed says which interval or category a share is of.
func valueNamed(a *table.Attribute, d *reconstruct.Distribution, i int) string {
	if d.Labels != nil {
		if d.Labels[i] == "" {
			return message.Say("law.inNoRecord").String()
		}
		return d.Labels[i]
	}
	lo, hi := d.Edges[i], d.Edges[i+1]
	if a.Step > 0 { // the first and the last value inside
		lo, hi = a.Snap(lo+a.Step/2), a.Snap(hi-a.Step/2)
	}
	from, to := a.AppendValue(nil, rounded(lo, d.Edges)), a.AppendValue(nil, rounded(hi, d.Edges))
	if string(from) == string(to) {
		return string(from)
	}
	return string(from) + " to " + string(to)
}

// rounded leaves of an edge the digits that tell it from the next.
func rounded(v float64, edges []float64) float64 {
	unit := portable.Pow(10, math.Floor(portable.Log10(edges[1]-edges[0]))-2)
	if unit < 1 {
		inverse := math.Round(1 / unit)
		return math.Round(v*inverse) / inverse
	}
	return math.Round(v)
}
