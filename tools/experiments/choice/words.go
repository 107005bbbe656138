package main

// intro opens the page.
const intro = `# Which technique, with how much noise?

` + "`go run -C tools ./experiments/choice -write ../docs`" + ` writes this page; seeds are fixed, so all but the seconds comes out the same.

` + "`dither choose`" + ` looks for the release that loses least of what its owner needs among those that are shown to keep every limit. Every
technique of the catalogue that makes values uncertain is a candidate, and so are compositions. Each parameter that is an amount of noise is a
dial. A candidate that breaks a limit with its strongest noise is out, by the pessimistic end of the interval; the others are searched for
the least noise that keeps the limits with three seeds. The winner is released anew with other randomness and other attacks, and only that
second result counts.

What is lost is the weighted mean of losses from 0 to 1: what the tree learned from the release predicts worse (accuracy), decision rules that are gone
(rules), association rules that only one of the tables has (associations), the largest change of a correlation, the largest shift of a mean in standard
deviations, the largest relative change of a standard deviation, the mean distance of distributions, and values that cannot be told any more
(detail). A numeric column that is no number any more has lost its mean, its spread and its correlations.
`

// others is what other tools answer.
const others = `
## What other tools answer to the same question

Read in their public documentation and sources, in November 2026.

**ARX** (3.9) takes one utility measure as its objective, and privacy models as its limits: k-anonymity and its kin, thresholds on average risk, estimates from models of a larger population,
differential privacy, a game of costs and benefits. It transforms by generalisation, suppression, microaggregation, top and bottom coding and random sampling, but not by noise, swapping or random
replacement. Up to 100,000 transformations it finds the best one, by pruning; beyond that it searches heuristically, for 30 seconds unless told otherwise. It proposes one solution and shows all the others in their lattice, to
look around in. Its risks are worked out from classes of equal keys, as a prosecutor, a journalist or a marketer would see them, and from population models: no release is attacked, so there is no interval, and nothing is confirmed on a second release.
([configuration](https://arx.deidentifier.org/anonymization-tool/configuration/), [overview](https://arx.deidentifier.org/overview/),
[algorithms](https://arx.deidentifier.org/development/algorithms/), ARXConfiguration in the [source](https://github.com/arx-deidentifier/arx))

**sdcMicro** (5.8) has many techniques: recoding, suppression, PRAM, microaggregation, noise, shuffling, rank and record swapping. Whoever uses it applies one, looks at the risk and the loss that it works out anew each time, takes the step back, and tries another.
Since 5.8 a function (` + "`AI_applyAnonymization`" + `) lets a language model propose a few sequences of steps, three and two more by default. Each is finished by local suppression to k-anonymity, scored by a weighted sum of suppressed cells, lost categories and
information loss of numbers, and the best is taken. So there is a search, over what the model thinks of, with k as its only limit; the score of the winner is the one it won by.
([manual](https://search.r-project.org/CRAN/refmans/sdcMicro/html/sdcMicro-package.html), [AI_applyAnonymization](https://www.rdocumentation.org/packages/sdcMicro/versions/5.8.1/topics/AI_applyAnonymization))

**riskutility** (0.2) makes no releases and measures finished ones: more than thirty risks, among them linkage and membership attacks, and many utilities. Its map (` + "`rumap`" + `) takes several releases, brings all measures to a scale from 0 to 1, combines them to one risk and one utility, and marks the
releases that no other beats in both. Which of these to take is up to the reader. Every measure is one figure for each release, and the frontier is that of the figures; intervals are there for one risk (RAPID), outside the map.
([vignette](https://cran.r-project.org/web/packages/riskutility/vignettes/riskutility.html), rumap in the [source](https://github.com/matthias-da/riskutility))

In none of these we found what would have to change for the second to win, what a limit costs, or whether the choice holds when it is made again. What they do better: ARX proves its optimum where the lattice is small enough; the search here proves
nothing about settings that it did not try, which is why grids are held against it above.
`
