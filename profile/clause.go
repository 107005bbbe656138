package profile

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Clause is a part of the reason for a role.
type Clause struct {
	Says    message.Sentence // of this column
	General message.Sentence // what of it holds for every column of the same reason; nothing where it is about this one
}

// Alike reports whether two clauses say the same of two columns, but for the words of their names and their figures.
func (c Clause) Alike(o Clause) bool {
	return c.Says.Key() == o.Says.Key() && c.General.Equal(o.General)
}

// Reason is the reason in words, one line.
func (s *Suggestion) Reason() message.Sentence {
	var all []message.Sentence
	for _, c := range s.Why {
		all = append(all, c.Says)
	}
	return message.Apart(all)
}

// Follow makes a quasi-identifier of a column that follows from others, which are quasi-identifiers.
func (s *Suggestion) Follow(from []string) {
	s.Role |= table.Quasi
	says := suggestion("follows").Quoted("columns", from)
	s.Why = append([]Clause{{Says: says}}, s.Why...)
}

func suggestion(key string) message.Sentence { return message.Say("suggested." + key) }

// general holds for every column.
func general(key string) Clause { return Clause{suggestion(key), suggestion(key)} }

// counting is about this column alone.
func counting(key string) Clause { return Clause{Says: suggestion(key)} }

// about says of a word in the column's name what holds for every column with such a word.
func about(key, word, holds string) Clause {
	return Clause{suggestion(key).Name("word", word).Part("says", suggestion(holds)), suggestion(holds)}
}

func (c Clause) n(as string, n int) Clause {
	c.Says = c.Says.Count(as, n)
	return c
}

func (c Clause) name(as, name string) Clause {
	c.Says = c.Says.Name(as, name)
	return c
}

func (c Clause) fixed(as string, v float64, decimals int) Clause {
	c.Says = c.Says.Fixed(as, v, decimals)
	return c
}
