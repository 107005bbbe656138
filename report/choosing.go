package report

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/choice"
	"github.com/dither-data/dither/study/chooser"
	"github.com/dither-data/dither/table"
)

// Choosing is a choice of a technique, as a report tells it.
type Choosing struct {
	*chooser.Choice
	Candidates []chooser.Candidate
	Purpose    string              // what must not be lost
	Limits     string              // what is kept
	Defaults   []string            // what was taken by default
	Unmeasured []string            // aspects that were asked for and that the table has nothing of to lose
	Operating  []chooser.Operating // of what was chosen, first, and of those that lose least
	Records    int
	Tried      int  // records that a trial was made on
	Generated  bool // these were drawn from laws that are fitted to the table
}

const (
	openOptions = 5  // techniques of the ranking on a screen
	mostOptions = 12 // in the table of the page; the others are counted
	mostPaths   = 6  // techniques on the map
	besides     = 3  // settings of each besides the one that loses least
	farthest    = 2  // limits away from the origin, beyond which nothing is drawn
	mostLosses  = 4  // aspects named on a screen
	leastAcross = 60 // cells of a terminal below which the ranking has two columns
)

// loss writes a loss in per cent of all that there is to lose.
func loss(v float64) string { return share100(v) + " %" }

func share100(v float64) string {
	if v != 0 && math.Abs(v) < 0.0005 {
		return "0.05"
	}
	return fmt.Sprintf("%.1f", 100*v)
}

// called is the name of a candidate.
func (c *Choosing) called(k int) string { return c.Candidates[k].Name }

// described is a setting in words.
func (c *Choosing) described(s chooser.Setting) string {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	var values []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !strings.Contains(name, "within.") { // the candidate's name says inside what it works
			values = append(values, name+" "+set[name])
		}
	}
	if values == nil {
		return c.called(s.Candidate)
	}
	return c.called(s.Candidate) + " (" + strings.Join(values, ", ") + ")"
}

// Command is how protect releases by a setting.
func (c *Choosing) Command(s chooser.Setting) string {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	out := "--method " + of.Method.Name
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out += " --set " + name + "=" + set[name]
	}
	return out
}

// losses lists what is lost by aspect, the most first.
func (c *Choosing) losses(values []float64) []string {
	order := make([]int, len(c.Aspects))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmpDown(c.Aspects[a].Weight*values[a], c.Aspects[b].Weight*values[b]) })
	var out []string
	for _, k := range order {
		if c.Aspects[k].Weight > 0 {
			out = append(out, c.Aspects[k].Name+" "+loss(values[k]))
		}
	}
	return out
}

func cmpDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// turn says what would have to change for the runner-up to win.
func (c *Choosing) turn() string {
	if c.RunnerUp == nil && slices.ContainsFunc(c.Rejected, func(r chooser.Rejected) bool { return r.Outdone }) {
		return "No other technique that keeps the limits can lose less, whatever its noise."
	}
	if c.RunnerUp == nil {
		return "No other technique keeps the limits."
	}
	name := c.called(c.RunnerUp.Candidate)
	if len(c.Turns) == 0 {
		return name + " is second; no change of a single weight makes it win."
	}
	t := c.Turns[0]
	return fmt.Sprintf("%s is second; it would win if %s counted %s instead of %s.", name, t.Aspect, weight(t.To), weight(t.From))
}

// inOrder says who comes first where the aspects decide one after the other, in the order in which the owner names them; empty where there is no such order.
func (c *Choosing) inOrder() string {
	first := chooser.Foremost(c.Aspects, c.Ranking)
	if first == nil || len(c.Aspects) < 2 || !chooser.Ordered(c.Purpose) {
		return ""
	}
	var names []string
	for _, a := range c.Aspects {
		if a.Weight > 0 {
			names = append(names, a.Name)
		}
	}
	return fmt.Sprintf("Were it decided by %s, each only where those before it are level, %s would come first.", strings.Join(names, ", then "), c.called(first.Candidate))
}

func weight(v float64) string {
	return strings.TrimSuffix(strings.TrimSuffix(fmt.Sprintf("%.2f", v), "0"), ".0")
}

// price says what a limit costs.
func (c *Choosing) price(p chooser.Price) string {
	name := p.Measure
	cost := func(v float64, factor float64) string {
		at := numeral.Percent(p.Limit * factor)
		if v != v {
			return "at " + at + " nothing that was tried would be left"
		}
		return fmt.Sprintf("at %s it would be %s", at, loss(v))
	}
	return fmt.Sprintf("The limit on %s: under %s the best of all that was tried loses %s; %s, %s.", name, numeral.Percent(p.Limit), loss(p.Loss), cost(p.Looser, 1.5), cost(p.Stricter, 2.0/3))
}

