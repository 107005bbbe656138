package rulehiding

// Unknown counts by item the transactions in which it became unknown: those that had it, and those that had not. Who
// reads every "?" as the item is right in the share of the first.
func (d *Data) Unknown() (there, absent []int) {
	there, absent = make([]int, len(d.count)), make([]int, len(d.count))
	for i, row := range d.unknown {
		for _, v := range row {
			if d.had(int32(i), v) {
				there[v]++
			} else {
				absent[v]++
			}
		}
	}
	return there, absent
}
