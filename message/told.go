package message

import "slices"

// Bounds returns the bounds that are told in place of a share, one of which is 0, 1 or -1; told is false of a share
// that may be told itself.
type Bounds func(share float64) (lo, hi float64, told bool)

// Told is the sentence with those of its shares that are not to be told as what they are under or over, in the
// sentences that it is made of, too.
func (s Sentence) Told(by Bounds) Sentence {
	if s.Empty() {
		return s
	}
	t := *s.of
	t.args = slices.Clone(t.args)
	for k := range t.args {
		t.args[k].value = toldValue(t.args[k].value, by)
	}
	return Sentence{&t}
}

// AllTold is Told of each.
func AllTold(all []Sentence, by Bounds) []Sentence {
	all = slices.Clone(all)
	for k, s := range all {
		all[k] = s.Told(by)
	}
	return all
}

func toldValue(v Value, by Bounds) Value {
	switch v := v.(type) {
	case share:
		if lo, hi, told := by(float64(v)); told {
			return beyond(lo, hi, Share)
		}
	case percent:
		if lo, hi, told := by(v.value / 100); told {
			return beyond(lo, hi, func(bound float64) Sentence { return Fixed(float64(100*bound), v.decimals) })
		}
	case Sentence:
		return v.Told(by)
	case parts:
		return parts{AllTold(v.all, by), v.between}
	case choices:
		return choices(AllTold(v, by))
	}
	return v
}

// beyond says on which side of which of the bounds a share lies: the one that no share goes beyond is left out.
func beyond(lo, hi float64, write func(bound float64) Sentence) Sentence {
	if lo == 0 || lo == -1 {
		return Say("public.under").Part("share", write(hi))
	}
	return Say("public.over").Part("share", write(lo))
}