// paid returns the limits that cost something, those that cost most first.
func (c *Choosing) paid() []chooser.Price {
	out := slices.DeleteFunc(slices.Clone(c.Prices), func(p chooser.Price) bool { return p.Looser == p.Loss && p.Stricter == p.Loss })
	slices.SortStableFunc(out, func(a, b chooser.Price) int { return cmpDown(a.Loss-a.Looser, b.Loss-b.Looser) })
	return out
}

// workRow is how a technique works on this machine.
type workRow struct{ Name, Seconds, Growth, Declared, Memory, Failure, Level string }

// works lists how the techniques work that lose least.
func (c *Choosing) works() (out []workRow) {
	for k := range c.Operating {
		o := &c.Operating[k]
		r := workRow{Name: c.described(o.Setting), Seconds: fmt.Sprintf("%.2g", o.Seconds), Declared: o.Declared, Memory: fmt.Sprintf("%.0f MB", o.Allocated/1e6)}
		if o.Slope == o.Slope {
			r.Growth = fmt.Sprintf("%.2f (%.2f to %.2f)", o.Slope, o.Lo, o.Hi)
		}
		if o.Exceeds() {
			r.Growth += ": faster than declared"
		}
		if o.HidingFailure == o.HidingFailure {
			r.Failure = numeral.Percent(o.HidingFailure)
		}
		if o.Level == o.Level {
			r.Level = fmt.Sprintf("%.3f", o.Level)
		}
		out = append(out, r)
	}
	return out
}

// worksLead says what the figures of works are.
func (c *Choosing) worksLead() string {
	if len(c.Operating) == 0 {
		return ""
	}
	o := &c.Operating[0]
	of := "of the clock"
	if o.Processor {
		of = "of all cores together"
	}
	s := fmt.Sprintf("Measured on this machine, on %s: seconds %s to fit and apply, the median of several; memory allocated on the way.", counted(o.Records, "record"), of)
	if slices.ContainsFunc(c.Operating, func(o chooser.Operating) bool { return o.Slope == o.Slope }) {
		s += " Growth is the power of the records with which time grows, with its 95 % interval."
	}
	if slices.ContainsFunc(c.Operating, func(o chooser.Operating) bool { return o.Level == o.Level }) {
		s += " The level of privacy is J' after less J' before, the mean over the rules: more negative is better hidden."
	}
	return s
}

// tally counts who is out, and why.
func (c *Choosing) tally() string {
	broke, here, outdone, baselines := 0, 0, 0, 0
	for _, r := range c.Rejected {
		switch {
		case r.Baseline:
			baselines++
		case r.NotHere:
			here++
		case r.Outdone:
			outdone++
		default:
			broke++
		}
	}
	s := fmt.Sprintf("Of %s, %d cannot be shown to keep the limits with any noise, %d do not apply to this table, and %d lose more whatever their noise.",
		counted(len(c.Candidates), "candidate"), broke, here, outdone)
	if baselines > 0 {
		s += fmt.Sprintf(" %s to compare with, and not for release.", numeral.Counted(baselines, "baseline"))
	}
	if c.Generated {
		s += fmt.Sprintf(" Tried on %s that were drawn from laws fitted to the table.", counted(c.Tried, "record"))
	}
	return s
}

// confirmed says how the choice was confirmed.
func (c *Choosing) confirmed() string {
	n := len(c.Confirmed)
	switch {
	case n == 0:
		return "No candidate was shown to keep the limits."
	case c.Chosen == nil:
		return fmt.Sprintf("Released anew, %s did not keep the limits.", counted(n, "setting"))
	case n == 1:
		return "Released anew, with other randomness and other attacks: these figures are of that release."
	}
	return fmt.Sprintf("Released anew, with other randomness and other attacks: these figures are of that release. %s before it did not keep the limits.", counted(n-1, "setting"))
}

// Consequences are sentences on what follows: the runner-up and what would make it win, and what the limits cost.
func (c *Choosing) Consequences() []string {
	out := []string{c.turn()}
	if s := c.inOrder(); s != "" {
		out = append(out, s)
	}
	for _, p := range c.paid() {
		out = append(out, c.price(p))
	}
	return out
}

// uncounted says which of what was asked for the table has nothing of; empty for nothing.
func (c *Choosing) uncounted() string {
	if len(c.Unmeasured) == 0 {
		return ""
	}
	return "Not counted: " + strings.Join(c.Unmeasured, ", ") + ". This table has nothing of that to lose, so the choice goes by the rest."
}

