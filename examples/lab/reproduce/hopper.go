package main

// hopperItems repeat what Hopper was evaluated with, in section 6, and its worked example in
// section 2.
//
// # The bed
//
// The traces are not public. The jobs are those of [paper.Hopper], on a bed that was chosen by
// what that type says to compare policies on, before any policy was run on it: 20 nodes of the
// published 200, so that many jobs share them, no stage of more than 501 tasks, and no pipes. A job
// has one stage or two, since the jobs of the thesis are a map phase and a reduce phase, with
// the transfer in the latter. Data that is elsewhere costs nothing, but in Fig. 6.6.
//
// # Readings
//
// Hopper is compared with others that run copies by "best effort". When a copy that a rule
// wants has a slot there decides what comes out, and the words can be read in three ways: see
// [copyReadings]. The example of section 2 has completion times, which only copies in turn give. So rivals run their
// copies in turn; what comes out of the other two readings is told of Figs. 6.1 and 6.5a, but they contradict the thesis.
func hopperItems(f form) ([]item, error) {
	facebook := facebookBed(f)
	items := []item{
		hopperExample(),              // section 2
		hopperGains(f, facebook),     // Fig. 6.1
		hopperGains(f, bingBed(f)),   //
		hopperDistribution(facebook), // Fig. 6.2a
		hopperPipes(f),               // section 6.2.1
		hopperRules(facebook),        // Fig. 6.3
		hopperEpsilon(facebook),      // Fig. 6.4a
		hopperSlowed(f),              // Figs. 6.4b and c
		hopperFair(facebook),         // Fig. 6.5a
		hopperDRF(f),                 // Fig. 6.5b
		hopperLocality(f),            // Fig. 6.6
		hopperTails(facebook),        // Fig. 6.7
		hopperRefuted(facebook),      // Figs. 6.1 and 6.5a
	}
	if f.full {
		items = append(items, hopperSettings(f)...)
	}
	if f.clock {
		items = append(items, hopperSpeed(f)) // section 6.4.3
	}
	return items, nil
}
