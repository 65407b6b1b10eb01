package provenance_test

import (
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
)

// Clicks are loaded each day, sooner or later. Neither the audit, which has more priority, nor the
// bills of another organisation wait for them, and every tenth bill fails.
func ExampleObserve() {
	const hour, day = provenance.Time(time.Hour), 24 * provenance.Time(time.Hour)
	var log provenance.Log
	submit := func(name, org string, at provenance.Time, priority float64, state provenance.State) uint32 {
		id := fmt.Sprintf("%s-%d", name, at/day)
		log.IDs.Number(id)
		log.Jobs = append(log.Jobs, provenance.Job{
			Template: log.Templates.Number(provenance.Template(id)), Org: log.Orgs.Number(org),
			Submitted: at, Completed: at + hour/2, State: state, Priority: priority, Compute: 3600,
		})
		return uint32(len(log.Jobs) - 1)
	}
	op := func(at provenance.Time, job, file uint32, kind provenance.OpKind) {
		log.Ops = append(log.Ops, provenance.Op{Time: at, Job: job, File: file, Kind: kind})
	}
	for i := range provenance.Time(90) {
		clicks := submit("clicks", "ads", i*day+i*5%13*hour, 1, provenance.Complete)
		done := log.Jobs[clicks].Completed
		op(done, clicks, uint32(i), provenance.Write)
		audit := submit("audit", "ads", i*day+14*hour, 2, provenance.Complete)
		op(i*day+14*hour, audit, uint32(i), provenance.Read)
		if i%10 == 9 {
			submit("bill", "finance", i*day+11*hour, 1, provenance.NoInput)
		} else {
			op(i*day+14*hour, submit("bill", "finance", i*day+14*hour, 1, provenance.Complete), uint32(i), provenance.Read)
		}
	}
	found, err := log.Find(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := provenance.Classify(&log, found.Dependencies, provenance.ClassConfig{Start: 0, End: 90 * day})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := provenance.Observe(&log, found, classes, provenance.ObserveConfig{Worst: 2, Shifts: []time.Duration{6 * time.Hour}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report.Text(&log))
	// Output:
	// 1. recurring jobs                                          270 of 270 (100 %) [68 %]
	//    recurring dependencies                                  171 of 171 (100 %) [79 %]
	//    jobs that depend on another                             171 of 270 (63 %) [80 %]
	// 2. jobs that depend on one of lower priority               90 of 270 (33 %) [13 %]
	//    recurring templates for which that is the rule          1 of 3 (33 %) [21 %]
	//     clicks-# has lower priority than audit-#: 90 of 90 (100 %)
	//    ad-hoc jobs of more priority than recurring ones        0 of 0 (0 %) [33 %]
	// 3. recurring jobs that do not wait for what they need      180 of 270 (67 %) [34 %]
	//     bill-#: 9 of 90 jobs missed an input, least slack 1h30m0s
	//     audit-#: 0 of 90 jobs missed an input, least slack 1h30m0s
	// 4. dependencies between organisations                      81 of 171 (47 %) [33 %]
	//    between templates                                       1 of 2 (50 %) [17 %]
	//    jobs that have such                                     162 of 270 (60 %) [28 %]
	//    recurring jobs that have such                           162 of 270 (60 %) [23 %]
	//    jobs that depend on another organisation                81 of 270 (30 %) [20 %]
	//    organisations that have such                            2 of 2 (100 %) [95 %]
	//     finance on ads: 81
	// 5. jobs in the largest component                           3 of 270 (1 %) [50 %]
	//    jobs in components of 10 and more                       0 of 270 (0 %) [80 %]
	//     3 jobs with clicks-0
	//     3 jobs with clicks-1
	// 6. jobs that might be put off by 6h0m0s                    56 of 270 (21 %) [22 %]
	//     clicks-#: 56 jobs, 2.02e+05 resource-seconds
	//    recurring jobs whose output nobody has read             171 of 261 (66 %)
}
