package provenance_test

import (
	"fmt"
	"log"
	"slices"
	"strings"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
)

// What ran this morning, and what it read and wrote. Times are seconds.
const (
	morning = `job,name,user,submitted,completed
1,clicks,ann,0,600
2,users,bob,0,300
3,join,ann,900,1500
4,report,eve,1800,2000
5,backup,bob,1800,2400
`
	used = `time,op,file,job
600,write,/clicks,1
300,write,/users,2
900,read,/clicks,3
900,read,/users,3
1500,write,/joined,3
1800,read,/joined,4
1800,read,/users,5
`
)

// impact returns the jobs that are wrong if the output of a job is, directly or not.
func impact(l *provenance.Log, g *dag.Graph, id string) []uint32 {
	job, ok := l.IDs.Find(id)
	if !ok {
		return nil
	}
	var wrong []uint32
	is := map[uint32]bool{job: true}
	for _, j := range g.Order() { // each job after all that it reads from
		if slices.ContainsFunc(g.In(j), func(from uint32) bool { return is[from] }) {
			is[j], wrong = true, append(wrong, j)
		}
	}
	return wrong
}

// The clicks of this morning were wrong: who is to be told? Nobody has ever said who reads what.
func Example_impact() {
	r, err := provenance.NewReader(provenance.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.JobsCSV("jobs", strings.NewReader(morning)); err != nil {
		log.Fatal(err)
	}
	if err := r.OpsCSV("files", strings.NewReader(used)); err != nil {
		log.Fatal(err)
	}
	l := r.Take()
	found, err := l.Find(0)
	if err != nil {
		log.Fatal(err)
	}
	g, err := found.Graph(len(l.Jobs))
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range impact(l, g, "1") {
		fmt.Printf("job %s, %s: tell %s\n", l.IDs.Name(j), l.Templates.Name(l.Jobs[j].Template), l.Users.Name(l.Jobs[j].User))
	}
	// Output:
	// job 3, join: tell ann
	// job 4, report: tell eve
}
