package desk

import (
	"fmt"
	"os"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// modelled is the parameter of measures that takes the text of an information quality model.
const modelled = "iqm"

// model returns the path of the information quality model: the request's, or else the policy's; empty for none.
func (s *Source) model(p *policy.Policy) string {
	if s.IQM == "" && p.IQM != "" {
		return besidePolicy(p.IQM, s.Policy)
	}
	return s.IQM
}

// maxModel bounds a file that is read whole, in bytes; the parser allows less.
const maxModel = 2 << 20

// readModel reads the information quality model and holds it against the table, so that what does not fit is told with its line before anything else is done.
func (l *Loaded) readModel(s *Source) error {
	path := s.model(l.Policy)
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxModel {
		return &Usage{modelled, path, fmt.Errorf("the file has %s bytes, expected an information quality model", numeral.Count(float64(info.Size())))}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	m, err := quality.Parse(path, text)
	if err == nil {
		err = m.Fit(l.Table.Attrs())
	}
	if err != nil {
		return usage(err)
	}
	for _, name := range m.Columns() {
		if l.Table.Attr(l.Table.Find(name)).Role&table.Identifier != 0 {
			return usage(fmt.Errorf("%s: column %q is an identifier, which no release is compared by; leave it out, or give it another role", path, name))
		}
	}
	l.Model = string(text)
	return nil
}

// weigh hands the information quality model to all measures that take one and were not given another, and says whether any takes one.
func (l *Loaded) weigh(specs []study.Spec) (taken bool) {
	for k := range specs {
		if !specs[k].Measure.New().Params().Has(modelled) {
			continue
		}
		taken = true
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		if _, own := specs[k].Set[modelled]; !own && l.Model != "" {
			specs[k].Set[modelled] = l.Model
		}
	}
	return taken
}

// weighed adds the measures that take the information quality model, where one was given, to those that are taken of a release in any case.
func (n *need) weighed(l *Loaded, of size, set *limit.Set) {
	if l.Model == "" {
		return
	}
	takes := func(m measure.Measure) bool { return m.New().Params().Has(modelled) }
	n.rest = slices.DeleteFunc(n.rest, func(s study.Spec) bool { return takes(s.Measure) })
	for _, m := range catalog.Measures() {
		if takes(m) && !slices.ContainsFunc(n.limits, func(s study.Spec) bool { return s.Measure.Name == m.Name }) {
			n.limits = append(n.limits, bounded(m, nil, set.Find(m.Name) == nil, of.columns))
		}
	}
}
