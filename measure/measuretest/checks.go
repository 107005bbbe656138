package measuretest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/param/paramtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// measure takes the measure with its defaults, but for the parameters that are given.
func (s *suite) measure(ctx context.Context, r *measure.Release) (measure.Value, error) {
	if s.given != nil {
		own := *r
		r = &own
		s.given(r)
	}
	m := s.New()
	if err := m.Params().Apply(s.set); err != nil {
		return measure.Value{}, err
	}
	return m.Measure(ctx, r, rng.New([32]byte{1}))
}

func described(s *suite) error {
	if err := s.Card.Check(); err != nil {
		return err
	}
	if err := s.facts(); err != nil {
		return err
	}
	switch {
	case s.Side != measure.Utility && s.Side != measure.Risk && s.Side != measure.Cost:
		return fmt.Errorf("side is %q", s.Side)
	case s.Better != measure.Higher && s.Better != measure.Lower:
		return fmt.Errorf("better is %q", s.Better)
	case s.Range.Empty() || s.Range.Lo == s.Range.Hi || s.Range.Lo != s.Range.Lo || s.Range.Hi != s.Range.Hi:
		return fmt.Errorf("the range %v leaves no room for a score", s.Range)
	case s.Unit.Kind == "" || s.Unit.Says.Empty():
		return errors.New("unit is empty")
	case s.New == nil || s.New() == nil:
		return errors.New("there is no meter: New is nil or gives nil")
	}
	return nil
}

// facts checks what the rest of the code base asks a measure for.
func (s *suite) facts() error {
	switch {
	case s.About != measure.Identity && s.About != measure.Secret && s.About != measure.Worth:
		return fmt.Errorf("the measure is about %q", s.About)
	case (s.About == measure.Worth) == (s.Side == measure.Risk):
		return fmt.Errorf("a measure of %s is about %s", s.Side, s.About)
	case s.Effort != measure.Fast && s.Effort != measure.Slow:
		return fmt.Errorf("effort is %q", s.Effort)
	case s.Place < 0 || s.MostParts < 0:
		return errors.New("a place or a number of parts is negative")
	}
	for list, e := range map[string]measure.Entry{"record": s.Record, "figure": s.Figure} {
		if e.Place < 0 || (e.Place == 0) != e.Says.Empty() {
			return fmt.Errorf("the entry %+v of %s has a place without a text, or a text without a place", e, list)
		}
	}
	if c := s.Column; c.Place < 0 || (c.Place == 0) != (c.Says == nil) {
		return errors.New("the caption of a column has a place without words, or words without a place")
	} else if c.Says != nil && !strings.Contains(c.Says("0.25").String(), "0.25") {
		return fmt.Errorf("%q does not say the figure", c.Says("0.25"))
	}
	if err := s.New().Params().Apply(s.Bounds); err != nil {
		return fmt.Errorf("the bounds for a report: %w", err)
	}
	return nil
}

func parameters(s *suite) error {
	set := s.New().Params()
	var names []string
	for _, p := range set {
		if p.Help == "" {
			return fmt.Errorf("parameter %q has no help", p.Name)
		}
		if slices.Contains(names, p.Name) {
			return fmt.Errorf("parameter %q is declared twice", p.Name)
		}
		names = append(names, p.Name)
		if got := set.Values()[len(names)-1].Value; fmt.Sprint(got) != fmt.Sprint(p.Default) {
			return fmt.Errorf("a new meter has %s = %v, expected the default %v", p.Name, got, p.Default)
		}
		var bad []string
		switch p.Type {
		case param.TypeFloat, param.TypeInt:
			bad = []string{"x", "NaN", "", fmt.Sprint(*p.Min - 1), fmt.Sprint(*p.Max * 2)}
		case param.TypeBool, param.TypeChoice:
			bad = []string{"x", ""}
		case param.TypeText, param.TypeNames: // any text is one
		}
		for _, v := range bad {
			if s.New().Params().Apply(map[string]string{p.Name: v}) == nil {
				return fmt.Errorf("parameter %s=%q is accepted", p.Name, v)
			}
		}
	}
	if s.New().Params().Apply(map[string]string{"noSuchParameter": "1"}) == nil {
		return errors.New("an unknown parameter is accepted")
	}
	return paramtest.Refused(s.New, func(m measure.Meter) error {
		_, err := measure.Take(context.Background(), m, &measure.Release{}, rng.Source{})
		return err
	})
}

