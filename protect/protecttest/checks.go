package protecttest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// release checks what holds for every single release of the mixed table, and that there is noise at all.
func (s *suite) release() error {
	t := s.mixed(records())
	was := hash(t)
	p, err := s.fit(context.Background(), t, 1, nil)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if hash(t) != was {
		return errors.New("fit writes to its table")
	}
	out, err := apply(p, t, 1)
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	if hash(t) != was {
		return errors.New("apply writes to its table")
	}
	if hash(out) == was {
		return errors.New("the release is the original")
	}
	return s.valid(p, t, out)
}

// valid checks a release against its original: schema, identities, changed columns, domains, grids, missing values.
func (s *suite) valid(p protect.Plan, t, out *table.Table) error {
	if err := protect.Conforms(t, p.Schema()); err != nil {
		return fmt.Errorf("the schema of the plan: %w", err)
	}
	if s.opt.Holds != nil {
		if err := s.opt.Holds(p, t, out); err != nil {
			return err
		}
	}
	if protect.Synthetic(p) {
		return wellDrawn(p, out)
	}
	if g, recodes := p.(noisemodel.Recoder); recodes {
		var err error
		if t, err = recoded(g, t); err != nil {
			return err
		}
	}
	if err := protect.Conforms(out, t.Attrs()); err != nil {
		return fmt.Errorf("the release: %w", err)
	}
	if s.opt.Samples {
		t = among(t, out)
	}
	if out.Rows() != t.Rows() {
		return fmt.Errorf("the release has %d rows, the original %d", out.Rows(), t.Rows())
	}
	changes := p.Changes()
	last := -1
	for _, n := range changes {
		j := t.Find(n)
		if j <= last {
			return fmt.Errorf("the plan changes %q: not columns in schema order", changes)
		}
		last = j
	}
	for j := range t.Width() {
		may := slices.Contains(changes, t.Attr(j).Name)
		for i := range t.Rows() {
			if err := s.validCell(t, out, i, j, may); err != nil {
				return fmt.Errorf("column %q, row %d: %w", t.Attr(j).Name, i, err)
			}
		}
	}
	return nil
}

// recoded returns a table in the schema of a release that generalises, and checks that recoding loses no record and
// only what the plan changes.
func recoded(g noisemodel.Recoder, t *table.Table) (*table.Table, error) {
	r, err := g.Recode(t)
	if err != nil {
		return nil, fmt.Errorf("recode: %w", err)
	}
	if r.Rows() != t.Rows() || r.Width() != t.Width() {
		return nil, fmt.Errorf("recode: %d rows and %d columns become %d and %d", t.Rows(), t.Width(), r.Rows(), r.Width())
	}
	for j := range t.Width() {
		for i := range t.Rows() {
			if r.MissingAt(i, j) != t.MissingAt(i, j) {
				return nil, fmt.Errorf("recode: column %q, row %d: a missing value does not stay missing, or another became so",
					t.Attr(j).Name, i)
			}
			if !slices.Contains(g.Changes(), t.Attr(j).Name) && !same(t, i, r, i, j) {
				return nil, fmt.Errorf("recode: column %q, row %d: the value changes, but the plan does not name the column",
					t.Attr(j).Name, i)
			}
		}
	}
	return r, nil
}

// among returns the records of t that a sample of it has, in the sample's order.
func among(t, sample *table.Table) *table.Table {
	at := make(map[table.RecordID]int, t.Rows())
	for i := range t.Rows() {
		at[t.ID(i)] = i
	}
	var rows []int
	for i := range sample.Rows() {
		if k, ok := at[sample.ID(i)]; ok {
			rows = append(rows, k)
			delete(at, sample.ID(i))
		}
	}
	return t.Gather(rows)
}

func (s *suite) validCell(t, out *table.Table, i, j int, may bool) error {
	switch {
	case out.ID(i) != t.ID(i):
		return errors.New("the identity of the record is lost")
	case (s.opt.Suppresses || s.opt.Gaps) && may && out.MissingAt(i, j):
		return nil
	case t.MissingAt(i, j) != out.MissingAt(i, j) && !(s.opt.Gaps && may):
		return errors.New("a missing value does not stay missing, or another became so")
	case same(t, i, out, i, j):
		return nil
	case !may:
		return errors.New("the value changes, but the plan does not name the column")
	}
	return possible(t.Attr(j), out, i, j)
}

