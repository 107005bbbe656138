package hierarchy

// Spans returns how much of the attribute every group of a level covers, in [0, 1]: of n listed values, a group of m covers (m-1)/(n-1), a single value 0
// and the whole list 1; of numbers, an interval covers its width over that of the domain, within which the open-ended ones stop. Level 0 of numbers has
// none. It is the certainty penalty of a cell (Xu et al. 2006). Cost: O(values).
func (h *Hierarchy) Spans(level int) []float64 {
	if h.Numeric() {
		return h.widths(level)
	}
	n := len(h.Names[0])
	out := make([]float64, len(h.Names[level]))
	for g := range n {
		k := int32(g)
		for l := range level {
			k = h.Up[l][k]
		}
		out[k]++
	}
	for g := range out {
		if n > 1 {
			out[g] = (out[g] - 1) / float64(n-1)
		} else {
			out[g] = 0
		}
	}
	return out
}

func (h *Hierarchy) widths(level int) []float64 {
	if level == 0 {
		return nil
	}
	lo, hi := h.Domain.Lo, h.Domain.Hi
	out := make([]float64, len(h.Names[level]))
	for g := range len(h.Names[1]) {
		from, to := lo, hi
		if g > 0 {
			from = h.Cuts[g-1]
		}
		if g < len(h.Cuts) {
			to = h.Cuts[g]
		}
		k := int32(g)
		for l := 1; l < level; l++ {
			k = h.Up[l][k]
		}
		if hi > lo {
			out[k] += (to - from) / (hi - lo)
		}
	}
	return out
}