var figureKey = regexp.MustCompile(`^[a-z][a-z0-9.-]*$`)

// Sound returns an error when the value that a measure has of a release breaks the contract.
func Sound(m measure.Measure, r *measure.Release, v measure.Value) error {
	switch {
	case !m.Range.Contains(v.Score):
		return fmt.Errorf("the score %v is outside %v", v.Score, m.Range)
	case !(v.Lo <= v.Score && v.Score <= v.Hi):
		return fmt.Errorf("the bounds %v and %v do not enclose the score %v", v.Lo, v.Hi, v.Score)
	}
	seen := map[[2]string]bool{}
	for _, p := range v.Parts {
		if id := [2]string{string(p.Key), p.Of}; !figureKey.MatchString(id[0]) || seen[id] {
			return fmt.Errorf("part %q has the key %q of %q, which is none or another part's", p.Name, p.Key, p.Of)
		} else {
			seen[id] = true
		}
		if p.Name.String() == "" || math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
			return fmt.Errorf("part %q has score %v", p.Name, p.Score)
		}
	}
	if _, err := json.Marshal(v); err != nil {
		return fmt.Errorf("the value does not encode to JSON: %w", err)
	}
	if m.Side == measure.Risk {
		return tells(r, v.Detail)
	}
	return nil
}

// tells returns an error when the detail of a measure of risk judges single records but not each of the original, or
// speaks but not in sentences.
func tells(r *measure.Release, detail any) error {
	if j, ok := detail.(interface{ Records() []float64 }); ok {
		risk := j.Records()
		if len(risk) != r.Original.Rows() {
			return fmt.Errorf("%d records are judged, expected %d", len(risk), r.Original.Rows())
		}
		if slices.ContainsFunc(risk, func(v float64) bool { return math.IsInf(v, 0) }) {
			return errors.New("the risk of a record is infinite")
		}
	}
	if d, ok := detail.(interface{ Sentence() string }); ok {
		text := d.Sentence()
		for _, bad := range []string{"NaN", "Inf", "%!", "\n"} {
			if strings.Contains(text, bad) {
				return fmt.Errorf("the sentence has %q: %s", bad, text)
			}
		}
		if text != "" && !strings.HasSuffix(text, ".") {
			return fmt.Errorf("the sentence has no end: %s", text)
		}
	}
	return nil
}

func inRange(s *suite) error {
	for _, missing := range []bool{false, true} {
		r := s.release(missing)
		v, err := s.measure(context.Background(), r)
		if err == nil {
			err = Sound(s.Measure, r, v)
		}
		if err == nil {
			err = s.keeps(r, v)
		}
		if err != nil {
			return fmt.Errorf("missing values %v: %w", missing, err)
		}
	}
	return nil
}

// keeps returns an error when the measure has an entry in a list and a value of it nothing to show there.
func (s *suite) keeps(r *measure.Release, v measure.Value) error {
	_, judges := v.Detail.(interface{ Records() []float64 })
	_, heads := v.Detail.(measure.Headliner)
	byColumn, columns := v.Detail.(measure.ByColumn)
	for _, p := range v.Parts {
		columns = columns || p.Key == measure.OfColumn
	}
	if byColumn != nil {
		if _, ok := byColumn.Column("no such column"); ok {
			return errors.New("there is a figure of a column that the table does not have")
		}
	}
	for _, e := range []struct {
		of         string
		named, has bool
	}{{"the risk of a record", s.Record.Place > 0, judges}, {"a headline", s.Figure.Place > 0, heads},
		{"columns", s.Column.Place > 0, columns}} {
		if e.named && !e.has {
			return fmt.Errorf("the facts name an entry of %s, and the value has none", e.of)
		}
	}
	return nil
}

