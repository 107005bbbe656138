package report

import (
	"math"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/study"
)

// fitnessOf is the section on what the release is worth. The public report has the figures alone.
func fitnessOf(o *study.Outcome, opt Options) *document.Section {
	s := &document.Section{Key: "fitness", Title: message.Say("fitness.title")}
	var taken []document.Figure
	var left []remark
	for _, f := range sided(o, opt.Public, false) {
		if f.Failed {
			left = together(left, f.Title.String(), f.Says)
		} else {
			taken = append(taken, f)
		}
	}
	if taken != nil {
		s.Blocks = append(s.Blocks, document.Figures{Items: taken})
	}
	for _, r := range left {
		s.Blocks = append(s.Blocks, prose("note", message.Say("fitness.left").
			Text("names", strings.Join(r.measures, "; ")).Part("why", r.says)))
	}
	if opt.Public {
		return some(s)
	}
	s.Blocks = append(s.Blocks, accuracies(o)...)
	s.Blocks = append(s.Blocks, correlationsOf(o)...)
	s.Blocks = append(s.Blocks, biases(o)...)
	if c := classifiersOf(o); c != nil {
		s.Blocks = append(s.Blocks, fold(message.Say("fitness.classes"), c...))
	}
	if c := message.AllWhole(o.Corrections); c != nil {
		s.Blocks = append(s.Blocks, fold(message.Say("fitness.correct"), prose("lead", message.Say("fitness.correctLead")),
			document.List{Items: c}))
	}
	return some(s)
}

// some is nil for a section that has nothing to say.
func some(s *document.Section) *document.Section {
	if s.Blocks == nil {
		return nil
	}
	return s
}

// accuracies is how many records trees of both tables classify correctly, in per cent.
func accuracies(o *study.Outcome) []document.Block {
	d, ok := detail[prediction.AccuracyDetail](o)
	if !ok {
		return nil
	}
	t := document.Table{Title: message.Say("accuracy.label"), Look: "narrow",
		Columns: columns("accuracy.columns", "tree", "leaves n", "original n", "release n", "holdout n")}
	for _, tree := range []struct {
		key    string
		leaves int
		on     [3]float64
	}{{"accuracy.original", d.LeavesOriginal, [3]float64{d.OriginalOriginal, d.OriginalReleased, d.OriginalHoldout}},
		{"accuracy.release", d.LeavesReleased, [3]float64{d.ReleasedOriginal, d.ReleasedReleased, d.ReleasedHoldout}}} {
		r := row(message.Say(tree.key), message.Count(tree.leaves))
		for _, v := range tree.on {
			c := document.Cell{}
			if !math.IsNaN(v) {
				c.Says = message.Fixed(v, 2)
			}
			r.Cells = append(r.Cells, c)
		}
		t.Rows = append(t.Rows, r)
	}
	if math.IsNaN(d.OriginalHoldout) && math.IsNaN(d.ReleasedHoldout) {
		t.Columns = t.Columns[:4]
		for k := range t.Rows {
			t.Rows[k].Cells = t.Rows[k].Cells[:4]
		}
	}
	return []document.Block{fold(message.Say("accuracy.title"), prose("lead", message.Say("accuracy.lead")), t)}
}

// biases is the types of bias that were measured.
func biases(o *study.Outcome) []document.Block {
	d, ok := detail[distributions.Detail](o)
	if !ok {
		return nil
	}
	absolute := func(v float64) message.Sentence { return message.Number(v, 0.001) }
	t := document.Table{Title: message.Say("bias.label"),
		Columns: columns("bias.columns", "type", "shows wide", "largest n", "where", "mean n")}
	for _, b := range []struct {
		letter string
		change distributions.Change
		write  func(float64) message.Sentence
	}{{"A", d.A, message.Share}, {"B", d.B, absolute}, {"C", d.C, absolute}, {"D", d.D, absolute}} {
		if c := b.change; c.Of > 0 {
			t.Rows = append(t.Rows, row(message.Text(b.letter), message.Say("bias."+b.letter), b.write(c.Largest),
				message.Text(c.Where), b.write(c.Mean)))
		}
	}
	if t.Rows == nil {
		return nil
	}
	if !math.IsNaN(d.DM) {
		t.Rows = append(t.Rows, row(message.Text("DM"), message.Say("bias.DM"), message.Share(d.DM), message.Sentence{},
			message.Sentence{}))
	}
	return []document.Block{fold(message.Say("bias.title"), prose("lead", message.Say("bias.lead")), t)}
}

// distanceOf writes how far an attribute's distribution lies from that of the original.
func distanceOf(d *distributions.Detail, name string) []message.Sentence {
	if d == nil {
		return nil
	}
	for _, a := range d.Distances {
		if a.Name == name && !math.IsNaN(a.Distance) {
			return []message.Sentence{message.Say("columns.distance").Number("v", a.Distance, 0.001)}
		}
	}
	return nil
}
