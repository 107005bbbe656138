package main

// intro opens the page.
const intro = `# Which technique, with how much noise?

` + "`go run -C tools ./experiments/choice -write ../docs`" + ` writes this page; seeds are fixed, so all but
the seconds comes out the same.

` + "`dither choose`" + ` looks for the release that loses least of what its owner needs among those that
provably meet every limit. Every technique of the catalogue that makes values uncertain is a
candidate, and so are compositions. Each parameter that controls the amount of noise is a dial. A
candidate that breaks a limit with its strongest noise, at the worse end of the interval, is out;
for the others the least noise that meets the limits with three seeds is searched. The winner is
released again with fresh randomness and fresh attacks, and only that second result counts.

The loss is the weighted mean of losses from 0 to 1: the accuracy lost by a tree learned from the
release (accuracy), decision rules that are gone (rules), association rules in only one of the
tables (associations), the largest change of a correlation, the largest shift of a mean in standard
deviations, the largest relative change of a standard deviation (spreads), the mean distance between
distributions, and values that can no longer be distinguished (detail). A numeric column that is no
longer numeric has lost its mean, its standard deviation and its correlations.
`

// others is what other tools answer.
const others = `
## What other tools answer to the same question

From their public documentation and sources, in November 2026.

**ARX** (3.9) takes one utility measure as its objective, and privacy models as its limits:
k-anonymity and its variants, thresholds on average risk, estimates from models of a larger
population, differential privacy, a game of costs and benefits. It transforms by generalisation,
suppression, microaggregation, top and bottom coding and random sampling, but not by noise, swapping
or random replacement. Up to 100,000 transformations it finds the optimum, by pruning; beyond that
it searches heuristically, for 30 seconds by default. It proposes one solution and shows all the
others in a lattice to explore. Its risks are computed from equivalence classes, for the prosecutor,
journalist and marketer scenarios, and from population models: no release is attacked, so there is
no interval, and nothing is confirmed on a second release.
([configuration](https://arx.deidentifier.org/anonymization-tool/configuration/),
[overview](https://arx.deidentifier.org/overview/),
[algorithms](https://arx.deidentifier.org/development/algorithms/), ARXConfiguration in the
[source](https://github.com/arx-deidentifier/arx))

**sdcMicro** (5.8) has many techniques: recoding, suppression, PRAM, microaggregation, noise,
shuffling, rank and record swapping. Users apply one, look at the risk and loss that it recomputes
each time, undo the step, and try another. Since 5.8 a function (` + "`AI_applyAnonymization`" + `) lets a
language model propose a few sequences of steps, three and two more by default. Each is finished by
local suppression to k-anonymity, scored by a weighted sum of suppressed cells, lost categories and
information loss of numbers, and the best is taken. So there is a search, over what the model
proposes, with k as its only limit; the winner's reported score is the one that selected it.
([manual](https://search.r-project.org/CRAN/refmans/sdcMicro/html/sdcMicro-package.html),
[AI_applyAnonymization](https://www.rdocumentation.org/packages/sdcMicro/versions/5.8.1/topics/AI_applyAnonymization))

**riskutility** (0.2) makes no releases but measures finished ones: more than thirty risk measures,
among them linkage and membership attacks, and many utility measures. Its map (` + "`rumap`" + `) takes
several releases, scales all measures to 0 to 1, combines them into one risk and one utility, and
marks the Pareto-optimal releases. Which of these to use is up to the reader. Every measure is one
figure per release, and the frontier is that of the figures; only one risk (RAPID) has intervals,
outside the map.
([vignette](https://cran.r-project.org/web/packages/riskutility/vignettes/riskutility.html), rumap
in the [source](https://github.com/matthias-da/riskutility))

In none of them did we find what would have to change for the runner-up to win, what a limit costs,
or whether the choice holds on a second run. What they do better: ARX proves its optimum if the
lattice is small enough; the search here proves nothing about settings that it did not try, hence
the comparison with grids above.
`
