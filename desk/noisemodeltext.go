package desk

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/report"
)

// NoiseModelText prints a noise model with its parameters, and what it promises without any release: of every column
// the widths that a released number leaves, and how far odds can move.
func (d *Desk) NoiseModelText(w io.Writer, path string) error {
	law, err := readLaw(path, "")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, message.Say("law.title").Name("file", report.Printable(path)).Count("records", law.Release.Records).
		Text("technique", report.Printable(law.Method)))
	for i := range law.Parts {
		printPart(b, &law.Parts[i])
	}
	return b.Flush()
}

// printPart prints the law of some columns.
func printPart(b io.Writer, p *modelfile.Part) {
	if together := together(p); !together.Empty() {
		fmt.Fprintf(b, "\n%s\n", together)
	}
	for k, column := range p.Columns {
		says := message.Apart(slices.Concat(lawOfColumn(p, k), promised(p, k)))
		fmt.Fprintf(b, "\n%s: %s\n", report.Printable(column), says)
		if p.Sizes != nil {
			for x := range p.Sizes.Operators {
				fmt.Fprintf(b, "  %s\n", message.Apart(ofSize(&p.Sizes.Operators[x])))
			}
		}
	}
}

// together says how columns are released that are released as one; empty where the part has one column.
func together(p *modelfile.Part) message.Sentence {
	switch {
	case p.Record != nil:
		size := 1.0
		for _, n := range p.Record.Categories {
			size = float64(size * float64(n))
		}
		other := 1 / (p.Record.Gamma + size - 1)
		return message.Apart(append([]message.Sentence{message.Say("law.record").Names("columns", p.Columns).
			Term("keep", float64(p.Record.Gamma*other), 4).Amount("n", size-1).Term("other", other, 4)}, odds(p.Record.Gamma)))
	case p.Group != nil && len(p.Columns) > 1:
		return message.Say("law.group").Names("columns", p.Columns).Term("theta", p.Group.Theta, 4).
			Term("other", 1-p.Group.Theta, 4)
	}
	return message.Sentence{}
}

// lawOfColumn says what is done to the k-th column of a part, with the probabilities or the law of what is added.
func lawOfColumn(p *modelfile.Part, k int) []message.Sentence {
	switch {
	case p.Items != nil:
		return []message.Sentence{message.Say("law.items").Term("keep", p.Items.One, 4).Term("add", 1-p.Items.Zero, 4)}
	case p.Sizes != nil:
		return []message.Sentence{message.Say("law.sizes")}
	case p.Number != nil:
		return numbers(p.Number)
	}
	m, ok := p.Marginal(k, nil)
	if !ok || len(m) < 2 {
		return nil
	}
	return []message.Sentence{message.Say("law.category").Term("keep", m[0][0], 4).Count("n", len(m)-1).
		Term("other", m[0][1], 4)}
}

// numbers says what is done to a number.
func numbers(n *modelfile.Number) (out []message.Sentence) {
	switch {
	case n.Uniform != 0:
		out = append(out, message.Say("law.uniform").Term("half", n.Uniform, 4))
	case n.Epsilon != 0:
		out = append(out, message.Say("law.holed").Term("deviation", n.Normal, 4).Term("least", n.Epsilon/2, 4))
	case n.Normal != 0:
		out = append(out, message.Say("law.normal").Term("deviation", n.Normal, 4))
	case n.Keep != nil:
		out = append(out, message.Say("law.redrawn").Term("keep", *n.Keep, 4))
	default:
		out = append(out, message.Say("law.class").Count("n", n.Classes))
	}
	if n.Ends {
		out = append(out, message.Say("law.ends"))
	}
	if n.Step > 0 {
		return append(out, message.Say("law.steps").Term("low", n.Low, 6).Term("high", n.High, 6).Term("step", n.Step, 6))
	}
	return append(out, message.Say("law.range").Term("low", n.Low, 6).Term("high", n.High, 6))
}

// ofSize says what is done to records of so many items, and how far the odds of two of them can move.
func ofSize(o *modelfile.Operator) []message.Sentence {
	law := o.Sizes()
	says := message.Say("law.selected").Count("items", o.Items).Term("kept", float64(law.KeptShare()*float64(o.Items)), 4).
		Term("add", o.Rho, 4)
	if o.Most != nil {
		says = message.Say("law.cut").Count("items", o.Items).Count("most", *o.Most).Term("add", o.Rho, 4).
			Term("kept", float64(law.KeptShare()*float64(o.Items)), 4)
	}
	if o.Items == 0 {
		return []message.Sentence{says}
	}
	return []message.Sentence{says, odds(law.Gamma())}
}

// promised says what a law promises of the k-th column of a part.
func promised(p *modelfile.Part, k int) (out []message.Sentence) {
	if p.Sizes != nil { // by the number of items
		return nil
	}
	if p.Items != nil {
		law := p.Items.Bits()
		return []message.Sentence{message.Say("law.item").Part("odds", odds(law.Gamma())),
			message.Say("law.condition").Term("condition", law.Condition(1), 4)}
	}
	f, ok := reconstruct.PrivacyOf(p, k)
	if !ok {
		return nil
	}
	if f.Widths != nil {
		out = append(out, message.Say("law.widths").Term("half", f.Widths[0], 4).Term("most", f.Widths[1], 4).
			Term("nearlyAll", f.Widths[2], 4).Term("share", 100*f.Widths[1]/(p.Number.High-p.Number.Low), 3).
			Term("entropy", f.Entropy, 4))
	}
	return append(out, odds(f.Gamma))
}

// odds says how far a law can move the odds of two originals.
func odds(gamma float64) message.Sentence {
	if math.IsInf(gamma, 1) {
		return message.Say("law.unbounded")
	}
	privacy := reconstruct.Privacy{Gamma: gamma}
	down, up := randomised.Posterior(0.05, gamma)
	return message.Say("law.gamma").Term("gamma", gamma, 4).Term("epsilon", privacy.Epsilon(), 3).
		Term("down", float64(100*down), 2).Term("up", float64(100*up), 3)
}

// NoiseModelsText prints which techniques publish a noise model, and why each of the others has none: of all
// techniques, or of the one of that published name.
func (d *Desk) NoiseModelsText(w io.Writer, name string) error {
	methods := catalog.Methods()
	if name != "" {
		m, err := catalog.Method(name)
		if err != nil {
			return usage(err)
		}
		methods = []protect.Method{m}
	}
	b := bufio.NewWriter(w)
	var reasons []string
	without := map[string][]string{}
	for _, m := range methods {
		why := m.Unpublished()
		if why == "" {
			fmt.Fprintf(b, "%s\n", message.Say("law.publishes").Text("technique", m.Name).Text("law", m.Summary))
			continue
		}
		if without[why] == nil {
			reasons = append(reasons, why)
		}
		without[why] = append(without[why], m.Name)
	}
	for _, why := range reasons {
		fmt.Fprintf(b, "%s\n", message.Say("law.none").Listed("techniques", without[why]).Text("reason", why))
	}
	return b.Flush()
}