func untouched(s *suite) error {
	for _, missing := range []bool{false, true} {
		r := s.release(missing)
		if _, err := s.measure(context.Background(), r); err != nil {
			return err
		}
		fresh := s.release(missing)
		for _, p := range [][2]*table.Table{{r.Original, fresh.Original}, {r.Released, fresh.Released},
			{r.Holdout, fresh.Holdout}} {
			if err := differ(p[0], p[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// differ returns an error when the tables are not equal.
func differ(a, b *table.Table) error {
	for j := range a.Width() {
		x, y := a.Column(j), b.Column(j)
		if !reflect.DeepEqual(a.Attr(j), b.Attr(j)) || x.Len() != y.Len() || x.Differ(&y) > 0 {
			return fmt.Errorf("column %q was changed", b.Attr(j).Name)
		}
	}
	return nil
}

func deterministic(s *suite) error {
	take := func() (string, error) {
		v, err := s.measure(context.Background(), s.release(true))
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(v)
		return string(text), err
	}
	first, err := take()
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	second, err := take()
	if err == nil && first != second {
		err = fmt.Errorf("one core gives %s, all give %s", second, first)
	}
	return err
}

func cancellable(s *suite) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.measure(ctx, s.release(false)); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("with an ended context the error is %v", err)
	}
	return nil
}

func identical(s *suite) error {
	if s.identical == nil {
		return nil
	}
	for _, missing := range []bool{false, true} {
		r := &measure.Release{Original: people(240, missing), Released: people(240, missing), Paired: true}
		v, err := s.measure(context.Background(), r)
		if err != nil {
			return err
		}
		if v.Score != *s.identical {
			return fmt.Errorf("missing values %v: the score is %v, expected %v", missing, v.Score, *s.identical)
		}
	}
	return nil
}

// odd takes the measure of odd tables: released as they are, with exchanged values, and unpaired with a part of their
// records.
func odd(s *suite) error {
	for name, t := range oddTables() {
		for _, r := range []*measure.Release{
			same(t),
			{Original: t, Released: exchange(t), Paired: true, Holdout: t.Slice(0, 0)},
			{Original: t, Released: t.Slice(0, t.Rows()/2), Holdout: t},
		} {
			v, err := s.measure(context.Background(), r)
			if err == nil {
				err = Sound(s.Measure, r, v)
			} else if err.Error() == "" {
				err = errors.New("an error without a word")
			} else {
				err = nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// poor takes a measure of risk of tables with values that repeat or are not there, released as they are, with exchanged
// values, and with all values but the class suppressed. Such tables are common, so it must have a value, or say that it
// does not apply.
func poor(s *suite) error {
	if s.Side != measure.Risk {
		return nil
	}
	for name, t := range poorTables() {
		for how, released := range map[string]*table.Table{"as it is": t, "exchanged": exchange(t),
			"suppressed": filled(t, math.NaN(), -1)} {
			r := &measure.Release{Original: t, Released: released, Paired: true, Holdout: people(60, true)}
			v, err := s.measure(context.Background(), r)
			if err == nil {
				err = Sound(s.Measure, r, v)
			}
			if err != nil && !errors.Is(err, measure.ErrNotApplicable) {
				return fmt.Errorf("%s, released %s: %w", name, how, err)
			}
		}
	}
	return nil
}

func encodes(s *suite) error {
	v, err := s.measure(context.Background(), s.release(true))
	if err != nil {
		return err
	}
	if v.Detail == nil {
		return nil
	}
	text, err := json.Marshal(v.Detail)
	if err == nil && len(text) < 3 {
		err = fmt.Errorf("the detail encodes to %s", text)
	}
	return err
}
