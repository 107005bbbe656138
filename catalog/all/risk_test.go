package all_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestRiskAtBothEnds takes every measure of risk, against every default intruder, of a table that is released as it is,
// by every technique with its defaults, and as uniform noise. The original must have the worst value, and uniform noise
// one near the best. What is exempt from either says why in the list of expectations. Every single value is held to
// what readers of values rely on. A long test takes all techniques; a quick one takes the measures that are fast,
// against one intruder, of a few techniques.
func TestRiskAtBothEnds(t *testing.T) {
	if testing.Short() {
		return // the suite of the measures has them run on all cores
	}
	methods := catalog.Methods()
	if !long.Enabled() {
		methods = every(methods, 2*fewerTechniques)
	}
	s := stage(t, study.WithoutIdentifiers(generate.Patients(long.Of(200, 400), rng.New([32]byte{1}))), methods)
	for _, m := range catalog.Measures() {
		if m.Side != measure.Risk || m.Effort != measure.Fast && !long.Enabled() {
			continue
		}
		for _, e := range expectationsOf(m.Name) {
			against := s.against(m)
			if e.who != nil {
				against = []*intruder.Intruder{e.who}
			}
			against = against[:long.Of(min(1, len(against)), len(against))]
			for _, who := range against {
				if e.never != "" {
					continue
				}
				name := m.Name + strings.TrimPrefix(fmt.Sprint(e.set), "map") + " " + who.Name
				t.Run(name, func(t *testing.T) { s.hold(t, m, &e, who) })
			}
		}
	}
}

// fewerTechniques: one technique in so many is taken where time matters.
const fewerTechniques = 16

// hold holds a measure to what is expected of it.
func (s *scene) hold(t *testing.T, m measure.Measure, e *expectation, who *intruder.Intruder) {
	original, taken := s.take(t, m, e, s.original, who)
	if !taken && e.worst == "" {
		t.Error("it does not apply to the original as it is, and no reason is listed")
	}
	applies := 0
	s.turn++
	for k, r := range s.protected {
		if applies > 0 && (k+s.turn)%max(e.every, fewerTechniques) > 0 && !long.Enabled() {
			continue
		}
		v, ok := s.take(t, m, e, r, who)
		if ok {
			applies++
		}
		if ok && e.worst == "" && worse(m.Better, v, original, e.slack) {
			if like, ok := s.like(t, m, e, r, who); ok && !worse(m.Better, v, like, e.slack) {
				continue
			}
			t.Errorf("%s has %v [%v, %v], the original %v", r.name, v.Score, v.Lo, v.Hi, original.Score)
		}
	}
	if t.Logf("it applies to %d of %d techniques", applies, len(s.protected)); applies == 0 && long.Enabled() {
		t.Error("it applies to no technique")
	}
	if v, ok := s.take(t, m, e, s.suppressed, who); ok && taken && !e.blind && worse(m.Better, v, original, e.slack) {
		t.Errorf("with all but the class suppressed it has %v, in the original %v", v.Score, original.Score)
	}
	noise, ok := s.take(t, m, e, s.noise, who)
	if e.best != "" {
		return
	}
	if !ok {
		t.Fatal("it does not apply to uniform noise, and no reason is listed")
	}
	if best, far := e.goal(s, m); math.Abs(noise.Score-best) > far && !(noise.Lo <= best && best <= noise.Hi) {
		t.Errorf("uniform noise has %v [%v, %v], expected %v within %v", noise.Score, noise.Lo, noise.Hi, best, far)
	}
	if taken && !e.blind {
		apart(t, m.Better, original, noise)
	}
}

// apart fails unless the original has a worse value than noise by the bounds of both, and riskier records.
func apart(t *testing.T, better measure.Direction, original, noise measure.Value) {
	t.Helper()
	if better == measure.Lower && original.Lo <= noise.Hi || better == measure.Higher && original.Hi >= noise.Lo {
		t.Errorf("the original has %v [%v, %v], uniform noise %v [%v, %v]", original.Score, original.Lo, original.Hi,
			noise.Score, noise.Lo, noise.Hi)
	}
	if a, judged := meanRisk(original); judged {
		if b, _ := meanRisk(noise); !(a > b) {
			t.Errorf("the mean risk of the records is %v in the original, %v in uniform noise", a, b)
		}
	}
}

// meanRisk returns the mean risk of the records judged; judged is false for a measure that judges none.
func meanRisk(v measure.Value) (mean float64, judged bool) {
	j, ok := v.Detail.(judging)
	if !ok {
		return 0, false
	}
	sum, n := 0.0, 0.0
	for _, x := range j.Records() {
		if x == x {
			sum += x
			n++
		}
	}
	return sum / n, true
}

// worse reports whether a value is worse than that of the original beyond its own interval and a slack.
func worse(better measure.Direction, v, original measure.Value, slack float64) bool {
	slack += 1e-9 // of sums
	if better == measure.Lower {
		return v.Lo > original.Score+slack
	}
	return v.Hi < original.Score-slack
}

// take takes a measure and checks the value. It returns false when the measure does not apply.
func (s *scene) take(
	t *testing.T,
	m measure.Measure,
	e *expectation,
	r *release,
	who *intruder.Intruder,
) (measure.Value, bool) {
	t.Helper()
	meter := m.New()
	must.NoError(t, meter.Params().Apply(e.set))
	against := r.Release
	if m.Intruder {
		against = r.Against(who)
	}
	v, err := meter.Measure(context.Background(), against, rng.New([32]byte{3}))
	if errors.Is(err, measure.ErrNotApplicable) {
		return v, false
	}
	if err == nil {
		err = errors.Join(measuretest.Sound(m, r.Release, v), e.judged(v))
	}
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	return v, true
}

// judging is the detail of a measure that judges single records.
type judging interface{ Records() []float64 }

// judged returns an error when no record is judged, or the risk of one is no share and nothing says what else it is.
func (e *expectation) judged(v measure.Value) error {
	j, ok := v.Detail.(judging)
	if !ok {
		return nil
	}
	n := 0
	for _, x := range j.Records() {
		if x == x {
			n++
		}
		if e.records == "" && (x < 0 || x > 1) {
			return fmt.Errorf("a record has risk %v", x)
		}
	}
	if n == 0 {
		return errors.New("no record is judged")
	}
	return nil
}
