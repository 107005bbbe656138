package measuretest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// strange takes the measure of tables with a column of a kind that it does not know, released as it is and in another
// order, wherever it stands and whatever its role: the score is the one without the column, or the measure says that it
// does not apply. Where the column is the class, the weight, or all there is, that is a value or an error of one line.
func strange(s *suite) error {
	r := s.release(true)
	plain, err := s.measure(context.Background(), r)
	if err != nil {
		return err
	}
	for _, role := range []table.Role{0, table.Quasi, table.Confidential} {
		for _, at := range []int{1, r.Original.Width()}[:long.Of(1, 2)] {
			for _, moved := range []bool{true, false}[:long.Of(1, 2)] {
				v, err := s.measure(context.Background(), withBaskets(r, at, role, moved))
				switch {
				case errors.Is(err, measure.ErrNotApplicable):
				case err != nil:
					return fmt.Errorf("role %s, column %d: %w", role, at, err)
				case s.Sets:
					if err := Sound(s.Measure, r, v); err != nil {
						return err
					}
				case v.Score != plain.Score && (v.Score == v.Score || plain.Score == plain.Score):
					return fmt.Errorf("role %s, column %d: the score is %v, without the column %v", role, at, v.Score, plain.Score)
				}
			}
		}
	}
	few := &measure.Release{
		Original: people(40, false).Select(0, 3, 4),
		Released: people(40, false).Select(0, 3, 4),
		Paired:   true,
	}
	for _, role := range []table.Role{table.Class, table.Weight, table.Identifier, table.Quasi | table.Confidential} {
		for name, r := range map[string]*measure.Release{"among others": withBaskets(few, 1, role, false),
			"alone": only(withBaskets(few, 1, role, true))} {
			v, err := s.measure(context.Background(), r)
			if err == nil {
				err = Sound(s.Measure, r, v)
			} else if m := err.Error(); m != "" && !strings.Contains(m, "\n") {
				err = nil
			}
			if err != nil {
				return fmt.Errorf("role %s, %s: %w", role, name, err)
			}
		}
	}
	return nil
}

// withBaskets returns the release with a set-valued column before column at of all its tables; when moved, the records
// exchange their sets.
func withBaskets(r *measure.Release, at int, role table.Role, moved bool) *measure.Release {
	n := &measure.Release{Original: r.Original, Released: r.Released, Paired: r.Paired, Holdout: r.Holdout}
	for k, t := range []**table.Table{&n.Original, &n.Released, &n.Holdout} {
		if *t == nil {
			continue
		}
		c := tabletest.Baskets("basket", (*t).Rows())
		c.Role = role
		if k == 1 && moved {
			rows := make([]int, c.Len())
			for i := range rows {
				rows[i] = i
			}
			slices.Reverse(rows)
			c = c.Gather(rows)
		}
		*t = tabletest.Insert(*t, at, c)
	}
	return n
}

func only(r *measure.Release) *measure.Release {
	return &measure.Release{Original: r.Original.Select(1), Released: r.Released.Select(1), Paired: r.Paired}
}
