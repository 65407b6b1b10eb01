package provenance_test

import (
	"fmt"

	"example.com/augur/dag/provenance"
)

// A host keeps a log that never ends, and looks for dependencies in a clone of it, which may take its
// time: what comes meanwhile is in the log and not in the clone.
func ExampleLog_Clone() {
	log := &provenance.Log{}
	written := log.Files.Number("clicks")
	for i := range 2 {
		log.IDs.Number(fmt.Sprint("job ", i))
		log.Jobs = append(log.Jobs, provenance.Job{Submitted: provenance.Time(i)})
	}
	log.Ops = append(log.Ops,
		provenance.Op{Time: 2, Job: 0, File: written, Kind: provenance.Write},
		provenance.Op{Time: 3, Job: 1, File: written, Kind: provenance.Read})

	clone, done := log.Clone(), make(chan struct{})
	go func() {
		defer close(done)
		found, err := clone.Find(0)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, d := range found.Dependencies {
			fmt.Println(clone.IDs.Name(d.To), "depends on", clone.IDs.Name(d.From))
		}
	}()
	log.IDs.Number("job 2")
	log.Jobs = append(log.Jobs, provenance.Job{Submitted: 4})
	log.Ops = append(log.Ops, provenance.Op{Time: 5, Job: 2, File: written, Kind: provenance.Read})
	<-done
	// Output:
	// job 1 depends on job 0
}
