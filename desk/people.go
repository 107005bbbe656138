package desk

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// weighing asks about the first column whose name may be that of a sampling weight, where no column is declared to be
// one; empty where there is none. It is never taken for one unasked: a weight is released as it is, and the name may be
// that of a person's own.
func (l *Loaded) weighing() string {
	if judge.Named(l.Table, table.Weight) != "" {
		return ""
	}
	for k, s := range l.Roles {
		if c := &l.Profile.Columns[k]; !s.Given && s.Role == 0 && c.MayWeigh() {
			return fmt.Sprintf("column %q may be a sampling weight: if a record stands for as many people as it says, --role "+
				"%s=weight counts them, and releases it as it is; "+
				"the weight of a body is none", c.Name, c.Name)
		}
	}
	return ""
}

// repeating says which column is taken to tell people apart although nobody declared it, and how to say otherwise;
// empty where none is.
func (l *Loaded) repeating() Remark {
	j := l.Table.WithRole(table.Person)
	if j < 0 || l.Roles[j].Given {
		return Remark{}
	}
	c := &l.Profile.Columns[j]
	return Remark{AsksPerson, c.Name, fmt.Sprintf("column %q repeats: %s values in %s records; each is taken to be one "+
		"person, and people are counted; "+
		"if it is something else, such as a ward, --role %s=identifier counts records",
		c.Name, count(c.Distinct), count(l.Profile.Rows-c.Missing), c.Name)}
}

// doubts are those of the profile that the policy does not settle.
func (l *Loaded) doubts() []profile.Doubt {
	return slices.DeleteFunc(l.Profile.Doubts(), func(d profile.Doubt) bool {
		return slices.Contains(l.Policy.Columns[d.Column].NotMissing, policy.Text(d.Code))
	})
}

// unrecognised says against whom the limits hold where most columns are not recognised, and how to say what they are;
// empty where they are, where the policy declares intruders, and where one knows everything all the same.
func (l *Loaded) unrecognised() string {
	names := l.Unrecognised()
	if names == nil || l.Policy.Intruders != nil || len(intruder.Defaults(l.Table.Attrs())) < 2 {
		return ""
	}
	all := make([]message.Sentence, len(names))
	for k, n := range names {
		all[k] = message.Quoted(n)
	}
	return message.Say("why.unrecognised").Part("columns", message.First(all, 6)).String()
}

// blanks says against whom cells are blanked.
func (l *Loaded) blanks() []intruder.Intruder {
	return l.Binding(intruder.Defaults(l.Table.Attrs()))
}
