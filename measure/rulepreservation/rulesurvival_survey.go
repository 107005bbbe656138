package rulepreservation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// RuleSurvivalState is what became of a rule.
type RuleSurvivalState string

// The states.
const (
	RuleSurvivalKept RuleSurvivalState = "kept" // a rule of both tables
	RuleSurvivalLost RuleSurvivalState = "lost" // of the original alone
	RuleSurvivalNew  RuleSurvivalState = "new"  // of the release alone
)

// survivalStrength is how many records bear a rule out, and how often it is right.
type survivalStrength struct {
	support, confidence, lift float64
	leverage                  float64
}

// rule is a rule in both tables.
type rule struct {
	items  []int32
	end    int32
	state  RuleSurvivalState
	before survivalStrength
	after  survivalStrength
}

// tally counts rules by state.
type tally struct{ kept, lost, new int }

func (t *tally) add(s RuleSurvivalState) {
	switch s {
	case RuleSurvivalKept:
		t.kept++
	case RuleSurvivalLost:
		t.lost++
	case RuleSurvivalNew:
		t.new++
	}
}

// jaccard is the share of the rules of either table that both have.
func (t *tally) jaccard() float64 {
	if all := t.kept + t.lost + t.new; all > 0 {
		return float64(t.kept) / float64(all)
	}
	return 1
}

// The readings of items that may or may not be there.
const (
	pessimistic = iota
	middle
	optimistic
	readings
)

// survivalSurvey goes through the rules of both tables.
type survivalSurvey struct {
	RuleSurvivalMeter
	sets   *itemset.Together
	lists  []*itemset.Transactions
	least  [2]int // records that a rule needs, in the original and in the release
	coding *basket.Coding

	tally
	readings [readings]tally
	// sums of the rules that are kept, and the largest change of a confidence
	moved struct{ support, confidence, most float64 }
	bands []Band
	gone  strongest
	fresh strongest
	drawn [3]sample
	part  []int32
}

// take goes through all sets and their ends.
func (s *survivalSurvey) take(ctx context.Context) error {
	s.bands = bandsFrom(s.Confidence)
	for k := range s.sets.Len() {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		items, counts := s.sets.Set(k)
		if len(items) < 2 {
			continue
		}
		for at, end := range items {
			s.part = append(append(s.part[:0], items[:at]...), items[at+1:]...)
			_, with := s.sets.Set(s.sets.Find(s.part))
			_, wanted := s.sets.Set(s.sets.Find(items[at : at+1]))
			s.judge(rule{items: items, end: end}, counts, with, wanted)
		}
	}
	return ctx.Err()
}

// judge says what became of a rule whose items, beginning and end have these counts, by list.
func (s *survivalSurvey) judge(r rule, both, with, wanted []int32) {
	n := [2]float64{float64(s.lists[0].Len()), float64(s.lists[1].Len())}
	r.before = strengthOf(float64(both[0]), float64(both[0])/float64(with[0]), float64(wanted[0]), n[0])
	had := s.holds(r.before, 0)
	has := [readings]bool{}
	after := [readings]survivalStrength{}
	if len(both) == 2 {
		after[middle] = strengthOf(float64(both[1]), float64(both[1])/float64(with[1]), float64(wanted[1]), n[1])
		has[middle] = s.holds(after[middle], 1)
	} else {
		after = s.doubtful(both, with, wanted, n[1])
		for k := range readings {
			has[k] = s.holds(after[k], 1)
			if had || has[k] {
				s.readings[k].add(stateOf(had, has[k]))
			}
		}
	}
	if r.after = after[middle]; !had && !has[middle] {
		return
	}
	r.state = stateOf(had, has[middle])
	s.count(&r)
}

// doubtful returns the strengths of a rule some of whose items may or may not be there.
func (s *survivalSurvey) doubtful(both, with, wanted []int32, n float64) (out [readings]survivalStrength) {
	few, many := float64(both[1]), float64(both[2])
	least, most := few/float64(with[2]), 1.0
	if with[1] > 0 {
		most = min(1, many/float64(with[1]))
	}
	out[pessimistic] = strengthOf(few, least, float64(wanted[2]), n)
	out[middle] = strengthOf((few+many)/2, (least+most)/2, float64(wanted[1]+wanted[2])/2, n)
	out[optimistic] = strengthOf(many, most, float64(wanted[1]), n)
	return out
}

func strengthOf(both, confidence, wanted, n float64) survivalStrength {
	return survivalStrength{
		support:    both / n,
		confidence: confidence,
		lift:       confidence * n / wanted,
		leverage:   float64(both / n * (1 - wanted/n/confidence)),
	}
}

