package disclosure

// Counts are the statements of a table of counts.
type Counts struct {
	Column int // of the table that was counted; below 0 for none
	Told   []Statement
	Limits // but for how many people are few
}

// Sizes are the counts of groups that exclude each other, by record the number of its group; -1 is none.
func Sizes(of []int32, groups int) Counts {
	c := Counts{Column: -1, Told: make([]Statement, groups+1), Limits: Limits{Column: func(int32) int { return 0 }}}
	c.Told[0].Count = len(of)
	for k := range int32(groups) {
		c.Told[k+1].Items = []int32{k}
	}
	for _, k := range of {
		if k >= 0 {
			c.Told[k+1].Count++
		}
	}
	return c
}

// Contingency are the counts of the values of a column by class, a secret, by record the codes of both; -1 is missing.
// Values that nobody has are not told. Cost: O(records + classes x values).
func Contingency(class []int32, classes int, values []int32, labels int) Counts {
	c := Counts{Told: []Statement{{nil, len(class)}}}
	c.Limits.Column = func(item int32) int { return min(1, int(item)/classes) }
	c.Secret = func(item int32) Tells {
		switch {
		case int(item) >= classes:
			return Nothing
		case classes == 2:
			return Either
		}
		return Value
	}
	both, by, of := make([]int, classes*labels), make([]int, classes), make([]int, labels)
	for i, k := range class {
		v := values[i]
		if k >= 0 {
			by[k]++
		}
		if v >= 0 {
			of[v]++
		}
		if k >= 0 && v >= 0 {
			both[int(k)*labels+int(v)]++
		}
	}
	for k, n := range by {
		c.Told = append(c.Told, Statement{[]int32{int32(k)}, n})
	}
	for v, n := range of {
		if n == 0 {
			continue
		}
		item := int32(classes + v)
		c.Told = append(c.Told, Statement{[]int32{item}, n})
		for k := range by {
			c.Told = append(c.Told, Statement{[]int32{int32(k), item}, both[k*labels+v]})
		}
	}
	return c
}
