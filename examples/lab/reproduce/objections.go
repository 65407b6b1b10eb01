package main

// objections are what a referee held against the document, and was not mended, with the answers.
const objections = `
## What a referee objected to

- *The beds are yours.* They are: no paper's jobs are public, but for the traces of Kairos' Figs. 8 and 9 and a part of Google's of 2011. The controls say how near a bed is, and
  where real jobs are at hand they stand beside it. On Google's jobs most rows have the published sign, and few the published size.
- *The systems are yours, the rivals too, and so is the simulator.* Hopper, Kairos and 3Sigma were measured on clusters. Each policy is held to a plain version of what its
  paper says, the simulator to closed forms and to other simulators, and Eagle to its authors' code; what a network, a disk or a container's start costs is not modelled.
- *The controls of SLearn contain its own estimator, and are met by an estimate of 3Sigma's that the row does not run.* The errors are what the traces are fitted to, so Table 7 nearly
  follows from the fit. The text has 3Sigma's estimate by 1/t², its Fig. 2 the errors of another one; no reading has both. The rows with the winner are those whose rival errs as published.
- *3Sigma's rows are differences and the paper speaks of factors.* The paper gives both, and they do not agree (18 % is "4.0X higher", 12 % "2.3x more", which is 3.6 % for 3Sigma if it means
  five and 3.3 times as much). By the levels in the appendix the factor over points is near five on generated jobs, and about half of that on Google's.
- *Over forty rows at 95 %, without a correction.* About two intervals would miss by chance. Rows on one bed share runs, and of Wing's at 20 % each third follows from two others.
- *Seeds differ by row.* Kairos' draws differ most, as one job in fifty is long; 3Sigma's goodput has a hundred because ten left it open, which they still do; Wing's lakes have twenty.
- *Of readings, the rows have those that are better for the paper.* For Hopper they do: with slots kept, as in its example, it loses. For Kairos the row is by Hadoop's defaults, and one reading whose controls are
  no worse contradicts all four claims of Fig. 4. For 3Sigma a greedy Prio that knows preferences is better than 3Sigma here. All are in the appendix and in the column of readings.
`
