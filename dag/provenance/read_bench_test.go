package provenance_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// files makes the log of a lake as tables of CSV and as events of OpenLineage. With facets, each
// dataset of an event has its schema with it, as Spark and others write it.
func files(jobs int, facets bool) (jobsCSV, opsCSV, events []byte) {
	ops, submitted := lake(jobs)
	reads, writes := make([][]uint32, jobs), make([][]uint32, jobs)
	completed := make([]provenance.Time, jobs)
	name := func(file uint32) string {
		return fmt.Sprintf("/lake/org%d/table%d/date=2020-11-04/part-%05d", file%97, file/20, file%20)
	}
	o := bytes.NewBufferString("time,op,file,job\n")
	for _, op := range ops {
		if op.Job == provenance.User {
			fmt.Fprintf(o, "%d,download,%s,\n", op.Time, name(op.File))
			continue
		}
		fmt.Fprintf(o, "%d,%v,%s,job-%d\n", op.Time, op.Kind, name(op.File), op.Job)
		if op.Kind == provenance.Write {
			writes[op.Job] = append(writes[op.Job], op.File)
			completed[op.Job] = max(completed[op.Job], op.Time)
		} else {
			reads[op.Job] = append(reads[op.Job], op.File)
		}
	}
	j := bytes.NewBufferString("job,submitted,completed,state,name,user,org,priority,compute\n")
	for i, at := range submitted {
		fmt.Fprintf(j, "job-%d,%d,%d,complete,daily report %d 2020-11-04,user%d,org%d,1000,%g\n", i, at, completed[i], i%300, i%50, i%9, float64(i)/7)
	}
	e := new(bytes.Buffer)
	event := func(kind string, i int, at provenance.Time, inputs, outputs []uint32) {
		list := func(files []uint32) {
			for k, file := range files {
				if k > 0 {
					e.WriteByte(',')
				}
				fmt.Fprintf(e, `{"namespace":"s3://lake","name":%q,"facets":{`, name(file))
				if facets {
					e.WriteString(`"schema":{"_producer":"https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/spark","_schemaURL":"https://openlineage.io/spec/facets/1-0-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet","fields":[`)
					for f := range 8 {
						fmt.Fprintf(e, `{"name":"column_%d","type":"string","description":"the \"%d\"th"},`, f, f)
					}
					e.WriteString(`{"name":"amount","type":"double"}]}`)
				}
				e.WriteString(`}}`)
			}
		}
		fmt.Fprintf(e, `{"eventType":%q,"eventTime":%q,"producer":"https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/spark","schemaURL":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",`,
			kind, time.Unix(0, int64(at)).UTC().Format(time.RFC3339Nano))
		fmt.Fprintf(e, `"run":{"runId":"0176a8c2-fe01-7439-87e6-%012d","facets":{}},"job":{"namespace":"org%d","name":"daily_report_%d","facets":{}},"inputs":[`, i, i%9, i%300)
		list(inputs)
		e.WriteString(`],"outputs":[`)
		list(outputs)
		e.WriteString("]}\n")
	}
	for i, at := range submitted {
		event("START", i, at, reads[i], nil)
		event("COMPLETE", i, completed[i], nil, writes[i])
	}
	return j.Bytes(), o.Bytes(), e.Bytes()
}

// BenchmarkRead reads a day of the paper's cluster from memory.
func BenchmarkRead(b *testing.B) {
	const jobs = 40_000
	jobsCSV, opsCSV, plain := files(jobs, false)
	_, _, facets := files(jobs, true)
	read := func(b *testing.B, r *provenance.Reader, err error) {
		if err != nil {
			b.Fatal(err)
		}
		if l := r.Take(); len(l.Jobs) != jobs || len(l.Ops) < 6*jobs {
			b.Fatalf("got %d jobs and %d operations", len(l.Jobs), len(l.Ops))
		}
	}
	b.Run(fmt.Sprintf("format=csv/jobs=%d", jobs), func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(jobsCSV) + len(opsCSV)))
		for b.Loop() {
			r := reader(b, provenance.ReaderConfig{Unit: 1})
			if err := r.JobsCSV("jobs", bytes.NewReader(jobsCSV)); err != nil {
				b.Fatal(err)
			}
			read(b, r, r.OpsCSV("ops", bytes.NewReader(opsCSV)))
		}
	})
	for _, format := range []struct {
		name string
		text []byte
	}{{"openlineage", plain}, {"openlineage-facets", facets}} {
		b.Run(fmt.Sprintf("format=%s/jobs=%d", format.name, jobs), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(format.text)))
			for b.Loop() {
				r := reader(b, provenance.ReaderConfig{})
				read(b, r, r.OpenLineage("events", bytes.NewReader(format.text)))
			}
		})
	}
}
