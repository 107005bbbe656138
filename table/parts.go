package table

// WithoutParts returns the table as formats hold it that know days and times only: months without a mark are numbers
// (202003), other months and times of the day are texts. Cost: O(n) per such column.
func (t *Table) WithoutParts() (*Table, error) {
	for j := range t.cols {
		a := t.cols[j].Attribute
		if a.Dates == "" || !a.Dates.Timely() && !a.Dates.Monthly() {
			continue
		}
		var err error
		if a.Dates != "yyyymm" {
			if t, err = t.AsCategorical(j, 0); err != nil {
				return nil, err
			}
			continue
		}
		num := make([]float64, t.rows)
		for i, v := range t.cols[j].Num {
			if num[i] = v; v == v {
				year, month := int(v)/12+1970, int(v)%12
				if month < 0 {
					year, month = year-1, month+12
				}
				num[i] = float64(100*year + month + 1)
			}
		}
		c := NumColumn(a.Name, 1, num)
		c.Role = a.Role
		if t, err = t.WithColumn(j, c); err != nil {
			return nil, err
		}
	}
	return t, nil
}
