package job

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// AllMeasures takes every measure that can be taken here.
const AllMeasures = "all"

// walkers are the measures that walk over the records in order, which is what can be taken here.
func walkers() (all []measure.Measure) {
	for _, m := range catalog.Measures() {
		if m.Shards != "" {
			all = append(all, m)
		}
	}
	return all
}

// checkMeasures finds the measures that the job names, and refuses those that need all records at hand.
func (q *Job) checkMeasures() error {
	if slices.Equal(q.Measures, []string{AllMeasures}) {
		q.Measures = nil
		for _, m := range walkers() {
			q.Measures = append(q.Measures, m.Name)
		}
	}
	for k, name := range q.Measures {
		m, err := catalog.Measure(strings.TrimSpace(name))
		if err != nil {
			return usage("%w", err)
		}
		if m.Shards == "" {
			var can []string
			for _, w := range walkers() {
				can = append(can, w.Name)
			}
			return usage("%s needs all records at hand: take it of a part of both tables, with dither evaluate; here are "+
				"taken %s", m.Name, strings.Join(can, ", "))
		}
		q.Measures[k] = m.Name
	}
	return nil
}

// measurable refuses measures of a plan that generalises: they would compare what is released with an original that is
// as general.
func (q *Job) measurable(method string, p protect.Plan) error {
	if _, general := p.(noisemodel.Recoder); general && len(q.Measures) > 0 {
		return usage("%s generalises: take measures of a part of both tables, with dither evaluate --plan", method)
	}
	return nil
}

// Measure takes the measures that the job names, of the columns that were kept of all shards: by the code and with the
// figures of dither evaluate --memory. Its element is as long as the two tables; columns that are more than the job's
// memory are mapped into it from files.
func Measure(ctx context.Context, folder string) (err error) {
	q, m, _, p, err := planned(folder)
	if err != nil || len(q.Measures) == 0 {
		return err
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	ctx, s, end, err := q.space(ctx, folder, slices.Concat(p.Schema(), p.Schema()), m.Rows)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	r := &measure.Release{Paired: true}
	if r.Original, err = m.whole(folder, valuesFile, p.Schema(), s); err != nil {
		return err
	}
	if r.Released, err = m.released(folder, s); err != nil {
		return err
	}
	if err := study.WithPlan(r, p); err != nil {
		return err
	}
	var specs []study.Spec
	for _, name := range q.Measures {
		one, err := catalog.Measure(name)
		if err != nil {
			return err
		}
		specs = append(specs, study.Spec{Measure: one})
	}
	taken, err := study.Evaluate(ctx, r, specs, src.Fork("evaluate"), nil)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := report.MeasuresText(&text, taken); err != nil {
		return fmt.Errorf("the text of the measures: %w", err)
	}
	return write(folder, measuresFile, measures{desk.MeasureDocuments(taken), text.String()})
}

// measures are those that were taken, as documents and as text.
type measures struct {
	Documents []desk.MeasureDocument
	Text      string
}
