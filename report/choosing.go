package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// Choosing is a choice of a technique, as a report tells it.
type Choosing struct {
	*search.Choice
	Candidates []search.Candidate
	Purpose    string             // what must not be lost
	Limits     message.Sentence   // what is kept
	Defaults   []message.Sentence // what was taken by default
	Unmeasured []string           // aspects that were asked for and that the table has nothing of to lose
	Operating  []search.Operating // of what was chosen, first, and of those that lose least
	Untimed    bool               // leaves out seconds, growth and memory, which differ from run to run
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

// loss is a loss in per cent of all that there is to lose.
func loss(v float64) message.Sentence { return message.Say("list.percent").Text("n", share100(v)) }

func share100(v float64) string {
	if v != 0 && math.Abs(v) < 0.0005 {
		return "0.05"
	}
	return fmt.Sprintf("%.1f", float64(100*v))
}

// lossFigure is a loss, from 0 to 1, in per cent with this sign.
func lossFigure(key string, v float64, sign string) *document.Figure {
	f := document.Exactly(key, v, measure.In(measure.Share, message.Sentence{}))
	f.Shown = share100(v) + sign
	return &f
}

// riskFigure is the figure nearest to its limit, shown by its upper bound.
func riskFigure(r search.Risk) *document.Figure {
	return &document.Figure{Key: r.Measure, Value: r.Value, Lo: r.Lo, Hi: r.Hi, Level: 0.95,
		Unit: measure.In(measure.Share, message.Sentence{}), Shown: risk(r).String()}
}

// called is the name of a candidate.
func (c *Choosing) called(k int) string { return c.Candidates[k].Name }

// described is a setting in words.
func (c *Choosing) described(s search.Setting) message.Sentence {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	var values []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !strings.Contains(name, "within.") { // the candidate's name says inside what it works
			values = append(values, name+" "+set[name])
		}
	}
	if values == nil {
		return message.Name(c.called(s.Candidate))
	}
	return message.Name(c.called(s.Candidate) + " (" + strings.Join(values, ", ") + ")")
}

// Command is how protect releases by a setting.
func (c *Choosing) Command(s search.Setting) string {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	out := "--method " + of.Method.Name
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out += " --set " + name + "=" + set[name]
	}
	return out
}

