package desk

import (
	"cmp"
	"slices"
	"strings"
)

// purposes group the techniques by what one takes them for. What is in none stands last.
var purposes = []struct {
	title string
	names []string
}{
	{"Noise that keeps decision rules", []string{"framework", "forestframework", "extframework", "linfapt", "linnapt", "capt", "rpt", "ppt"}},
	{"Generalise, recode, suppress", []string{"kanonymise", "generalise", "globalrecode", "localsuppression", "topcode", "bottomcode", "round", "sap"}},
	{"Groups of similar records (microaggregation)", []string{"mdav", "vmdav", "uma", "perturbationtree"}},
	{"Swap values between records", []string{"rankswap", "shuffle", "recordswap", "dataswap"}},
	{"Noise on numbers", []string{"sadp", "correlatednoise", "kim", "kimwinkler", "sullivanfuller", "tendickmatloff", "multiplicativenoise", "morph"}},
	{"Draw numbers anew", []string{"gadp", "cgadp", "egadp", "romm"}},
	{"Change categories at random", []string{"pram", "warner", "mrr"}},
	{"Release fewer records", []string{"sample", "cliff"}},
	{"Random counterparts, to compare with", []string{"randomframework", "randomextframework", "randomcategorical", "rnat", "alpt"}},
	{"Baselines, not for release", []string{"hdp", "rdp", "sdp", "tdp"}},
}

// usual says of the five techniques to try first why.
var usual = map[string]string{
	"framework":  "the default: rules stay and every value changes",
	"kanonymise": "where a rule asks for k-anonymity",
	"mdav":       "where means of small groups are enough",
	"rankswap":   "where every column must keep its own distribution",
	"gadp":       "where means and covariances of numbers matter",
}

// grouped gives the entries their purposes: of a technique what it is for, of a measure its side.
func grouped(es []Entry) []Entry {
	for k := range es {
		e := &es[k]
		e.Usual = usual[e.Name]
		if e.Side != "" {
			e.Purpose = strings.ToUpper(e.Side[:1]) + e.Side[1:]
		}
		for _, p := range purposes {
			if e.Side == "" && slices.Contains(p.names, e.Name) {
				e.Purpose = p.title
			}
		}
	}
	return es
}

// ByPurpose lists the entries in which all of the words occur, by purpose, the usual ones of each first.
func (p Part) ByPurpose(words []string) []Entry {
	es := slices.DeleteFunc(p.Entries(), func(e Entry) bool {
		all := strings.ToLower(strings.Join(append([]string{e.Name, e.Title, e.Summary, e.Purpose}, e.Aliases...), " "))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, strings.ToLower(w)) })
	})
	place := func(e Entry) int {
		for k, g := range purposes {
			if g.title == e.Purpose {
				return k
			}
		}
		return len(purposes)
	}
	first := func(e Entry) int {
		if e.Usual != "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(es, func(a, b Entry) int {
		return cmp.Or(place(a)-place(b), cmp.Compare(b.Purpose, a.Purpose), first(a)-first(b))
	})
	return es
}
