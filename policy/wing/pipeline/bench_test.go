package pipeline_test

import (
	"testing"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
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
