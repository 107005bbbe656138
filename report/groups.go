package report

import (
	"slices"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// groupsWorth is the section on what the release is worth for each group of people, beside how many of them are found.
// It tells shares of the original, so the public report has no such section.
func groupsWorth(o *study.Outcome, opt Options) *document.Section {
	d, ok := detail[prediction.GroupWorthDetail](o)
	if !ok || len(d.Groups) == 0 {
		return nil
	}
	t := document.Table{Title: message.Say("groupworth.table"), Headed: true, Look: "stack",
		Columns: columns("groupworth.columns", "column", "group", "people n", "share n", "accuracy n", "means n", "one n",
			"two n", "found n")}
	attacks := opt.attacksOf(o)
	left, of := 0, map[string]int{}
	for k := range d.Groups {
		g := &d.Groups[k]
		if of[g.Column]++; of[g.Column] > mostGroupRows {
			left++
			continue
		}
		t.Rows = append(t.Rows, groupRow(g, attacks))
	}
	note := prose("note", message.Say("groupworth.note"))
	if left > 0 {
		note.Says = append(note.Says, message.Say("groups.further").Count("n", left))
	}
	s := &document.Section{Key: "groups", Title: message.Say("groupworth.title")}
	worst := widestGap(d)
	if worst.Empty() && slices.ContainsFunc(d.Groups, func(g prediction.Group) bool { return g.AccuracyReleased != nil }) {
		worst = message.Say("groupworth.even")
	}
	if !worst.Empty() {
		s.Blocks = append(s.Blocks, prose("lead", worst))
	}
	s.Blocks = append(s.Blocks, fold(t.Title, prose("", message.Say("groupworth.lead")), t, note))
	return s
}

func groupRow(g *prediction.Group, attacks []study.Attack) document.Row {
	name := message.Name(g.Group)
	if g.Others > 0 {
		name = message.Say("groupworth.others").Count("n", g.Others)
	}
	r := row(message.Name(g.Column), name, message.Count(g.People),
		message.Say("groupworth.change").Part("before", message.Share(g.Share)).Part("after", message.Share(g.Released)),
		message.Sentence{}, message.Sentence{}, message.Sentence{}, message.Sentence{}, message.Sentence{})
	if g.AccuracyOriginal != nil && g.AccuracyReleased != nil {
		r.Cells[4].Says = message.Say("groupworth.change").Part("before", message.Share(*g.AccuracyOriginal/100)).
			Part("after", message.Share(*g.AccuracyReleased/100))
	}
	for k, v := range []*float64{g.MeanError, g.OneWay, g.TwoWay} {
		if v != nil {
			r.Cells[5+k].Says = message.Text(document.Loss(*v, measure.Unit{}))
		}
	}
	if f := mostFound(g, attacks); f != nil {
		r.Cells[8].Says = message.Share(f.Share)
	}
	return r
}

// mostFound is the attack that finds the most people of a group; nil where none compared it.
func mostFound(g *prediction.Group, attacks []study.Attack) (most *study.GroupRisk) {
	for k := range attacks {
		for l := range attacks[k].Groups {
			f := &attacks[k].Groups[l]
			if g.Others == 0 && f.Quarter == 0 && f.Column == g.Column && f.Group.Equal(message.Name(g.Group)) &&
				(most == nil || f.Share > most.Share) {
				most = f
			}
		}
	}
	return most
}

// leastGap is from how many points of per cent on it is told that the tree of the release serves one group worse.
const leastGap = 2

// widestGap says for which group the tree of the release loses the most; nothing where it loses little, or where chance
// may be why.
func widestGap(d *prediction.GroupWorthDetail) message.Sentence {
	var worst *prediction.Group
	for k := range d.Groups {
		g := &d.Groups[k]
		if g.Others == 0 && g.Lost() >= leastGap && g.Clear() && (worst == nil || g.Lost() > worst.Lost()) {
			worst = g
		}
	}
	if worst == nil {
		return message.Sentence{}
	}
	return message.Say("groupworth.worst").Name("group", worst.Group).Name("column", worst.Column).
		Fixed("lost", worst.Lost(), 1)
}
