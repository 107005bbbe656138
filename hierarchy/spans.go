package hierarchy

// Spans returns how much of the attribute every group of a level covers, in [0, 1]: of n listed values, a group of m
// covers (m-1)/(n-1), a single value 0 and the whole list 1; of numbers, an interval covers its width over that of the
// domain, within which it stops. Level 0 of numbers has none. It is the certainty penalty of a cell (Xu et al. 2006).
// Cost: O(values).
func (h *Hierarchy) Spans(level int) []float64 {
	if h.Numeric() {
		return h.widths(level)
	}
	n := len(h.Names[0])
	out := make([]float64, len(h.Names[level]))
	for _, k := range h.Raise(0, level) {
		out[k]++
	}
	for g := range out {
		out[g] = (out[g] - 1) / float64(max(n-1, 1))
	}
	return out
}

func (h *Hierarchy) widths(level int) []float64 {
	if level == 0 {
		return nil
	}
	lo, hi := h.Domain.Lo, h.Domain.Hi
	out := make([]float64, len(h.Names[level]))
	inside := func(v float64) float64 { return min(max(v, lo), hi) }
	from, cuts := lo, h.limits(level)
	for g := range out {
		to := hi
		if g < len(cuts) {
			to = inside(cuts[g])
		}
		if hi > lo {
			out[g] = (to - from) / (hi - lo)
		}
		from = to
	}
	return out
}
