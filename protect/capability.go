package protect

import (
	"math"
	"reflect"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Claim names a capability by the interface that has it. An entry claims what its technique and plans can do besides
// the contract, and the conformance suite fails on a claim without the methods and on the methods without a claim: a
// method that is misspelt cannot make a risk look smaller.
type Claim string

// What a technique or its plan can do.
const (
	HasNoiseModel    Claim = "noisemodel.ByColumn"
	AddsNoise        Claim = "noisemodel.Additive"
	Recodes          Claim = "noisemodel.Recoder"
	Raises           Claim = "noisemodel.Raised"
	Spans            Claim = "noisemodel.Spanned"
	Segments         Claim = "protect.Segmented"
	Divides          Claim = "protect.Divided"
	TakesLeaves      Claim = "protect.LeafPlan"
	Groups           Claim = "protect.Grouper"
	HasSteps         Claim = "protect.Composite"
	Corrects         Claim = "protect.Corrected"
	Notes            Claim = "protect.Noted"
	Describes        Claim = "protect.Described"
	Checks           Claim = "protect.Checker"
	Suppresses       Claim = "protect.Suppressing"
	HidesPatterns    Claim = "protect.Hider"
	Publishes        Claim = "protect.Published"
	TakesHierarchies Claim = "protect.Hierarchical"
	Memoises         Claim = "protect.Memoised"
	BoundsOdds       Claim = "protect.Private"
	TakesNumbers     Claim = "protect.Empirical"
	Solves           Claim = "protect.Solved"
	WorksByColumn    Claim = "protect.ByColumn"
	Crowds           Claim = "protect.Crowding"
	Synthesises      Claim = "protect.Synthesiser"
	Spends           Claim = "protect.Spender"
	SplitsColumn     Claim = "protect.TwoTables"
	Shares           Claim = "protect.Sharing"
)

// Capability is one line of the table of capabilities.
type Capability struct {
	Claim     Claim
	Interface reflect.Type
	Word      string // for users
	Means     string // what it is good for, one sentence without a full stop
}

// Capabilities returns everything that a plan or a technique can do besides the contract.
func Capabilities() []Capability {
	return []Capability{
		of[noisemodel.ByColumn](HasNoiseModel, "noise model", "gives the probability with which each value becomes another, "+
			"per column: used to compute risks for an informed intruder"),
		of[noisemodel.Additive](AddsNoise, "additive noise", "gives the covariance of noise across columns: used to "+
			"compute risks and to filter noise"),
		of[noisemodel.Recoder](Recodes, "recodes", "generalises, and maps original records to the schema of the release, "+
			"where the two are compared"),
		of[noisemodel.Raised](Raises, "levels", "gives the hierarchy level at which a column is released: used to measure "+
			"information loss"),
		of[noisemodel.Spanned](Spans, "spans", "gives how much of a column a released label covers: used to measure "+
			"information loss"),
		of[Segmented](Segments, "segments", "perturbs inside the segments of trees: an intruder who knows them "+
			"learns the segment of a record"),
		of[Divided](Divides, "certificate", "keeps every record inside its original segment, which a certificate "+
			"can verify"),
		of[LeafPlan](TakesLeaves, "leaves", "as a step of a composite, takes the leaves of the records from a "+
			"routing shared by all steps"),
		of[Grouper](Groups, "groups", "names the records that must be processed together; the executor passes it "+
			"batches of whole groups"),
		of[Crowding](Crowds, "k-anonymity", "promises how many look alike in every released combination of certain columns"),
		of[Composite](HasSteps, "steps", "consists of plans that change different columns"),
		of[Corrected](Corrects, "corrections", "tells users of the release how to correct the bias of its noise"),
		of[Noted](Notes, "notes", "has notes for the custodian, such as columns that it could not treat as requested"),
		of[Described](Describes, "description", "describes briefly what it does, for a report"),
		of[Checker](Checks, "check", "inconsistent plan files are refused on reading"),
		of[Suppressing](Suppresses, "suppresses", "counts the records that a release loses, where their share is limited: "+
			"it is held against the limit when the plan is applied to another table"),
		of[Hider](HidesPatterns, "hides", "counts the patterns to hide that can still be found in a release; such "+
			"a release is withheld"),
		of[Published](Publishes, "public noise model", "its noise model can be published with the release, so that "+
			"recipients can estimate the original distributions"),
		of[Hierarchical](TakesHierarchies, "hierarchies", "generalises along hierarchies, which a policy can provide"),
		of[Memoised](Memoises, "recurs", "releases a recurring person's value identically every time, so that "+
			"several releases reveal no more than one"),
		of[Private](BoundsOdds, "epsilon", "its noise bounds how far the odds of two originals can change, and its "+
			"notes say how far (local differential privacy)"),
		of[Empirical](TakesNumbers, "empirical margins", "takes numbers from those of the original; unless exact ones are "+
			"asked for, a number that fewer than 5 people have is released between its neighbours"),
		of[Solved](Solves, "solutions", "lists the combinations of levels that a search found, with those next to the "+
			"chosen one"),
		of[ByColumn](WorksByColumn, "by column", "changes the columns that its parameters columns and except allow, and "+
			"leaves the others as they are"),
		of[Spender](Spends, "ledger", "promises differential privacy, of which a ledger can be charged before the noise is "+
			"drawn"),
		of[Sharing](Shares, "shared cache", "adds only what others have not released of the same columns"),
		of[Synthesiser](Synthesises, "synthesis", "draws new records, which stand for nobody: a release is judged without "+
			"pairs, by people who were kept out of the fit"),
		of[TwoTables](SplitsColumn, "two tables", "a sensitive column can go out as a table of its own, counted by groups "+
			"of records (protect --sensitive-table-out)"),
	}
}

func of[T any](c Claim, word, means string) Capability {
	return Capability{c, reflect.TypeFor[T](), word, means}
}

// Has returns what the values implement, in the order of Capabilities: of a technique and its plan, or of a step.
func Has(values ...any) []Claim {
	var out []Claim
	for _, c := range Capabilities() {
		for _, v := range values {
			if reflect.TypeOf(v).Implements(c.Interface) {
				out = append(out, c.Claim)
				break
			}
		}
	}
	return out
}

// Words returns what users call the capabilities.
func Words(claims []Claim) []string {
	byClaim := map[Claim]string{}
	for _, c := range Capabilities() {
		byClaim[c.Claim] = c.Word
	}
	out := make([]string, len(claims))
	for i, c := range claims {
		out[i] = byClaim[c]
	}
	return out
}

// Private is a plan whose noise bounds, whatever else is known, how far a release can move the odds of two originals.
// Its notes say of what.
type Private interface {
	// Epsilon returns the bound on the logarithm of the odds (local differential privacy), at least 0; infinite where
	// there is none.
	Epsilon() float64
}

// Spender is a technique whose fit draws the noise of differential privacy.
type Spender interface {
	Technique
	// Charges returns what a fit to a table promises, to be charged to a ledger before: all of an entry but the release,
	// the data and when. There is none where the parameters promise nothing. It looks at the schema of the table and at
	// whether people have several records, never at values.
	Charges(t *table.Table) ([]budget.Entry, error)
}

// Epsilon returns that of a plan; infinite where it has none.
func Epsilon(p Plan) float64 {
	if own, ok := p.(Private); ok {
		return own.Epsilon()
	}
	return math.Inf(1)
}

// Crowding is a plan that promises k-anonymity: every combination of certain columns in a release is that of a crowd.
type Crowding interface {
	// Crowd returns how many records, or people where it is told whose they are, share a combination at least, from 1 on,
	// and the columns.
	Crowd() (k int, columns []string)
}

// Suppressing is a plan that takes values of whole records away, of so many at most as the parameters of the fit allow:
// in other records it may take more.
type Suppressing interface {
	// Suppressed counts the records of a release that have lost their values, and how many the parameters allow.
	Suppressed(original, released *table.Table, params []param.Value) (lost, most int)
}

// Hider is a plan that hides patterns which the custodian lists.
type Hider interface {
	// Found counts, in a release, how many patterns are listed and how many of them can still be found by the plan's
	// thresholds.
	Found(release *table.Table) (listed, found int, err error)
}

// TwoTables is a plan whose release may go out as two tables: all but a sensitive column, with the number of the group
// of every record, and the column's values by group, counted. The groups are its segments.
type TwoTables interface {
	Divided
	// Separate returns the name of the sensitive column.
	Separate() string
}

// ByColumn is a technique that works by column: its parameters "columns" and "except" name those that it changes and
// those that it leaves as they are.
type ByColumn interface{ WorksByColumn() }

// Itemised is a technique whose parameters name items of a table, such as age in [26, 37).
type Itemised interface {
	// UseItems says that items are those of another table, which the table of the fit is a release of; it is called before
	// Fit.
	UseItems(original *table.Table)
}

// Sharing is a technique that can add only what others, who hold records of the same columns, have not released.
type Sharing interface {
	// UseShared gives what they released; it is called before Fit, which says what does not fit the table.
	UseShared(t *table.Table)
}

// Hierarchical is a technique that generalises along value generalisation hierarchies. Attributes without one get a
// hierarchy of the technique's own making.
type Hierarchical interface {
	// UseHierarchies gives the hierarchies, by attribute; it is called before Fit, which says what does not fit the table.
	UseHierarchies(h hierarchy.Set)
}
