package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// recurring makes a log of so many jobs in 90 days, of templates with a few hundred jobs each, and
// about four dependencies a job, on jobs of the last day and mostly of the same few templates.
func recurring(jobs int) (*provenance.Log, *provenance.Found) {
	rng := rand.New(rand.NewPCG(2, 2))
	l := new(provenance.Log)
	templates := 1 + jobs/300
	for i := range templates {
		l.Templates.Number(fmt.Sprint(i))
	}
	for i := range 100 {
		l.Orgs.Number(fmt.Sprint(i))
	}
	found := new(provenance.Found)
	gap := provenance.Time(90*day) / provenance.Time(jobs)
	for i := range jobs {
		at := provenance.Time(i) * gap
		template := i % templates
		l.Jobs = append(l.Jobs, provenance.Job{
			Template: uint32(template), Org: uint32(template % 100), State: provenance.Complete,
			Submitted: at, Completed: at + provenance.Time(rng.Int64N(int64(time.Hour))), Priority: float64(rng.IntN(9)), Compute: 1,
		})
		for k := range 4 {
			if from := i - 1 - (template*7+k*13)%max(templates-1, 1); from >= 0 && from < i {
				found.Dependencies = append(found.Dependencies, provenance.Dependency{From: uint32(from), To: uint32(i), Files: 1, Reads: 1, First: at})
			}
		}
		if i%4 == 0 {
			found.Downloads = append(found.Downloads, provenance.Download{Job: uint32(i), Time: at + provenance.Time(day)})
		}
	}
	return l, found
}

func BenchmarkFit(b *testing.B) {
	for _, jobs := range []int{70000, 280000} {
		l, found := recurring(jobs)
		end := provenance.Time(90 * day)
		var (
			classes *provenance.Classes
			p       *provenance.Predictor
			err     error
		)
		for _, step := range []struct {
			name string
			run  func()
		}{
			{"Classify", func() {
				classes, err = provenance.Classify(l, found.Dependencies, provenance.ClassConfig{End: end})
			}},
			{"Train", func() {
				p, err = provenance.Train(l, found.Dependencies, classes, provenance.TrainConfig{To: end / 2})
			}},
			{"Evaluate", func() {
				_, err = provenance.Evaluate(p, l, found.Dependencies, classes, provenance.EvaluateConfig{From: end / 2, To: end, End: end})
			}},
			{"Observe", func() {
				_, err = provenance.Observe(l, found, classes, provenance.ObserveConfig{})
			}},
		} {
			b.Run(fmt.Sprintf("%s/jobs=%d", step.name, jobs), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					step.run()
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(found.Dependencies)), "ns/dependency")
			})
		}
	}
}