// ChoiceText writes a choice for a terminal, in at most 25 lines with what whoever calls prints after it.
func ChoiceText(w io.Writer, c *Choosing, o *study.Outcome, s Screen) error {
	f := &fitter{s, strings.NewReplacer()}
	var head, rank, said, files []string
	if o != nil {
		f = newFitter(o, s)
		if s.Files != nil {
			files = f.files()
		}
		s.After += max(0, len(wrapped(s.Gate(o.Verdict), s.width()))-1)
	}
	if o != nil {
		head = f.state(o)
	} else {
		head = f.say("", stateLine(study.Withheld, "no candidate was shown to keep the limits, so nothing was released"), 2)
	}
	if s := c.uncounted(); s != "" {
		head = append(head, f.say("", s, 3)...)
	}
	switch {
	case c.Chosen != nil:
		head = append(head, f.say("CHOSEN: ", c.described(c.Chosen.Setting), 2)...)
		lost := c.losses(c.Chosen.Losses)
		head = append(head, f.say("", fmt.Sprintf("It loses %s of what counts: %s.", loss(c.Chosen.Total), strings.Join(lost[:min(len(lost), mostLosses)], ", ")), 2)...)
		if o != nil {
			head = append(head, f.say("", o.Verdict.Sentence, 3)...)
		}
	default:
		head = append(head, "NOTHING IS CHOSEN")
	}
	head = append(head, f.say("", c.confirmed(), 2)...)
	rank = c.ranking(f, openOptions)
	said = append(said, f.say("", c.turn(), 2)...)
	if paid := c.paid(); len(paid) > 0 && c.Chosen != nil {
		said = append(said, f.say("", c.price(paid[0]), 3)...)
	}
	said = append(said, f.say("", c.tally(), 3)...)
	for _, r := range c.Rejected {
		if r.Baseline && !s.Verbose {
			said = append(said, f.say("", c.why(r), 2)...)
		}
	}
	if c.Cut {
		said = append(said, "The budget was spent before all was tried.")
	}
	for _, d := range c.Defaults {
		said = append(said, f.say("By default: ", d+".", 2)...)
	}
	if s.Verbose {
		for _, r := range c.Rejected {
			said = append(said, f.say("  ", c.why(r), 3)...)
		}
	} else if room := screenLines - s.After - len(head) - len(rank) - len(files); len(said) > room {
		said = said[:max(room, 0)]
	}
	_, err := io.WriteString(w, joinedLines(head, rank, said, files))
	return err
}

// ranking is a table of the best techniques.
func (c *Choosing) ranking(f *fitter, most int) (out []string) {
	if len(c.Ranking) == 0 {
		return nil
	}
	if f.width() < leastAcross {
		for _, o := range c.Ranking[:min(len(c.Ranking), most)] {
			out = append(out, fmt.Sprintf("%-*s %7s", f.width()-8, shortened(Printable(c.called(o.Candidate)), f.width()-8), loss(o.Total)))
		}
		return out
	}
	wide := f.width() - 38
	out = append(out, fmt.Sprintf("%-*s %7s %16s %11s", wide, "in the search", "loses", "nearest limit", "first"))
	for _, o := range c.Ranking[:min(len(c.Ranking), most)] {
		name := shortened(Printable(c.called(o.Candidate)), wide)
		out = append(out, fmt.Sprintf("%-*s %7s %16s %11s", wide, name, loss(o.Total), risk(o.Risk), numeral.Percent(o.Share)))
	}
	return out
}

// risk is the upper bound of a figure beside its limit.
func risk(r chooser.Risk) string {
	if r.Measure == "" {
		return "-"
	}
	return fmt.Sprintf("%s %s", r.Measure, loss(r.Hi))
}

// why says why a candidate is out.
func (c *Choosing) why(r chooser.Rejected) string {
	if r.Demand == nil {
		return c.called(r.Candidate) + ": " + sentence(r.Why)
	}
	s := c.called(r.Candidate) + ": "
	if l := (limit.Limit{Measure: r.Demand.Measure}); !l.OfTechnique() {
		s += "even with its strongest noise, "
	}
	s += r.Demand.String()
	if r.By > 0 && !math.IsInf(r.By, 0) {
		s += "; beyond by " + r.Demand.Beyond(r.By)
	}
	return s + "."
}

// choosingSection is the section of the page.
type choosingSection struct {
	Lead, Confirmed, Turn, Order, Tally string
	Uncounted                           string
	Wide, Narrow                        template.HTML
	Prices                              []string
	Rows                                []choosingRow
	More                                int
	Aspects                             []fact
	Out                                 []string
	Defaults                            []string
	Command, WorksLead                  string
	Works                               []workRow
	Cut                                 bool // the budget was spent before all was tried
}

