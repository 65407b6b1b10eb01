package pipeline_test

import (
	"testing"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing/pipeline"
)

// BenchmarkRun analyses two weeks of 2,000 jobs a day, of a log that is a week longer, and with that
// what Run is made of: find, classify, train, graph and store.
func BenchmarkRun(b *testing.B) {
	lake, err := defaultLake()
	if err != nil {
		b.Fatal(err)
	}
	c := lakeConfig(lake.LakeLog)
	r, err := pipeline.Run(lake.log, c)
	if err != nil {
		b.Fatal(err)
	}
	part := func(name string, do func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run := func(change func(c *pipeline.Config)) func() error {
		return func() error {
			c := c
			change(&c)
			_, err := pipeline.Run(lake.log, c)
			return err
		}
	}
	part("all", run(func(*pipeline.Config) {}))
	part("all/least=0.001", run(func(c *pipeline.Config) { c.Least = 0.001 }))
	part("all/hops=8", run(func(c *pipeline.Config) { c.Hops = 8 }))
	part("find", func() error { _, err := r.Log.Find(0); return err })
	part("classify", func() error {
		_, err := provenance.Classify(r.Log, r.Found.Dependencies, r.Config.Classes)
		return err
	})
	part("train", func() error {
		_, err := provenance.Train(r.Log, r.Found.Dependencies, r.Classes, r.Config.Train)
		return err
	})
	part("graph", func() error { _, err := r.Found.Graph(len(r.Log.Jobs)); return err })
	part("store", func() error {
		var records []value.Record
		for i := range r.Log.Jobs {
			rec, err := r.Windowed.Record(uint32(i))
			if err != nil {
				return err
			}
			rec.Template, rec.User = r.Log.Templates.Name(r.Log.Jobs[i].Template), r.Log.Users.Name(r.Log.Jobs[i].User)
			records = append(records, rec)
		}
		_, err := value.Build(records, value.Config{})
		return err
	})
}

// BenchmarkResult makes what a result makes: of two weeks of 2,000 jobs a day.
func BenchmarkResult(b *testing.B) {
	lake, err := defaultLake()
	if err != nil {
		b.Fatal(err)
	}
	r, err := pipeline.Run(lake.log, lakeConfig(lake.LakeLog))
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name   string
		config pipeline.ValuationConfig
	}{{"mil", pipeline.ValuationConfig{}}, {"wingmil", pipeline.ValuationConfig{Dependents: true}}, {"hard", pipeline.ValuationConfig{Dependents: true, Hard: true}}} {
		b.Run("valuations="+v.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Valuations(v.config); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("foresight", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Foresight()
		}
	})
	b.Run("advice", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if templates, _ := r.Advice(); len(templates) == 0 {
				b.Fatal("no templates")
			}
		}
	})
}

// BenchmarkValuation is what a host asks of each job.
func BenchmarkValuation(b *testing.B) {
	lake, err := defaultLake()
	if err != nil {
		b.Fatal(err)
	}
	r, err := pipeline.Run(lake.log, lakeConfig(lake.LakeLog))
	if err != nil {
		b.Fatal(err)
	}
	f, err := r.Valuations(pipeline.ValuationConfig{Dependents: true})
	if err != nil {
		b.Fatal(err)
	}
	var jobs []*policy.Job
	for i := range r.Log.Templates.Len() {
		jobs = append(jobs, like(r.Log.Templates.Name(uint32(i)), "", 0))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f(jobs[i%len(jobs)])
		i++
	}
}
