package report

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/study"
)

// mostReasons is how many reasons the head of a report gives; the others are folded.
const mostReasons = 3

// stateOf is the sign of a verdict, which is its word.
func stateOf(o *study.Outcome) document.State {
	if o.Verdict == nil {
		return document.Unjudged
	}
	return document.State(o.Verdict.State)
}

// headOf is what a reader sees in five seconds: whether the release may go out, why not, and what it is good for.
func headOf(o *study.Outcome, opt Options) *document.Section {
	s := &document.Section{Key: "verdict", State: stateOf(o), Title: restOf(o, opt.Public)}
	if closed(o, opt) {
		s.Blocks = []document.Block{document.Prose{Look: "deck", Says: []message.Sentence{message.Say("head.nothing")}}}
		return s
	}
	v := o.Verdict
	if says := worst(o); says != nil && !opt.Public {
		s.Blocks = append(s.Blocks, document.Prose{Look: "worst", Says: says})
	}
	if !opt.Public {
		s.Blocks = append(s.Blocks, glanceOf(o)...)
	}
	about := append([]message.Sentence{message.Say("stop").Part("says", headline(o))}, deck(o, opt.Public)...)
	s.Blocks = append(s.Blocks, document.Prose{Look: "deck", Says: about})
	if notes := append(message.AllWhole(o.Whose), unreleased(o)...); notes != nil && !opt.Public {
		s.Blocks = append(s.Blocks, document.Prose{Look: "note", Says: notes})
	}
	if !opt.Public {
		s.Blocks = append(s.Blocks, document.Prose{Brief: true, Says: []message.Sentence{briefHeadline(o)}},
			document.Figures{Brief: true, Items: briefFigures(o)})
	}
	if v == nil {
		if !opt.Public {
			s.Blocks = append(s.Blocks, noticed(o)...)
		}
		if notes := briefNotes(o); notes != nil && !opt.Public {
			s.Blocks = append(s.Blocks, document.Reasons{Brief: true, Items: notes})
		}
		return s
	}
	// what an intruder learns, and the remedies, are between the custodian and the data
	if rows := reasonsOf(v); rows != nil && !opt.Public {
		n := min(len(rows), mostReasons)
		why := document.Part{Title: message.Say("head.why"), Blocks: []document.Block{document.Reasons{Items: rows[:n]}}}
		if n < len(rows) {
			why.Blocks = append(why.Blocks, document.Fold{Title: message.Say("head.further").Count("n", len(rows)-n),
				Blocks: []document.Block{document.Reasons{Items: rows[n:]}}})
		}
		s.Blocks = append(s.Blocks, why)
	}
	if !opt.Public {
		s.Blocks = append(s.Blocks, noticed(o)...)
	}
	s.Blocks = append(s.Blocks, fitFor(o, opt.Public)...)
	return s
}

// worst says what the worst intruder finds, and that nothing had to change where the release is the original. What was
// left out is said first: a figure that keeps its limit reads like a verdict.
func worst(o *study.Outcome) (says []message.Sentence) {
	v := o.Verdict
	if v == nil {
		return nil
	}
	if n := len(v.Gate.NotJudged); n > 0 && v.State == study.Unjudged {
		says = append(says, message.Say("verdict.part").Part("taken", taken(o)).Count("left", n).
			Count("limits", v.Gate.Limits).Whole())
	}
	if !v.Sentence.Empty() {
		says = append(says, v.Sentence.Whole())
	}
	if v.Unchanged {
		says = append(says, message.Say("verdict.unchanged").Whole())
	}
	return says
}

