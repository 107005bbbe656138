package attributeinference

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Detail is what the attack finds out, column by column.
type Detail struct {
	Intruder  string   `json:"intruder"`
	Originals int      `json:"originals"` // records
	Judged    int      `json:"judged"`    // persons attacked
	Controls  int      `json:"controls"`  // persons of the hold-out attacked; 0 without one
	Secrets   []Secret `json:"secrets"`
	Worst     int      `json:"worst"` // position of the secret at the highest risk

	risk []float64 // by original record
}

// Secret is a column and how often it is guessed right.
type Secret struct {
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
func (d *Detail) value(t *table.Table, columns []int, attack, control *outcome) (measure.Value, error) {
	d.Judged = len(attack.rows)
	v := measure.Value{Detail: d}
	for k, q := range attack.secrets {
		hits, n := q.rate()
		if n == 0 {
			v.Notes = append(
				v.Notes,
				message.Say("measure.attributeinference.note.empty").Name("column", t.Attr(columns[k]).Name),
			)
			continue
		}
		s := Secret{Name: t.Attr(columns[k]).Name, Persons: int(n), Attack: hits / n, Common: q.common(attack.rows) / n}
		base, of := s.Common*n, n
		if control != nil {
			if h, m := control.secrets[k].rate(); m > 0 {
				share := h / m
				s.Control, base, of = &share, h, m
				d.Controls = len(control.rows)
			}
		}
		s.Risk, s.Lo, s.Hi = nearest.BeyondInterval(hits, n, base, of)
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
		v.Notes = append(v.Notes,
			message.Say("measure.attributeinference.note.noHoldout"))
	}
	if d.Judged < attack.persons {
		v.Notes = append(v.Notes, measure.Sample(d.Judged, attack.persons))
	}
	d.judge(attack)
	return v, nil
}

func (s *Secret) parts() []measure.Part {
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

// judge sets the risk of the original records.
func (d *Detail) judge(attack *outcome) {
	d.risk = make([]float64, d.Originals)
	for i := range d.risk {
		d.risk[i] = math.NaN()
	}
	for i, row := range attack.rows {
		for _, q := range attack.secrets {
			if p := q.own[i]; p == p && !(d.risk[row] >= p) {
				d.risk[row] = p
			}
		}
	}
}

// Records returns the risk of every original record; NaN where it was not judged.
func (d *Detail) Records() []float64 { return d.risk }

// Sentence says what the intruder learns.
func (d *Detail) Sentence() message.Sentence {
	s := d.Secrets[d.Worst]
	if s.Control == nil {
		return message.Say(
			"measure.attributeinference.says",
		).Name(
			"column",
			s.Name,
		).Share(
			"right",
			s.Attack,
		).Count(
			"people",
			s.Persons,
		).
			Share(
				"commonest",
				s.Common,
			)
	}
	return message.Say(
		"measure.attributeinference.saysHoldout",
	).Name(
		"column",
		s.Name,
	).Share(
		"right",
		s.Attack,
	).Count(
		"people",
		s.Persons,
	).
		Share(
			"control",
			*s.Control,
		).Share(
		"commonest",
		s.Common,
	)
}
