package study

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// This file lets what is said of a release speak of records, or of households, where nobody says that its records are
// people's.

// speak lets what is said of the release so far speak of whom the words say.
func (o *Outcome) speak(words string) {
	o.Words = words
	o.Notes, o.Noticed = message.AllAmong(o.Notes, words), message.AllAmong(o.Noticed, words)
	o.NotProtected = remarksAmong(o.NotProtected, words)
}

func remarksAmong(list []Remark, words string) []Remark {
	var out []Remark
	for _, r := range list {
		out = append(out, Remark{r.Title.Among(words), r.Text.Among(words), r.Users.Among(words)})
	}
	return out
}

// speak lets what the measure says speak of whom its figure is.
func (m *Measured) speak() {
	m.Err = m.Err.Among(m.Words)
	m.Unit = m.Unit.Speaking(m.Words)
	m.Value.Notes = message.AllAmong(m.Value.Notes, m.Words)
	parts := make([]measure.Part, len(m.Value.Parts))
	for k, p := range m.Value.Parts {
		p.Name = p.Name.Among(m.Words)
		parts[k] = p
	}
	if len(parts) > 0 {
		m.Value.Parts = parts
	}
}

// speak lets the verdict speak of whom the release is said to be of.
func (v *Verdict) speak(words string) {
	for k := range v.Reasons {
		r := &v.Reasons[k]
		r.Says, r.Remedies = r.Says.Among(words), message.AllAmong(r.Remedies, words)
	}
	for k := range v.Demands {
		d := &v.Demands[k]
		d.Title, d.Why = d.Title.Among(words), d.Why.Among(words)
	}
	v.GoodFor, v.NotFor = message.AllAmong(v.GoodFor, words), message.AllAmong(v.NotFor, words)
}