// taken says which measures were asked for.
func taken(o *study.Outcome) message.Sentence {
	var names []string
	for _, m := range o.Measures {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	if len(names) > mostReasons {
		return message.Say("verdict.several").Count("n", len(names))
	}
	return message.Say("verdict.only").Count("n", len(names)).Listed("measures", names)
}

// fitFor says what the release is good for and what not; nothing where that is not known.
func fitFor(o *study.Outcome, public bool) []document.Block {
	good, not := o.Verdict.GoodFor, o.Verdict.NotFor
	if public {
		good, not = study.FitForUsers(o)
	}
	fit := document.Group{Look: "fit"}
	for _, p := range []struct {
		key string
		of  []message.Sentence
	}{{"head.good", good}, {"head.not", not}} {
		if len(p.of) > 0 {
			fit.Parts = append(fit.Parts, document.Part{Title: message.Say(p.key),
				Blocks: []document.Block{document.List{Items: p.of}}})
		}
	}
	if fit.Parts == nil {
		return nil
	}
	return []document.Block{fit}
}

// unreleased names the columns of the original that the release lacks, such as identifiers; nil for none.
func unreleased(o *study.Outcome) []message.Sentence {
	var names []string
	for _, ch := range o.Changes {
		if math.IsNaN(ch.Changed) && o.Released.Find(ch.Column) < 0 {
			names = append(names, ch.Column)
		}
	}
	if names == nil {
		return nil
	}
	return []message.Sentence{message.Say("head.left").Text("names", someOf(names)).Whole()}
}

// noticed is what was noticed of the original, for its owner: values that were read as missing, what was assumed, and
// what is in doubt; nil for nothing.
func noticed(o *study.Outcome) []document.Block {
	list := document.List{Items: message.AllWhole(o.Noticed)}
	if list.Items == nil {
		return nil
	}
	return []document.Block{document.Part{Title: message.Say("head.noticed"), Blocks: []document.Block{list}}}
}

// briefHeadline says in a line what was released, by what.
func briefHeadline(o *study.Outcome) message.Sentence {
	original := fileOr(o.OriginalFile, "screen.original")
	if o.Method == nil {
		return message.Say("screen.elsewhere").Count("records", o.Released.Rows()).Part("original", original).
			Part("release", fileOr(o.ReleasedFile, "screen.table"))
	}
	return message.Say("screen.records").Count("records", o.Released.Rows()).Part("original", original).
		Text("technique", o.Method.Title)
}

// fileOr is the name of a file, short enough for a line, or what is said in its place.
func fileOr(f study.File, key string) message.Sentence {
	if f.Name == "" {
		return message.Say(key)
	}
	return message.Name(shortened(Printable(f.Name), 2*mostName))
}

// briefNotes are the remarks of the technique, which stand where nobody judged.
func briefNotes(o *study.Outcome) (out []document.Reason) {
	for _, n := range o.Notes {
		out = append(out, document.Reason{State: document.WithCare, Says: n.Whole()})
	}
	return out
}

func reasonsOf(v *study.Verdict) (out []document.Reason) {
	for _, r := range v.Reasons {
		row := document.Reason{State: document.State(r.State), Says: r.Says.Whole(), Remedy: r.Remedy()}
		if slices.ContainsFunc(r.Columns, func(c string) bool { return !r.Says.Mentions(c) }) {
			row.Columns = r.Columns // else the text names them all
		}
		out = append(out, row)
	}
	return out
}

// restOf says what a verdict means for the release.
func restOf(o *study.Outcome, public bool) message.Sentence {
	v := o.Verdict
	switch {
	case v == nil && public:
		return message.Say("head.rest.noLimits")
	case v == nil:
		return message.Say("head.rest.measured")
	case v.State == study.Unjudged && v.Gate.Limits == 0 && public:
		return message.Say("head.rest.noLimits")
	case v.State == study.Unjudged && v.Gate.Limits == 0:
		return message.Say("head.rest.notAsked")
	case v.State == study.Unjudged:
		return message.Say("head.rest.part")
	case unwritten(o):
		return message.Say("head.rest.unwritten")
	case v.State == study.Withheld:
		return message.Say("head.rest.withheld")
	case v.State == study.WithCare && public && slices.ContainsFunc(v.Demands, overridden):
		return message.Say("head.rest.overridden")
	case v.State == study.WithCare && public:
		return message.Say("head.rest.looked")
	case v.State == study.WithCare:
		return message.Say("head.rest.look")
	}
	return message.Say("head.rest.meets")
}

// overridden reports whether the release does not keep a limit that was overridden by name.
func overridden(d study.Demand) bool { return d.Accepted && d.Needed }

// headline says what was done to how many records.
func headline(o *study.Outcome) message.Sentence {
	switch {
	case o.Method == nil:
		return message.Say("head.examined").Count("records", o.Released.Rows())
	case withheld(o):
		return message.Say("head.perturbed").Count("records", o.Released.Rows()).Text("technique", o.Method.Title)
	}
	return message.Say("head.released").Count("records", o.Released.Rows()).Text("technique", o.Method.Title)
}

// deck says by what technique, and from which file to which.
func deck(o *study.Outcome, public bool) (out []message.Sentence) {
	if o.Method == nil {
		out = append(out, message.Say("head.elsewhere"))
	} else {
		out = append(out, message.Given(o.Method.Summary), message.Say("head.published").
			Part("paper", message.Given(o.Method.Paper)))
	}
	switch {
	case public || o.OriginalFile.Name == "" || o.ReleasedFile.Name == "":
	case unwritten(o):
		out = append(out, message.Say("head.noFile").Name("original", o.OriginalFile.Name))
	default:
		out = append(out, message.Say("head.files").Name("original", o.OriginalFile.Name).
			Name("release", o.ReleasedFile.Name))
	}
	return out
}

// unwritten reports whether the release is in no file: it was withheld where it was made.
func unwritten(o *study.Outcome) bool { return withheld(o) && o.ReleasedFile.SHA256 == "" }

// standings are the signs of what becomes of a demand.
var standings = map[study.Standing]document.State{study.Met: document.Meets, study.Broke: document.Withheld,
	study.Unproven: document.Withheld}

// demandsOf is the limits and what became of each; a public report says only whether they were kept, by the verdict.
func demandsOf(o *study.Outcome, _ Options) *document.Section {
	v := o.Verdict
	if v == nil {
		return nil
	}
	left := leftOpen(v)
	if len(v.Demands) == 0 && left == nil {
		return nil
	}
	s := &document.Section{Key: "demands", Title: message.Say("demands.title")}
	var open, met []document.Row
	for k := range v.Demands {
		if d := &v.Demands[k]; d.Standing == study.Met && !d.Accepted {
			met = append(met, demandRow(d))
		} else {
			open = append(open, demandRow(d))
		}
	}
	switch {
	case open == nil && met != nil:
		s.Blocks = append(s.Blocks, demandTable("demands.every", met))
	case open != nil:
		s.Blocks = append(s.Blocks, demandTable("demands.open", open))
		if met != nil {
			s.Blocks = append(s.Blocks, document.Fold{Title: message.Say("demands.folded").Count("n", len(met)),
				Blocks: []document.Block{demandTable("demands.met", met)}})
		}
	}
	if left != nil {
		s.Blocks = append(s.Blocks, document.Prose{Look: "note strong",
			Says: []message.Sentence{message.Say("demands.left").Parts("what", left)}})
	}
	if !v.Limits.Empty() {
		s.Blocks = append(s.Blocks, document.Prose{Look: "note",
			Says: []message.Sentence{message.Say("demands.limits").Part("limits", v.Limits)}})
	}
	return s
}

func demandTable(title string, rows []document.Row) document.Table {
	return document.Table{Title: message.Say(title), Look: "stack demands", Rows: rows,
		Columns: columns("demands.columns", "demand", "standing", "limit n", "value n", "against")}
}

func demandRow(d *study.Demand) document.Row {
	title := document.Cell{Says: d.Title}
	if d.Title.Empty() {
		title.Says = message.Text(d.Measure)
	}
	if d.Accepted {
		title.Below = append(title.Below, message.Say("demands.accepted"))
	}
	if d.Accepted || !d.Usual {
		title.Below = append(title.Below, d.Source)
	}
	standing := document.Cell{State: standings[d.Standing], Says: Standing(d), Look: "standing"}
	if !d.Why.Empty() {
		standing.Below = []message.Sentence{whyOf(d)}
	}
	value := document.Cell{Says: message.Say("figures.none")}
	if f, ok := reached(d); ok {
		value = document.Cell{Figure: &f}
	}
	return document.Row{Cells: []document.Cell{title, standing, {Says: limitText(d)}, value,
		{Says: message.Name(d.Against)}}}
}

// reached is the figure that a limit is held against; not ok where it was not measured.
func reached(d *study.Demand) (f document.Figure, ok bool) {
	if d.Value == nil {
		return f, false
	}
	f = document.Figure{Key: d.Measure, Title: d.Title, Value: *d.Value, Lo: endOf(d.Lo, *d.Value),
		Hi: endOf(d.Hi, *d.Value), Unit: d.Unit}
	for _, bound := range []*float64{d.Min, d.Max} {
		if bound != nil {
			f.Bounds = append(f.Bounds, *bound)
		}
	}
	return f, true
}

// Reached is the figure that a limit is held against, with its interval, in its unit and with the digits that tell it
// from the bound.
func Reached(d *study.Demand) message.Sentence {
	f, ok := reached(d)
	if !ok {
		return message.Say("figures.none")
	}
	return message.Of(f)
}

// Standing is how a release stands to a limit.
func Standing(d *study.Demand) message.Sentence {
	return message.Say("demands.standing." + string(d.Standing))
}

// endOf is a bound, or the value where there is none.
func endOf(end *float64, value float64) float64 {
	if end == nil {
		return value
	}
	return *end
}

// leftOpen says which limits were not judged, and what their source demands besides that no table shows; nil for
// nothing.
func leftOpen(v *study.Verdict) (out []message.Sentence) {
	var names []string
	for _, name := range v.Gate.NotJudged {
		if l := (limit.Limit{Measure: name}); !l.OfTechnique() { // that is among what no table shows
			names = append(names, name)
		}
	}
	if names != nil {
		out = append(out, message.Say("demands.notJudged").Count("n", len(names)).Text("names", strings.Join(names, ", ")))
	}
	return append(out, v.Unchecked...)
}

// whyOf is why a demand stands as it does. What is said of columns begins with a column's name, which is left as it is.
func whyOf(d *study.Demand) message.Sentence {
	if slices.Contains(limit.Kinds(), d.Measure) {
		return d.Why
	}
	return d.Why.Whole()
}

// limitText is a limit: at most 9 %.
func limitText(d *study.Demand) message.Sentence {
	key := map[[2]bool]string{{true, false}: "least", {false, true}: "most",
		{true, true}: "both"}[[2]bool{d.Min != nil, d.Max != nil}]
	if key == "" {
		return message.Sentence{}
	}
	s := message.Say("demands.bounds." + key)
	if d.Min != nil {
		s = s.Figure("least", document.Exactly(d.Measure, *d.Min, d.Unit))
	}
	if d.Max != nil {
		s = s.Figure("most", document.Exactly(d.Measure, *d.Max, d.Unit))
	}
	return s
}

// unprotectedOf is what the release does not protect against. Where it goes nowhere as it is, what it lacks besides is
// folded.
func unprotectedOf(o *study.Outcome, opt Options) *document.Section {
	limits := study.Texts(o.NotProtected)
	if opt.Public {
		limits = study.TextsForUsers(o.NotProtected)
	}
	all := message.AllWhole(limits)
	if all == nil {
		return nil
	}
	s := &document.Section{Key: "unprotected", Title: message.Say("unprotected.title"), Look: "limits",
		Blocks: []document.Block{document.List{Items: all}}}
	if withheld(o) {
		s.Blocks = []document.Block{document.Fold{Title: message.Say("unprotected.folded").Count("n", len(all)),
			Blocks: s.Blocks}}
	}
	if !opt.Public {
		s.Blocks = append(s.Blocks, document.List{Brief: true, Items: titlesOf(o.NotProtected)})
	}
	return s
}

func titlesOf(all []study.Remark) (out []message.Sentence) {
	for _, r := range all {
		out = append(out, r.Title)
	}
	return out
}
