package protect

// Changed returns the names of all columns that a step of the composite changes, in schema order.
func Changed(c Composite) []string {
	changes := map[string]bool{}
	for _, s := range c.Steps() {
		for _, n := range s.Changes() {
			changes[n] = true
		}
	}
	var out []string
	for _, a := range c.Schema() {
		if changes[a.Name] {
			out = append(out, a.Name)
		}
	}
	return out
}

// CheckSteps returns the error of the first step that is not consistent.
func CheckSteps(c Composite) error {
	for _, s := range c.Steps() {
		if k, ok := s.(Checker); ok {
			if err := k.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}