// holds reports whether a rule reaches the thresholds in the original, or in the release.
func (s *survivalSurvey) holds(r survivalStrength, list int) bool {
	return math.Round(2*r.support*float64(s.lists[list].Len())) >= float64(2*s.least[list]) &&
		r.confidence >= s.Confidence &&
		(r.lift >= s.Lift || s.Lift == 0)
}

func stateOf(had, has bool) RuleSurvivalState {
	switch {
	case had && has:
		return RuleSurvivalKept
	case had:
		return RuleSurvivalLost
	}
	return RuleSurvivalNew
}

func (s *survivalSurvey) count(r *rule) {
	s.add(r.state)
	if r.state != RuleSurvivalNew {
		b := &s.bands[max(0, bandOf(s.bands, r.before.confidence))]
		b.Original++
		if r.state == RuleSurvivalKept {
			b.Kept++
		}
	}
	switch r.state {
	case RuleSurvivalKept:
		confidence := math.Abs(r.after.confidence - r.before.confidence)
		s.moved.support += math.Abs(r.after.support - r.before.support)
		s.moved.confidence += confidence
		s.moved.most = max(s.moved.most, confidence)
		s.drawn[0].add(r)
	case RuleSurvivalLost:
		s.gone.add(r, r.before.leverage)
		s.drawn[1].add(r)
	case RuleSurvivalNew:
		s.fresh.add(r, r.after.leverage)
		s.drawn[2].add(r)
	}
}

func bandsFrom(confidence float64) (out []Band) {
	edges := []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1}
	from := confidence
	for _, e := range edges {
		if e > from {
			out = append(out, Band{From: from, To: e})
			from = e
		}
	}
	return append(out, Band{From: 1, To: 1})
}

// bandOf returns the last band that begins at a confidence or below.
func bandOf(bands []Band, confidence float64) int {
	k, exact := slices.BinarySearchFunc(bands, confidence, func(b Band, c float64) int { return cmp.Compare(b.From, c) })
	if exact {
		return k
	}
	return k - 1
}

// shown is how many of the strongest rules a detail names.
const shown = 10

// strongest keeps the rules of the highest weight, of equals the first.
type strongest struct {
	rules   []rule
	weights []float64
}

func (s *strongest) add(r *rule, weight float64) {
	at := len(s.weights)
	for at > 0 && s.weights[at-1] < weight {
		at--
	}
	if at == shown {
		return
	}
	s.rules, s.weights = slices.Insert(s.rules, at, *r), slices.Insert(s.weights, at, weight)
	s.rules, s.weights = s.rules[:min(shown, len(s.rules))], s.weights[:min(shown, len(s.weights))]
}

// points is how many rules of a state are drawn.
const points = 200

// sample keeps the rules whose items have the smallest hashes: a draw that is the same in every run.
type sample struct {
	rules  []rule
	hashes []uint64
}

func (s *sample) add(r *rule) {
	h := uint64(14695981039346656037)
	for _, v := range append([]int32{r.end}, r.items...) {
		h = (h ^ uint64(v)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	at, _ := slices.BinarySearch(s.hashes, h)
	if at == points {
		return
	}
	s.rules, s.hashes = slices.Insert(s.rules, at, *r), slices.Insert(s.hashes, at, h)
	s.rules, s.hashes = s.rules[:min(points, len(s.rules))], s.hashes[:min(points, len(s.hashes))]
}

// parts are what became of the rules, in shares.
func (s *survivalSurvey) parts() []measure.Part {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	had, has := s.kept+s.lost, s.kept+s.new
	out := []measure.Part{
		{Key: "rules-original", Name: message.Say("measure.rulesurvival.part.rules-original"), Score: float64(had)},
		{Key: "rules-released", Name: message.Say("measure.rulesurvival.part.rules-released"), Score: float64(has)},
	}
	if had > 0 {
		out = append(out,
			measure.Part{Key: "kept", Name: message.Say("measure.rulesurvival.part.kept"), Score: share(s.kept, had)})
	}
	if has > 0 {
		out = append(out,
			measure.Part{Key: "new", Name: message.Say("measure.rulesurvival.part.new"), Score: share(s.new, has)})
	}
	if s.kept > 0 {
		out = append(
			out,
			measure.Part{
				Key:   "support-change",
				Name:  message.Say("measure.rulesurvival.part.support-change"),
				Score: s.moved.support / float64(s.kept),
			},
			measure.Part{
				Key:   "confidence-change",
				Name:  message.Say("measure.rulesurvival.part.confidence-change"),
				Score: s.moved.confidence / float64(s.kept),
			},
			measure.Part{
				Key:   "confidence-largest",
				Name:  message.Say("measure.rulesurvival.part.confidence-largest"),
				Score: s.moved.most,
			},
		)
	}
	return out
}
