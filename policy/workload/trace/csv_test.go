package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// table returns the options of a reader of CSV.
func table(columns string) trace.ReaderConfig {
	return trace.ReaderConfig{Format: "csv", Columns: columns}
}

// csvText writes jobs as a table of the preset google2011_jobs; of a job with more tasks it has the first.
func csvText(jobs []*workload.Job) []byte {
	var text strings.Builder
	fmt.Fprintln(&text, "job_id,user,scheduling_class,job_name,logical_job_name,submit_us,schedule_us,end_us,end_event,schedule_count,has_synthesised_event")
	for i, j := range jobs {
		at := int64(j.Submitted/1000) + 1
		fmt.Fprintf(&text, "%d,u%d,2,j%d,l%d,%d,%d,%d,FINISH,1,0\n",
			3418309+i, i%70, i, i%490, at, at+5_000_000, at+5_000_000+j.Runtimes[0][0].Microseconds())
	}
	return []byte(text.String())
}

// limited returns a job with a time that it requests, which is a limit or not.
func limited(j *workload.Job, requested policy.Duration, limit bool) *workload.Job {
	return with(j, func(j *workload.Job) { j.Requested, j.Limited = requested, limit })
}

func TestCSV(t *testing.T) {
	job := func(id policy.JobID, submitted, runtime policy.Duration, change func(j *workload.Job)) *workload.Job {
		return with(gang(id, submitted, 1, runtime), change)
	}
	same := func(*workload.Job) {}
	for _, test := range []struct {
		name, columns, text string
		want                []*workload.Job
	}{
		{"seconds", "submit=t,runtime=d", "t,d\n1,2\n3.5,0.25\n", []*workload.Job{job(1, s, 2*s, same), job(2, 7*s/2, s/4, same)}},
		{"other order, other columns", "runtime=d,submit=t", "x,d,y,t\n?,2,?,1\n", []*workload.Job{job(1, s, 2*s, same)}},
		{"units", "submit=t:ms,runtime=d:min,requested=r:h", "t,d,r\n1500,2,1\n", []*workload.Job{
			job(1, 3*s/2, 120*s, func(j *workload.Job) { j.Requested = 3600 * s })}},
		{"clocks", "submit=t,runtime=d:clock,requested=r:clock", "t,d,r\n0,00:01:02.5,1-02:03:04\n0,61:02,\n", []*workload.Job{
			limited(job(1, 0, 125*s/2, same), 93784*s, false), job(2, 0, 3662*s, same)}},
		{"limited", "submit=t,runtime=d,requested=r,limited=l", "t,d,r,l\n0,1,2,1\n0,1,2,true\n0,1,2,0\n0,1,2,False\n0,1,2,\n0,1,,1\n", []*workload.Job{
			limited(job(1, 0, s, same), 2*s, true), limited(job(2, 0, s, same), 2*s, true), limited(job(3, 0, s, same), 2*s, false),
			limited(job(4, 0, s, same), 2*s, false), limited(job(5, 0, s, same), 2*s, false), job(6, 0, s, same)}},
		{"tasks of a limited job", "job=j,submit=t,runtime=d,requested=r,limited=l", "j,t,d,r,l\na,0,1,,1\na,0,1,2,1\na,0,1,3,0\nb,0,1,,1\n", []*workload.Job{
			limited(jobtest.Bag(1, 0, s, s, s), 3*s, true), jobtest.Bag(2, 0, s)}},
		{"nanoseconds", "submit=t:ns,runtime=d:us", "t,d\n123456789012345678,7\n", []*workload.Job{job(1, 123456789012345678, 7000, same)}},
		{"start and end", "submit=t,start=a:us,end=b:ms", "t,a,b\n0,5000000,7000\n", []*workload.Job{job(1, 0, 2*s, same)}},
		{"attributes", "submit=t,runtime=d,user=u,x=y,queue=q", "t,d,u,y,q\n0,1,ann,,night\n0,1,bob,z,\n", []*workload.Job{
			with(gang(1, 0, 1, s, "user=ann"), func(j *workload.Job) { j.Queue = "night" }), gang(2, 0, 1, s, "user=bob", "x=z")}},
		{"attributes named as keys", "submit=t,runtime=d,cores=c,@cores=c,@memory=m,@x=m", "t,d,c,m\n0,1,2,0.5\n", []*workload.Job{
			with(gang(1, 0, 1, s, "cores=2", "memory=0.5", "x=0.5"), func(j *workload.Job) { j.Stages[0].Cores = 2 })}},
		{"since 1970", "submit=t:unixms,runtime=d", "t,d\n1664575200000,1\n1664575199500,1\n", []*workload.Job{
			with(gang(1, 0, 1, s, "hour=22", "day=Friday"), func(j *workload.Job) { j.At = time.Date(2022, time.September, 30, 22, 0, 0, 0, time.UTC) }),
			with(gang(2, -s/2, 1, s, "hour=21", "day=Friday"), func(j *workload.Job) {
				j.At = time.Date(2022, time.September, 30, 21, 59, 59, 5e8, time.UTC)
			})}},
		{"nanoseconds since 1970", "submit=t:unixns,start=t:unixns,end=e:unixns", "t,e\n1664575200000000001,1664575200000000004\n", []*workload.Job{
			with(gang(1, 0, 1, 3, "hour=22", "day=Friday"), func(j *workload.Job) { j.At = time.Date(2022, time.September, 30, 22, 0, 0, 1, time.UTC) })}},
		{"a job is submitted with its first task", "job=j,submit=t:unix,runtime=d", "j,t,d\na,1664575200,1\na,1664575199,2\n", []*workload.Job{
			with(jobtest.Bag(1, -s, s, 2*s), func(j *workload.Job) {
				j.At = time.Date(2022, time.September, 30, 21, 59, 59, 0, time.UTC)
				j.Attrs = []policy.Attr{{Name: "hour", Value: "21"}, {Name: "day", Value: "Friday"}}
			})}},
		{"dates", "submit=t:date,runtime=d", "t,d\n2017-10-09 07:01:55,1\n2017-10-09T09:01:56+02:00,1\n2017-10-09,1\n", []*workload.Job{
			with(gang(1, 0, 1, s, "hour=7", "day=Monday"), func(j *workload.Job) { j.At = time.Date(2017, time.October, 9, 7, 1, 55, 0, time.UTC) }),
			with(gang(2, s, 1, s, "hour=7", "day=Monday"), func(j *workload.Job) { j.At = time.Date(2017, time.October, 9, 7, 1, 56, 0, time.UTC) }),
			with(gang(3, -25315*s, 1, s, "hour=0", "day=Monday"), func(j *workload.Job) { j.At = time.Date(2017, time.October, 9, 0, 0, 0, 0, time.UTC) })}},
		{"tasks", "submit=t,runtime=d,tasks=n,cores=c:milli,memory=m:MiB", "t,d,n,c,m\n0,1,2,1001,3\n0,1,1,0,\n", []*workload.Job{
			with(gang(1, 0, 2, s), func(j *workload.Job) { j.Stages[0].Gang, j.Stages[0].Cores, j.Stages[0].Memory = false, 2, 3<<20 }),
			job(2, 0, s, same)}},
		{"gang", "submit=t,runtime=d,gang=n,cores=c,memory=m", "t,d,n,c,m\n0,1,3,2.5,7\n0,1,1,1,0\n", []*workload.Job{
			with(gang(1, 0, 3, s), func(j *workload.Job) { j.Stages[0].Cores, j.Stages[0].Memory = 3, 7 }), job(2, 0, s, same)}},
		{"needs", "submit=t,runtime=d,need.gpu=g,need.net=n:milli", "t,d,g,n\n0,1,2,\n0,1,0.25,40\n0,1,,0\n", []*workload.Job{
			needing(job(1, 0, s, same), policy.Need{Name: "gpu", Amount: 2000}),
			needing(job(2, 0, s, same), policy.Need{Name: "gpu", Amount: 250}, policy.Need{Name: "net", Amount: 40}), job(3, 0, s, same)}},
		{"needs of a product", "submit=t,runtime=d,need.gpu=n*g:milli", "t,d,n,g\n0,1,1,470\n0,1,8,1000\n0,1,0,0\n", []*workload.Job{
			needing(job(1, 0, s, same), policy.Need{Name: "gpu", Amount: 470}), needing(job(2, 0, s, same), policy.Need{Name: "gpu", Amount: 8000}),
			job(3, 0, s, same)}},
		// 12 GPUs are 2 tasks of 6, and 11 are 11 of 1, since 2 tasks would have 5.5. 25 bytes are 2 times 13, or 11 times 3.
		{"needs of more than a task may take", "submit=t,runtime=d,cores=g,memory=m,need.gpu=g/8", "t,d,g,m\n0,1,8,25\n0,1,12,25\n0,1,11,25\n", []*workload.Job{
			needing(with(job(1, 0, s, same), func(j *workload.Job) { j.Stages[0].Cores, j.Stages[0].Memory = 8, 25 }), policy.Need{Name: "gpu", Amount: 8000}),
			needing(with(gang(2, 0, 2, s), func(j *workload.Job) { j.Stages[0].Cores, j.Stages[0].Memory = 6, 13 }), policy.Need{Name: "gpu", Amount: 6000}),
			needing(with(gang(3, 0, 11, s), func(j *workload.Job) { j.Stages[0].Memory = 3 }), policy.Need{Name: "gpu", Amount: 1000})}},
		{"needs of tasks of a job", "job=j,submit=t,runtime=d,need.gpu=g,need.net=n", "j,t,d,g,n\na,0,1,1,\na,0,1,0.5,3\n", []*workload.Job{
			needing(jobtest.Bag(1, 0, s, s), policy.Need{Name: "gpu", Amount: 1000}, policy.Need{Name: "net", Amount: 3000})}},
		{"an attribute named as a need", "submit=t,runtime=d,@need.gpu=g", "t,d,g\n0,1,x\n", []*workload.Job{gang(1, 0, 1, s, "need.gpu=x")}},
		{"deadline", "submit=t,runtime=d,deadline=e:h,priority=p", "t,d,e,p\n0,1,1,-2.5\n0,1,,\n", []*workload.Job{
			job(1, 0, s, func(j *workload.Job) { j.SLO, j.Priority = &policy.SLO{Deadline: 3600e9, Utility: 1}, -2.5 }), job(2, 0, s, same)}},
		{"utility", "submit=t:unix,runtime=d,deadline=e:unix,utility=u", "t,d,e,u\n1664575200,1,1664575260,7\n", []*workload.Job{
			with(gang(1, 0, 1, s, "hour=22", "day=Friday"), func(j *workload.Job) {
				j.At, j.SLO = time.Date(2022, time.September, 30, 22, 0, 0, 0, time.UTC), &policy.SLO{Deadline: 60e9, Utility: 7}
			})}},
		{"conditions", "submit=t,runtime=d,?a=x,?b!=y,?c,?d>1", "t,d,a,b,c\n0,2,x,,1\n0,2,z,,1\n0,2,x,y,1\n0,2,x,,\n0,1,x,,1\n", []*workload.Job{job(1, 0, 2*s, same)}},
		{"conditions in quotes", `submit=t,runtime=d, ?"a=x"="1,2",?"b>"!=y,?"c!"`, "t,d,a=x,b>,c!\n0,2,\"1,2\",,1\n0,2,1,,1\n0,2,\"1,2\",y,1\n0,2,\"1,2\",,\n", []*workload.Job{job(1, 0, 2*s, same)}},
		{"quotes", `submit=t,runtime=d,x=y z`, "t,\"d\",\"y z\"\n0,\"1\",\"a, \"\"b\"\"\"\n0,1,\"\"\n", []*workload.Job{gang(1, 0, 1, s, `x=a, "b"`), job(2, 0, s, same)}},
		{"a comma in a name", `submit="t, at":ms,runtime=d,need.gpu="n, all"*g,?"a,b"=x,x="u,v"`, "\"t, at\",d,\"n, all\",g,\"a,b\",\"u,v\"\n5,1,2,1,x,q\n5,1,2,1,y,q\n", []*workload.Job{
			needing(gang(1, 5e6, 1, s, "x=q"), policy.Need{Name: "gpu", Amount: 2000})}},
		{"blanks", "submit=t,runtime=d,user=u,x=y z,?c=1", "t , d, u, \" y z \" , c\n 0, 1 ,a ,\" b, c \" ,1 \n0,1,a, ,1\n0,1, ,d,\t1\n", []*workload.Job{
			gang(1, 0, 1, s, "user=a", "x=b, c"), gang(2, 0, 1, s, "user=a"), gang(3, 0, 1, s, "x=d")}},
		{"semicolons", "submit=t,runtime=d,user=u", "\"a, b, c, d\";t;d;u\n1,2,3;0;1;\"x;y\"\n", []*workload.Job{gang(1, 0, 1, s, "user=x;y")}},
		{"as many commas as semicolons", "submit=t,runtime=d;e", "t,d;e\n0,1\n", []*workload.Job{job(1, 0, s, same)}},
		{"bars", "submit=t,runtime=d,user=u", "t|d|u\n0|1|a, b\n", []*workload.Job{gang(1, 0, 1, s, "user=a, b")}},
		{"tabs, and blank columns at both ends", "submit=t,runtime=d,user=u,x=x", "x\tt\td\tu\r\n\t0\t1\t\r\n\t\t\r\n b\t\"0\" \t1\ta c\r\n", []*workload.Job{
			job(1, 0, s, same), gang(2, 0, 1, s, "user=a c", "x=b")}},
		{"no header", "1=submit,2=runtime:ms,3=user,?4=x", "0,10,a,x\n5,20,b,x\n5,20,c,y\n", []*workload.Job{
			gang(1, 0, 1, s/100, "user=a"), gang(2, 5*s, 1, s/50, "user=b")}},
		{"no header, dates, needs and a sum", "1=submit:date,0.5*2+2*3=runtime:ms,2*3=need.gpu:milli,@7=4", "2026-03-01 00:00:00;10;7;z\n", []*workload.Job{
			with(gang(1, 0, 1, 19*s/1000, "7=z", "hour=0", "day=Sunday"), func(j *workload.Job) {
				j.At, j.Stages[0].Needs = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC), []policy.Need{{Name: "gpu", Amount: 70}}
			})}},
		{"a sum", "submit=t,runtime=0.25*a+30*b c:ms,x=a", "t,a,b c\n0,10,1.5\n0,0,0\n", []*workload.Job{gang(1, 0, 1, 475*s/10000, "x=10"), gang(2, 0, 1, 0, "x=0")}},
		{"names like sums", "submit=a+2*b,runtime=-1*b,requested=2*,1st=x", "a+2*b,-1*b,2*,x\n0,1,2,y\n", []*workload.Job{limited(gang(1, 0, 1, s, "1st=y"), 2*s, false)}},
		{"a name like a sum", "submit=t,runtime=2*", "t,2*\n0,1\n", []*workload.Job{job(1, 0, s, same)}},
		{"a colon in a name", "submit=t:x:ms,runtime=d,x=y:z", "\ufefft:x,d,y:z\n5,1,q\n", []*workload.Job{gang(1, 5e6, 1, s, "x=q")}},
		{"tasks of jobs", "job=j,submit=t,runtime=d,cores=c,user=u", "j,t,d,c,u\na,5,1,1,ann\nb,6,2,1,bob\na,4,3,2,eve\n", []*workload.Job{
			with(jobtest.Bag(1, 4*s, s, 3*s), func(j *workload.Job) { j.Attrs, j.Stages[0].Cores = []policy.Attr{{Name: "user", Value: "ann"}}, 2 }),
			with(jobtest.Bag(2, 6*s, 2*s), func(j *workload.Job) { j.Attrs = []policy.Attr{{Name: "user", Value: "bob"}} })}},
		{"one job in stages", "job=*,submit=t,runtime=d,stage=s", "t,d,s\n0,1,b\n0,2,a\n0,3,b\n", []*workload.Job{
			{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}, {Tasks: 1, Cores: 1}}}, Runtimes: [][]policy.Duration{{s, 3 * s}, {2 * s}}}}},
		{"a graph", "job=j,task=i,parents=p,submit=t,runtime=d", "j,i,p,t,d\nw,3,1 2,0,3\nw,1,,0,1\nw,2,1,0,2\n", []*workload.Job{
			{Job: policy.Job{ID: 1, Stages: []policy.Stage{
				{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 1}, {Stage: 2}}}, {Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 1}}},
			}}, Runtimes: [][]policy.Duration{{3 * s}, {s}, {2 * s}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := jobtest.All(t, reader(t, []byte(test.text), table(test.columns)).Jobs())
			if names := unnamed(got); test.name == "a graph" && names[0] != "w" {
				t.Errorf("got a job named %q, want w", names)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestCSVBadRows(t *testing.T) {
	const columns = "submit=t,start=a,end=b,requested=r,limited=l,deadline=e,utility=u,priority=p,tasks=n,cores=c,memory=m,need.gpu=g,need.net=k*h:milli,user=x"
	names := strings.Split("t,a,b,r,e,u,p,n,c,m,g,k,h,l,x", ",")
	row := func(column, text string) string {
		cols := strings.Split("1,2,3,4,5,6,7,8,9,10,11,12,13,1,14", ",")
		for i, name := range names {
			if name == column {
				cols[i] = text
			}
		}
		return strings.Join(cols, ",")
	}
	badRows(t, table(columns), strings.Join(names, ",")+"\n"+row("", ""), 1, row("", ""), []badRow{
		{"a column", "1", "columns are not as many as in the first line", "got 1, want 15"},
		{"a column too many", row("x", "1,2"), "columns are not as many as in the first line", "got 16, want 15"},
		{"a quote within a column", row("x", `1"`), "quotes are wrong", `column 15: "1\""`},
		{"text after a quote", row("x", `"1"2`), "quotes are wrong", `column 15: "\"1\"2"`},
		{"submit a word", row("t", "now"), "submit is not a number of s", `"now"`},
		{"submit late", row("t", "1000000001"), "submit is beyond 1e9 s; if it counts from 1970, say submit=t:unix", "1.000000001e+09 s"},
		{"submit early", row("t", "-2e9"), "submit is beyond 1e9 s", "-2e+09 s"},
		{"submit very late", row("t", "1e300"), "submit is out of range", `"1e300"`},
		{"end before start", row("b", "1"), "end is not 0 to 1e9 s after start", `"1" after "2"`},
		{"end long after start", row("b", "1000000003"), "end is not 0 to 1e9 s after start", `"1000000003" after "2"`},
		{"requested negative", row("r", "-1"), "requested is negative", `"-1"`},
		{"limited a word", row("l", "yes"), "limited is not true or false", `"yes"`},
		{"requested longer", row("r", "2e9"), "requested is above 1e9 s", `"2e9"`},
		{"utility negative", row("u", "-1"), "utility is negative", `"-1"`},
		{"utility Inf", row("u", "Inf"), "utility is not a finite number", `"Inf"`},
		{"no tasks", row("n", "0"), "tasks is not in 1 to 2^20", `"0"`},
		{"many tasks", row("n", "1048577"), "tasks is not in 1 to 2^20", `"1048577"`},
		{"cores negative", row("c", "-1"), "cores are not in 0 to 2^31-1", `"-1"`},
		{"memory negative", row("m", "-1"), "memory is negative", `"-1"`},
		{"need a word", row("g", "two"), "need.gpu is not a number of units", `"two"`},
		{"need negative", row("g", "-1"), "need.gpu is negative", `"-1"`},
		{"need large", row("g", "1000000.001"), "need.gpu is above 1e6", `"1000000.001"`},
		{"need very large", row("g", "1e300"), "need.gpu is out of range", `"1e300"`},
		{"times a part", row("k", "1.5"), "need.net is not multiplied by a natural number", `"1.5" times "13"`},
		{"times much", row("k", "18446744073709551615"), "need.net is above 1e6", `"18446744073709551615" times "13"`},
		{"need of a product a word", row("h", "x"), "need.net is not a number of milli", `"12" times "x"`},
	})
}

// A need that a task may not take whole is shared in whole units.
func TestNeedsAboveATask(t *testing.T) {
	badRows(t, table("submit=t,runtime=d,need.gpu=g/8"), "t,d,g\n0,1,8\n", 1, "0,1,8", []badRow{
		{"a part too many", "0,1,8.5", "need.gpu is above 8 and no whole number", `"8.5"`},
	})
}

// The columns of a sum must be numbers.
func TestCSVBadSums(t *testing.T) {
	badRows(t, table("submit=t,runtime=2*a+1e3*b:h"), "t,a,b\n0,1,1", 1, "0,2,2", []badRow{
		{"a word", "0,x,1", "runtime is a sum of a column that is not a number of at least 0", `a is "x"`},
		{"blank", "0,1,", "runtime is a sum of a column that is not a number of at least 0", `b is ""`},
		{"negative", "0,1,-1", "runtime is a sum of a column that is not a number of at least 0", `b is "-1"`},
		{"large", "0,1,278", "runtime is above 1e9 s", "1.0008072e+09 s"},
	})
}

// Tables that are wrong in more than a row.
func TestCSVBadTables(t *testing.T) {
	for _, test := range []struct {
		name, columns, text string
		line                int
		reason, detail      string
	}{
		{"no such column", "submit=t,runtime=d", "t,e\n1,2\n1,2\n", 1, "the first line lacks column d", `"t,e"`},
		{"no such column of a condition", "submit=t,runtime=d,?x", "t,d\n1,2\n1,2\n", 1, "the first line lacks column x", `"t,d"`},
		{"no preset", "", "t,d\n1,2\n1,2\n", 1, "the header is of no preset, so the columns must be named", `"t,d"; of a table in CSV, say which columns are what, such as submit=COLUMN,runtime=COLUMN`},
		{"column twice", "submit=t,runtime=d", "t,d,d\n1,2,3\n", 1, "the first line has a column twice", "d"},
		{"header with a quote", "submit=t,runtime=d", "\"t,d\n1,2\n1,2\n", 1, "quotes are wrong", `column 1: "\"t,d"`},
		{"no such number", "1=submit,3=runtime", "0,1\n0,2\n", 1, "the first line lacks column 3", `"0,1"`},
		{"no header, but names", "submit=t,runtime=d", "0,ann,5\n0,1,5\n", 1, "the first line lacks column t", `"0,ann,5"; of a table without a header, name the columns by their numbers, such as 1=submit,2=runtime`},
		{"not a date", "submit=t:date,runtime=d", "t,d\n2017-02-30 00:00:00,1\n", 2, "submit is not a date such as 2006-01-02 15:04:05", `"2017-02-30 00:00:00"`},
		{"a date without day", "submit=t:date,runtime=d", "t,d\n2017-02,1\n", 2, "submit is not a date such as 2006-01-02 15:04:05", `"2017-02"`},
		{"a date long past", "submit=t:date,runtime=d", "t,d\n0017-02-01,1\n", 2, "submit is not in the years 1800 to 2200", `"0017-02-01"`},
		{"task twice", "job=j,task=i,parents=p,submit=t,runtime=d", "j,i,p,t,d\nw,1,,0,1\nw,1,,0,2\n", 3, "a job has two tasks of the same name", `job "w", task "1"`},
		{"parent missing", "job=j,task=i,parents=p,submit=t,runtime=d", "j,i,p,t,d\nw,1,2,0,1\n", 2, "a parent is no task of its job", `job "w", parent "2"`},
	} {
		for _, lenient := range []bool{false, true} {
			config := table(test.columns)
			if config.Lenient = lenient; lenient && test.line > 1 {
				continue // else a lenient reader would drop all rows for the sake of the header
			}
			_, err := jobtest.Drain(reader(t, []byte(test.text), config).Jobs())
			want := &trace.RowError{File: "x", Line: test.line, Reason: test.reason, Detail: test.detail}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Errorf("%s: -want +got:\n%s", test.name, diff)
			}
		}
	}
}

func TestCSVColumnsErrors(t *testing.T) {
	presets := strings.Join(names(trace.Presets()), ", ")
	for _, test := range []struct{ columns, want string }{
		{"submit", "want the name of a preset (" + presets + "), or a list of key=column and ?condition"},
		{"=t", `"=t" is not key=column or ?condition`},
		{`submit="t,runtime=d`, `a quote is not closed: "t,runtime=d`},
		{"runtime=d", "submit is not given"},
		{"submit=t", "want either runtime or both start and end"},
		{"submit=t,runtime=d,start=a,end=b", "want either runtime or both start and end"},
		{"submit=t,submit=u,runtime=d", "submit is given twice"},
		{"submit=t,runtime=d,x=y,@x=z", "x is given twice"},
		{"submit=t:GiB,runtime=d", `submit has no unit "GiB", want one of s, ns, us, ms, min, h, unix, unixms, unixus, unixns, date`},
		{"submit=t,runtime=2*a+1*b:clock", "a sum is not in unit clock"},
		{"submit=t,start=a:unix,end=b", "want start and end both since 1970, or neither"},
		{"submit=t,runtime=d,deadline=e:date", "want submit and deadline both since 1970, or neither"},
		{"submit=t,runtime=d,limited=l", "limited is given without requested"},
		{"submit=t,runtime=d,utility=u", "utility is given without deadline"},
		{"submit=t,runtime=d,tasks=n,gang=n", "want tasks or gang, not both"},
		{"submit=t,runtime=d,job=j,tasks=n", "with job, each row is a task, so want neither tasks nor gang"},
		{"submit=t,runtime=d,stage=s", "stage, task and parents want job"},
		{"submit=t,runtime=d,job=*,task=s", "want both task and parents, or neither"},
		{"submit=t,runtime=d,job=*,job=j", "job is given twice"},
		{"submit=t,runtime=d,job=j,stage=s,task=i,parents=p", "with task and parents, each row is a stage, so want no stage"},
		{"submit=t,runtime=d,need.=g", "need. names no resource, want such as need.gpu"},
		{"submit=t,runtime=d,need.gpu=g,need.gpu=h", "need.gpu is given twice"},
		{"submit=t,runtime=d,need.gpu=g:GiB", `need.gpu has no unit "GiB", want one of units, milli`},
		{"submit=t,runtime=d,need.gpu=g/0", `need.gpu: a task may take "0" units, want 1 to 1e6`},
		{"submit=t,runtime=d,need.gpu=g*", "need.gpu names no column, want such as need.gpu=gpus or need.gpu=gpus*share"},
		{"submit=t,runtime=d,need.gpu=g/8,need.x=h/8", "two needs have a limit of a task, want at most one"},
		{"submit=t,runtime=d,gang=n,need.gpu=g/8", "a need with a limit of a task makes gangs, so want neither tasks, gang nor job"},
		{"submit=t,runtime=d,job=n,need.gpu=g/8", "a need with a limit of a task makes gangs, so want neither tasks, gang nor job"},
		{"submit=t,runtime=d,need.a=x,need.b=x,need.c=x,need.d=x,need.e=x,need.f=x,need.g=x,need.h=x,need.i=x", "9 needs, want at most 8"},
		{"1=submit,runtime=d", `"d" is not the number of a column, as in 1=submit: name all columns by numbers, or all by names`},
		{"0=submit,2=runtime", `"0" is not the number of a column, as in 1=submit: name all columns by numbers, or all by names`},
		{"1=submit,2=runtime:GiB", `runtime has no unit "GiB", want one of s, ns, us, ms, min, h, clock`},
		{"submit=t,runtime=d,?", "? names no column"},
		{`submit=t,runtime=d,?"a"b=c`, `?"a"b=c is not a condition: want ?column, ?column=text, ?column!=text or ?column>number`},
		{`submit=t,runtime=d,?"a"?`, `?"a"? is not a condition: want ?column, ?column=text, ?column!=text or ?column>number`},
		{"submit=t,runtime=d,?a!b", "?a!b is not a condition: want ?column, ?column=text, ?column!=text or ?column>number"},
		{"submit=t,runtime=d,?a>b", `"b" is not a number`},
	} {
		_, err := trace.NewReader("x", strings.NewReader(""), table(test.columns))
		want := fmt.Sprintf("trace: columns %q: %s", test.columns, test.want)
		if err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}

// What is left out for a condition is counted by the condition.
func TestCSVSkipped(t *testing.T) {
	r := reader(t, []byte("t,a,b\n1,x,\n1,,1\n2,y,1\n3,x,1\n"), table("submit=t,runtime=t,?b,?a=x,?t>2"))
	if jobs := jobtest.All(t, r.Jobs()); len(jobs) != 1 {
		t.Errorf("got %d jobs, want 1", len(jobs))
	}
	wantSkipped(t, r, map[string]int{"a is not x": 2, "b is blank": 1})
}

func TestPresets(t *testing.T) {
	presets := 0
	for name, about := range trace.Presets() {
		if presets++; about == "" {
			t.Errorf("%s: got nothing about it", name)
		}
		if _, err := trace.NewReader("x", strings.NewReader(""), table(name)); err != nil {
			t.Error(err)
		}
	}
	if presets == 0 {
		t.Error("got no presets")
	}
}

// What a newcomer gets wrong first is answered with what to write.
func TestCSVHints(t *testing.T) {
	for _, test := range []struct{ columns, text, want string }{
		{"submit=t,runtime=d", "t,d\n1700000000,5\n", `x:2: submit is beyond 1e9 s; if it counts from 1970, say submit=t:unix: 1.7e+09 s`},
		{"submit=t:ms,runtime=d", "t,d\n1700000000000,5\n", `x:2: submit is beyond 1e9 s; if it counts from 1970, say submit=t:unixms: 1.7e+09 s`},
		{"submit=t,runtime=d", "t,d\n1700000000000,5\n", `x:2: submit is out of range; if it counts from 1970, say submit=t:unixms: "1700000000000"`},
		{"submit=t:unix,runtime=d", "t,d\n1700000000000000,5\n", `x:2: submit is out of range; if it counts from 1970, say submit=t:unixus: "1700000000000000"`},
		{"submit=t,runtime=d", "t,d\n2026-01-02 03:04:05,5\n", `x:2: submit is not a number of s; for a date say submit=t:date: "2026-01-02 03:04:05"`},
		{"submit=t,runtime=d:ms", "t,d\n0,1-02:03:04\n", `x:2: runtime is not a number of ms; for hours, minutes and seconds say runtime=d:clock: "1-02:03:04"`},
		{"submit=t,runtime=d:clock", "t,d\n0,90\n", `x:2: runtime is no span such as 1-02:03:04: "90"`},
		{"submit=t,runtime=d", "t,d\nsoon,5\n", `x:2: submit is not a number of s: "soon"`},
		{"submit=t,runtime=d", "t,d\n5e17,5\n", `x:2: submit is out of range: "5e17"`},
		{"submit=t,runtime=d,deadline=e", "t,d,e\n0,5,1.7e9\n", `x:2: deadline is beyond 1e9 s; if it counts from 1970, say deadline=e:unix: 1.7e+09 s`},
		{"submit=s,runtime=d", "t;d;u\n", `x:1: the first line lacks column s: "t;d;u"`},
		{"", "time;d;u\n", `x: the first line is of no known format, so name one, or the columns of a table: "time;d;u"; of a table in CSV, say which columns are what, such as submit=time,runtime=COLUMN`},
		{"", "JobID,time,took\n", `x: the first line is of no known format, so name one, or the columns of a table: "JobID,time,took"; of a table in CSV, say which columns are what, such as submit=time,runtime=took`},
		{"", "id,owner,submitted_at,duration_s\n", `x: the first line is of no known format, so name one, or the columns of a table: "id,owner,submitted_at,duration_s"; of a table in CSV, say which columns are what, such as submit=submitted_at,runtime=duration_s`},
		{"", "a,b\n", `x: the first line is of no known format, so name one, or the columns of a table: "a,b"; of a table in CSV, say which columns are what, such as submit=COLUMN,runtime=COLUMN`},
		{"", "timelimit,pending,time_submit,time_start,time_end\n", `x: the first line is of no known format, so name one, or the columns of a table: "timelimit,pending,time_submit,time_start,time_end"; of a table in CSV, say which columns are what, such as submit=time_submit,start=time_start,end=time_end`},
		{"submit=t:unix,runtime=d", "t,d\n0,5\n", `x:2: submit is before 1980, so it is no time: "0"`},
		{"submit=t:unixms,runtime=d", "t,d\n1700000000,5\n", `x:2: submit is before 1980, so it is no time; if it counts from 1970, say submit=t:unix: "1700000000"`},
		{"submit=t:date,runtime=d", "t,d\n1970-01-01 00:00:00,5\n", `x:2: submit is before 1980, so it is no time: "1970-01-01 00:00:00"`},
		{"", "1,b\n", `x: the first line is of no known format, so name one, or the columns of a table: "1,b"; of a table without a header, name the columns by their numbers, such as 1=submit,2=runtime`},
		{"submitted=t,runtime=d", "", `trace: columns "submitted=t,runtime=d": submit is not given; submitted=t makes an attribute, so say submit=t`},
		{"user=u,Arrival_Time=t,runtime=d", "", `trace: columns "user=u,Arrival_Time=t,runtime=d": submit is not given; Arrival_Time=t makes an attribute, so say submit=t`},
		{"submit=t,duration=d:ms", "", `trace: columns "submit=t,duration=d:ms": want either runtime or both start and end; duration=d:ms makes an attribute, so say runtime=d:ms`},
	} {
		r, err := trace.NewReader("x", strings.NewReader(test.text), trace.ReaderConfig{Columns: test.columns})
		if err == nil {
			_, err = jobtest.Drain(r.Jobs())
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("columns %q of %q: got error\n%v, want\n%s", test.columns, test.text, err, test.want)
		}
	}
}

// A request to a language model runs for as long as its prompt and its answer are, and what is known of it is the prompt.
func TestAzureLLM(t *testing.T) {
	const text = "\ufeffTIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805901,1000,10\r\n2023-11-16 18:15:47.6805902,0,1\r\n"
	want := []*workload.Job{
		with(gang(1, 0, 1, s/2, "prompt=1000", "hour=18", "day=Thursday"), func(j *workload.Job) {
			j.At = time.Date(2023, time.November, 16, 18, 15, 46, 680_590_100, time.UTC)
		}),
		with(gang(2, s+100, 1, 30*s/1000, "prompt=0", "hour=18", "day=Thursday"), func(j *workload.Job) {
			j.At = time.Date(2023, time.November, 16, 18, 15, 47, 680_590_200, time.UTC)
		}),
	}
	if diff := cmp.Diff(want, jobtest.All(t, reader(t, []byte(text), trace.ReaderConfig{}).Jobs())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A row without a time is one that is dropped, whether or not it is the first, and no other is.
func TestCSVNoTime(t *testing.T) {
	for _, text := range []string{"t,d\n0,0\n1700000000,60\n1700000010,60\n", "t,d\n1700000000,60\n0,5\n1700000010,60\n", "t,d\n-1,5\n1700000000,60\n1,0\n1700000010,60\n"} {
		r, err := trace.NewReader("x", strings.NewReader(text), trace.ReaderConfig{Columns: "submit=t:unix,runtime=d", Lenient: true})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := jobtest.Drain(r.Jobs())
		if err != nil || len(jobs) != 2 || jobs[1].Submitted != 10e9 {
			t.Errorf("%q: got %d jobs and error %v, want 2, 10 s apart", text, len(jobs), err)
		}
	}
}

// Names of parents may be a list as Python writes it, and cores a percentage.
func TestCSVLists(t *testing.T) {
	const text = "w,id,t,d,p,c\n1,a,0,5,[],250\n1,b,0,5,['a'],100\n1,c,0,5,\"['a', 'b']\",50\n"
	r, err := trace.NewReader("x", strings.NewReader(text), trace.ReaderConfig{Columns: "job=w,task=id,parents=p,submit=t,runtime=d,cores=c:percent"})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := jobtest.Drain(r.Jobs())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs and error %v, want 1", len(jobs), err)
	}
	var got []string
	for _, s := range jobs[0].Stages {
		got = append(got, fmt.Sprint(s.Cores, s.Reads))
	}
	if diff := cmp.Diff([]string{"3 []", "1 [{0 false}]", "1 [{0 false} {1 false}]"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
