package main

// hopperReasons are why numbers of the thesis do not come out, as far as it is known.
var hopperReasons = []reason{
	{"Fig. 6.1", "", "after", refuted},
	{"Fig. 6.1", "", "", hardlyWait},
	{"6.2.1", "", "", hardlyWait},
	{"Fig. 6.2a", "", "", hardlyWait},
	{"Fig. 6.4a", "", "", hardlyWait},
	{"Fig. 6.4b", "", "", asMany},
	{"Fig. 6.4c", "", "", asMany},
	{"Fig. 6.5a", "", "after", refuted},
	{"Fig. 6.5a", "", "", hardlyWait},
	{"Fig. 6.5b", "", "", hardlyWait},
	{"Fig. 6.6", "", "", holders},
	{"Fig. 6.7", "", "", anyTail},
}

const (
	// Section 2 says that copies are treated "the same as normal tasks", and in Fig. 2.1 job A's copy goes before tasks of
	// the longer job B.
	refuted    = "the example of section 2 contradicts this reading of best effort: it does not give the times of Fig. 2.1"
	hardlyWait = "where a copy goes in its job's turn, a rival's copies hardly wait, and SRPT and Fair are nearly as good as Hopper: at any load, size of cluster and of jobs, tail and period tried. " +
		"As much as is published is gained only over rivals that run no copies"
	asMany = "chance slows jobs too: see the rows of an ε of 0.1 % against one of 0 %"
	// On 200 nodes and as many jobs it is 80 %.
	holders = "one of three replicas is on a node with free cores mostly; k counts if more than 1/k jobs wait"
	// Any tail from 1.05 to 3 for all jobs comes within 1.5 % of 1.2 on each of three seeds.
	anyTail = "which tail is taken makes no odds: any from 1.05 to 3 does as well"
)
