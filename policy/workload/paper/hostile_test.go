package paper_test

import (
	"maps"
	"math"
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload/paper"
)

const (
	tiny     = math.SmallestNonzeroFloat64 // the least number above 0
	huge     = math.MaxFloat64
	mostJobs = 1 << 28
)

func TestHostileNumbersOfPapers(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	kairos := paper.DefaultKairos()
	e2e := paper.DefaultE2E()
	e2e.Deadlines.Slack = []float64{0.5}
	e2e.Deadlines.Partitions = []policy.PartitionID{1}
	e2e.Jobs = 50
	facebook := paper.Facebook()
	facebook.Jobs, facebook.NodeMemory = 30, paper.HopperNodeMemory
	e2eRules := jobtest.Ranges(map[string][2]float64{"Jobs": {2, mostJobs}, "Nodes": {1, 1 << 24}, "Load": {1e-5, 1000}, "GapCV2": {1, 1e6}})
	for name, rule := range map[string]hostile.Rule{
		"Seed": hostile.Any, "Share": hostile.Between(0, 1), "Slack[]": hostile.Between(0, 1e5), "Utility": hostile.Between(0, policy.MaxUtility),
		"Partitions[]": hostile.Between(1, policy.MaxID), "Prefer": hostile.Between(tiny, 1), "Elsewhere": hostile.AtLeast(1),
	} {
		e2eRules["Deadlines."+name] = rule
	}
	hopperRules := jobtest.Ranges(map[string][2]float64{
		"Jobs": {2, 1 << 20}, "Nodes": {1, policy.MaxID}, "Cores": {1, 1 << 20}, "Load": {1e-300, huge}, "MostTasks": {501, 1 << 20}, "LeastStages": {1, 8}, "MostStages": {1, 100},
		"Groups": {1, 1000}, "LeastTail": {1 + 1e-9, huge}, "MostTail": {1 + 1e-9, huge}, "MedianTask": {1, 1e15}, "TaskSigma": {0, 10}, "Replicas": {0, 16},
		"NodeMemory": {0, 1 << 60}, "LeastMemory": {1, 24 * 300 << 20}, "MostMemory": {300 << 20, 34 << 30},
	})
	orZero := func(least float64) hostile.Rule {
		return hostile.AtLeast(least).Or(func(x float64) bool { return x == 0 }, hostile.Takes)
	}
	hopperRules["Bound"], hopperRules["Elsewhere"] = orZero(1+1e-9), orZero(1)
	google := paper.Google11()
	google.Bands = google.Bands[:1]
	google.Bands[0].Share, google.Jobs, google.Drawn = 1, 2000, 20
	slearnRules := jobtest.Ranges(map[string][2]float64{
		"Jobs": {2000, mostJobs}, "Days": {2, 10000}, "Users": {1, float64(google.Programs)}, "Programs": {float64(google.Users), float64(google.Names)}, "Names": {float64(google.Programs), 1 << 20},
		"Bands[].Share": {1, 1}, "Bands[].Least": {1, float64(google.Bands[0].Most)}, "Bands[].Most": {float64(google.Bands[0].Least), 1 << 20}, "Bands[].Work": {1, math.MaxInt64}, "Bands[].Sigma": {0, 10},
		"RunMedian": {tiny, 1000}, "RunSigma": {0, 10}, "Changed": {0, 1}, "ChangeSigma": {0, 10}, "TaskMedian": {tiny, 1000}, "TaskSigma": {0, 10},
		"Epochs": {1, 1 << 20}, "Bursts": {0, float64(google.Epochs)}, "Burst": {0, 1}, "Drawn": {1, 1000}, "LeastStages": {1, 1}, "MostStages": {1, 1024}, "Load": {1e-5, huge}, "Cores": {1, math.MaxInt64},
	})
	historyRules := maps.Clone(slearnRules)
	historyRules["Load"] = hostile.Between(tiny, huge) // which is not looked at
	hostile.Test(t,
		hostile.Call{Name: "Kairos.Source", New: hostile.Func(func(k paper.Kairos) error { return jobtest.Draw(k.Source()) }), Args: []hostile.Arg{
			{Name: "k", Value: kairos, Rules: jobtest.Ranges(map[string][2]float64{"Jobs": {1, mostJobs}, "MeanGap": {1, 1e16}, "LongMaps": {1, 10000}, "MapShare": {0, 1 - 1e-9}, "Spread": {0, 0.99}})},
		}},
		hostile.Call{Name: "E2E.Source", New: hostile.Func(func(e paper.E2E) error {
			if e.Jobs > 1000 && e.Jobs <= mostJobs {
				e.Jobs = 1000 // right, and slow
			}
			return jobtest.Draw(e.Source())
		}), Args: []hostile.Arg{
			{Name: "e", Value: e2e, Rules: e2eRules},
		}},
		hostile.Call{Name: "E2E.History", New: hostile.Func(func(jobs int) error {
			if jobs > 1e6 && jobs <= mostJobs {
				return nil // right, and slow
			}
			return jobtest.Draw(e2e.History(jobs))
		}), Args: []hostile.Arg{hostile.Number("jobs", 10, hostile.Between(2, mostJobs))}},
		hostile.Call{Name: "Hopper.Source", New: hostile.Func(func(h paper.Hopper) error { return jobtest.Draw(h.Source()) }), Args: []hostile.Arg{
			{Name: "h", Value: facebook, Rules: hopperRules},
		}},
		hostile.Call{Name: "SLearn.Source", New: hostile.Func(func(g paper.SLearn) error { return jobtest.Draw(g.Source()) }), Args: []hostile.Arg{{Name: "g", Value: google, Rules: slearnRules}}},
		hostile.Call{Name: "SLearn.History", New: hostile.Func(func(g paper.SLearn) error { return jobtest.Draw(g.History()) }), Args: []hostile.Arg{{Name: "g", Value: google, Rules: historyRules}}},
	)
	for _, s := range []paper.Hopper{facebook} {
		for i := range s.Shares {
			for _, x := range []float64{math.NaN(), -1, math.Inf(1), 2} {
				bad := s
				bad.Shares[i] = x
				if _, err := bad.Source(); err == nil || !strings.Contains(err.Error(), "Shares") {
					t.Errorf("Hopper.Shares[%d] = %v: error %v, want one about Shares", i, x, err)
				}
				k := kairos
				k.Shares[i] = x
				if _, err := k.Source(); err == nil || !strings.Contains(err.Error(), "Shares") {
					t.Errorf("Kairos.Shares[%d] = %v: error %v, want one about Shares", i, x, err)
				}
			}
		}
	}
}

