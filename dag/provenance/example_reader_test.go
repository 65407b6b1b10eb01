package provenance_test

import (
	"fmt"
	"strings"

	"example.com/augur/dag/provenance"
)

// Two tables, one of jobs and one of what they did.
func ExampleReader_OpsCSV() {
	jobs := `job,name,user,org,submitted,completed
1,clicks-2020-11-04,ann,ads,2020-11-04T01:00:00Z,2020-11-04T01:30:00Z
2,report-2020-11-04,bob,sales,2020-11-04T02:00:00Z,2020-11-04T02:10:00Z
`
	ops := `time,op,file,job
2020-11-04T01:30:00Z,write,/clicks/today,1
2020-11-04T02:00:00Z,read,/clicks/today,2
2020-11-04T02:10:00Z,write,/report/today,2
2020-11-04T09:00:00Z,download,/report/today,
`
	r, err := provenance.NewReader(provenance.ReaderConfig{Template: true}) // the names have the dates of the runs
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.JobsCSV("jobs.csv", strings.NewReader(jobs)); err != nil {
		fmt.Println(err)
		return
	}
	if err := r.OpsCSV("ops.csv", strings.NewReader(ops)); err != nil {
		fmt.Println(err)
		return
	}
	log := r.Take()
	found, err := log.Find(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	template := func(job uint32) string { return log.Templates.Name(log.Jobs[job].Template) }
	for _, d := range found.Dependencies {
		fmt.Printf("%s depends on %s\n", template(d.To), template(d.From))
	}
	fmt.Printf("%d download of %s\n", len(found.Of(1)), template(1))
	// Output:
	// report-#-#-# depends on clicks-#-#-#
	// 1 download of report-#-#-#
}

// Events of OpenLineage: one is damaged, and one comes twice.
func ExampleReader_OpenLineage() {
	events := `
{"eventType":"START","eventTime":"2020-11-04T01:00:00Z","run":{"runId":"a1"},"job":{"namespace":"ads","name":"clicks"}}
{"eventType":"COMPLETE","eventTime":"2020-11-04T01:30:00Z","run":{"runId":"a1"},"job":{"namespace":"ads","name":"clicks"},"outputs":[{"namespace":"hdfs://lake","name":"/clicks"}]}
{"eventType":"COMPLETE","eventTime":"2020-11-04T01:30:00Z","run":{"runId":"a1"},"job":{"namespace":"ads","name":"clicks"},"outputs":[{"namespace":"hdfs://lake","name":"/clicks"}]}
{"eventType":"START","eventTime":"2020-11-04T02:0
{"eventType":"START","eventTime":"2020-11-04T02:00:00Z","run":{"runId":"b1"},"job":{"namespace":"sales","name":"report"},"inputs":[{"namespace":"hdfs://lake","name":"/clicks"}]}
`
	r, err := provenance.NewReader(provenance.ReaderConfig{Lenient: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.OpenLineage("events.jsonl", strings.NewReader(events)); err != nil {
		fmt.Println(err)
		return
	}
	log := r.Take()
	found, err := log.Find(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range found.Dependencies {
		fmt.Printf("run %s depends on run %s\n", log.IDs.Name(d.To), log.IDs.Name(d.From))
	}
	fmt.Println("dropped:", r.Dropped())
	fmt.Println("notes:", r.Notes())
	// Output:
	// run b1 depends on run a1
	// dropped: map[row is no event in JSON:1]
	// notes: map[event comes twice:1]
}
