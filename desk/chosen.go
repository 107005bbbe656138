package desk

import (
	"math"
	"slices"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
)

// ChooseDocument says which technique to take and why. It is confidential: it tells what intruders find in releases
// that were not made.
type ChooseDocument struct {
	Schema   string          `json:"schema"`
	State    study.State     `json:"state"`  // what follows for the release, as its verdict says
	Chosen   *OptionDocument `json:"chosen"` // null where nothing was confirmed
	RunnerUp *OptionDocument `json:"runnerUp"`
	Turns    []search.Turn   `json:"turns"` // changes of one weight with which the runner-up wins
	// where the aspects decide in the owner's order, each only where those before it are level
	Foremost  string                `json:"firstByOrder"`
	For       string                `json:"for"`
	Aspects   []search.WeightedLoss `json:"aspects"`
	Lacking   []string              `json:"unmeasured"` // aspects that count and that the table has nothing of to lose
	Limits    message.Sentence      `json:"limits"`
	Defaults  []message.Sentence    `json:"defaults"` // what nobody asked for and was taken by default
	Ranking   []OptionDocument      `json:"ranking"`
	Rejected  []RejectDocument      `json:"rejected"`
	Prices    []PriceDocument       `json:"prices"`
	Tried     []OptionDocument      `json:"tried"` // every setting that was tried on all records of a trial
	Records   int                   `json:"records"`
	OnRecords int                   `json:"triedOnRecords"`
	// these records were drawn from laws that are fitted to the table
	Generated bool `json:"triedOnGenerated"`
	Trials    int  `json:"trials"`
	Confirmed int  `json:"confirmations"`
	Cut       bool `json:"cut"` // the budget was spent before the search was over
	// Release is the release that confirmed the choice, or the last that did not.
	Release *ProtectDocument `json:"release"`
	// Document is what text and page say of the choice; what they say of the release is in the release.
	Document *document.Document `json:"document"`
}

// OptionDocument is a setting.
type OptionDocument struct {
	Name      string             `json:"name"`
	Technique string             `json:"technique"`
	Set       map[string]string  `json:"set"`
	Loss      float64            `json:"loss"` // of what counts, from 0 to 1
	Losses    map[string]float64 `json:"losses"`
	Risk      *search.Risk       `json:"risk"` // the figure nearest to its limit
	Keeps     bool               `json:"keeps"`
	Seeds     int                `json:"seeds"`
	Share     *float64           `json:"winShare"` // of all weights, with which it comes first
	Operating *OperatingDocument `json:"operating"`
}

// OperatingDocument is how a technique works on this machine.
type OperatingDocument struct {
	Records   int     `json:"records"`
	Seconds   float64 `json:"seconds"`
	Processor bool    `json:"ofAllCores"` // the seconds are of all cores together; else of the clock
	Allocated float64 `json:"allocatedBytes"`
	Slope     Number  `json:"slope"` // of log seconds on log records
	Lo        Number  `json:"slopeLo"`
	Hi        Number  `json:"slopeHi"`
	Declared  string  `json:"declaredCost"`
	Exceeds   bool    `json:"growsFaster"`    // than the declared cost, by the low end of the slope
	Failure   Number  `json:"hidingFailure"`  // share of the patterns to be hidden that can still be found
	Level     Number  `json:"levelOfPrivacy"` // as printed: more negative is better hidden
}

// RejectDocument is a candidate that is out.
type RejectDocument struct {
	Name    string           `json:"name"`
	Why     string           `json:"why"` // limit, baseline, not here, outdone, or search
	Says    message.Sentence `json:"says"`
	Measure string           `json:"measure"` // the limit
	By      *Number          `json:"by"`      // how far beyond it the pessimistic end is
}

// PriceDocument is what a limit costs.
type PriceDocument struct {
	Measure  string `json:"measure"`
	Limit    Number `json:"limit"`
	Loss     Number `json:"loss"`
	Looser   Number `json:"lossAtOneAndAHalf"`
	Stricter Number `json:"lossAtTwoThirds"`
	Each     Number `json:"perHundredth"`
}

