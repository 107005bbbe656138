package localsuppression

// bag is how many records people have among some.
type bag map[int32]int32

// startOfPeople is start where people have several records.
func (w *asAnything) startOfPeople() {
	all := map[combination]bag{}
	w.seen, w.crowds = map[int32]bool{}, map[set]map[combination]bag{w.all(): all}
	for i, s := range w.state {
		put(all, s, w.whose[i], 1)
		w.lacks[w.all()&^w.shown(s)] = true
	}
}

// put adds so many records of a person to those that show something.
func put(t map[combination]bag, shows combination, who, records int32) {
	b := t[shows]
	if b == nil {
		b = bag{}
		t[shows] = b
	}
	if b[who] += records; b[who] == 0 {
		delete(b, who)
	}
}

// agreeingPeople returns of how many people the records are that agree with what is shown, k at most.
func (w *asAnything) agreeingPeople(shows combination) int32 {
	keys := w.shown(shows)
	t := w.crowd(keys)
	clear(w.seen)
	for _, shared := range w.shared(keys) {
		for who := range t[shows.and(shared)] {
			if w.seen[who] = true; len(w.seen) >= int(w.k) {
				return w.k
			}
		}
	}
	return int32(len(w.seen))
}

// crowd is table where people have several records.
func (w *asAnything) crowd(keys set) map[combination]bag {
	t := w.crowds[keys]
	if t == nil {
		t = map[combination]bag{}
		only := w.only(keys)
		for s, b := range w.crowds[w.all()] {
			for who, n := range b {
				put(t, s.and(only), who, n)
			}
		}
		w.crowds[keys] = t
	}
	return t
}

// move lets a record of a person show something else.
func (w *asAnything) move(who int32, was, shows combination) {
	for keys, t := range w.crowds {
		only := w.only(keys)
		if before, after := was.and(only), shows.and(only); before != after {
			put(t, before, who, -1)
			put(t, after, who, 1)
		}
	}
}

// forget drops the tables of some keys, which are many.
func (w *asAnything) forget() {
	clear(w.tables)
	if w.whose != nil {
		w.crowds = map[set]map[combination]bag{w.all(): w.crowds[w.all()]}
	}
}
