package report

import (
	"math"
	"strings"

	"github.com/dither-data/dither/message"
)

// This file says what a choice weighed, why the runner-up is second, and what did not apply.

// behind says why the runner-up is second: by what it loses more, and in what most; nothing where there is none.
func (c *Choosing) behind() message.Sentence {
	r := c.RunnerUp
	if r == nil || c.Chosen == nil {
		return message.Sentence{}
	}
	best := c.Chosen.Losses // of the search, as the runner-up's are
	for k := range c.Ranking {
		if c.Ranking[k].Candidate == c.Chosen.Candidate {
			best = c.Ranking[k].Losses
		}
	}
	most, by := 0, math.Inf(-1)
	for k, a := range c.Aspects {
		if more := float64(a.Weight * (r.Losses[k] - best[k])); more > by {
			most, by = k, more
		}
	}
	if !(by > 0) {
		return message.Say("choice.level").Text("second", c.called(r.Candidate)).Part("loss", loss(r.Total))
	}
	return message.Say("choice.behind").Text("second", c.called(r.Candidate)).Part("loss", loss(r.Total)).
		Text("aspect", c.Aspects[most].Name).Part("its", loss(r.Losses[most])).Part("best", loss(best[most]))
}

// weighed is what the choice weighed, and by how much.
func (c *Choosing) weighed() message.Sentence {
	var list []message.Sentence
	var names []string
	alike, first := true, 0.0
	for _, a := range c.Aspects {
		if a.Weight > 0 {
			if names == nil {
				first = a.Weight
			}
			names, alike = append(names, a.Name), alike && a.Weight == first
			list = append(list, message.Say("choice.aspect").Text("name", a.Name).Text("weight", weight(a.Weight)))
		}
	}
	if list == nil {
		return message.Sentence{}
	}
	if alike {
		return message.Say("choice.alike").Listed("aspects", names)
	}
	return message.Say("choice.weighed").Part("aspects", message.Listed(list))
}

// mostNotHere is how many candidates that do not apply a sentence names.
const mostNotHere = 5

// notHere names the candidates that do not apply to the table; nothing where all do.
func (c *Choosing) notHere() message.Sentence {
	var names []string
	for _, r := range c.Rejected {
		if r.NotHere {
			names = append(names, c.called(r.Candidate))
		}
	}
	if names == nil {
		return message.Sentence{}
	}
	list := message.Say("list.names").Names("names", names[:min(len(names), mostNotHere)])
	if n := len(names) - mostNotHere; n > 0 {
		list = message.Say("list.more").Text("names", strings.Join(names[:mostNotHere], ", ")).Count("n", n)
	}
	return message.Say("choice.notHere").Part("names", list)
}
