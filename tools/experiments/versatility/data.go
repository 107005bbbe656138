package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a data set, and what losses on it are held against.
type set struct {
	title, about string
	*table.Table
	items     bool    // its only column holds sets of items
	support   float64 // least of association rules
	sensitive string  // rules for techniques that hide rules
	ofClass   string  // those for techniques that hide rules with a class at the end
	sorted    [][]float64
	scales    [kinds]scale
	found     float64 // share of the people who are found in the original
}

// records is how many records of a data set are used at most.
const records = 2000

// described are the data sets: numbers, numbers and categories, categories, and sets of items. Quasi-identifiers are
// what others may know of a person.
var described = []struct {
	title, about, file, class string
	quasi, drop               []string
	support                   float64
}{
	{"WBC", "numbers", "wbc/wbc.csv", "class", []string{"clump_thickness", "bland_chromatin", "normal_nucleoli"},
		[]string{"id"}, 0.05},
	{"Adult", "numbers and categories", "adult/adult.csv", "income", []string{"age", "workclass", "education",
		"marital_status", "occupation", "race", "sex", "native_country"}, nil, 0.1},
	{"Vote", "categories", "vote/vote.csv", "class", []string{"crime", "immigration", "education_spending",
		"water_project_cost_sharing"}, nil, 0.1},
	{"Mushroom", "sets of items", "mushroom-transactions/mushroom.dat", "", nil, nil, 0.4},
}

func load(ctx context.Context) ([]*set, error) {
	var out []*set
	for _, d := range described {
		t, err := rerun.Read(ctx, d.file, d.drop...)
		if err != nil {
			return nil, err
		}
		t = t.Gather(t.Drawn(min(records, t.Rows()), rng.New([32]byte{2})))
		if d.class != "" {
			if t, err = rerun.Classed(t, d.class); err != nil {
				return nil, fmt.Errorf("%s: %w", d.title, err)
			}
		}
		for _, name := range d.quasi {
			a := *t.Attr(t.Find(name))
			a.Role = table.Quasi
			t = t.WithAttr(t.Find(name), a)
		}
		s := &set{title: d.title, about: d.about, Table: t, items: d.class == "", support: d.support}
		if err := s.measure(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", d.title, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// divisions is how many pairs of halves the floor is taken of.
const divisions = 10

// measure takes the quantiles, the rules to hide, and the two ends of the scales: pairs of halves of the records, and a
// table of which every column was permuted apart; for distributions one whose values are all as frequent.
func (s *set) measure(ctx context.Context) error {
	s.sorted = make([][]float64, s.Width())
	for j := range s.sorted {
		s.sorted[j] = slices.DeleteFunc(slices.Clone(s.Num(j)), math.IsNaN)
		slices.Sort(s.sorted[j])
	}
	all, err := s.rules(ctx)
	if err != nil {
		return err
	}
	s.sensitive = some(all)
	if class := s.WithRole(table.Class); class >= 0 {
		s.ofClass = some(slices.DeleteFunc(all, func(rule string) bool {
			return !strings.Contains(rule, "=>"+s.Attr(class).Name+"=")
		}))
	}
	for k := range s.scales {
		s.scales[k] = scale{most: math.Inf(-1)}
	}
	for n := range divisions {
		order := s.Order(rng.New([32]byte{3, byte(n)}))
		a, b := slices.Sorted(slices.Values(order[:s.Rows()/2])), slices.Sorted(slices.Values(order[s.Rows()/2:]))
		loss, err := s.losses(ctx, halves(s.Table, s.Gather(a), s.Gather(b)))
		if err != nil {
			return err
		}
		for k, v := range loss {
			s.scales[k].mean += v / divisions
			s.scales[k].most = max(s.scales[k].most, v)
		}
	}
	gone, err := s.permuted(rng.New([32]byte{4}))
	if err != nil {
		return err
	}
	loss, err := s.losses(ctx, pair{s.Table, gone, s.Table, s.Table, s.Table})
	if err != nil {
		return err
	}
	for k, v := range loss {
		s.scales[k].destroyed = v
	}
	if s.items { // of a single column nothing is left to permute: rules of items that occur at random
		s.scales[associations].destroyed = 1
	}
	s.scales[distributions].destroyed = s.uniform()
	s.found, err = s.attack(ctx, &measure.Release{Original: s.Table, Released: s.Table, Paired: true})
	return err
}

// quasi lists the quasi-identifiers.
func (s *set) quasi() string {
	var names []string
	for j := range s.Width() {
		if a := s.Attr(j); a.Role&table.Quasi != 0 {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}

// permuted returns the table with every column permuted apart.
func (s *set) permuted(src rng.Source) (*table.Table, error) {
	cols := make([]table.Column, s.Width())
	for j := range cols {
		cols[j] = s.Select(j).Gather(s.Order(src.Fork(s.Attr(j).Name))).Column(0)
	}
	return s.WithColumns(cols)
}

// uniform returns the loss of distributions of which all values are as frequent; of sets, of items that are in half of
// the records.
func (s *set) uniform() float64 {
	sum := 0.0
	for j := range s.Width() {
		shares := s.shares(s.Table, j)
		part := 0.0
		for k, v := range shares {
			switch {
			case s.items:
				part += math.Abs(v-0.5) / float64(len(shares))
			case k == 0: // missing
				part += v / 2
			default:
				part += math.Abs(v-1/float64(len(shares)-1)) / 2
			}
		}
		sum += part
	}
	return sum / float64(s.Width())
}

// Rules that are hidden have at least a support and a confidence.
const (
	hidden     = 3 // together
	hiding     = 0.2
	confidence = 0.8 // of all association rules
)

// rules returns the rules of two items that may be hidden, in the order of their texts, without those that nearly all
// records support.
func (s *set) rules(ctx context.Context) (all []string, err error) {
	coding, err := basket.New(s.Table, basket.Options{Intervals: quartiles})
	if err != nil {
		return nil, err
	}
	rows, err := coding.Code(s.Table)
	if err != nil {
		return nil, err
	}
	find := func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
		return itemset.LCM(ctx, rows, itemset.Query{Least: itemset.Least(max(s.support, hiding), s.Rows()), Visit: visit})
	}
	supports, err := association.Gather(ctx, find, s.Rows())
	if err != nil {
		return nil, err
	}
	err = supports.Rules(ctx, association.Options{Confidence: confidence, MostThen: 1}, func(r *association.Rule) bool {
		if len(r.If) == 1 && r.Both < r.Records*9/10 {
			all = append(all, coding.Text(basket.Pattern{If: slices.Clone(r.If), Then: slices.Clone(r.Then)}))
		}
		return true
	})
	slices.Sort(all)
	return all, err
}

// some returns the rules after a quarter, a half and three quarters, one per line.
func some(all []string) string {
	var list []string
	for k := range min(hidden, len(all)) {
		list = append(list, all[(k+1)*len(all)/(hidden+1)])
	}
	return strings.Join(list, "\n")
}
