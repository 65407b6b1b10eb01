package main

// A slearnItem tells of rounds; what is published of a trace stands beside it.
type slearnItem func(published *slearnTrace, b *bed[*round]) item

// slearnUsual are what is told of each trace, in this order.
var slearnUsual = []slearnItem{
	slearnWorkload,   // Tables 5 and 9
	slearnErrors,     // section 4.3 and Fig. 2
	slearnAdaptive,   // Table 6
	slearnCompletion, // Fig. 6
	slearnReadings,   // the same, as the paper may also be read
	slearnQueues,     // Tables 7 and 10
}

// slearnBrief are what is told of the traces that go by Table 4.
var slearnBrief = []slearnItem{slearnWorkload, slearnErrors, slearnCompletion, slearnQueues}

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
