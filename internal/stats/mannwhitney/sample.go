package mannwhitney

// Sample is a figure of one treatment in per cent, taken many times: of every class and repeat, say.
type Sample struct {
	Name   string    `json:"name"`
	Title  string    `json:"title,omitempty"`
	Lower  bool      `json:"lower,omitempty"` // lower figures are better
	Values []float64 `json:"values"`          // in [0, 100]
}