type choosingRow struct {
	Name, Loss, Risk, Share string
	Losses                  []string
	Chosen                  bool
}

// choosingOf makes the section; nil where nothing was chosen by a search, and for the public: settings and risks of what was not released help an intruder.
func choosingOf(opt Options) *choosingSection {
	c := opt.Choice
	if c == nil || opt.Public {
		return nil
	}
	s := &choosingSection{Confirmed: c.confirmed(), Turn: c.turn(), Order: c.inOrder(), Tally: c.tally(), Works: c.works(), WorksLead: c.worksLead(), Defaults: c.Defaults, Cut: c.Cut, Uncounted: c.uncounted()}
	if c.Chosen != nil {
		s.Lead = fmt.Sprintf("%s loses %s of what counts, the least of all that was shown to keep the limits.", c.described(c.Chosen.Setting), loss(c.Chosen.Total))
		s.Command = c.Command(c.Chosen.Setting)
	}
	for _, p := range c.Prices {
		s.Prices = append(s.Prices, c.price(p))
	}
	for _, a := range c.Aspects {
		s.Aspects = append(s.Aspects, fact{a.Name + ", weight " + weight(a.Weight), "A loss of 100 % " + chooser.AspectText(a.Name) + "."})
	}
	for k, o := range c.Ranking {
		if k == mostOptions {
			s.More = len(c.Ranking) - k
			break
		}
		row := choosingRow{Name: c.described(o.Setting), Loss: loss(o.Total), Risk: risk(o.Risk), Share: numeral.Percent(o.Share), Chosen: c.Chosen != nil && o.Candidate == c.Chosen.Candidate}
		for _, v := range o.Losses {
			row.Losses = append(row.Losses, share100(v))
		}
		s.Rows = append(s.Rows, row)
	}
	for _, r := range c.Rejected {
		s.Out = append(s.Out, c.why(r))
	}
	m := c.riskMap()
	s.Narrow = m.Draw("choice-narrow")
	m.Width = mapWidth
	s.Wide = m.Draw("choice-map")
	return s
}

// riskMap draws every setting that was tried: what it loses against how much of its limit the figure nearest to one takes up.
func (c *Choosing) riskMap() chart.Map {
	m := chart.Map{Title: "Loss and risk of every setting that was tried",
		X: chart.Axis{Title: "Upper bound of what is nearest to its limit, in per cent of the limit", Good: "safer", Decimals: 0, Margin: 1, Range: table.Interval{Lo: 0, Hi: math.Inf(1)}},
		Y: chart.Axis{Title: "Lost of what counts, in per cent", Good: "more useful", Decimals: 1, Margin: 0.1, Range: table.Interval{Lo: 0, Hi: 100}}}
	for k, o := range c.Ranking[:min(len(c.Ranking), mostPaths)] {
		for _, p := range c.path(o) {
			pt := chart.Point{Label: c.values(p.Setting), Name: c.described(p.Setting), Path: k + 1, Aside: !p.Keeps, X: certain(100 * p.Risk.Hi / p.Risk.Limit), Y: certain(100 * c.Total(p.Losses))}
			if slices.Equal(o.Levels, p.Levels) {
				pt.Label = c.called(o.Candidate)
			}
			m.Points = append(m.Points, pt)
		}
	}
	return m
}

// path returns the setting of a technique that loses least, and some others that were tried, in the order of what they lose; those far beyond a limit
// would press the others together.
func (c *Choosing) path(o chooser.Option) (out []chooser.Point) {
	var others []chooser.Point
	for _, p := range c.Points {
		switch {
		case p.Candidate != o.Candidate || p.Risk.Limit <= 0:
		case slices.Equal(p.Levels, o.Levels):
			out = append(out, p)
		case p.Risk.Hi <= farthest*p.Risk.Limit:
			others = append(others, p)
		}
	}
	byLoss := func(a, b chooser.Point) int { return -cmpDown(c.Total(a.Losses), c.Total(b.Losses)) }
	slices.SortStableFunc(others, byLoss)
	for k := range min(len(others), besides) {
		out = append(out, others[k*(len(others)-1)/max(1, min(len(others), besides)-1)])
	}
	slices.SortStableFunc(out, byLoss)
	return out
}

// values are the parameters of a setting without their names.
func (c *Choosing) values(s chooser.Setting) string {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	var out []string
	for _, d := range of.Dials {
		out = append(out, set[d.Param])
	}
	return strings.Join(out, ", ")
}

func certain(v float64) choice.Estimate { return choice.Estimate{Mean: v, Lo: v, Hi: v} }
