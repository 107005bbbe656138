package protect

// Solved is a plan whose levels were searched for, and that can say what else could have been chosen. It says so of the
// table that it was fitted to, as long as it has not been stored.
type Solved interface {
	Plan
	// Solution returns what was found; nil where the plan was read, or nothing was searched for.
	Solution() *Solution
}

// Solution is the combinations of levels that a search found, and those next to the chosen one.
type Solution struct {
	Columns []SolutionColumn `json:"columns"` // the quasi-identifiers
	Records int              `json:"records"`
	Most    int              `json:"most"` // records that may be suppressed
	// the chosen one, those next to it by one level of one column, and the others of the ten that lose least
	Nodes []SolutionNode `json:"nodes"`
	// Rounds are what was chosen one after the other where levels are by record: the nodes are of the first, and Most
	// records may be left to the others. Nil where whole columns have a level.
	Rounds []SolutionRound `json:"rounds,omitempty"`
}

// SolutionRound is the records that are generalised alike.
type SolutionRound struct {
	Levels  []int `json:"levels"` // by column
	Records int   `json:"records"`
	Classes int   `json:"classes"`
}

// SolutionColumn is a column whose levels were searched.
type SolutionColumn struct {
	Name   string  `json:"name"`
	Height int     `json:"height"` // its highest level
	Weight float64 `json:"weight"` // by which its loss counts
}

// SolutionNode is a combination of levels, with what a release by it would be.
type SolutionNode struct {
	Levels     []int   `json:"levels"` // by column
	Place      Place   `json:"place"`
	Meets      bool    `json:"meets"`      // its goals are met within the limit on suppression
	Suppressed int     `json:"suppressed"` // records
	Classes    int     `json:"classes"`    // groups of records that look alike, besides the suppressed ones
	Smallest   int     `json:"smallest"`   // records of the smallest group; 0 where there is none
	Largest    int     `json:"largest"`    // and of the largest
	Loss       float64 `json:"loss"`       // of all cells, in [0, 1]
}

// Mean is how many records a group has on average; 0 where there is none.
func (n *SolutionNode) Mean(records int) float64 {
	if n.Classes == 0 {
		return 0
	}
	return float64(records-n.Suppressed) / float64(n.Classes)
}

// Place is where a combination of levels is, as seen from the chosen one.
type Place string

// The places.
const (
	ChosenNode Place = "chosen"
	BelowNode  Place = "below" // one level lower in one column
	AboveNode  Place = "above" // one level higher in one column
	OtherNode  Place = "other"
)

// SolutionOf returns that of a plan, or of the first of several one after another that has one.
func SolutionOf(p Plan) *Solution {
	if s, ok := p.(Solved); ok {
		return s.Solution()
	}
	if w, ok := p.(Sequence); ok {
		for _, inner := range w.Inner() {
			if s := SolutionOf(inner); s != nil {
				return s
			}
		}
	}
	return nil
}