func TestHostileNumbersOfLake(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	lake := paper.DefaultLake()
	lake.JobsPerDay, lake.HistoryDays, lake.Days, lake.Organisations, lake.Users, lake.Load = 200, 1, 1, 3, 10, 0.1
	rules := jobtest.Ranges(map[string][2]float64{
		"JobsPerDay": {100, 1 << 20}, "HistoryDays": {1, 400}, "Days": {1, 28}, "Organisations": {2, 10}, "Users": {3, 1 << 20}, "Recurring": {0.01, 1}, "Steps": {1, 1000},
		"Dependent": {lake.Blind + lake.Polling, lake.AdHocDependencies}, "Blind": {0, lake.Dependent - lake.Polling}, "Polling": {0, lake.Dependent - lake.Blind}, "Irregular": {0, 1},
		"Dependencies": {lake.Dependent + lake.CrossReaders*lake.CrossDependencies, 100}, "AdHocDependencies": {lake.Dependent, 100}, "FanSigma": {0, 3}, "Runs": {1, 100}, "Churn": {0, 0.9}, "Closed": {0, 1},
		"CrossReaders": {0, lake.Dependent}, "CrossDependencies": {1, (lake.Dependencies - lake.Dependent) / lake.CrossReaders}, "CrossRuns": {1, 100}, "Hubs": {0, 1}, "CrossAdHoc": {0, lake.Dependent},
		"Odd": {0, 1}, "OddClosed": {0, 1}, "OddStep": {0, 1}, "OddAdHoc": {0, 1}, "Informed": {0, 1}, "Downloads": {0, 1000}, "AdHocDownloads": {0, 1}, "DownloadSigma": {0, 3},
		"MedianDelay": {1, 7 * 86400e9}, "Deep": {0, 10}, "Cores": {1, 1 << 30}, "Load": {tiny, 10}, "LeastCapacity": {0.01, 1}, "MedianRuntime": {1e9, 86400e9},
		"RuntimeSigma": {0, 3}, "RunSigma": {0, 3}, "Slow": {0, 1}, "WidthSigma": {0, 3},
	})
	log, err := lake.Log()
	if err != nil {
		t.Fatal(err)
	}
	jobs := float64(len(jobtest.All(t, log.Source())))
	hostile.Test(t,
		hostile.Call{Name: "Lake.Log", New: hostile.Func(func(l paper.Lake) error {
			log, err := l.Log()
			if err != nil {
				return err
			}
			return jobtest.Draw(log.Source(), nil)
		}), Args: []hostile.Arg{{Name: "l", Value: lake, Rules: rules}}},
		hostile.Call{Name: "LakeLog.Downloads", New: hostile.Func(log.Downloads), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Between(1, jobs).Or(func(x float64) bool { return x < 1 || x > jobs }, hostile.Gives([]policy.Time(nil)))),
		}},
		hostile.Call{Name: "LakeLog.Attained", New: hostile.Func(log.Attained), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Between(1, jobs).Or(func(x float64) bool { return x < 1 || x > jobs }, hostile.Gives(0))),
			hostile.Number("done", policy.Time(0), hostile.Any),
		}},
		hostile.Call{Name: "LakeLog.Truth", New: hostile.Func(log.Truth), Args: []hostile.Arg{hostile.Number("id", policy.JobID(1), hostile.Between(1, jobs))}},
	)
}
