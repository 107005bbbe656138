package main

// choosing is the choice among candidates.
var choosing = map[string]answer{"choice_rank": on(choiceRank)}

func choiceRank(in struct {
	Criteria, Order []string
	Weights         map[string]float64
	Limits          []bound
	Candidates      []candidacy
}) (any, error) {
	of := in.Candidates
	r := rank(of, in.Criteria, in.Order, in.Weights, in.Limits)
	type rejected struct {
		Name   string   `json:"name"`
		Failed []excess `json:"failed"`
	}
	survivors, out := []string{}, []rejected{}
	scores, shares := map[string]float64{}, map[string]float64{}
	for k, c := range of {
		if r.rejected[k] != nil {
			out = append(out, rejected{c.Name, r.rejected[k]})
			continue
		}
		survivors = append(survivors, c.Name)
		scores[c.Name], shares[c.Name] = r.scores[k], r.winShare[k]
	}
	named := func(order []int) []string {
		names := []string{}
		for _, k := range order {
			names = append(names, of[k].Name)
		}
		return names
	}
	place := func(k int) any {
		if k < len(r.ranking) {
			return of[r.ranking[k]].Name
		}
		return nil
	}
	return map[string]any{
		"survivors":     survivors,
		"rejected":      out,
		"scores":        scores,
		"ranking":       named(r.ranking),
		"lexicographic": named(r.lexicographic),
		"win_share":     shares,
		"choice":        place(0),
		"runner_up":     place(1),
	}, nil
}
