package protect

import (
	"math"
	"reflect"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/table"
)

// Claim names a capability by the interface that has it. An entry claims what its technique and plans can do besides the
// contract, and the conformance suite fails on a claim without the methods and on the methods without a claim: a method
// that is misspelt cannot make a risk look smaller.
type Claim string

// What a technique or its plan can do.
const (
	HasLaw           Claim = "law.Lawful"
	AddsNoise        Claim = "law.Additive"
	Recodes          Claim = "law.Recoder"
	Raises           Claim = "law.Raised"
	Spans            Claim = "law.Spanned"
	Segments         Claim = "protect.Segmented"
	Divides          Claim = "protect.Divided"
	TakesLeaves      Claim = "protect.LeafPlan"
	Groups           Claim = "protect.Grouper"
	HasSteps         Claim = "protect.Composite"
	Corrects         Claim = "protect.Corrected"
	Notes            Claim = "protect.Noted"
	Describes        Claim = "protect.Described"
	Checks           Claim = "protect.Checker"
	HidesPatterns    Claim = "protect.Hider"
	Publishes        Claim = "protect.Published"
	TakesHierarchies Claim = "protect.Hierarchical"
	Memoises         Claim = "protect.Memoised"
	BoundsOdds       Claim = "protect.Private"
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
		of[law.Lawful](HasLaw, "law", "it says with which probability each value becomes which, column by column: risks for an informed intruder are computed from it"),
		of[law.Additive](AddsNoise, "additive noise", "it says the covariance of noise that several columns share: risks are computed from it, and noise is filtered with it"),
		of[law.Recoder](Recodes, "recodes", "it generalises, and brings any records of the original into the schema of the release: originals and releases are compared there"),
		of[law.Raised](Raises, "levels", "it says on which level of its hierarchy a column is released: losses of information count it"),
		of[law.Spanned](Spans, "spans", "it says how much of a column a released label covers: losses of information count it"),
		of[Segmented](Segments, "segments", "it perturbs inside the segments of trees: an intruder who knows them learns the segment of a record"),
		of[Divided](Divides, "certificate", "it releases every record inside the segment of its original, and a certificate can count that they stay there"),
		of[LeafPlan](TakesLeaves, "leaves", "as a step of a composite it takes the leaves of the records from the one routing that all steps share"),
		of[Grouper](Groups, "groups", "it says which records must meet in one chunk; the executor gives it batches of whole groups"),
		of[Composite](HasSteps, "steps", "it is made of plans, each of which changes columns of its own"),
		of[Corrected](Corrects, "corrections", "it says how to work out from the release what its noise biases"),
		of[Noted](Notes, "notes", "it has remarks for the custodian, such as columns that it could not treat as asked"),
		of[Described](Describes, "description", "it says in a few words what it does, for a report"),
		of[Checker](Checks, "check", "a plan file that is not consistent is refused when it is read"),
		of[Hider](HidesPatterns, "hides", "it says how many of the patterns that were to be hidden can still be found in a release: such a release is withheld"),
		of[Published](Publishes, "public law", "its law can be published beside the release, and whoever has the release estimates from it what the original was like"),
		of[Hierarchical](TakesHierarchies, "hierarchies", "it generalises along hierarchies that a policy may give"),
		of[Memoised](Memoises, "recurs", "where people recur it releases a person's value alike in every release, so that several tell no more than one"),
		of[Private](BoundsOdds, "epsilon", "its noise bounds how far the odds of two originals can move, and its notes say how far (local differential privacy)"),
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

// Private is a plan whose noise bounds, whatever else is known, how far a release can move the odds of two originals. Its notes say of what.
type Private interface {
	// Epsilon returns the bound on the logarithm of the odds (local differential privacy), at least 0; infinite where there is none.
	Epsilon() float64
}

// Epsilon returns that of a plan; infinite where it has none.
func Epsilon(p Plan) float64 {
	if own, ok := p.(Private); ok {
		return own.Epsilon()
	}
	return math.Inf(1)
}

// Hider is a plan that hides patterns which the custodian lists.
type Hider interface {
	// Found counts, in a release, how many patterns are listed and how many of them can still be found by the plan's thresholds.
	Found(release *table.Table) (listed, found int, err error)
}

// Hierarchical is a technique that generalises along value generalisation hierarchies. Attributes without one get a hierarchy of the
// technique's own making.
type Hierarchical interface {
	// UseHierarchies gives the hierarchies, by attribute; it is called before Fit, which says what does not fit the table.
	UseHierarchies(h hierarchy.Set)
}
