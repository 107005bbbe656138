package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/dither-data/dither/generate"
)

var generators = map[string]answer{
	"cr_probabilities": on(func(in struct{ Want []string }) (any, error) {
		out, err := laws(in.Want, crField, generate.CRLaw)
		if err != nil {
			return nil, err
		}
		share := func(holds func(generate.CRRecord) bool) float64 {
			law := generate.CRLaw(func(r generate.CRRecord) string {
				if holds(r) {
					return "yes"
				}
				return "no"
			})
			p, _ := law["yes"].Float64()
			return p
		}
		out["rent_low"] = share(func(r generate.CRRecord) bool { return r.HouseRent <= 300 })
		out["income_high"] = share(func(r generate.CRRecord) bool { return r.Income > 50 })
		return out, nil
	}),
	"cs_probabilities": on(func(in struct{ Want []string }) (any, error) {
		return laws(in.Want, csField, generate.CSLaw)
	}),
	"cr_valid": on(func(in struct{ Records []recordIn }) (any, error) {
		out := make([]bool, len(in.Records))
		for i, r := range in.Records {
			var n [4]int
			whole := true
			for k, name := range []string{"House Rent", "Income", "Job Grade", "No of Dependents"} {
				v, ok := r[name].(float64)
				n[k] = int(v)
				whole = whole && ok && v == float64(n[k])
			}
			out[i] = whole && generate.CRValid(generate.CRRecord{HouseRent: n[0], Income: n[1], JobGrade: n[2], Dependents: n[3],
				City: codeOf(generate.CRCities, r["City"]), Risk: codeOf(generate.CRRisks, r["Credit Risk"])})
		}
		return out, nil
	}),
	"cs_valid": on(func(in struct{ Records []recordIn }) (any, error) {
		out := make([]bool, len(in.Records))
		for i, r := range in.Records {
			out[i] = generate.CSValid(generate.CSRecord{
				Country: codeOf(
					generate.CSCountries,
					r["Country of Origin"],
				), Profession: codeOf(generate.CSProfessions, r["Profession"]),
				Car: codeOf(generate.CSCars, r["Car Make"]), Status: codeOf(generate.CSStatuses, r["Status"])})
		}
		return out, nil
	}),
}

// codeOf returns the code of a label, -1 when the generator does not know it.
func codeOf(labels []string, v any) int32 { return int32(slices.Index(labels, fmt.Sprint(v))) }

// laws returns the law of every field that is wanted; names joined by a bar want the joint law of several.
func laws[R any](
	want []string,
	field func(string) func(R) string,
	law func(func(R) string) map[string]*big.Rat,
) (object, error) {
	out := object{}
	for _, w := range want {
		var fields []func(R) string
		for _, name := range strings.Split(w, "|") {
			f := field(name)
			if f == nil {
				return nil, fmt.Errorf("there is no field %q", name)
			}
			fields = append(fields, f)
		}
		probabilities := map[string]float64{}
		for k, p := range law(func(r R) string { return joined(fields, r) }) {
			probabilities[k], _ = p.Float64()
		}
		out[w] = probabilities
	}
	return out, nil
}

// joined joins the fields of a record by bars.
func joined[R any](fields []func(R) string, r R) string {
	s := fields[0](r)
	for _, f := range fields[1:] {
		s += "|" + f(r)
	}
	return s
}

func crField(name string) func(generate.CRRecord) string {
	return map[string]func(generate.CRRecord) string{
		"Credit Risk": func(r generate.CRRecord) string { return generate.CRRisks[r.Risk] },
		"City":        func(r generate.CRRecord) string { return generate.CRCities[r.City] },
		"segment":     generate.CRRecord.Segment,
	}[name]
}

func csField(name string) func(generate.CSRecord) string {
	return map[string]func(generate.CSRecord) string{
		"Status":            func(r generate.CSRecord) string { return generate.CSStatuses[r.Status] },
		"Car Make":          func(r generate.CSRecord) string { return generate.CSCars[r.Car] },
		"Profession":        func(r generate.CSRecord) string { return generate.CSProfessions[r.Profession] },
		"Country of Origin": func(r generate.CSRecord) string { return generate.CSCountries[r.Country] },
	}[name]
}
