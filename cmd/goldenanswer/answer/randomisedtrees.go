package answer

import (
	"fmt"

	"github.com/dither-data/dither/generate/as2000"
)

// randomisedTrees are trees from randomised records, and the people by which they are compared.
var randomisedTrees = map[string]answer{
	"as2000_label": on(func(in struct{ Records []as2000.Person }) (any, error) {
		out := map[string][]string{}
		for f := 1; f <= as2000.Functions; f++ {
			name := fmt.Sprintf("F%d", f)
			for _, p := range in.Records {
				group := as2000.Groups[1]
				if p.InA(f) {
					group = as2000.Groups[0]
				}
				out[name] = append(out[name], group)
			}
		}
		return out, nil
	}),
}
