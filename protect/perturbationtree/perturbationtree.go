// Package perturbationtree is the perturbation tree (Li & Sarkar 2006; Roy, sections 3.3.2 and 4): a kd-tree groups
// similar records, and confidential values become means of their group.
//
// All numeric attributes, the confidential ones too, are scaled to [0, 1] once. A set of more than leafMax records is
// cut at the attribute of largest variance, in the middle of its values there or at their median (split), and so on
// with both sides. What is equal to the cut goes to the lower side, or where a coin thrown for the cut says (ties). A
// median at which all would go to one side is no cut, as where more than half of the records have the largest value:
// there the middle is taken. Then, inside a leaf (inside):
//   - mean: every confidential value becomes the mean of the leaf's.
//   - microaggregate: the tree stops at blocks of leafMax (5,000) records, k-means divides a block of more than
//     blockMax, MDAV makes groups of k in what there is, on all attributes, and a confidential value becomes the mean
//     of its group (Roy, steps 4 to 6).
//   - swap: the confidential values of a record, all together, go to another of the leaf, every permutation as likely.
//     Li & Sarkar name the variant; this is a reconstruction.
//
// With partition=each every confidential attribute has a tree of its own, over itself and the non-confidential ones, as
// in Roy's Table 5.1.
//
// What an informed intruder learns: the mean of a group of at least leafMin (k) people. A member of a group of two
// works out the other's value, and a group of equal values tells them; leafMin=3 and more guard against the first. Cuts
// are at confidential values too, so a record's leaf, and thus an interval of its confidential value, shows in which
// records share a mean. leafMax is 10 by default, the upper end of the 3 to 10 of Li & Sarkar 2006: leaves of six or
// seven on average, where the 3 of Table 4.1 makes every second one a pair.
//
// Missing values stay missing. A record whose tested value is missing follows the side of more records. Means are over
// known values, and of every confidential attribute a leaf has at least leafMin (k) of them or none: the tree makes no
// other cut. A group of MDAV that has fewer is averaged, in this attribute, together with the group nearest to it in
// the block.
//
// Where it is told whose the records are (table.Table.People) and some people have several, leafMin and k count people:
// no cut leaves records, or known values of a confidential attribute, of fewer on a side, and MDAV makes groups of k
// people. leafMax and blockMax count records. A person may be in several leaves.
//
// Every record stays in its leaf: means lie between the smallest and the largest value of the leaf, and rounding to a
// grid on which both lie does not lead past them. Only values that are not on the grid that is declared for them may
// leave it.
//
// Cost: O(p n log n) for n records of p attributes; O(n b p / k) more for microaggregation in blocks of b records, all
// on both cores. The plan holds the tree, two numbers a leaf. Records of a leaf must meet: the plan is a
// protect.Grouper by leaf, with partition=each by the whole table.
//
// Departures: minimum and maximum leaf sizes both occur in Roy; here a cut that leaves less than leafMin on a side is
// not made (Table 5.2 releases several records alone, unchanged). Where no attribute can be cut in the middle, Roy's
// tree ends; here sets above twice leafMax are cut as near as possible, for one outlier in every attribute would end it
// at the root. The example of Table 4.2 cuts Experience at 26.5 by raw variances, but Table 4.1 and step 1 scale, and
// then Wages is cut first. Released values lie on the grid of their attribute; grid=finer adds two decimals, which
// Table 4.1 needs.
//
// Reference: X.-B. Li and S. Sarkar, "A tree-based data perturbation approach for privacy-preserving data mining", IEEE
// Trans. Knowledge and Data Engineering 18(9), 2006; Roy, sections 3.3.2, 4 and 5.
package perturbationtree

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/regenerate"
)

// What becomes of confidential values inside a leaf.
const (
	Mean           = "mean"
	Microaggregate = "microaggregate"
	Swap           = "swap"
)

