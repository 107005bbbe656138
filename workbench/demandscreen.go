package workbench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// demandsView is the screen of the limits.
type demandsView struct {
	Presets   []presetRow
	File      string // of limits, that the policy names and this page does not edit
	Given     []limitRow
	More      []limitRow // on ways in and on plans that are applied, which seldom decide
	Sentences []string   // of limits that count columns or patterns: none may be there
	Unchecked []string
	Own       []limitRow
	Measures  []desk.Entry
	Untried   bool // the policy as it stands
}

type presetRow struct {
	Name, Source string
	Here         bool
}

// limitRow is one bound, of the preset or a threshold of the policy.
type limitRow struct {
	K, ID           string // its number in the file; empty for one of the preset
	Measure         string
	Title, Sentence string
	Bound, Value    string           // max or min, and where
	Axis            *axis            // nil where the measure has no end
	Marks           message.Sentence // what is marked on it, in words
	Loosens         message.Sentence // the preset's limit that it takes the place of and is laxer than
}

func (s *Server) demandScreen(r *http.Request, i *inspected) (any, error) {
	v := &demandsView{Measures: boundable(), Untried: s.work.result(i.id(0)) == nil}
	name := limitsOf(i)
	if !slices.Contains(limit.Names(), name) {
		v.File = filepath.Base(name)
	}
	known, err := s.originals(r, i)
	if err != nil {
		return nil, err
	}
	for _, n := range limit.Names() {
		set, err := limit.Preset(n)
		if err != nil {
			return nil, err
		}
		v.Presets = append(v.Presets, presetRow{n, set.Source.Sentence().String(), n == name})
		if n != name {
			continue
		}
		for _, p := range set.Unchecked {
			v.Unchecked = append(v.Unchecked, p.Sentence().String())
		}
		for _, l := range set.Limits {
			switch {
			case slices.ContainsFunc(i.Policy.Thresholds, func(t policy.Threshold) bool { return t.Measure == l.Measure }):
			case l.OfColumns() || l.Measure == limit.Patterns || l.Max == nil:
				v.Sentences = append(v.Sentences, sentenceOf(l).String())
			default:
				row := s.bound(i, known, l.Measure, "max", *l.Max)
				if row.ID = "g-" + l.Measure; l.IfAny || l.Measure == limit.Drift || l.Measure == limit.Outside {
					v.More = append(v.More, row)
				} else {
					v.Given = append(v.Given, row)
				}
			}
		}
	}
	for k, t := range i.Policy.Thresholds {
		for bound, value := range map[string]*float64{"max": t.Max, "min": t.Min} {
			if value == nil {
				continue
			}
			row := s.bound(i, known, t.Measure, bound, *value)
			row.K, row.ID = strconv.Itoa(k), fmt.Sprintf("d%d%s", k, bound)
			row.Loosens = loosens(t.Measure, bound, *value, name)
			v.Own = append(v.Own, row)
		}
	}
	slices.SortStableFunc(v.Own, func(a, b limitRow) int { return cmp.Compare(a.ID, b.ID) })
	return v, nil
}

// originals are what the original reaches on the axes of limits: of people who can be looked up, those who are alone by
// what the first intruder knows.
func (s *Server) originals(r *http.Request, i *inspected) (map[string]float64, error) {
	out := map[string]float64{}
	if whom := i.whom(); len(whom) > 0 {
		view, err := whom[0].On(i.Table.Attrs())
		if err != nil {
			return nil, err
		}
		alone, of, err := i.alone(r.Context(), view)
		if err != nil {
			return nil, err
		}
		out[limit.Lookup] = float64(alone) / float64(max(of, 1))
	}
	if res := s.work.result(i.id(0)); res != nil {
		maps.Copy(out, res.Originals)
	}
	return out, nil
}

// bound is a bound on a figure, with what the original and the last trial of the policy reach.
func (s *Server) bound(i *inspected, known map[string]float64, on, bound string, value float64) limitRow {
	row := limitRow{Measure: on, Title: titled(on).String(), Bound: bound, Value: fmt.Sprint(value)}
	l := limit.Limit{Measure: on}
	if bound == "max" {
		l.Max = &value
	} else {
		l.Min = &value
	}
	row.Sentence = sentenceOf(l).String()
	a := &axis{Limit: value, Max: bound == "max", Title: row.Title}
	if v, ok := known[on]; ok {
		a.Original = &v
		row.Marks = message.Say("workbench.original").Digits("figure", v, axisDigits)
	}
	if r := s.work.result(i.id(0)); r != nil {
		if d := worstOf(r.Demands, on); d != nil && d.Value != nil {
			a.Release = d
			row.Marks = message.After(row.Marks, reached(d))
		}
	}
	if lo, hi := rangeOf(on); hi > lo {
		a.Lo, a.Hi = lo, hi
		row.Axis = a
	}
	return row
}

// axisDigits is how many significant digits a number has that is marked on an axis.
const axisDigits = 3

// reached says what a release reached of a limit, in figures of the limit's own axis.
func reached(d *study.Demand) message.Sentence {
	figure := message.Digits(*d.Value, axisDigits)
	if d.Lo != nil && d.Hi != nil && *d.Lo < *d.Hi {
		figure = message.Say("workbench.between").Part("value", figure).
			Digits("lo", *d.Lo, axisDigits).Digits("hi", *d.Hi, axisDigits)
	}
	return message.Say("workbench.last").Part("figure", figure).Part("standing", report.Standing(d))
}

