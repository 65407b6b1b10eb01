package main

// A slearnItem tells of rounds; what is published of a trace stands beside it.
type slearnItem func(published *slearnTrace, b *bed[*round]) item

// slearnUsual are what is told of each trace, in this order.
var slearnUsual = []slearnItem{
	slearnWorkload,   // Tables 4, 5 and 9
	slearnErrors,     // section 4.3 and Fig. 2
	slearnRatios,     // Table 6
	slearnAdaptive,   // Fig. 5
	slearnCompletion, // Fig. 6
	slearnReadings,   // the same, as the paper may also be read
	slearnQueues,     // Tables 7 and 10
	slearnThin,       // Table 8
}

// slearnBrief are what is told of the traces that go by Table 4.
var slearnBrief = []slearnItem{slearnWorkload, slearnErrors, slearnCompletion, slearnQueues}

// slearnHeadlines are how well pilots tell of jobs, and what that is worth over history.
var slearnHeadlines = []headline{
	{"Table 6", "2strace", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Table 6", "gtrace11", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Table 6", "gtrace19", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Fig. 6", "2strace", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Fig. 6", "gtrace11", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Fig. 6", "gtrace19", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Table 7", "2strace", slearnMoreRight, gain},
	{"Table 7", "gtrace11", slearnMoreRight, gain},
	{"Table 7", "gtrace19", slearnMoreRight, gain},
	{"Fig. 9", "gtrace19-dag", "mean JCT of 3Sigma-DAG over SLearn-DAG's", ratio},
}

// slearnItems repeat what SLearn was evaluated with.
func slearnItems(f form) (items []item, err error) {
	for _, t := range slearnTraces(f) {
		for _, of := range slearnUsual {
			items = append(items, of(t, t.rounds()))
		}
	}
	for _, t := range slearnTable4(f) {
		for _, of := range slearnBrief {
			items = append(items, of(t, t.rounds()))
		}
	}
	items = append(items, slearnDAG(f)) // Fig. 9
	if f.full {
		google, err := slearnGoogle(f)
		if err != nil {
			return nil, err
		}
		items = append(items, google...)
	}
	return items, nil
}
