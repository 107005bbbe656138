package rareset

import "context"

// Thin deletes items from records that have a rare set, from each as few as it finds, until no set of up to m items is
// in some records and in fewer than k. It returns how many items it deletes.
//
// Deleting one may make other sets rare, so all sets are counted again until nothing is deleted. From each record with
// a rare set the item goes that stands in most of the record's rare sets, of several the rarest one. Cost: Work for
// each round.
func (d *Data) Thin(ctx context.Context, k, m int) (deleted int, err error) {
	score := make([]int32, len(d.items))
	for {
		before := deleted
		err := d.each(ctx, k, m, func(sets found) { deleted += d.thin(sets, score) })
		if err != nil || deleted == before {
			return deleted, err
		}
	}
}

// thin deletes an item of every rare set in every record. Scores are zero before and after.
func (d *Data) thin(sets found, score []int32) (deleted int) {
	var places []int32
	for set, last := range sets.all {
		for _, at := range last {
			places, _ = d.standing(set, at, places)
			for _, q := range places {
				score[q]++
			}
		}
	}
	for set, last := range sets.all {
		for _, at := range last {
			var whole bool
			if places, whole = d.standing(set, at, places); !whole {
				continue
			}
			victim := places[0]
			for _, q := range places[1:] {
				if score[q] >= score[victim] {
					victim = q
				}
			}
			d.items[victim] = gone
			deleted++
		}
	}
	for _, last := range sets.all {
		for _, at := range last {
			for q := at; d.items[q] != end; q-- {
				score[q] = 0
			}
		}
	}
	return deleted
}

// standing returns where the items of a set stand in the record with the last of them at a place, the last first, and
// false where one of them is gone.
func (d *Data) standing(set []int32, at int32, dst []int32) (places []int32, whole bool) {
	dst = dst[:0]
	for n, q := len(set)-1, at; d.items[q] != end; q-- {
		if d.items[q] == set[n] {
			dst = append(dst, q)
			if n--; n < 0 {
				return dst, true
			}
		}
	}
	return dst, false
}

// Drop deletes items from all records until no set of up to m items is in some records and in fewer than k. It returns
// the labels that go, the most frequent first.
//
// Of every rare set its rarest item goes. Items are looked at from the most frequent one on, so what goes no longer
// counts in the sets of rarer ones, and one round is enough. Cost: Work at most.
func (d *Data) Drop(ctx context.Context, k, m int) (labels []int32, err error) {
	s := d.search(k, m)
	s.visit = func(_, _ []int32) bool { return false }
	for r := len(d.label) - 1; r >= 0; r-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.from(r) {
			continue
		}
		for _, at := range s.first {
			d.items[at] = gone
		}
		labels = append(labels, d.label[r])
	}
	return labels, nil
}

// Rare hands over the rare sets of up to m items, as labels, those with the same rarest item together, and how many
// records they have, one set after the other. No set is handed over of which a part with that item, in order of rarity,
// is one. Cost: Work.
func (d *Data) Rare(ctx context.Context, k, m int, visit func(sets [][]int32, records int)) error {
	var sets [][]int32
	records := 0
	flush := func() {
		if len(sets) > 0 {
			visit(sets, records)
		}
		sets, records = sets[:0], 0
	}
	err := d.each(ctx, k, m, func(f found) {
		for set, last := range f.all {
			labels := make([]int32, len(set))
			for i, r := range set {
				labels[i] = d.label[r]
			}
			if len(sets) > 0 && sets[0][0] != labels[0] {
				flush()
			}
			sets, records = append(sets, labels), records+len(last)
		}
	})
	if err == nil {
		flush()
	}
	return err
}
