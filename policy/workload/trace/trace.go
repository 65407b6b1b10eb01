// Package trace reads jobs from files: logs of clusters and traces that were published, in eight formats.
//
// [Open] reads a file or a directory of any of these formats, and [NewReader] reads what is open already, packed
// with gzip or not; [Reader.Jobs] yields the jobs. [Write] writes the format called augur. [Formats] and
// [Presets] list what can be named in a [ReaderConfig], which for most files can stay empty:
//
//	reader, err := trace.Open("log.swf.gz", trace.ReaderConfig{})
//	...
//	jobs, err := workload.ReadAll(reader.Jobs())
//
// An error is a [*RowError], which names the file, the line and what is wrong there. A lenient reader leaves out
// rows that it cannot read, and [Reader.Dropped] counts them. Numbers are decimal, such as 12.5 or 1e-3.
// These are the formats.
//
// # tr
//
// tr is the form of the simulators of Sparrow, Hawk and Eagle, one job a line: its arrival in
// seconds, the number n of its tasks, their mean runtime in seconds, which is ignored, and n
// runtimes in seconds, separated by blanks. Each task takes one core.
//
// # swf
//
// swf is the Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18
// columns, and comments that begin with a semicolon. A job of p processors (those allocated,
// or else requested) is a gang of p tasks of one core; p is at most 2^20. Attributes are the
// numbers of its user, group, program (executable) and partition, where known; if the file
// tells its UnixStartTime, also the hour (0 to 23) and day (Monday) of submission, in UTC.
// What its user requested is policy.Job.Requested, which is 0 throughout in many logs that do not
// tell: [workload.Request] fills it in.
// Skipped are rows of parts of a job that was swapped out (status 2 to 4) and rows without a
// run time, processors or submit time. Preceding jobs and think times are ignored. The
// dialect of the log wagap-2013 has three columns more and memory in bytes on each node;
// columns 13 to 18 mean nothing in it, so that its jobs have no attribute but the user, hour
// and day. If the first submit time of a file is above 1e9 s, they are all Unix seconds, and
// counted from the first.
//
// # csv
//
// csv is any table in CSV with a header line. [ReaderConfig].Columns is the name of one of
// [Presets], or says which columns are read, as key=column or key=column:unit, separated by
// commas:
//
//	submit=submit_us:us,start=schedule_us:us,end=end_us:us,user=user,?end_event=FINISH
//
// A row is a job. These are the keys, of which submit is needed, and either runtime or both
// start and end:
//
//   - submit, start, end, deadline: instants, in ns, us, ms, s (the default), min or h; or
//     since 1970, in unix (s), unixms, unixus or unixns, or date, written such as
//     2006-01-02 15:04:05, in UTC unless a zone follows. If submit is since 1970, jobs are
//     submitted from the instant of the first row on, before which others may be, and have
//     the attributes hour (0 to 23) and day (Monday) in UTC.
//   - runtime, requested: spans, in ns, us, ms, s (the default), min or h.
//   - tasks, or instead gang, if they run together: a number from 1 to 2^20; 1 if not given.
//   - cores of each task: a number of cores (the default), or milli; part of one is rounded
//     up, and 1 is the least.
//   - memory of each task: in B (the default), KiB, MiB, GiB, KB, MB or GB.
//   - need.NAME, such as need.gpu: what each task needs of a named resource, in units (the default) or milli. A blank or 0
//     needs none of it. count*amount multiplies two columns, of which count is a natural number. With column/8 a task takes at
//     most 8 units: a row that needs more is a gang of the fewest tasks that share its needs, cores and memory evenly.
//   - priority; queue; utility of meeting the deadline, 1 if not given.
//   - any other key is an attribute, which is left out where the table is blank; so is one after
//     @, as in @memory=request, be it a key of these or not.
//
// With job=column, rows of the same job are its tasks; job=* makes one job of all rows. They
// form one stage; with stage=column, one for each name in it, and those do not read each
// other; with task=column,parents=column, each task is a stage that reads those of its
// parents, whose names are separated by blanks. The job is submitted with the first of its
// tasks, it requests what the row that requests most does, a stage takes the most cores,
// memory and named resources that one of its rows does, and all else is that of the first row. These jobs come
// after the last row, and until then all are in memory.
//
// A cluster whose nodes offer no named resources cannot run jobs that need some. So the presets philly and alibaba_gpu, which
// a header stands for, need none, and philly_needs and alibaba_gpu_needs must be named.
//
// A row is skipped unless all of the conditions hold: ?column (it is not blank),
// ?column=text, ?column!=text, ?column>number. A column in quotes may hold commas and
// doubled quotes, but no end of line.
//
// # swim
//
// swim is the form of the samples of Facebook's Hadoop workloads of SWIM, one job a line:
// columns separated by tabs, which tell bytes instead of runtimes. A task handles
// [ReaderConfig].Throughput bytes a second. A job has a map task for each 64 MiB of input, at
// least one, and, if it shuffles anything, a reduce stage that reads that of the maps, with
// a task for each 64 MiB of shuffle and output, rounded to the nearest number and at least
// one; in jobs that shuffle nothing the maps write the output. The tasks of a stage share
// its bytes evenly. The path of the input, where there is one, is the attribute input.
//
// # augur
//
// augur is this library's own, one JSON object a line: the fields of [policy.Job],
// runtimes, a list for each stage, and luck, a [workload.Luck]. Times are whole numbers of nanoseconds, IDs increase from
// line to line, and a field that is not known, comes twice or is not in lower case is an error:
//
//	{"id":1,"submitted":0,"stages":[{"tasks":2,"cores":1}],"runtimes":[[5000000000,7000000000]]}
//
// # google2011
//
// google2011 is Google's ClusterData2011_2 as it was published: job_events, rows of 8 columns,
// and task_events, of 13, without a header. Of a directory with both, each a folder of parts,
// the two are merged by time, so that memory is that of the jobs that are live; other tables
// are left out. A job comes when it and its tasks are over, and what is left at the end of
// the trace then; so they are not in order of submission. It is one stage with a task of one
// core for each task index that ran:
//   - A task runs for as long as its last attempt that ended with FINISH, FAIL or KILL: a task
//     that failed or was killed used the cluster until then. Attempts before that one, and those
//     that end with EVICT or LOST, are left out.
//   - Tasks that never ran, that began before the trace or still run at its end, or that were only
//     evicted or lost, are left out, and jobs that have no others. [Reader.Skipped] counts all
//     of this.
//   - A job is submitted at its first SUBMIT, or else its first task's, or else when it is first seen;
//     at 0, with no calendar time, if that was before the trace. Instant 0 is 18:50 EDT on
//     1 May 2011, 600 s before the trace begins.
//   - Its attributes are user, program (the logical job name), jobname, class (scheduling class,
//     3 is the most latency-sensitive), of its first task cpu and memory (the request, as a
//     fraction of the largest machine), and hour and day of its submission. The first task's
//     priority is the job's, 0 to 11.
//   - The mark of missing info is not looked at.
//
// Without job_events nothing tells the end of a job, so all jobs come at the end of the trace,
// which is in memory then. Without task_events each job is one task, from its SCHEDULE to its
// end.
//
// # alibaba2018
//
// alibaba2018 is the batch jobs of Alibaba's cluster-trace-v2018, unpacked or each file packed
// with gzip: batch_task, rows of 9 columns, and batch_instance, of 14, without a header, alone
// or in one directory; other tables are left out. Rows of a job need not be together, so all are
// kept until the end, about 130 bytes a row of batch_task, 2 GB for the whole table, and 8 to 16
// a row of batch_instance; then jobs come in order of submission. A row may stand for many tasks, those
// of a job for up to 2^20: a small file may hold large jobs.
//   - A task of the trace is a stage. Its name says what it reads: R4_2_3 is number 4 and reads
//     2 and 3, if the job has them; letters say nothing, nor does a last part such as Stg3. Names
//     of another form, such as task_Nzg3 and MergeTask, are of stages that read nothing.
//   - An instance is a task of that stage. It runs for the time between its start and its end in
//     batch_instance; of one that was tried again, the last attempt (seq_no is total_seq_no).
//     Where batch_instance has no rows of a task, each of its instances runs for as long as the
//     task did.
//   - plan_cpu, in hundredths of a core, is rounded up to cores; 1 if it is not known.
//   - The trace does not tell when a job was submitted: it is the first start_time of its tasks.
//   - Its attributes are jobname, and of its first task type (task_type), cpu and memory (plan_cpu
//     and plan_mem as they are).
//   - What did not end as Terminated, has no start or end, or comes again is left out, and jobs
//     of which nothing is left. [Reader.Skipped] counts all of this.
//
// # wfcommons
//
// wfcommons is a workflow of WfCommons, one a file, in WfFormat 1.5, JSON; a directory is a
// workload, of which files that do not end in .json or .json.gz are left out. A file may have
// 2^26 bytes and 2^20 objects, arrays and nulls, and is held in memory while it is read; jobs
// come in the order of the names of the files.
//   - A task of a workflow is a task of a stage, which reads those of its parents. Tasks whose
//     names are the same but for a number after _ID, and which have the same parents, children
//     and cores, are one stage: that makes no task wait for more or less. The lists of children
//     are not looked at.
//   - A task runs for its runtimeInSeconds, on its coreCount, rounded up, or one core. The memory
//     of a stage is the most memoryInBytes of its tasks.
//   - A workflow is submitted when it was executed, counted from the executedAt of the first file
//     that has one: instants may be below 0. At is that time.
//   - Its attributes are jobname, the name of the workflow; program, the same without the time of
//     the run that some systems put at its end; hour, 0 to 23, and day, such as Monday, of its
//     submission.
//
// # When not to use it
//
// A trace tells when jobs came under the scheduler that there was; under another one users would have
// behaved differently. Runtimes in a trace are those on its machines, with its failures. Read what
// [Reader.Skipped] and [Reader.Dropped] count before you trust a result. If there is no trace, package
// workload and package paper generate jobs.
//
// # Cost
//
// A [Reader] holds one job at a time where the format lets it, and the section on the format
// says where not. A few bytes of a trace may stand for many tasks, so [ReaderConfig].Budget bounds
// what all jobs take.
//
// # Source
//
// The formats are described by those who publish them: the Parallel Workloads Archive (swf), Google
// and Alibaba with their traces, WfCommons, and SWIM.
package trace
