package main

// objections are what a referee held against the document, and was not mended, with the answers.
const objections = `
## What a referee objected to

- *The beds are yours.* They are: no paper's jobs are public, except the traces of Kairos' Figs. 8 and 9 and a part of Google's of 2011. The controls show how near a bed is, and
  rows on real jobs stand beside it where we have some. On Google's jobs most rows have the published sign, and few the published size.
- *The systems are yours, the rivals too, and so is the simulator.* Hopper, Kairos and 3Sigma were measured on clusters. Tests compare each policy with a plain version of its
  paper's text, the simulator with closed forms and other simulators, and Eagle with its authors' code. The costs of a network, a disk or a container's start are not modelled.
- *The controls of SLearn contain its own estimator, and are met by an estimate of 3Sigma's that the row does not run.* The traces are fitted to the errors, so Table 7 nearly
  follows from the fit. The text has 3Sigma's estimate by 1/t², but Fig. 2 has the errors of another estimate; no reading gives both. In the rows with the winner the rival errs as published.
- *3Sigma's rows are differences and the paper speaks of factors.* The paper gives both, and they do not agree (18 % is "4.0X higher", 12 % "2.3x more", which is 3.6 % for 3Sigma if it means
  five and 3.3 times as much). By the levels in the appendix the factor over points is near five on generated jobs, and about half of that on Google's.
- *Over forty rows at 95 %, without a correction.* About two intervals would miss by chance. Rows on one bed share runs. At 20 % in Wing, each third row follows from the two others.
- *Seeds differ by row.* Kairos' draws differ most, since one job in fifty is long. 3Sigma's goodput has a hundred seeds because ten left it open; a hundred do too. Wing's lakes have twenty.
- *The rows have the readings that favour the paper.* For Hopper they do: with slots kept, as in its example, it loses. For Kairos the rows have Hadoop's defaults; one reading whose controls are
  no worse contradicts all four claims of Fig. 4. For 3Sigma a greedy Prio that knows preferences beats 3Sigma here. All are in the appendix and in the column of readings.
`
