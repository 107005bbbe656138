package learned

import (
	"cmp"
	"context"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
)

// figure is what a tally amounts to.
type figure struct {
	n, right, control  float64 // people judged, guesses that are right, share of the control's that are
	share, lo, hi, one float64
}

// figure returns the share of what the control left to learn that the attack learns, with its one-sided 95 % bounds.
func (t *tally) figure(paired bool) (f figure) {
	var right, gains, losses, control exact.Sum
	for i, a := range t.attack {
		if a != a {
			continue
		}
		f.n++
		right.Add(a)
		if t.one[i] {
			f.one++
		}
		if paired {
			gains.Add(max(0, a-t.control[i]))
			losses.Add(max(0, t.control[i]-a))
		}
	}
	controls := float64(control.AddKnown(t.control))
	f.right, f.control = right.Float64(), control.Float64()
	gained, lost := gains.Float64(), losses.Float64()
	switch {
	case f.n == 0:
		f.hi = 1
		return f
	case paired:
		f.lo, f.hi = among(f.n, f.control, gained, lost)
	default:
		f.lo, f.hi = apart(f.right, f.n, f.control, controls)
	}
	f.one /= f.n
	if controls > 0 {
		f.control /= controls
	}
	f.share = nearest.Beyond(f.right/f.n, f.control)
	f.lo, f.hi = min(f.lo, f.share), max(f.hi, f.share)
	return f
}

// among returns bounds where attack and control are of the same people. What is learned is g - l, where g is the share
// of the people whom the control gets wrong that the attack gets right, and l the people whom the attack alone gets
// wrong, relative to the former. The bounds of Clopper & Pearson of g at 97 %, and at 99 % of the shares of the latter
// and of the control, hold together at 95 % (Bonferroni), whatever they have to do with each other.
func among(n, control, gained, lost float64) (lo, hi float64) {
	glo, ghi := confidence.ClopperPearson(gained, n-control, 0.97)
	llo, lhi := confidence.ClopperPearson(lost, n, 0.99)
	clo, chi := confidence.ClopperPearson(control, n, 0.99)
	return clamp(glo - lhi/(1-chi)), clamp(ghi - llo/(1-clo))
}

// apart returns bounds where the control is of other people: those of Clopper & Pearson of both rates at 97.5 % hold
// together at 95 % (Bonferroni), and what is learned rises with the attack and falls with the control.
func apart(right, n, control, controls float64) (lo, hi float64) {
	alo, ahi := confidence.ClopperPearson(right, n, 0.975)
	clo, chi := confidence.ClopperPearson(control, controls, 0.975)
	return nearest.Beyond(alo, chi), nearest.Beyond(ahi, clo)
}

func clamp(v float64) float64 {
	if v != v {
		return 0
	}
	return max(0, min(1, v))
}

// play plays a game: for every secret the attack is chosen on one half of the people tried and counted on the other,
// and so is the one that is right most often, whatever the control. It returns the secrets, none when nobody has a
// value in one, and which the most is learned of.
func (m *Meter) play(ctx context.Context, r *measure.Release, view *intruder.View) ([]Secret, int, error) {
	g, err := m.newGame(ctx, r, view)
	if g == nil || err != nil {
		return nil, 0, err
	}
	paired := g.control != heldOut
	tried, err := g.try(ctx, g.choose, func(int, int) bool { return true })
	if err != nil {
		return nil, 0, err
	}
	chosen, surest, hopes := make([]int, len(g.secrets)), make([]int, len(g.secrets)), make([]figure, len(g.secrets))
	for s := range g.secrets {
		most := -1.0
		for a, t := range tried[s] {
			if t == nil {
				continue
			}
			f := t.figure(paired)
			if a == 0 || f.better(hopes[s]) {
				chosen[s], hopes[s] = a, f
			}
			if f.right > most {
				surest[s], most = a, f.right
			}
		}
	}
	counted, err := g.try(ctx, g.count, func(s, a int) bool { return a == chosen[s] || a == surest[s] })
	if err != nil {
		return nil, 0, err
	}
	worst := 0
	out := make([]Secret, len(g.secrets))
	for s := range g.secrets {
		out[s] = g.secret(s, chosen[s], counted[s][chosen[s]].figure(paired))
		if f := counted[s][surest[s]].figure(paired); f.n > 0 {
			out[s].Surest = Guess{By: g.attacks[surest[s]].text(), Right: f.right / f.n, Control: f.control, One: f.one}
		}
		if hopes[s].better(hopes[worst]) {
			worst = s
		}
	}
	return out, worst, ctx.Err()
}

// better reports whether an attack is to be chosen before another: by what is certain, then by what is likely.
func (f figure) better(o figure) bool {
	return cmp.Or(cmp.Compare(f.lo, o.lo), cmp.Compare(f.share, o.share)) > 0
}

// secret says what was counted.
func (g *game) secret(s, chosen int, f figure) Secret {
	a, q := g.attacks[chosen], g.secrets[s]
	out := Secret{
		Name:    q.name,
		By:      a.text(),
		Tried:   int(f.n),
		Right:   f.right,
		Control: f.control,
		Share:   f.share,
		Lo:      f.lo,
		Hi:      f.hi,
		Kept:    q.kept,
		Against: message.Say("measure.learned.control." + string(g.control)),
		against: g.control,
	}
	if f.n > 0 {
		out.Attack = f.right / f.n
	}
	axes := len(g.axes)
	if a.kind == look {
		axes = a.probe.axes
	}
	for _, x := range g.axes[:axes] {
		if x.gap {
			out.Gaps = true
		} else {
			out.Knows = append(out.Knows, g.r.Original.Attr(x.column).Name)
		}
	}
	return out
}