var insides = []string{Mean, Microaggregate, Swap}

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "perturbationtree",
		Title:   "Perturbation tree",
		Aliases: []string{"kd-tree", "perturbation tree of Li & Sarkar"},
		Summary: "Groups similar records with a kd-tree and replaces confidential numbers by the mean of their " +
			"leaf or of small groups in it, or swaps them.",
		Paper: "Li & Sarkar 2006; Roy, section 4",
		Needs: "numeric attributes; those marked confidential are replaced (none marked: all); split=median cuts " +
			"at the midpoint if half of a set has its largest value",
		Changes: "the confidential numeric attributes",
		Preserves: "means; relations beyond the reach of a leaf, among the confidential attributes and with the others " +
			"(types B and C); " +
			"with inside=swap the values of every attribute (types A and D)",
		Biases: "variances shrink (type A), tails move inwards (type D); relations inside a leaf, and to " +
			"categorical attributes and the class, are lost (type DM)",
		Exposes: "the mean of a group of at least leafMin (k) people, and who is in it; in a group of two, each " +
			"can work out the other's value",
		Missing: "stay missing; a missing tested value follows the larger side; means use known values of at least " +
			"leafMin (k) people",
		People: "leaves, groups, and the known values of each column in them, cover leafMin (k) people; leafMax " +
			"and blockMax count records",
		Cost: "O(p n log n); microaggregation in blocks of b records O(n b p / k) more",
	},
	Purpose: protect.Aggregates,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Segments, protect.Groups, protect.Notes, protect.Describes, protect.Checks,
		protect.TakesNumbers},
}

// Where a set is cut.
const (
	Midrange = "midrange"
	Median   = "median"
)

// Where values go that are equal to a cut.
const (
	Left = "left" // to the lower side
	Coin = "coin" // as a coin thrown for the cut says
)

// What is tested.
const (
	All    = "all"    // all numeric attributes
	Others = "others" // the non-confidential ones
)

// How many trees there are.
const (
	Once = "once" // one for all confidential attributes
	Each = "each" // one for each
)

// Technique holds the parameters.
type Technique struct {
	Inside    string // one of Mean, Microaggregate, Swap
	Split     string // midrange or median
	Ties      string // left or coin
	By        string // all or others: the attributes that are tested
	Partition string // once or each
	LeafMax   int    // 0: 10, or 5,000 for microaggregation
	LeafMin   int
	K         int
	BlockMax  int
	Grid      string // keep or finer
	Except    []string
	Exact     bool // release rare numbers as they are
	Common    int  // people who have a number that is released as it is, at least
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// most is the largest size of a leaf that can be asked for.
const most = 1 << 30

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Inside, "inside", Mean, insides,
			"confidential values in a leaf: the mean of the leaf, the mean of a group of k in it, or swapped with each other"),
		param.Choice(&q.Split, "split", Midrange, []string{Midrange, Median},
			"where to cut a set: the midpoint of its range keeps outliers apart, the median makes leaves of equal "+
				"size (the midpoint is used if the median leaves all on one side)"),
		param.Choice(&q.Ties, "ties", Left, []string{Left, Coin},
			"values equal to a cut go to the lower side, or to a side drawn at random for the cut"),
		param.Choice(&q.By, "by", All, []string{All, Others}, "attributes to test: all numeric ones, or the "+
			"non-confidential ones"),
		param.Choice(&q.Partition, "partition", Once, []string{Once, Each},
			"one tree for all confidential attributes, or one for each (over it and the non-confidential ones)"),
		param.Int(&q.LeafMax, "leafMax", 0, 0, most, "records",
			"larger sets are divided; 0: 10, or blocks of 5,000 with inside=microaggregate"),
		param.Int(&q.LeafMin, "leafMin", 2, 2, most, "people",
			"smallest leaf; from 3 on, no two people can work out each other's values"),
		param.Int(&q.K, "k", 3, 2, most, "people", "smallest group of inside=microaggregate"),
		param.Int(&q.BlockMax, "blockMax", 10_000, 2, most, "records",
			"with inside=microaggregate, first divide larger leaves by k-means, as time grows with the square"),
		fence.GridParam(&q.Grid, fence.GridKeep),
		regenerate.ExceptParam(&q.Except),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}