// Document is the choice as a document.
func (c *Chosen) Document() ChooseDocument {
	d := ChooseDocument{
		Schema:    schemaOf("choose"),
		State:     c.State(),
		For:       c.Purpose,
		Aspects:   c.Aspects,
		Lacking:   c.Unmeasured,
		Limits:    c.Limits,
		Defaults:  c.Defaults,
		Turns:     c.Turns,
		Records:   c.Records,
		OnRecords: c.Tried,
		Generated: c.Generated,
		Trials:    c.Trials,
		Confirmed: len(c.Confirmed),
		Cut:       c.Cut,
		Ranking:   []OptionDocument{},
		Rejected:  []RejectDocument{},
		Tried:     []OptionDocument{},
	}
	if c.Chosen != nil {
		d.Chosen = c.option(*c.Chosen)
	}
	if first := search.Foremost(c.Aspects, c.Ranking); first != nil && search.Ordered(c.Purpose) {
		d.Foremost = c.Candidates[first.Candidate].Name
	}
	if c.RunnerUp != nil {
		d.RunnerUp = c.option(*c.RunnerUp)
	}
	for _, o := range c.Ranking {
		d.Ranking = append(d.Ranking, *c.option(o))
	}
	for _, p := range c.Points {
		o := c.option(search.Option{Point: p, Total: c.Total(p.Losses)})
		o.Share, o.Operating = nil, nil
		d.Tried = append(d.Tried, *o)
	}
	for _, r := range c.Rejected {
		d.Rejected = append(d.Rejected, c.reject(r))
	}
	for _, p := range c.Prices {
		d.Prices = append(d.Prices, priceDocument(p))
	}
	d.Document = report.ChoiceDocument(c.Told())
	d = whole(d)
	if c.Protection != nil {
		made := c.Protection.Document()
		d.Release = &made
	}
	return d
}

func (c *Chosen) option(o search.Option) *OptionDocument {
	of := &c.Candidates[o.Candidate]
	d := &OptionDocument{
		Name:      of.Name,
		Technique: of.Method.Name,
		Set:       of.Params(o.Setting),
		Loss:      o.Total,
		Losses:    map[string]float64{},
		Keeps:     o.Keeps,
		Seeds:     o.Seeds,
		Share:     &o.Share,
		Operating: c.operating(o.Setting),
	}
	for k, a := range c.Aspects {
		d.Losses[a.Name] = o.Losses[k]
	}
	if o.Risk.Measure != "" {
		d.Risk = &o.Risk
	}
	return d
}

func priceDocument(p search.Price) PriceDocument {
	return PriceDocument{
		Measure:  p.Measure,
		Limit:    Number(p.Limit),
		Loss:     Number(p.Loss),
		Looser:   Number(p.Looser),
		Stricter: Number(p.Stricter),
		Each:     Number(p.PerHundredth()),
	}
}

// operating is how the candidate of an option works; nil where that was not measured.
func (c *Chosen) operating(s search.Setting) *OperatingDocument {
	k := slices.IndexFunc(c.Operating, func(o search.Operating) bool {
		return o.Setting.Candidate == s.Candidate && slices.Equal(o.Setting.Levels, s.Levels)
	})
	if k < 0 {
		return nil
	}
	o := &c.Operating[k]
	return &OperatingDocument{
		o.Records,
		o.Seconds,
		o.Processor,
		o.Allocated,
		Number(o.Slope),
		Number(o.Lo),
		Number(o.Hi),
		o.Declared,
		o.Exceeds(),
		Number(o.HidingFailure),
		Number(o.Level),
	}
}

func (c *Chosen) reject(r search.Rejected) RejectDocument {
	d := RejectDocument{Name: c.Candidates[r.Candidate].Name, Why: "search", Says: r.Why}
	switch {
	case r.Baseline:
		d.Why = "baseline"
	case r.NotHere:
		d.Why = "not here"
	case r.Outdone:
		d.Why = "outdone"
	case r.Demand != nil:
		d.Why, d.Says, d.Measure = "limit", r.Demand.Sentence(), r.Demand.Measure
		if !math.IsInf(r.By, 0) {
			by := Number(r.By)
			d.By = &by
		}
	}
	return d
}