// worstOf is the demand on a measure that is furthest from being met.
func worstOf(list []study.Demand, on string) (worst *study.Demand) {
	rank := []study.Standing{study.Met, study.Unproven, study.Broke}
	for k := range list {
		d := &list[k]
		switch {
		case d.Measure != on || d.Value == nil:
		case worst == nil,
			slices.Index(rank, d.Standing) > slices.Index(rank, worst.Standing),
			d.Standing == worst.Standing && (d.Max != nil && *d.Value > *worst.Value || d.Max == nil && *d.Value < *worst.Value):
			worst = d
		}
	}
	return worst
}

// loosens says that a threshold allows more than the preset's limit; nothing where it does not.
func loosens(on, bound string, value float64, preset string) (none message.Sentence) {
	set, err := limit.Preset(preset)
	if err != nil {
		return none
	}
	if old := set.Find(on); old != nil && old.Max != nil && bound == "max" && value > *old.Max {
		return message.Say("workbench.looser").Number("most", *old.Max, 0).Part("source", old.Source.Sentence())
	}
	return none
}

// titled is what a limit is on.
func titled(on string) message.Sentence {
	if e, err := desk.Measures.Find(on); err == nil {
		return message.Text(e.Title)
	}
	return limit.Title(on)
}

// sentenceOf says a limit.
func sentenceOf(l limit.Limit) message.Sentence {
	what := titled(l.Measure)
	if e, err := desk.Measures.Find(l.Measure); err == nil && e.Unit != "" {
		what = message.Say("workbench.bound.unit").Part("what", what).Text("unit", e.Unit)
	}
	switch {
	case l.OfColumns() && l.Max != nil && *l.Max == 0:
		return message.Say("workbench.bound.none").Part("what", what)
	case l.Max != nil && l.Min != nil:
		return message.Say("workbench.bound.between").Part("what", what).
			Number("least", *l.Min, 0).Number("most", *l.Max, 0)
	case l.Max != nil:
		return message.Say("workbench.bound.most").Part("what", what).Number("most", *l.Max, 0)
	case l.Min != nil:
		return message.Say("workbench.bound.least").Part("what", what).Number("least", *l.Min, 0)
	}
	return what
}

// demand is a form about the limits.
func (i *inspected) demand(what string, form url.Values) ([]change, error) {
	value := strings.TrimSpace(form.Get("value"))
	switch what {
	case "limits":
		if !slices.Contains(limit.Names(), value) { // a file is named in an editor: no path comes from the browser
			return nil, errForm
		}
		if value == "default" {
			return []change{{[]string{"limits"}, nil}}, nil
		}
		return []change{{[]string{"limits"}, value}}, nil
	case "demand-add":
		on, bound := form.Get("measure"), form.Get("bound")
		if _, err := number(value); err != nil || bound != "min" && bound != "max" || !isBoundable(on) {
			return nil, cmpError(err, errForm)
		}
		return []change{
			{
				[]string{"thresholds", policy.Last},
				[]policy.Pair{{Key: "measure", Value: on}, {Key: bound, Value: json.Number(value)}},
			},
		}, nil
	}
	return i.threshold(what, form, value)
}

// threshold is a form about a bound of the policy.
func (i *inspected) threshold(what string, form url.Values, value string) ([]change, error) {
	k, err := strconv.Atoi(form.Get("k"))
	if err != nil || k < 0 || k >= len(i.Policy.Thresholds) {
		return nil, errForm
	}
	at := []string{"thresholds", strconv.Itoa(k)}
	switch bound := form.Get("bound"); what {
	case "demand":
		if _, err := number(value); err != nil || bound != "min" && bound != "max" {
			return nil, cmpError(err, errForm)
		}
		return []change{{append(at, bound), json.Number(value)}}, nil
	case "demand-drop":
		if t := i.Policy.Thresholds[k]; t.Min != nil && t.Max != nil && (bound == "min" || bound == "max") {
			return []change{{append(at, bound), nil}}, nil
		}
		return []change{{at, nil}}, nil
	}
	return nil, errForm
}

func cmpError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// number reads a number that was typed.
func number(s string) (json.Number, error) {
	if n, ok := scalar(s).(json.Number); ok {
		return n, nil
	}
	return "", errors.New("a limit is a number, such as 0.09")
}

// boundable lists the measures that a policy may bound: the people found first, then the other risks.
func boundable() []desk.Entry {
	out := desk.Measures.Entries()
	rank := func(e desk.Entry) int {
		switch {
		case e.Name == "found":
			return 0
		case e.Side == string(measure.Risk):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b desk.Entry) int { return rank(a) - rank(b) })
	return out
}

func isBoundable(name string) bool {
	return name == limit.Lookup || name == limit.Outside || name == limit.Drift ||
		slices.ContainsFunc(catalog.Measures(), func(m measure.Measure) bool { return m.Name == name })
}

// rangeOf is where the figures of a limit lie; 0 and 0 where they have no end.
func rangeOf(name string) (lo, hi float64) {
	if name == limit.Lookup || name == limit.Outside {
		return 0, 1
	}
	for _, m := range catalog.Measures() {
		if m.Name == name && m.Range.Lo > -1e9 && m.Range.Hi < 1e9 {
			return m.Range.Lo, m.Range.Hi
		}
	}
	return 0, 0
}
