package main

import "github.com/dither-data/dither/study/chooser"

// choosing is the choice among candidates.
var choosing = map[string]answer{"choice_rank": on(choiceRank)}

type candidacy struct {
	Name string
	V    map[string]float64
	Half map[string]float64
}

func choiceRank(in struct {
	Criteria, Order []string
	Weights         map[string]float64
	Limits          []struct {
		Criterion string
		Min, Max  *float64
	}
	Candidates []candidacy
}) (any, error) {
	var of []chooser.Candidacy
	for _, c := range in.Candidates {
		of = append(of, chooser.Candidacy(c))
	}
	var limits []chooser.Bound
	for _, l := range in.Limits {
		limits = append(limits, chooser.Bound(l))
	}
	r := chooser.Rank(of, in.Criteria, in.Order, in.Weights, limits)
	type rejected struct {
		Name   string           `json:"name"`
		Failed []chooser.Failed `json:"failed"`
	}
	survivors, out := []string{}, []rejected{}
	scores, shares := map[string]float64{}, map[string]float64{}
	for k, c := range of {
		if r.Rejected[k] != nil {
			out = append(out, rejected{c.Name, r.Rejected[k]})
			continue
		}
		survivors = append(survivors, c.Name)
		scores[c.Name], shares[c.Name] = r.Scores[k], r.WinShare[k]
	}
	named := func(order []int) []string {
		names := []string{}
		for _, k := range order {
			names = append(names, of[k].Name)
		}
		return names
	}
	place := func(k int) any {
		if k < len(r.Ranking) {
			return of[r.Ranking[k]].Name
		}
		return nil
	}
	return map[string]any{"survivors": survivors, "rejected": out, "scores": scores, "ranking": named(r.Ranking), "lexicographic": named(r.Lexicographic),
		"win_share": shares, "choice": place(0), "runner_up": place(1)}, nil
}
