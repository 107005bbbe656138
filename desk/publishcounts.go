package desk

import (
	"slices"

	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/segment/tree/published"
	"github.com/dither-data/dither/study"
)

// Told is what a model of counts tells.
type Told struct {
	disclosure.Findings          // of all its counts
	Columns             []string // by whose counts few people, or a secret, are told
	Listed              []string // columns of which it names a number that few people have
	Records             bool     // the model holds records as they are
}

// tells looks for what a model of counts tells, and reports whether it says so at all. What it holds by record, and
// limits of columns that nobody declared, do not go out. Cost: that of the attack, and O(records) for each number that
// the model names.
func (p *handing) tells() bool {
	model, ok := p.model.(mine.Telling)
	if !ok {
		return false
	}
	t, told := p.records, model.Tells(p.records)
	out := &Told{Records: told.Records}
	few := func(n int) bool { return n > 0 && n < p.People }
	for _, c := range told.Counts {
		c.Few = (p.People-1)*mostRecords(t) + 1
		f := disclosure.Attack(c.Told, c.Limits)
		if out.add(&f); f.Open() > 0 && c.Column >= 0 {
			out.Columns = append(out.Columns, t.Attr(c.Column).Name)
		}
	}
	for _, n := range told.Named {
		if name := t.Attr(n.Column).Name; few(peopleWith(t, n.Column, n.Number)) && !slices.Contains(out.Listed, name) {
			out.Listed = append(out.Listed, name)
		}
	}
	attrs, _ := published.Schema(t, published.Limits{People: p.People})
	for _, c := range told.Counts {
		if c.Column >= 0 { // it counts by the codes that it has, which the attack saw
			attrs[c.Column].Labels = t.Attr(c.Column).Labels
		}
	}
	p.public, p.out.Told, p.out.State = model.Public(attrs), out, study.Meets
	if out.Open() > 0 || len(out.Listed) > 0 || out.Records {
		p.out.State = study.Withheld
	}
	p.out.Says = p.toldOfFew()
	if out.Least > 0 {
		p.out.Says = append(p.out.Says, message.Say("models.least").Count("least", out.Least))
	}
	p.out.Says = append(p.out.Says, message.Say("models.besides"))
	return true
}

// add counts findings together.
func (o *Told) add(f *disclosure.Findings) {
	o.Statements, o.Small, o.Groups = o.Statements+f.Statements, o.Small+f.Small, o.Groups+f.Groups
	o.Rests, o.Secrets, o.Bounded = o.Rests+f.Rests, o.Secrets+f.Secrets, o.Bounded+f.Bounded
	if f.Least > 0 && (o.Least == 0 || f.Least < o.Least) {
		o.Least = f.Least
	}
}

// toldOfFew says what a model of counts tells of few people.
func (p *handing) toldOfFew() (out []message.Sentence) {
	o := p.out.Told
	say := func(key string, n int) {
		if n > 0 {
			out = append(out, message.Say("models."+key).Count("n", n).Count("people", p.People))
		}
	}
	if o.Records {
		out = append(out, message.Say("models.records"))
	}
	say("fewTold", o.Small)
	say("fewFollow", o.Groups+o.Rests+o.Bounded)
	say("secrets", o.Secrets)
	if len(o.Columns) > 0 {
		out = append(out, message.Say("models.columns").Listed("columns", o.Columns))
	}
	if len(o.Listed) > 0 {
		out = append(out, message.Say("models.naming").Listed("columns", o.Listed).Count("people", p.People))
	}
	return out
}
