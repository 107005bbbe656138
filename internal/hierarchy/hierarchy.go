package hierarchy

// Set holds hierarchies by the name of their attribute.
type Set map[string]*Hierarchy

// Hierarchy is the value generalisation hierarchy of one attribute.
type Hierarchy struct{}
