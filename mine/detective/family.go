// Package detective holds DETECTIVE and EX-DETECTIVE (Islam 2007, section 6.4), which find by decision trees what is
// alike: values of an attribute that the trees do not tell apart, and records of such values.
package detective

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{DETECTIVE, EXDETECTIVE} }