// losses lists what is lost by aspect, the most first.
func (c *Choosing) losses(values []float64) []message.Sentence {
	order := make([]int, len(c.Aspects))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmpDown(float64(c.Aspects[a].Weight*values[a]), float64(c.Aspects[b].Weight*values[b]))
	})
	var out []message.Sentence
	for _, k := range order {
		if c.Aspects[k].Weight > 0 {
			out = append(out, message.Say("choice.lost").Text("aspect", c.Aspects[k].Name).Part("loss", loss(values[k])))
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
func (c *Choosing) turn() message.Sentence {
	if c.RunnerUp == nil && slices.ContainsFunc(c.Rejected, func(r search.Rejected) bool { return r.Outdone }) {
		return message.Say("choice.turn.outdone")
	}
	if c.RunnerUp == nil {
		return message.Say("choice.turn.alone")
	}
	name := c.called(c.RunnerUp.Candidate)
	if len(c.Turns) == 0 {
		return message.Say("choice.turn.never").Text("second", name)
	}
	t := c.Turns[0]
	return message.Say("choice.turn.weight").Text("second", name).Text("aspect", t.Aspect).Text("to", weight(t.To)).
		Text("from", weight(t.From))
}

// inOrder says who comes first where the aspects decide one after the other, in the order in which the owner names
// them; empty where there is no such order.
func (c *Choosing) inOrder() message.Sentence {
	first := search.Foremost(c.Aspects, c.Ranking)
	if first == nil || len(c.Aspects) < 2 || !search.Ordered(c.Purpose) {
		return message.Sentence{}
	}
	var order message.Sentence
	for _, a := range c.Aspects {
		switch {
		case a.Weight <= 0:
		case order.Empty():
			order = message.Text(a.Name)
		default:
			order = message.Say("choice.then").Part("first", order).Text("next", a.Name)
		}
	}
	return message.Say("choice.inOrder").Part("aspects", order).Text("first", c.called(first.Candidate))
}

func weight(v float64) string { return strconv.FormatFloat(numfmt.Round(v, 2), 'f', -1, 64) }

// price says what a limit costs.
func (c *Choosing) price(p search.Price) message.Sentence {
	cost := func(v, factor float64) message.Sentence {
		if v != v {
			return message.Say("choice.price.nothing").Share("limit", float64(p.Limit*factor))
		}
		return message.Say("choice.price.at").Share("limit", float64(p.Limit*factor)).Part("loss", loss(v))
	}
	return message.Say("choice.price.of").Text("measure", p.Measure).Share("limit", p.Limit).Part("loss", loss(p.Loss)).
		Part("looser", cost(p.Looser, 1.5)).Part("stricter", cost(p.Stricter, 2.0/3))
}

// paid returns the limits that cost something, those that cost most first.
func (c *Choosing) paid() []search.Price {
	out := slices.DeleteFunc(slices.Clone(c.Prices), func(p search.Price) bool {
		return p.Looser == p.Loss && p.Stricter == p.Loss
	})
	slices.SortStableFunc(out, func(a, b search.Price) int { return cmpDown(a.Loss-a.Looser, b.Loss-b.Looser) })
	return out
}

// tally counts who is out, and why.
func (c *Choosing) tally() []message.Sentence {
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
	out := []message.Sentence{message.Say("choice.tally").Count("n", len(c.Candidates)).Count("broke", broke).
		Count("here", here).Count("outdone", outdone)}
	if baselines > 0 {
		out = append(out, message.Say("choice.baselines").Count("n", baselines))
	}
	if c.Generated {
		out = append(out, message.Say("choice.generated").Count("n", c.Tried))
	}
	return out
}

// confirmed says how the choice was confirmed.
func (c *Choosing) confirmed() []message.Sentence {
	n := len(c.Confirmed)
	switch {
	case n == 0:
		return []message.Sentence{message.Say("choice.none")}
	case c.Chosen == nil:
		return []message.Sentence{message.Say("choice.broke").Count("n", n)}
	case n == 1:
		return []message.Sentence{message.Say("choice.anew")}
	}
	return []message.Sentence{message.Say("choice.anew"), message.Say("choice.before").Count("n", n-1)}
}

// uncounted names the aspects that were asked for and that the table has nothing of to lose; nothing where it has all.
func (c *Choosing) uncounted() message.Sentence {
	if len(c.Unmeasured) == 0 {
		return message.Sentence{}
	}
	return message.Say("choice.uncounted").Names("aspects", c.Unmeasured)
}

// Consequences are sentences on what follows: the runner-up and what would make it win, and what the limits cost.
func (c *Choosing) Consequences() []string {
	out := []message.Sentence{c.turn()}
	if s := c.inOrder(); !s.Empty() {
		out = append(out, s)
	}
	for _, p := range c.paid() {
		out = append(out, c.price(p))
	}
	return stringsOf(out)
}

// NothingChosen is the last line of the text of a choice that chose nothing.
func NothingChosen() message.Sentence {
	return message.Say("verdict.line").Part("state", study.Withheld.Word()).Part("counts", message.Say("verdict.nothing"))
}

// ChoiceText writes a choice for a terminal, on a screen with what the caller prints after it.
func ChoiceText(w io.Writer, c *Choosing, o *study.Outcome, s Screen) error {
	f := &fitter{s, strings.NewReplacer()}
	var files []string
	if o != nil {
		f = newFitter(o, s)
		if s.Files != nil {
			files = f.files()
		}
		s.afterVerdict(o)
	}
	say := func(all ...message.Sentence) []string { return f.say("", strings.Join(stringsOf(all), " ")) }
	state, what := document.Withheld, message.Say("choice.withheld")
	if o != nil {
		state, what = stateOf(o), briefHeadline(o)
	}
	first := say(stateLine(state, what))
	head := c.head(f, o)
	rank := c.ranking(f, openOptions)
	said := [][]string{say(message.After(c.turn(), c.behind()))}
	if paid := c.paid(); len(paid) > 0 && c.Chosen != nil {
		said = append(said, say(c.price(paid[0])))
	}
	said = append(said, say(message.After(append(c.tally(), c.notHere())...)))
	for _, r := range c.Rejected {
		if r.Baseline && !s.Verbose {
			said = append(said, say(c.why(r)))
		}
	}
	if c.Cut {
		said = append(said, say(message.Say("choice.cut")))
	}
	for _, d := range c.Defaults {
		said = append(said, say(message.Say("choice.default").Part("what", d)))
	}
	said = append(said, say(c.weighed()))
	if s.Verbose {
		for _, r := range c.Rejected {
			said = append(said, f.say("  ", c.why(r).String()))
		}
	} else {
		said = f.held(said, s.lines()-s.After-len(first)-len(head)-len(rank)-len(files))
	}
	if err := s.write(w, first); err != nil {
		return err
	}
	_, err := io.WriteString(w, joinedLines(head, rank, slices.Concat(said...), files))
	return err
}

// head is what was chosen, what it loses and finds, and how it was confirmed.
func (c *Choosing) head(f *fitter, o *study.Outcome) []string {
	say := func(all ...message.Sentence) []string { return f.say("", strings.Join(stringsOf(all), " ")) }
	head := say(c.uncounted())
	if c.Chosen == nil {
		head = append(head, say(message.Say("choice.nothing"))...)
	} else {
		head = append(head, say(message.Say("choice.chosen").Part("what", c.described(c.Chosen.Setting)))...)
		lost := c.losses(c.Chosen.Losses)
		head = append(head, say(message.Say("choice.loses").Part("loss", loss(c.Chosen.Total)).
			Part("most", message.Listed(lost[:min(len(lost), mostLosses)])))...)
		if o != nil {
			head = append(head, say(o.Verdict.Sentence.Whole())...)
			if o.Patterns != nil {
				head = append(head, say(o.Patterns.Sentence().Whole())...)
			}
		}
	}
	return append(head, say(c.confirmed()...)...)
}

// held is as many sentences as so many lines hold, and how many more there are.
func (f *fitter) held(said [][]string, room int) [][]string {
	n, used := 0, 0
	for ; n < len(said); n++ {
		rest := 0
		if n+1 < len(said) {
			rest = 1 // a line that counts the others
		}
		if used += len(said[n]); used+rest > room {
			break
		}
	}
	if n == len(said) {
		return said
	}
	return append(said[:n:n], f.say("", message.Say("screen.more").Count("n", len(said)-n).String()))
}

// ranking is a table of the best techniques.
func (c *Choosing) ranking(f *fitter, most int) (out []string) {
	if len(c.Ranking) == 0 {
		return nil
	}
	wide, format := f.width()-38, "%-*s %7s %16s %11s"
	if narrow := f.width() < leastAcross; narrow {
		wide, format = f.width()-8, "%-*s %7s"
	} else {
		head := func(key string) message.Sentence { return message.Say("choice.ranking." + key) }
		out = append(out, fmt.Sprintf(format, wide, head("search"), head("loses"), head("nearest"), head("first")))
	}
	for _, r := range c.optionTable().Rows[:min(len(c.Ranking), most)] {
		cells := []any{wide, shortened(Printable(r.Key), wide)}
		for k := range r.Cells[1:4] {
			cells = append(cells, cellLines(&r.Cells[1+k])[0])
		}
		out = append(out, fmt.Sprintf(format, cells[:1+strings.Count(format, "s")]...))
	}
	return out
}

// risk is the upper bound of a figure beside its limit.
func risk(r search.Risk) message.Sentence {
	if r.Measure == "" {
		return message.Text("-")
	}
	return message.Say("choice.risk").Text("measure", r.Measure).Part("loss", loss(r.Hi))
}

// why says why a candidate is out.
func (c *Choosing) why(r search.Rejected) message.Sentence {
	because := func(why message.Sentence) message.Sentence {
		return message.Say("choice.out.why").Text("name", c.called(r.Candidate)).Part("why", why)
	}
	if r.Demand == nil {
		return because(r.Why.Whole())
	}
	key := "choice.out.noise"
	if l := (limit.Limit{Measure: r.Demand.Measure}); l.OfTechnique() {
		key = "choice.out.limit"
	}
	why := message.Say(key).Part("demand", r.Demand.Sentence())
	if r.By > 0 && !math.IsInf(r.By, 0) {
		why = message.Say("choice.out.beyond").Part("why", why).Part("by", r.Demand.Beyond(r.By))
	}
	return because(message.Say("stop").Part("says", why))
}

// riskMap draws settings that were tried, which it returns as well: what each loses against how much of its limit the
// figure nearest to one takes up.
func (c *Choosing) riskMap() (m chart.Map, of []search.Point) {
	whole := 100.0
	m = chart.Map{
		Title: message.Say("choice.map.drawing").String(),
		X: chart.Axis{
			Title:    message.Say("choice.map.risk").String(),
			Better:   better("safer", message.Say("compare.way.left")),
			Decimals: 0,
			Margin:   1,
			Range:    table.Interval{Lo: 0, Hi: math.Inf(1)},
			Limit:    &whole,
		},
		Y: chart.Axis{
			Title:    message.Say("choice.map.loss").String(),
			Better:   better("useful", message.Say("compare.way.down")),
			Decimals: 1,
			Margin:   0.1,
			Range:    table.Interval{Lo: 0, Hi: 100},
		},
	}
	for k, o := range c.Ranking[:min(len(c.Ranking), mostPaths)] {
		for _, p := range c.path(o) {
			pt := chart.Point{Label: c.values(p.Setting), Name: c.described(p.Setting).String(), Path: k + 1, Aside: !p.Keeps,
				X: certain(100 * p.Risk.Hi / p.Risk.Limit), Y: certain(float64(100 * c.Total(p.Losses))),
				Link: triedAnchor(len(of))}
			if slices.Equal(o.Levels, p.Levels) {
				pt.Label = c.called(o.Candidate)
			}
			m.Points, of = append(m.Points, pt), append(of, p)
		}
	}
	return m, of
}

// triedAnchor is the id of a setting in the table of those that were tried, to which its point on the map leads.
func triedAnchor(k int) string { return fmt.Sprintf("tried-%d", k+1) }

// path returns the setting of a technique that loses least, and some others that were tried, in the order of what they
// lose; those far beyond a limit would press the others together.
func (c *Choosing) path(o search.Option) (out []search.Point) {
	var others []search.Point
	for _, p := range c.Points {
		switch {
		case p.Candidate != o.Candidate || p.Risk.Limit <= 0:
		case slices.Equal(p.Levels, o.Levels):
			out = append(out, p)
		case p.Risk.Hi <= farthest*p.Risk.Limit:
			others = append(others, p)
		}
	}
	byLoss := func(a, b search.Point) int { return -cmpDown(c.Total(a.Losses), c.Total(b.Losses)) }
	slices.SortStableFunc(others, byLoss)
	for k := range min(len(others), besides) {
		out = append(out, others[k*(len(others)-1)/max(1, min(len(others), besides)-1)])
	}
	slices.SortStableFunc(out, byLoss)
	return out
}

// values are the parameters of a setting without their names.
func (c *Choosing) values(s search.Setting) string {
	of := &c.Candidates[s.Candidate]
	set := of.Params(s)
	var out []string
	for _, d := range of.Dials {
		out = append(out, set[d.Param])
	}
	return strings.Join(out, ", ")
}

func certain(v float64) ranking.Estimate { return ranking.Estimate{Mean: v, Lo: v, Hi: v} }
