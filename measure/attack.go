package measure

import "github.com/dither-data/dither/message"

// Attack is the best of several attacks on the people of a release: the one that found the most of them, or learned the
// most. The attack, and the subset of what the intruder knows that it uses, are chosen on one half of the people tried
// and counted on the other, so the share is honest.
type Attack struct {
	Intruder string `json:"intruder"`
	// Described says that the name reads on after "an intruder who" (intruder.Intruder); a verdict sets it.
	Described bool             `json:"-"`
	By        message.Sentence `json:"by"`    // the attack
	Knows     []string         `json:"knows"` // the columns it uses
	Gaps      bool             `json:"gaps"`  // it uses which values are missing
	// Groups are the columns that put the records of a unit together, where the attack is on whole units.
	Groups []string `json:"groups,omitempty"`
	Secret string   `json:"secret"` // the column that is learned; empty where people are found
	Tried  int      `json:"tried"`  // people it was counted on
	People int      `json:"people"` // people there are
	Right  float64  `json:"right"`  // of those tried; a tie of t counts 1/t
	Share  float64  `json:"share"`  // of those tried; for a secret, beyond the control group
	// Lo and Hi are the one-sided 95 % bounds of the share (Clopper & Pearson 1934).
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Before is the share that the same intruder has with the original in place of the release; nil when it was not tried.
	Before *float64 `json:"before"`
	// Sure is the share of the people who are found where at most 1 % of the claims are false; nil when it does not apply.
	Sure    *float64  `json:"sure"`
	Without []Without `json:"without"` // by column, the one that helps most first
}

// Without is what is left of an attack when the release lacks a column, or has it coarser.
type Without struct {
	Column  string   `json:"column"`
	Dropped float64  `json:"dropped"` // the share without the column
	Coarse  *float64 `json:"coarse"`  // the share with the column in a few classes; nil where it cannot be coarser
}

// Assault is a Detail that tells its best attack.
type Assault interface{ Attack() Attack }
