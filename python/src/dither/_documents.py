"""The JSON documents of dither as dataclasses. Written by generate.py; do not edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from dither._decode import Node

# A key that is absent, where a schema allows that, is None; so is one that does not apply.


@dataclass(frozen=True)
class File(Node):
    """File identifies a table that was read or written."""

    # without its folder
    name: str
    sha256: str
    rows: int
    columns: int


@dataclass(frozen=True)
class Interval(Node):
    """Interval is a range of numbers."""

    lo: float
    hi: float
    open_lo: Optional[bool]
    open_hi: Optional[bool]


@dataclass(frozen=True)
class Code(Node):
    """Code is a number that may stand for a missing value: a usual code, such as 99 or -9, that repeats and lies
    far outside the rest of its column.
    """

    value: float
    # records that hold it
    count: int


@dataclass(frozen=True)
class Summary(Node):
    """Summary holds the moments and quantiles of a numeric column."""

    mean: Optional[float]
    sd: Optional[float]
    min: Optional[float]
    q1: Optional[float]
    median: Optional[float]
    q3: Optional[float]
    max: Optional[float]


@dataclass(frozen=True)
class Suggested(Node):
    """suggested is the form of a Suggestion in JSON."""

    column: str
    # none for a column without a role
    roles: list[str]
    # one line
    reason: str
    # what to beware of; empty for nothing
    remark: str
    # the roles were given, not guessed
    given: bool


@dataclass(frozen=True)
class Column(Node):
    """Column describes one column."""

    name: str
    # numeric, categorical, ordered
    kind: str
    # Domain is the interval of legal values; null for a categorical column, and where a bound is not finite.
    domain: Optional[Interval]
    # the domain was given, not observed
    declared: bool
    # grid of a numeric column; 0 is continuous
    step: float
    # the notation of dates, which are numbers
    dates: str
    # of dates: days, minutes or seconds since 1970-01-01
    unit: str
    # records without a value
    missing: int
    # different values in use
    distinct: int
    # records whose value no other record has
    alone: int
    # Uniqueness is the share of all records whose value no other record has.
    uniqueness: float
    # Top is the share of all records that hold the most frequent value.
    top: float
    # Length is the mean number of bytes of the labels in use; 0 for a numeric column.
    length: float
    # Codes are the numbers that may stand for a missing value.
    codes: list[Code]
    # Variants is how many values MergeVariants would change.
    variants: int
    # Order says how the column follows the row number; empty where it does not.
    order: str
    # null for a categorical column and for one without values
    summary: Optional[Summary]
    suggestion: Suggested


@dataclass(frozen=True)
class Key(Node):
    """Key is the key of a unit: one column, or two that tell it apart together."""

    columns: list[str]
    # different ones: the number of units
    values: int
    # that have a value
    records: int
    # Least, Median and Most are numbers of records of a unit.
    least: int
    median: int
    most: int
    # Holds are the columns that stay the same inside a unit, those that tell most first.
    holds: list[str]
    # Varies are the columns that differ between records of a unit, clearly.
    varies: list[str]
    # Same are the columns that tell the same units apart, all but a few.
    same: list[str]
    # what the columns it holds tell together
    bits: float
    # Counts are the columns that it holds which are how many records a unit has, in nearly all records.
    counts: list[str]
    # Astray is how many units of the level below lie in several of this one: they are not nested.
    astray: int
    # Suspects is how many units agree with another one in all they hold, under a key that differs in one place.
    suspects: int


@dataclass(frozen=True)
class Alike(Node):
    """Alike says of a table without a key that many records agree in some columns, which may be those of one
    person each.
    """

    columns: list[str]
    # of several records that agree
    groups: int
    # in such groups
    records: int


@dataclass(frozen=True)
class Units(Node):
    """Units is what Find finds; its lists are empty where there is nothing."""

    # Levels are the keys of units, each inside one of the next: records of a person, people of a household.
    levels: list[Key]
    # Ties are keys that are not nested with the first level, hold mostly what it holds, and tell nearly as much.
    ties: list[Key]
    # Others are keys of units that a record belongs to besides, with columns of their own: a record of a mother and a
    # child, of a sender and a receiver.
    others: list[Key]
    # Alike is null where a key is found, or no records are suspiciously alike.
    alike: Optional[Alike]


@dataclass(frozen=True)
class Profile(Node):
    """Profile describes a table."""

    rows: int
    columns: list[Column]
    # whose the records may be, by values; null where nobody looked
    units: Optional[Units]


@dataclass(frozen=True)
class Relation(Node):
    """Relation is what holds between columns, as a document has it."""

    # as --relation takes it
    relation: str
    kind: str
    columns: list[str]
    # by the custodian; else it was found in the table
    declared: bool
    # records that have all it is about; 0 where it was declared
    checked: int
    # records that break it
    broken: int


@dataclass(frozen=True)
class SizeBand(Node):
    """SizeBand counts the equivalence classes of From to To records; To is 0 when there is no upper end."""

    from_: int
    to: int
    classes: int
    records: int


@dataclass(frozen=True)
class Combination(Node):
    """Combination is what a few quasi-identifiers do on their own."""

    columns: list[str]
    classes: int
    uniques: int


@dataclass(frozen=True)
class SomeUnique(Node):
    """SomeUnique counts people out of those tried."""

    # known
    items: int
    unique: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class KnownItems(Node):
    """KnownItems says how far a few items of a set-valued column tell the people apart: k^m-anonymity
    (Terrovitis, Mamoulis & Kalnis 2008) asks that anyone who knows up to m items of a person finds at least k
    people with all of them.
    """

    column: str
    # with a known set
    people: int
    # Items are the different ones that people have, Mean and Largest how many a person has, and Empty the people who
    # have none.
    items: int
    mean: float
    largest: int
    empty: int
    # Tried is how many of them were looked at: all, or as many as a bounded effort allows, drawn without regard to
    # what they have.
    tried: int
    # Unique[m-1] are those of whom some m items, or fewer, belong to nobody else.
    unique: list[SomeUnique]


@dataclass(frozen=True)
class Exposure(Node):
    """Exposure says how far the quasi-identifiers tell the records apart before anything is done."""

    rows: int
    quasi_identifiers: list[str]
    # equivalence classes
    classes: int
    # records in the smallest class; 0 for an empty table
    k: int
    # records alone in their class
    uniques: int
    # Uniques / Rows
    unique_share: float
    # records in classes of one to four
    below_five: int
    # records that miss a quasi-identifier
    missing: int
    # those of them that are alone in their class
    unique_missing: int
    # Sizes is the distribution of the class sizes: 1, 2, 3-4, 5-9, 10 and more.
    sizes: list[SizeBand]
    # Worst holds the single quasi-identifier that makes most sample uniques on its own, then a pair and a triple: the
    # worst single with the one that adds most, and that pair with the one that adds most again. The single is exact;
    # the greedy pair and triple may miss a worse one that does not hold the worst single.
    worst: list[Combination]
    # Sets is what a few items of a set-valued column tell; the set as a whole counts in Classes where the column is a
    # quasi-identifier.
    sets: list[KnownItems]


@dataclass(frozen=True)
class Spoken(Node):
    """Spoken is a sentence as JSON documents hold it."""

    # which sentence it is: stable, where the words are for people; empty for a name or for the words of another
    key: str
    # in English
    text: str


@dataclass(frozen=True)
class Section(Node):
    """Section is a chapter with a heading of its own."""

    key: str
    # it may stand in a public document
    public: bool
    # that of the head; empty elsewhere
    state: str
    title: Spoken
    blocks: list[Any]


@dataclass(frozen=True)
class Document(Node):
    """Document is what there is to say of a release, a comparison or a table, in the order in which it is read."""

    kind: str
    # for the users of the release; else it is confidential
    public: bool
    title: Spoken
    # what follows the title where no section is the head
    lead: list[Spoken]
    sections: list[Section]


@dataclass(frozen=True)
class InspectDocument(Node):
    """What a table holds, which roles its columns seem to play and how exposed it is."""

    schema: Any
    file: File
    # on how the file was read
    notes: list[str]
    profile: Optional[Profile]
    # one for every column
    roles: list[Suggested]
    # what holds between columns in every record
    relations: list[Relation]
    # of the quasi-identifiers
    exposure: Optional[Exposure]
    # all that the text says
    document: Optional[Document]


@dataclass(frozen=True)
class Value(Node):
    """Value is a parameter with what it is set to."""

    name: str
    value: Any
    unit: Optional[str]


@dataclass(frozen=True)
class Change(Node):
    """Change says what was done to one column."""

    column: str
    # numeric, categorical, ordered
    kind: str
    role: str
    action: str
    # the action in words; in a public document without what the technique says of it
    says: Spoken
    # share of the records, null for a dropped column, and in a public document
    changed: Optional[float]


@dataclass(frozen=True)
class Part(Node):
    """Part is one part of a measure."""

    # which figure of the measure it is: stable, where the name is for people
    key: str
    # what it is of, where there are several of a key: a column, the number of a tree
    of: str
    name: Spoken
    score: Optional[float]


@dataclass(frozen=True)
class Measure(Node):
    """Measure is one measure; without a score its error says why there is none."""

    name: str
    side: str
    better: str
    unit: str
    # Intruder is whom the figure is against; empty when it depends on none.
    intruder: str
    # null where it is not known, and where the measure could not be taken
    score: Optional[float]
    # lo and hi enclose the score
    lo: Optional[float]
    # equal to the score where that is exact
    hi: Optional[float]
    # absent from a public one
    parts: Optional[list[Part]]
    # absent from a public one
    notes: Optional[list[Spoken]]
    # Detail is what the measure tells besides, as "dither schema details" describes it by the name of the measure;
    # null for a measure without; absent from a public one.
    detail: Any
    # why the measure could not be taken; empty when it was
    error: str
    # ErrorKey is which sentence that is; empty for the words of another program or of an error
    error_key: str


@dataclass(frozen=True)
class Files(Node):
    """Files says where what was made is; empty for what was not."""

    # empty when it was withheld
    release: str
    report: str
    # absent from a public one
    plan: Optional[str]
    law: str
    record: str
    # the second table of a release that went out as two; absent from any other
    sensitive_table: Optional[str]


@dataclass(frozen=True)
class Shift(Node):
    """Shift is what became of one column."""

    name: str
    class_: bool
    psi: float
    chance: float
    state: str
    # share of the records
    missing: float
    # share of the known numbers outside the range of the plan
    outside: float
    new_values: int
    # of the records that have a value
    new_share: float


@dataclass(frozen=True)
class Figure(Node):
    """Figure is an index with what chance exceeds in 5 % of the tables."""

    psi: float
    chance: float
    state: str


@dataclass(frozen=True)
class Report(Node):
    """Report is how far a table is from a baseline."""

    records: int
    # records of the table that the plan was made of
    planned: int
    columns: list[Shift]
    leaves: Optional[Figure]


@dataclass(frozen=True)
class SolutionColumn(Node):
    """SolutionColumn is a column whose levels were searched."""

    name: str
    # its highest level
    height: int
    # by which its loss counts
    weight: float


@dataclass(frozen=True)
class SolutionNode(Node):
    """SolutionNode is a combination of levels, with what a release by it would be."""

    # by column
    levels: list[int]
    place: str
    # its goals are met within the limit on suppression
    meets: bool
    # records
    suppressed: int
    # groups of records that look alike, besides the suppressed ones
    classes: int
    # records of the smallest group; 0 where there is none
    smallest: int
    # and of the largest
    largest: int
    # of all cells, in [0, 1]
    loss: float


@dataclass(frozen=True)
class SolutionRound(Node):
    """SolutionRound is the records that are generalised alike."""

    # by column
    levels: list[int]
    records: int
    classes: int


@dataclass(frozen=True)
class Solution(Node):
    """Solution is the combinations of levels that a search found, and those next to the chosen one."""

    # the quasi-identifiers
    columns: list[SolutionColumn]
    records: int
    # records that may be suppressed
    most: int
    # the chosen one, those next to it by one level of one column, and the others of the ten that lose least
    nodes: list[SolutionNode]
    # Rounds are what was chosen one after the other where levels are by record: the nodes are of the first, and Most
    # records may be left to the others. Nil where whole columns have a level.
    rounds: Optional[list[SolutionRound]]


@dataclass(frozen=True)
class Gate(Node):
    """Gate is what the limits come to in counts, for programs: what follows from them is the state of the
    verdict.
    """

    # Limits is how many there was something to judge by, or that were not judged: Passed, Failed, Unproven and
    # NotJudged make it up. One is counted once, by its worst intruder.
    limits: int
    passed: int
    failed: int
    unproven: int
    # NotJudged names the limits on measures that were not asked for. Nothing passes without them, but for limits on
    # how a technique works: one that is held against a release only where it is shown to be broken
    # (limit.Limit.IfAny) may be, and nobody looked.
    not_judged: list[str]
    # Undecided names the limits that are held against a release only where they are shown to be broken
    # (limit.Limit.IfAny), and that it is not shown to keep. They are not counted.
    undecided: list[str]


@dataclass(frozen=True)
class Without(Node):
    """Without is what is left of an attack when the release lacks a column, or has it coarser."""

    column: str
    # the share without the column
    dropped: float
    # the share with the column in a few classes; null where it cannot be coarser
    coarse: Optional[float]


@dataclass(frozen=True)
class Attack(Node):
    """Attack is the best of several attacks on the people of a release: the one that found the most of them, or
    learned the most.
    """

    intruder: str
    # the attack
    by: Spoken
    # the columns it uses
    knows: list[str]
    # it uses which values are missing
    gaps: bool
    # Groups are the columns that put the records of a unit together, where the attack is on whole units.
    groups: Optional[list[str]]
    # the column that is learned; empty where people are found
    secret: str
    # people it was counted on
    tried: int
    # people there are
    people: int
    # of those tried; a tie of t counts 1/t
    right: float
    # of those tried; for a secret, beyond the control group
    share: float
    # Lo and Hi are the one-sided 95 % bounds of the share (Clopper & Pearson 1934).
    lo: float
    hi: float
    # Before is the share that the same intruder has with the original in place of the release; null when it was not
    # tried.
    before: Optional[float]
    # Sure is the share of the people who are found where at most 1 % of the claims are false; null when it does not
    # apply.
    sure: Optional[float]
    # by column, the one that helps most first
    without: list[Without]


@dataclass(frozen=True)
class Reason(Node):
    """Reason is why a release is withheld or wants care, in words for somebody who does not know the field."""

    # Withheld or WithCare
    state: str
    # why
    says: Spoken
    # each is one thing to do about it, what helps most first; none where nothing is
    remedies: list[Spoken]
    # the columns it is about
    columns: list[str]


@dataclass(frozen=True)
class More(Node):
    """More is how many more people must be tried before a limit is known to be kept, or broken."""

    # IfNone is the least number, if the attack succeeds with none of them; they show that the limit is kept.
    if_none: int
    # AtThisRate is how many it takes if it succeeds as often as so far; 0 where that is the limit itself, or more
    # than can be said.
    at_this_rate: int
    # what that shows
    kept: bool
    # Most is how many there are besides in the table.
    most: int


@dataclass(frozen=True)
class Demand(Node):
    """Demand is one limit and what became of it."""

    # the name by which a limit, and --accept, name it
    measure: str
    # what the limit is on
    title: Spoken
    max: Optional[float]
    min: Optional[float]
    # null when it was not measured, which breaks the demand
    value: Optional[float]
    lo: Optional[float]
    hi: Optional[float]
    unit_kind: str
    # share of the persons, bits
    unit: str
    # of the template: of a share or a percentage what it is one of
    unit_key: str
    # the intruder; empty when it depends on none
    against: str
    standing: str
    # why it could not be measured, or why so few people cannot show it
    why: Spoken
    # who set the limit: a publication, the policy, --accept
    source: Spoken
    # the custodian overrode the limit by name
    accepted: bool
    # and the release does not keep the limit that held before
    needed: bool
    # of an unproven demand: how many more people must be tried; null where that is not how it is decided
    more: Optional[More]


@dataclass(frozen=True)
class Verdict(Node):
    """Verdict says whether a release may go out, and why: the one source of every face that tells it."""

    state: str
    # the limits in counts; absent from a public document
    gate: Optional[Gate]
    # Unchanged says that nothing had to change: the original, judged as the release, meets all limits.
    unchanged: Optional[bool]
    # Sentence is about the worst intruder: what share of the people is found, between which bounds, and what it was
    # of the original; empty where no attack was played.
    sentence: Optional[Spoken]
    # Worst are the attacks that found, and learned, the most, the worst first.
    worst: Optional[list[Attack]]
    # the worst first; a release that meets the limits has none
    reasons: Optional[list[Reason]]
    # broken ones first
    demands: Optional[list[Demand]]
    # such as "decision rules on readmitted"
    good_for: list[Spoken]
    not_for: list[Spoken]
    # which limits held, with their source
    limits: Spoken
    # Unchecked is what the source of the limits demands besides and a table cannot show.
    unchecked: Optional[list[Spoken]]


@dataclass(frozen=True)
class ProtectDocument(Node):
    """What was done to a table, what was measured of the release, and the verdict."""

    schema: Any
    # of the program
    version: str
    # absent from a public one
    original: Optional[File]
    released: File
    # the technique
    method: str
    # author, year, section or equation
    paper: str
    # absent from a public one
    parameters: Optional[list[Value]]
    # hash that fixes the seed; absent from a public one
    seed_commitment: Optional[str]
    columns: list[Change]
    # absent from a public one
    notes: Optional[list[Spoken]]
    # how a user of the release corrects for the noise; absent from a public one
    corrections: Optional[list[Spoken]]
    measures: list[Measure]
    # what the release does not protect against
    not_protected: list[Spoken]
    files: Files
    # of a plan that was applied, else null; absent from a public one
    drift: Optional[Report]
    # of a technique that searches levels of generalisation, else null; absent from a public one
    solution: Optional[Solution]
    # false for a release that is withheld: released.name is then what was asked for, and there is no such file
    written: bool
    verdict: Optional[Verdict]
    # what text and page say, but the drawings of columns
    document: Optional[Document]


@dataclass(frozen=True)
class Risk(Node):
    """Risk is a figure that a limit is on."""

    measure: str
    against: str
    value: float
    lo: float
    hi: float
    limit: float


@dataclass(frozen=True)
class Operating(Node):
    """Operating is how a technique works on this machine."""

    records: int
    seconds: float
    # the seconds are of all cores together; else of the clock
    of_all_cores: bool
    allocated_bytes: float
    # of log seconds on log records
    slope: Optional[float]
    slope_lo: Optional[float]
    slope_hi: Optional[float]
    declared_cost: str
    # than the declared cost, by the low end of the slope
    grows_faster: bool
    # share of the patterns to be hidden that can still be found
    hiding_failure: Optional[float]
    # as printed: more negative is better hidden
    level_of_privacy: Optional[float]


@dataclass(frozen=True)
class Option(Node):
    """Option is a setting."""

    name: str
    technique: str
    set: dict[str, Any]
    # of what counts, from 0 to 1
    loss: float
    losses: dict[str, Any]
    # the figure nearest to its limit
    risk: Optional[Risk]
    keeps: bool
    seeds: int
    # of all weights, with which it comes first
    win_share: Optional[float]
    operating: Optional[Operating]


@dataclass(frozen=True)
class Turn(Node):
    """Turn is a change of one weight that would make the second the first."""

    aspect: str
    # its weight
    from_: float
    to: float


@dataclass(frozen=True)
class WeightedLoss(Node):
    """WeightedLoss is one thing that a release may lose, with what it counts for anyone who asks."""

    name: str
    # at least 0
    weight: float


@dataclass(frozen=True)
class Reject(Node):
    """Reject is a candidate that is out."""

    name: str
    # limit, baseline, not here, outdone, or search
    why: str
    says: Spoken
    # the limit
    measure: str
    # how far beyond it the pessimistic end is
    by: Optional[float]


@dataclass(frozen=True)
class Price(Node):
    """Price is what a limit costs."""

    measure: str
    limit: Optional[float]
    loss: Optional[float]
    loss_at_one_and_a_half: Optional[float]
    loss_at_two_thirds: Optional[float]
    per_hundredth: Optional[float]


@dataclass(frozen=True)
class Protect(Node):
    """Protect is what was done to a table and measured of the release."""

    schema: str
    # of the program
    version: str
    # absent from a public one
    original: Optional[File]
    released: File
    # the technique
    method: str
    # author, year, section or equation
    paper: str
    # absent from a public one
    parameters: Optional[list[Value]]
    # hash that fixes the seed; absent from a public one
    seed_commitment: Optional[str]
    columns: list[Change]
    # absent from a public one
    notes: Optional[list[Spoken]]
    # how a user of the release corrects for the noise; absent from a public one
    corrections: Optional[list[Spoken]]
    measures: list[Measure]
    # what the release does not protect against
    not_protected: list[Spoken]
    files: Files
    # of a plan that was applied, else null; absent from a public one
    drift: Optional[Report]
    # of a technique that searches levels of generalisation, else null; absent from a public one
    solution: Optional[Solution]
    # false for a release that is withheld: released.name is then what was asked for, and there is no such file
    written: bool
    verdict: Optional[Verdict]
    # what text and page say, but the drawings of columns
    document: Optional[Document]


@dataclass(frozen=True)
class ChooseDocument(Node):
    """Which technique to take, why, and why not the others."""

    schema: Any
    # what follows for the release, as its verdict says
    state: str
    # null where nothing was confirmed
    chosen: Optional[Option]
    runner_up: Optional[Option]
    # changes of one weight with which the runner-up wins
    turns: list[Turn]
    # where the aspects decide in the owner's order, each only where those before it are level
    first_by_order: str
    for_: str
    aspects: list[WeightedLoss]
    # aspects that count and that the table has nothing of to lose
    unmeasured: list[str]
    limits: Spoken
    # what nobody asked for and was taken by default
    defaults: list[Spoken]
    ranking: list[Option]
    rejected: list[Reject]
    prices: list[Price]
    # every setting that was tried on all records of a trial
    tried: list[Option]
    records: int
    tried_on_records: int
    # these records were drawn from laws that are fitted to the table
    tried_on_generated: bool
    trials: int
    confirmations: int
    # the budget was spent before the search was over
    cut: bool
    # Release is the release that confirmed the choice, or the last that did not.
    release: Optional[Protect]
    # Document is what text and page say of the choice; what they say of the release is in the release.
    document: Optional[Document]


@dataclass(frozen=True)
class EvaluateDocument(Node):
    """What was measured of a release, and the verdict."""

    schema: Any
    # of the program
    version: str
    # absent from a public one
    original: Optional[File]
    released: File
    # absent from a public one
    holdout: Optional[File]
    # absent from a public one
    notes: Optional[list[Spoken]]
    # how a user of the release corrects for the noise; absent from a public one
    corrections: Optional[list[Spoken]]
    measures: list[Measure]
    # null where no limits were asked for
    verdict: Optional[Verdict]
    # Document is what text and page say, but the drawings of columns.
    document: Optional[Document]


@dataclass(frozen=True)
class Sentence(Node):
    """Sentence is what a measure says in words."""

    measure: str
    # identity or secret
    about: str
    says: Spoken


@dataclass(frozen=True)
class AtRisk(Node):
    """AtRisk is one record at risk."""

    # of the original file, from 1, a heading not counted
    row: int
    risk: float


@dataclass(frozen=True)
class GroupRisk(Node):
    """GroupRisk is how many people of one group an attack finds: those of a category, or of a quarter of the
    numbers.
    """

    column: str
    # the category; of numbers the lowest, second, third or highest quarter
    group: str
    # of the numbers, 1 for the lowest to 4; 0 for a category
    quarter: int
    # of the original, at least leastGroup
    people: int
    tried: int
    # found, of those tried
    share: float
    # Lo and Hi hold for all groups of the attack together at 95 %: Clopper & Pearson 1934 at a level divided by their
    # number (Bonferroni).
    lo: float
    hi: float
    # Lo is above the share of all who were tried: the group is found more often than chance would have it
    more: bool


@dataclass(frozen=True)
class StudyAttack(Node):
    """Attack is what one intruder can do with a release."""

    # empty for what does not depend on an intruder
    intruder: str
    # about identity first
    sentences: list[Sentence]
    # By is the measure that single records are judged by, Risk what it says of one; both are empty when none does.
    by: str
    risk: str
    # records
    judged: int
    riskiest: list[AtRisk]
    # records not listed that are as risky as the last one listed
    further: int
    # Groups are the groups of people by category or quarter of the columns an intruder may know, the one found most
    # often first, and GroupsBy the measure that finds them. Only large groups are compared; they are as confidential
    # as the attack.
    groups: list[GroupRisk]
    groups_by: str


@dataclass(frozen=True)
class MeasureAttack(Node):
    """Attack is the best of several attacks on the people of a release: the one that found the most of them, or
    learned the most.
    """

    intruder: str
    # the attack
    by: Spoken
    # the columns it uses
    knows: list[str]
    # it uses which values are missing
    gaps: bool
    # Groups are the columns that put the records of a unit together, where the attack is on whole units.
    groups: Optional[list[str]]
    # the column that is learned; empty where people are found
    secret: str
    # people it was counted on
    tried: int
    # people there are
    people: int
    # of those tried; a tie of t counts 1/t
    right: float
    # of those tried; for a secret, beyond the control group
    share: float
    # Lo and Hi are the one-sided 95 % bounds of the share (Clopper & Pearson 1934).
    lo: float
    hi: float
    # Before is the share that the same intruder has with the original in place of the release; null when it was not
    # tried.
    before: Optional[float]
    # Sure is the share of the people who are found where at most 1 % of the claims are false; null when it does not
    # apply.
    sure: Optional[float]
    # by column, the one that helps most first
    without: list[Without]


@dataclass(frozen=True)
class AttackVerdict(Node):
    """Verdict says whether a release may go out, and why: the one source of every face that tells it."""

    state: str
    # the limits in counts; absent from a public document
    gate: Optional[Gate]
    # Unchanged says that nothing had to change: the original, judged as the release, meets all limits.
    unchanged: Optional[bool]
    # Sentence is about the worst intruder: what share of the people is found, between which bounds, and what it was
    # of the original; empty where no attack was played.
    sentence: Optional[Spoken]
    # Worst are the attacks that found, and learned, the most, the worst first.
    worst: Optional[list[MeasureAttack]]
    # the worst first; a release that meets the limits has none
    reasons: Optional[list[Reason]]
    # broken ones first
    demands: Optional[list[Demand]]
    # such as "decision rules on readmitted"
    good_for: list[Spoken]
    not_for: list[Spoken]
    # which limits held, with their source
    limits: Spoken
    # Unchecked is what the source of the limits demands besides and a table cannot show.
    unchecked: Optional[list[Spoken]]


@dataclass(frozen=True)
class AttackDocument(Node):
    """What each intruder can do to a release."""

    schema: Any
    # of the program
    version: str
    original: File
    released: File
    # null where there is none
    holdout: Optional[File]
    attacks: list[StudyAttack]
    measures: list[Measure]
    verdict: Optional[AttackVerdict]
    # Document is what the text says.
    document: Optional[Document]


@dataclass(frozen=True)
class Checked(Node):
    """Checked is one thing that a record can be checked for."""

    what: str
    # Holds, Fails or NotChecked
    result: str
    # it fails or was not checked, or what holds
    why: str


@dataclass(frozen=True)
class Step(Node):
    """Step is one step of a run."""

    # records, columns, measures, limits: what anybody may know
    counts: Optional[dict[str, Any]]
    # technique, verdict: what anybody may know
    facts: Optional[dict[str, Any]]
    # h(i), in hexadecimal
    hash: str
    # digests of what the step took, by what it is
    in_: Optional[dict[str, Any]]
    # read, choose, protect, measure, judge, write, sign
    kind: str
    # digests of what it made
    out: Optional[dict[str, Any]]


@dataclass(frozen=True)
class Record(Node):
    """Record is what a run leaves."""

    # h(0), in hexadecimal
    base: str
    # what was asked for: protect, evaluate, attack
    command: str
    # hash that fixes the seed, rng.Commitment
    commitment: str
    # version of Go the program was built with
    go: str
    # the last hash of the chain
    head: str
    # its version
    program: str
    # Schema
    schema: str
    # the public key of who signs, as in authorized_keys and without a comment; empty for nobody
    signer: str
    # at least one
    steps: list[Step]


@dataclass(frozen=True)
class VerifyDocument(Node):
    """What the record of a run was checked for."""

    schema: Any
    # of the program
    version: str
    # PASS or FAIL
    result: str
    # how many checks hold
    holds: int
    # how many do not
    fails: int
    # how many could not be checked with what was given
    not_checked: int
    checks: list[Checked]
    # what the file holds; null for a file that is no record
    record: Optional[Record]


@dataclass(frozen=True)
class Studied(Node):
    """Studied is one data set."""

    name: str
    file: File
    class_: str
    classes: int
    records: int
    columns: int
    # for every technique and measure that has them
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Setting(Node):
    """Setting is one technique with its parameters."""

    name: str
    method: str
    paper: str
    varied: dict[str, Any]
    parameters: list[Value]
    # not for release
    baseline: bool


@dataclass(frozen=True)
class Criterion(Node):
    """Criterion is one measure of a comparison."""

    label: str
    name: str
    paper: str
    side: str
    better: str
    unit: str
    parameters: list[Value]
    notes: list[Spoken]
    # in how many runs each of the notes was made
    said: list[int]


@dataclass(frozen=True)
class CompareSummary(Node):
    """Summary is one figure of a setting over all folds."""

    data: str
    setting: str
    measure: str
    # the key of a part of the measure; empty for the score
    part: str
    # of the part
    of: str
    mean: Optional[float]
    sd: Optional[float]
    # 95 % confidence interval of the mean over folds
    lo: Optional[float]
    hi: Optional[float]
    folds: list[Optional[float]]
    cells: int
    failed: int


@dataclass(frozen=True)
class Rank(Node):
    """Rank is a figure that a measure takes many times, for one setting: rank 1 is the best; settings that a
    Mann-Whitney test at 95 % does not tell apart share a rank.
    """

    data: str
    measure: str
    figure: str
    better: str
    setting: str
    rank: int
    values: int
    q1: Optional[float]
    median: Optional[float]
    q3: Optional[float]


@dataclass(frozen=True)
class Unfit(Node):
    """Unfit is a setting that is not for release."""

    setting: str
    # Measure and Bound say which limit it breaks, and the end of the figure that does, on average over the runs; null
    # where it could not be measured. A baseline has neither.
    measure: str
    bound: Optional[float]


@dataclass(frozen=True)
class Choice(Node):
    """Choice is what follows from a comparison: which setting to take, which are too close to tell apart, and by
    which measure that was judged.
    """

    # empty when none is named
    take: str
    # the settings that lead and cannot be told apart, the best first
    too_close: list[str]
    # the label of the measure that was judged by; empty without measures
    axis: str
    # Enough says that there were folds and runs enough; without them nothing is taken, and nothing is called too
    # close.
    enough: bool
    # Found are the labels of the measures that count the people who are found and are held against the limit.
    found: list[str]
    # the largest share of the people who may be found; null where no limit says
    limit: Optional[float]
    # which limits held, with their source
    limits: str
    # limits, by measure, that nobody measured; with any, or without limits, nothing is taken
    open: list[str]
    # Accepted are the limits that were overridden by name.
    accepted: list[str]
    not_for_release: list[Unfit]
    # the same in words
    sentences: list[str]


@dataclass(frozen=True)
class Score(Node):
    """Score is one measure of a run."""

    measure: str
    # null where it is not known
    score: Optional[float]
    lo: Optional[float]
    hi: Optional[float]
    parts: list[Part]
    error: str
    # ErrorKey is which sentence that is; empty for the words of an error
    error_key: str


@dataclass(frozen=True)
class Cell(Node):
    """Cell is one run."""

    data: str
    setting: str
    fold: int
    repeat: int
    # null unless times were asked for
    seconds: Optional[float]
    error: str
    scores: list[Score]


@dataclass(frozen=True)
class CompareDocument(Node):
    """Techniques and measures over folds and repetitions, with what follows from them."""

    schema: Any
    version: str
    seed_commitment: str
    folds: int
    repeats: int
    data: list[Studied]
    settings: list[Setting]
    measures: list[Criterion]
    summaries: list[CompareSummary]
    ranks: list[Rank]
    choice: Optional[Choice]
    cells: list[Cell]
    # what text and page say
    document: Optional[Document]


@dataclass(frozen=True)
class ClustersAlike(Node):
    """Alike says that two values of a categorical attribute are similar."""

    attribute: str
    # the labels of the two values, that of the lower code first
    a: str
    b: str
    # larger is more similar; what it counts is the miner's to say
    strength: float
    # where they are: a condition on records, or the attribute that they share values of; empty is everywhere
    within: str
    # Weak says that they are alike only in what holds for both of two neighbouring places, Within, and have no
    # strength.
    weak: Optional[bool]


@dataclass(frozen=True)
class ClustersDocument(Node):
    """The clusters that a miner found."""

    schema: Any
    miner: str
    # how many; 0 of a model that clusters no records
    clusters: int
    # records by cluster
    sizes: list[int]
    # records in no cluster
    outliers: int
    # values of categorical columns that are alike
    similar_values: list[ClustersAlike]
    # as the miner writes it, each in its own form; null where it would be as long as a table that is larger than
    # memory
    model: Any


@dataclass(frozen=True)
class ModelDocument(Node):
    """The model that a miner fitted."""

    schema: Any
    miner: str
    # how many; 0 of a model that clusters no records
    clusters: int
    # records by cluster
    sizes: list[int]
    # records in no cluster
    outliers: int
    # values of categorical columns that are alike
    similar_values: list[ClustersAlike]
    # as the miner writes it, each in its own form; null where it would be as long as a table that is larger than
    # memory
    model: Any


@dataclass(frozen=True)
class AttributeJSON(Node):
    """attributeJSON is the JSON form of an attribute; a limit that is absent is unbounded."""

    name: str
    # numeric | categorical | set-valued
    type: str
    role: Optional[str]
    min: Optional[float]
    max: Optional[float]
    open_min: Optional[bool]
    open_max: Optional[bool]
    declared: Optional[bool]
    step: Optional[float]
    step_declared: Optional[bool]
    # the notation of dates
    dates: Optional[str]
    # the file calls values dates that are none
    dated: Optional[bool]
    values: Optional[list[str]]
    ordered: Optional[bool]


@dataclass(frozen=True)
class DocumentBranch(Node):
    """DocumentBranch is a branch of a categorical test: the labels that take it."""

    values: list[str]
    node: Optional[DocumentNode]


@dataclass(frozen=True)
class DocumentNode(Node):
    """DocumentNode is a numeric test (threshold, le, gt), a categorical test (branches) or a leaf."""

    attr: Optional[str]
    threshold: Optional[float]
    # the label; a test without one has the largest class of its counts
    class_: Optional[str]
    counts: Optional[list[float]]
    # absent: the branch of largest weight, the first of equal ones
    heavy: Optional[int]
    le: Optional[DocumentNode]
    gt: Optional[DocumentNode]
    branches: Optional[list[DocumentBranch]]


@dataclass(frozen=True)
class TreeDocument(Node):
    """A decision tree, which --read takes back."""

    schema: Any
    # of the table that the tree was grown of, the class among them
    columns: list[AttributeJSON]
    class_: str
    tree: Optional[DocumentNode]


@dataclass(frozen=True)
class Set(Node):
    """Set is an itemset and how many records have it."""

    items: list[str]
    # records
    count: int


@dataclass(frozen=True)
class ItemsetsDocument(Node):
    """The frequent itemsets of a table."""

    schema: Any
    miner: str
    # all, closed or maximal
    kind: str
    records: int
    # records that an itemset is in at the least
    min_count: int
    itemsets: list[Set]
    # of all that there are, however many are listed
    count: int


@dataclass(frozen=True)
class Rule(Node):
    """Rule is a rule."""

    if_: list[str]
    then: list[str]
    # records with both sides
    count: int
    support: float
    confidence: float
    lift: float
    leverage: float
    conviction: Optional[float]
    # in nats
    j_measure: float
    chi_square: Optional[float]
    # of the chi-square; of many rules some have a small one by chance
    p: Optional[float]


@dataclass(frozen=True)
class RulesDocument(Node):
    """The association rules of a table."""

    schema: Any
    # of the itemsets
    miner: str
    records: int
    # records that both sides are in at the least
    min_count: int
    # at the least
    confidence: float
    # that the rules are made of
    itemsets: int
    rules: list[Rule]
    # of all that there are, however many are listed
    count: int
