package study

import (
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// State is what follows for a release.
type State string

// The states of a release, the worst first. They are the only words for a verdict, in every text, page and document
// (keys state in message/words); the exit status follows from them.
const (
	Withheld State = "withheld"          // a demand is broken or unproven: nothing is written
	WithCare State = "release with care" // every demand is met, and somebody should look at the reasons
	Meets    State = "meets the limits"
	// Unjudged is a release of which nothing was demanded, or something that was not measured: nothing is said for it.
	Unjudged State = "not judged"
)

// Standing is what became of one demand.
type Standing string

// The standings of a demand. A demand is met when the pessimistic end of the figure keeps the limit, broken when the
// optimistic end does not, else unproven: more people must be tried. Broken and unproven demands withhold a release
// alike; Gate tells them apart.
const (
	Met      Standing = "met"
	Broke    Standing = "broken"
	Unproven Standing = "unproven"
)

// Verdict says whether a release may go out, and why: the one source of every face that tells it.
type Verdict struct {
	State State `json:"state"`
	Gate  Gate  `json:"gate,omitzero"` // the limits in counts; absent from a public document
	// Unchanged says that nothing had to change: the original, judged as the release, meets all limits.
	Unchanged bool `json:"unchanged,omitzero"`
	// Sentence is about the worst intruder: what share of the people is found, between which bounds, and what it was of
	// the original; empty where no attack was played.
	Sentence message.Sentence `json:"sentence,omitzero"`
	// Found is the attack that Sentence tells of; nil where it is empty.
	Found *measure.Attack `json:"-"`
	// Worst are the attacks that found, and learned, the most, the worst first.
	Worst   []measure.Attack   `json:"worst,omitzero"`
	Reasons []Reason           `json:"reasons,omitzero"` // the worst first; a release that meets the limits has none
	Demands []Demand           `json:"demands,omitzero"` // broken ones first
	GoodFor []message.Sentence `json:"goodFor"`          // such as "decision rules on readmitted"
	NotFor  []message.Sentence `json:"notFor"`
	Limits  message.Sentence   `json:"limits"` // which limits held, with their source
	// Outknown says that somebody who knows more than those whom the limits bind finds more than they allow.
	Outknown bool `json:"-"`
	// Unchecked is what the source of the limits demands besides and a table cannot show.
	Unchecked []message.Sentence `json:"unchecked,omitzero"`
}

// Reason is why a release is withheld or wants care, in words for somebody who does not know the field. It holds no
// value of a record.
type Reason struct {
	State State            `json:"state"` // Withheld or WithCare
	Says  message.Sentence `json:"says"`  // why
	// each is one thing to do about it, what helps most first; none where nothing is
	Remedies []message.Sentence `json:"remedies"`
	Columns  []string           `json:"columns"` // the columns it is about
}

// Remedy is what to do about it, as one sentence; empty where nothing is.
func (r *Reason) Remedy() message.Sentence { return message.Choices(r.Remedies).Whole() }

// Demand is one limit and what became of it.
type Demand struct {
	Measure string           `json:"measure"` // the name by which a limit, and --accept, name it
	Title   message.Sentence `json:"title"`   // what the limit is on
	Max     *float64         `json:"max"`
	Min     *float64         `json:"min"`
	Value   *float64         `json:"value"` // nil when it was not measured, which breaks the demand
	Lo      *float64         `json:"lo"`
	Hi      *float64         `json:"hi"`
	measure.Unit
	Against  string           `json:"against"` // the intruder; empty when it depends on none
	Standing Standing         `json:"standing"`
	Why      message.Sentence `json:"why"`      // why it could not be measured, or why so few people cannot show it
	Source   message.Sentence `json:"source"`   // who set the limit: a publication, the policy, --accept
	Accepted bool             `json:"accepted"` // the custodian overrode the limit by name
	Needed   bool             `json:"needed"`   // and the release does not keep the limit that held before
	// of an unproven demand: how many more people must be tried; nil where that is not how it is decided
	More *More `json:"more"`

	// Facts are those of the measure that the limit is on; none of a limit on anything else.
	Facts measure.Facts `json:"-"`
	// Usual says that the source goes without saying: it is that of all limits of the set, or of every set.
	Usual bool `json:"-"`

	people    table.Level       // of what the figure is a share
	described bool              // what Against names reads on after "an intruder who"
	was       limit.Limit       // that held before it was accepted
	tried     int               // people on whom the figure was counted, of an unproven demand that has More
	said      message.Sentence  // the figure in words, where it is no plain number
	secret    string            // that is learned
	knows     []string          // columns that the best attack uses
	column    string            // that it is about, where it is about one
	of        string            // the limit that it is not bound by, where its own is on whatever such an intruder does
	lacking   []measure.Without // what is left without a column, the one that helps most first
}
