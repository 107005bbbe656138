package workbench

import (
	"encoding/json"
	"errors"
	"fmt"
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
	"github.com/dither-data/dither/policy"
)

// demandsView is the screen of the limits.
type demandsView struct {
	Presets   []presetRow
	File      string // of limits, that the policy names and this page does not edit
	Sentences []string
	Unchecked []string
	Own       []thresholdRow
	Measures  []desk.Entry
}

type presetRow struct {
	Name, Source string
	Here         bool
}

// thresholdRow is one threshold of the policy.
type thresholdRow struct {
	K, ID           string // its number in the file
	Title, Sentence string
	Bound, Value    string // max or min, and where
	Lo, Hi, Step    string // of a slider; Hi is empty where the measure has no end
	Reached         string // by the last trial of the policy; empty where there is none
	Loosens         string // the preset's limit that it takes the place of and is laxer than
}

func (s *Server) demandScreen(_ *http.Request, i *inspected) (any, error) {
	v := &demandsView{Measures: boundable()}
	name := i.Policy.Limits
	if name == "" {
		name = "default"
	}
	if !slices.Contains(limit.Names(), name) {
		v.File = filepath.Base(name)
	}
	for _, n := range limit.Names() {
		set, err := limit.Preset(n)
		if err != nil {
			return nil, err
		}
		v.Presets = append(v.Presets, presetRow{n, set.Source, n == name})
		if n != name {
			continue
		}
		v.Unchecked = set.Unchecked
		for _, l := range set.Limits {
			if !slices.ContainsFunc(i.Policy.Thresholds, func(t policy.Threshold) bool { return t.Measure == l.Measure }) {
				v.Sentences = append(v.Sentences, sentenceOf(l))
			}
		}
	}
	for k, t := range i.Policy.Thresholds {
		if t.Max != nil {
			v.Own = append(v.Own, s.threshold(i, k, t.Measure, "max", *t.Max, name))
		}
		if t.Min != nil {
			v.Own = append(v.Own, s.threshold(i, k, t.Measure, "min", *t.Min, name))
		}
	}
	return v, nil
}

// threshold is a threshold of the policy with what the last trial reached.
func (s *Server) threshold(i *inspected, k int, on, bound string, value float64, preset string) thresholdRow {
	row := thresholdRow{K: strconv.Itoa(k), ID: fmt.Sprintf("d%d%s", k, bound), Title: on, Bound: bound, Value: fmt.Sprint(value)}
	lo, hi := 0.0, 1.0
	if e, err := desk.Measures.Find(on); err == nil {
		row.Title = e.Title
		if r := rangeOf(e.Name); r[0] > -1e9 && r[1] < 1e9 {
			lo, hi = r[0], r[1]
		} else {
			hi = 0
		}
	} else if t, ok := limit.Titles[on]; ok {
		row.Title = t
	}
	if hi > lo {
		row.Lo, row.Hi, row.Step = fmt.Sprint(lo), fmt.Sprint(hi), fmt.Sprint((hi-lo)/100)
	}
	l := limit.Limit{Measure: on, Source: "the policy"}
	if bound == "max" {
		l.Max = &value
	} else {
		l.Min = &value
	}
	row.Sentence = sentenceOf(l)
	if set, err := limit.Preset(preset); err == nil {
		if old := set.Find(on); old != nil && old.Max != nil && bound == "max" && value > *old.Max {
			row.Loosens = fmt.Sprintf("This allows more than %v, the limit of %s. The report says that you accepted it.", *old.Max, old.Source)
		}
	}
	r := s.work.result(i.id(0))
	if r == nil {
		return row
	}
	for _, d := range r.Demands {
		if d.Measure == on && d.Value != nil {
			row.Reached = strings.TrimSpace(fmt.Sprintf("%.3g, which is %s", *d.Value, d.Standing))
			if d.Lo != nil && d.Hi != nil && *d.Lo < *d.Hi {
				row.Reached = fmt.Sprintf("%.3g (%.3g to %.3g), which is %s", *d.Value, *d.Lo, *d.Hi, d.Standing)
			}
			break
		}
	}
	return row
}

// sentenceOf says a limit.
func sentenceOf(l limit.Limit) string {
	title := l.Measure
	if e, err := desk.Measures.Find(l.Measure); err == nil {
		title = e.Title
		if e.Unit != "" {
			title += ", in " + e.Unit
		}
	} else if t, ok := limit.Titles[l.Measure]; ok {
		title = t
	}
	switch {
	case l.OfColumns() && l.Max != nil && *l.Max == 0:
		return title + ": none"
	case l.Max != nil && l.Min != nil:
		return fmt.Sprintf("%s: from %v to %v", title, *l.Min, *l.Max)
	case l.Max != nil:
		return fmt.Sprintf("%s: at most %v", title, *l.Max)
	case l.Min != nil:
		return fmt.Sprintf("%s: at least %v", title, *l.Min)
	}
	return title
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
		return []change{{[]string{"thresholds", policy.Last}, []policy.Pair{{Key: "measure", Value: on}, {Key: bound, Value: json.Number(value)}}}}, nil
	}
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
	return slices.ContainsFunc(catalog.Measures(), func(m measure.Measure) bool { return m.Name == name })
}

// rangeOf is where the scores of a measure lie.
func rangeOf(name string) (r [2]float64) {
	for _, m := range catalog.Measures() {
		if m.Name == name {
			return [2]float64{m.Range.Lo, m.Range.Hi}
		}
	}
	return r
}