// possible checks that a value is one that its attribute may have, and that a declared domain stays.
func possible(was *table.Attribute, out *table.Table, i, j int) error {
	a := out.Attr(j)
	if was.Declared && a.Domain != was.Domain {
		return fmt.Errorf("the declared domain %v becomes %v", was.Domain, a.Domain)
	}
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		if c := out.Cat(j)[i]; int(c) >= len(a.Labels) {
			return fmt.Errorf("code %d is outside its %d labels", c, len(a.Labels))
		}
		return nil
	case table.SetValued:
		return nil // table.New has looked at the items
	}
	v := out.Num(j)[i]
	if !a.Domain.Contains(v) {
		return fmt.Errorf("%v is outside the domain %v", v, a.Domain)
	}
	if a.Snap(v) != v {
		return fmt.Errorf("%v is off the grid of %v", v, a.Step)
	}
	return nil
}

// same reports whether row i of a and row k of b agree in column j, bit by bit.
func same(a *table.Table, i int, b *table.Table, k, j int) bool {
	x, y := a.Column(j), b.Column(j)
	return x.Same(i, &y, k) &&
		(x.Kind != table.Numeric || math.Signbit(x.Num[i]) == math.Signbit(y.Num[k]) || x.MissingAt(i))
}

// equal compares two tables record by record, by identity.
func equal(want, got *table.Table) error {
	if want.Rows() != got.Rows() {
		return fmt.Errorf("%d rows, expected %d", got.Rows(), want.Rows())
	}
	at := make(map[table.RecordID]int, got.Rows())
	for i := range got.Rows() {
		at[got.ID(i)] = i
	}
	for i := range want.Rows() {
		k, ok := at[want.ID(i)]
		if !ok {
			return fmt.Errorf("record %d is not in the release", want.ID(i))
		}
		for j := range want.Width() {
			if !same(want, i, got, k, j) {
				return fmt.Errorf("column %q of record %d differs", want.Attr(j).Name, want.ID(i))
			}
		}
	}
	return nil
}

// hash is SHA-256 of all values.
func hash(t *table.Table) [sha256.Size]byte {
	h := sha256.New()
	for j := range t.Width() {
		c := t.Column(j)
		c.Hash(h)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// deterministic checks that the seed, and nothing but the seed, decides.
func (s *suite) deterministic() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b, err := s.anew(1)
	if err != nil {
		return err
	}
	if err := equal(a.out, b.out); err != nil {
		return fmt.Errorf("the same seed on one core: %w", err)
	}
	other, err := apply(a.p, a.t, 2)
	if err != nil {
		return err
	}
	if s.opt.Drawless {
		if err := equal(a.out, other); err != nil {
			return fmt.Errorf("the seed changes the release: %w", err)
		}
		return nil
	}
	if equal(a.out, other) != nil {
		return nil
	}
	// A plan may hold all that is drawn; then it is the fit that the seed decides.
	if b, err = s.anew(2); err != nil {
		return err
	}
	if equal(a.out, b.out) == nil {
		return errors.New("another seed gives the same release")
	}
	return nil
}

// data sends the plan through its file and back.
func (s *suite) data() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	file, err := protect.Encode(s.m.Name, s.m.New().Params().Values(), a.p)
	if err != nil {
		return err
	}
	_, p, err := protect.Decode(file, func(n string) (protect.Method, bool) { return s.m, s.m.Answers(n) })
	if err != nil {
		return err
	}
	if got, want := p.Changes(), a.p.Changes(); !slices.Equal(got, want) {
		return fmt.Errorf("a decoded plan changes %q; expected %q", got, want)
	}
	out, err := apply(p, a.t, 1)
	if err != nil {
		return err
	}
	if err := equal(a.out, out); err != nil {
		return fmt.Errorf("a decoded plan: %w", err)
	}
	again, err := protect.Encode(s.m.Name, s.m.New().Params().Values(), p)
	if err != nil {
		return err
	}
	if string(again) != string(file) {
		return errors.New("a decoded plan encodes to another file")
	}
	return nil
}

// cancel checks that a cancelled context stops both halves.
func (s *suite) cancel() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.fit(ctx, a.t, 1, nil); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("fit under a cancelled context returns %v", err)
	}
	if _, err := executor.Run(ctx, a.p, a.t, Seed(1), protect.Options{}); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("execute under a cancelled context returns %v", err)
	}
	return nil
}

// odd checks that tables at the edges give a valid release or an error of one line.
func (s *suite) odd() error {
	for _, o := range oddities() {
		p, err := s.fit(context.Background(), o.t, 1, nil)
		if err != nil {
			if m := err.Error(); m == "" || strings.Contains(m, "\n") {
				return fmt.Errorf("%s: fit: the error is not one line: %q", o.name, m)
			}
			continue
		}
		out, err := apply(p, o.t, 1)
		if err != nil {
			return fmt.Errorf("%s: the plan cannot be applied to its own table: %w", o.name, err)
		}
		if err := s.valid(p, o.t, out); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}
