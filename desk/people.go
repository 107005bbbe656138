package desk

import (
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// weighing asks about the first column whose name, or name and values, may be those of a sampling weight, where no
// column is declared to be one; empty where there is none. It is never taken for one unasked: a weight is released as
// it is, and the name may be that of a person's own.
func (l *Loaded) weighing() message.Sentence {
	if judge.Named(l.Table, table.Weight) != "" {
		return message.Sentence{}
	}
	for k, s := range l.Roles {
		c := &l.Profile.Columns[k]
		if !s.Given && s.Role == 0 && (c.MayWeigh() || l.Profile.MayWeighUnits(k)) {
			return message.Say("told.weighing").Name("column", c.Name)
		}
	}
	return message.Sentence{}
}

// whose says what a person and a household are taken to be although nobody declared it, in one line with how to say
// otherwise, and then what is to be asked about the units found.
func (l *Loaded) whose() (out []Remark) {
	guessed := slices.IndexFunc(l.Roles, func(s profile.Suggestion) bool {
		return s.Role&(table.Person|table.Household) != 0 && !s.Given
	})
	if guessed >= 0 {
		out = append(out, Remark{AsksPerson, l.Roles[guessed].Column, l.Profile.Whose(l.Roles)})
	}
	for _, a := range l.Profile.AskUnits(l.Roles) {
		out = append(out, Remark{Says: a.Says})
	}
	return out
}

// doubts are those of the profile that the policy does not settle.
func (l *Loaded) doubts() []profile.Doubt {
	return slices.DeleteFunc(l.Profile.Doubts(), func(d profile.Doubt) bool {
		return slices.Contains(l.Policy.Columns[d.Column].NotMissing, policy.Text(d.Code))
	})
}

// unrecognised says against whom the limits hold where most columns are not recognised, and how to say what they are;
// empty where they are, where the policy declares intruders, and where one knows everything all the same.
func (l *Loaded) unrecognised() message.Sentence {
	names := l.Unrecognised()
	if names == nil || l.Policy.Intruders != nil || len(intruder.Defaults(l.Table.Attrs())) < 2 {
		return message.Sentence{}
	}
	all := make([]message.Sentence, len(names))
	for k, n := range names {
		all[k] = message.Quoted(n)
	}
	return message.Say("why.unrecognised").Part("columns", message.First(all, 6))
}

// blanks says against whom cells are blanked.
func (l *Loaded) blanks() []intruder.Intruder {
	return l.Binding(intruder.Defaults(l.Table.Attrs()))
}
