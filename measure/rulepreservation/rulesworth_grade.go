package rulepreservation

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Grade is how sensitive a rule about something confidential is: empty where it is about nothing of the kind.
type Grade string

// The grades, the highest first.
const (
	High   Grade = "high"   // it tells what is confidential, from what others may know of a person (quasi-identifiers)
	Medium Grade = "medium" // it tells what is confidential, from other columns
	Low    Grade = "low"    // what is confidential is a condition: one has to know it
	None   Grade = ""       // it is about nothing confidential
)

// Grades is how many rules have each.
type Grades struct {
	High   int `json:"high"`
	Medium int `json:"medium"`
	Low    int `json:"low"`
}

func (g *Grades) count(of Grade) {
	if n := map[Grade]*int{High: &g.High, Medium: &g.Medium, Low: &g.Low}[of]; n != nil {
		*n++
	}
}

// says lists the grades that a rule has.
func (g *Grades) says() message.Sentence {
	var list []message.Sentence
	for _, one := range []struct {
		grade Grade
		n     int
	}{{High, g.High}, {Medium, g.Medium}, {Low, g.Low}} {
		if one.n > 0 {
			list = append(list, message.Say("measure.rulesworth.grade."+string(one.grade)).Count("n", one.n))
		}
	}
	return message.Listed(list)
}

// grade is that of a rule with these columns in its conditions.
func (s *worthSurvey) grade(conditions []int) Grade {
	has := func(role table.Role) bool {
		return slices.ContainsFunc(conditions, func(j int) bool { return s.attrs[j].Role&role != 0 })
	}
	switch tells := s.attrs[s.class].Role&table.Confidential != 0; {
	case tells && has(table.Quasi):
		return High
	case tells:
		return Medium
	case has(table.Confidential):
		return Low
	}
	return ""
}
