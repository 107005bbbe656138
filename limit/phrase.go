package limit

import (
	"slices"

	"github.com/dither-data/dither/message"
)

// Phrase is what a set of limits says itself: who set a limit, or what a table cannot show. It is in the words of a
// file or one of a preset, for which there is a sentence in every language. A record keeps a digest of the set with its
// phrases, so those of the presets stay as they are; a sentence may be reworded.
type Phrase string

// phrases are those of the presets, by the keys of their sentences.
var phrases = map[string]Phrase{
	"limit.source.agencies":      agencies,
	"limit.source.usual":         usual,
	"limit.source.house":         House,
	"limit.source.scorecards":    scorecards,
	"limit.source.harbor":        harbor,
	"limit.source.global":        global,
	"limit.source.nobody":        nobody,
	"limit.source.commandLine":   CommandLine,
	"limit.source.policy":        Policy,
	"limit.unchecked.dossier":    dossier,
	"limit.unchecked.users":      users,
	"limit.unchecked.postcodes":  postcodes,
	"limit.unchecked.recordings": recordings,
	"limit.unchecked.knowledge":  knowledge,
	"limit.unchecked.frame":      frame,
}

// Sentence is the phrase in words.
func (p Phrase) Sentence() message.Sentence {
	for key, of := range phrases {
		if of == p {
			return message.Say(key)
		}
	}
	return message.Text(string(p))
}

// Sentence names the limits and their source.
func (s *Set) Sentence() message.Sentence {
	if s.Source == "" {
		return message.Name(s.Name)
	}
	return message.Say("limit.set").Name("name", s.Name).Part("source", s.Source.Sentence())
}

// Usual reports whether a limit goes back to the source of the set, or of every set: then nobody need be told who set
// it.
func (s *Set) Usual(l *Limit) bool {
	return slices.Contains([]Phrase{House, s.Source, Phrase(s.String())}, l.Source) ||
		s.Source == usual && l.Source == agencies
}
