package attributedisclosure

import (
	"math"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// AttributeInferenceDetail is what the attack finds out, column by column.
type AttributeInferenceDetail struct {
	Intruder  string                     `json:"intruder"`
	Originals int                        `json:"originals"` // records
	Judged    int                        `json:"judged"`    // persons attacked
	Controls  int                        `json:"controls"`  // persons of the hold-out attacked; 0 without one
	Secrets   []AttributeInferenceSecret `json:"secrets"`
	Worst     int                        `json:"worst"` // position of the secret at the highest risk

	risk   []float64 // by original record
	listed []float64 // the same, in the secrets that people in the release are at risk in more than others
}

// AttributeInferenceSecret is a column and how often it is guessed right.
type AttributeInferenceSecret struct {
	Name    string   `json:"name"`
	Persons int      `json:"persons"` // judged
	Attack  float64  `json:"attack"`
	Control *float64 `json:"control"` // for persons who are not in the release
	Common  float64  `json:"common"`  // by guessing the commonest value for everyone
	Risk    float64  `json:"risk"`    // of the attack beyond the control or, without one, beyond the commonest value
	Lo      float64  `json:"lo"`
	Hi      float64  `json:"hi"`
}

// value gathers the outcomes; control is nil without a hold-out.
func (d *AttributeInferenceDetail) value(
	t *table.Table,
	columns []int,
	attack, control *outcome,
) (measure.Value, error) {
	d.Judged = len(attack.rows)
	v, beyond := measure.Value{Detail: d}, map[int]bool{}
	for k, q := range attack.secrets {
		hits, n := q.rate()
		if n == 0 {
			v.Notes = append(v.Notes,
				message.Say("measure.attributeinference.note.empty").Name("column", t.Attr(columns[k]).Name))
			continue
		}
		s := AttributeInferenceSecret{
			Name:    t.Attr(columns[k]).Name,
			Persons: int(n),
			Attack:  hits / n,
			Common:  q.common(attack.rows) / n,
		}
		base, of := float64(s.Common*n), n
		if control != nil {
			if h, m := control.secrets[k].rate(); m > 0 {
				share := h / m
				s.Control, base, of = &share, h, m
				d.Controls = len(control.rows)
			}
		}
		s.Risk, s.Lo, s.Hi = nearest.BeyondInterval(hits, n, base, of)
		beyond[k] = s.Control != nil && s.Lo > 0
		d.Secrets = append(d.Secrets, s)
		if s.Risk > d.Secrets[d.Worst].Risk {
			d.Worst = len(d.Secrets) - 1
		}
		v.Parts = append(v.Parts, s.parts()...)
	}
	if d.Secrets == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.secretless"))
	}
	worst := d.Secrets[d.Worst]
	v.Score, v.Lo, v.Hi = worst.Risk, worst.Lo, worst.Hi
	if worst.Control == nil {
		v.Notes = append(v.Notes, message.Say("measure.attributeinference.note.noHoldout"))
	}
	if d.Judged < attack.persons {
		v.Notes = append(v.Notes, measure.Sample(d.Judged, attack.persons))
	}
	d.risk, d.listed = d.judge(attack, nil), d.judge(attack, beyond)
	return v, nil
}

func (s *AttributeInferenceSecret) parts() []measure.Part {
	parts := []measure.Part{
		{
			Key:   "risk",
			Of:    s.Name,
			Name:  message.Say("measure.attributeinference.part.risk").Name("column", s.Name),
			Score: s.Risk,
		},
		{
			Key:   "right",
			Of:    s.Name,
			Name:  message.Say("measure.attributeinference.part.right").Name("column", s.Name),
			Score: s.Attack,
		},
		{
			Key:   "commonest",
			Of:    s.Name,
			Name:  message.Say("measure.attributeinference.part.commonest").Name("column", s.Name),
			Score: s.Common,
		},
	}
	if s.Control != nil {
		parts = append(
			parts,
			measure.Part{
				Key:   "holdout-right",
				Of:    s.Name,
				Name:  message.Say("measure.attributeinference.part.holdout-right").Name("column", s.Name),
				Score: *s.Control,
			},
		)
	}
	return parts
}

// judge finds the risk of every record of the original in some of the secrets, nil for all: NaN for those not attacked.
func (d *AttributeInferenceDetail) judge(attack *outcome, some map[int]bool) []float64 {
	risk := slices.Repeat([]float64{math.NaN()}, d.Originals)
	for k, q := range attack.secrets {
		for i, row := range attack.rows {
			p := q.own[i]
			if some != nil && !some[k] {
				p = float64(p * 0) // NaN stays: who lacks the secret is not judged in it
			}
			if p == p && !(risk[row] >= p) {
				risk[row] = p
			}
		}
	}
	return risk
}

// Records returns the risk of every record of the original, NaN for those that were not attacked. It is 0 in secrets
// that are not guessed right more often, beyond doubt, of people in the release than of others: a guess that is right
// as often of anybody shows nothing about a person.
func (d *AttributeInferenceDetail) Records() []float64 { return d.listed }

// Sentence says what the intruder learns.
func (d *AttributeInferenceDetail) Sentence() message.Sentence {
	s := d.Secrets[d.Worst]
	if s.Control == nil {
		return message.Say("measure.attributeinference.says").Name("column", s.Name).Share("right", s.Attack).
			Count("people", s.Persons).Share("commonest", s.Common)
	}
	return message.Say("measure.attributeinference.saysHoldout").Name("column", s.Name).Share("right", s.Attack).
		Count("people", s.Persons).Share("control", *s.Control).Share("commonest", s.Common)
}
