// Package catalog lists the protocols between parties and finds them by any published name. A family adds its line to
// families.
package catalog

import (
	"slices"
	"sort"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/bayes"
	"github.com/dither-data/dither/joint/clusters"
	"github.com/dither-data/dither/joint/products"
	"github.com/dither-data/dither/joint/regression"
	"github.com/dither-data/dither/joint/rules"
	"github.com/dither-data/dither/joint/segments"
	"github.com/dither-data/dither/joint/sets"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/joint/trees"
)

var families = [][]joint.Protocol{bayes.Protocols, clusters.Protocols, products.Protocols, regression.Protocols,
	rules.Protocols, segments.Protocols, sets.Protocols, sums.Protocols, trees.Protocols}

// Protocols returns the protocols, by name.
func Protocols() []joint.Protocol {
	all := slices.Concat(families...)
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Protocol finds a protocol by name, title or alias, in any letter case.
func Protocol(name string) (*joint.Protocol, error) {
	all := Protocols()
	var names []string
	for k := range all {
		if all[k].Answers(name) {
			return &all[k], nil
		}
		names = append(append(names, all[k].Name), all[k].Aliases...)
	}
	hint := spelling.Hint(name, names)
	if hint == "" {
		hint = `; "dither joint protocols" lists them`
	}
	return nil, &card.Unknown{What: "protocol", Name: name, Hint: hint}
}
