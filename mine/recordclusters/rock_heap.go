package recordclusters

// order makes a heap of h: no element comes before the one at half its position.
func order[E any](h []E, before func(a, b E) bool) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		down(h, i, before)
	}
}

func push[E any](h []E, e E, before func(a, b E) bool) []E {
	h = append(h, e)
	i := len(h) - 1
	for ; i > 0 && before(e, h[(i-1)/2]); i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = e
	return h
}

// pop removes the first element.
func pop[E any](h []E, before func(a, b E) bool) []E {
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	if n > 0 {
		down(h, 0, before)
	}
	return h
}

func down[E any](h []E, i int, before func(a, b E) bool) {
	e := h[i]
	for {
		k := 2*i + 1
		if k+1 < len(h) && before(h[k+1], h[k]) {
			k++
		}
		if k >= len(h) || !before(h[k], e) {
			break
		}
		h[i] = h[k]
		i = k
	}
	h[i] = e
}
