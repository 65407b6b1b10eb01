// Package trace reads jobs from files: cluster logs, published traces and tables. Most callers open a file or a directory in
// any of the formats below, which it recognises, and read all jobs:
//
//	reader, err := trace.Open("log.swf.gz", trace.ReaderConfig{})
//	...
//	jobs, err := workload.ReadAll(reader.Jobs())
//
// [NewReader] reads from an open file. Both accept gzip. [Write] writes the format called augur. A [ReaderConfig] can name one of
// [Formats] and [Presets].
//
// An error is a [*RowError], which names the file, the line and what is wrong there. A lenient reader drops rows that it
// cannot read, and [Reader.Dropped] counts them. Numbers are decimal, such as 12.5 or 1e-3. The formats follow.
//
// # tr
//
// tr is the format of the simulators of Sparrow, Hawk and Eagle. Each line is a job: its arrival, the number n of its tasks,
// their mean runtime, which is ignored, and n runtimes, separated by blanks. Times are in seconds. Each task takes one core.
//
// # swf
//
// swf is the Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18 columns, and comments that begin
// with a semicolon. A job of p processors (those allocated, or else requested) is a gang of p tasks of one core; p is at
// most 2^20. Attributes are the numbers of its user, group, program (executable) and partition, where known; if the file
// tells its UnixStartTime, also the hour (0 to 23) and day (Monday) of submission, in UTC. policy.Job.Requested is the time
// that the user requested. Many logs do not have it, so that it is 0: [workload.FillRequested] fills it in. The comments MaxNodes
// and MaxProcs tell the cluster: see [Reader.Cluster]. The reader skips
// rows of parts of a job that was swapped out (status 2 to 4) and rows without a run time, processors or submit time.
//
// With [ReaderConfig].Preceding a job waits until its preceding jobs are done ([policy.Inputs] with Wait). Column 17 has the
// number of one, or several joined by & as in 3&5. If the log has no such job, has it later in the file, or it was skipped,
// the job does not wait for it, and [Reader.Skipped] counts that. If a preceding job does not end as Done, the job that waits
// ends as NoInput. The reader ignores think times (column 18): a policy hears of a job when it is submitted, and no host
// holds it back from then on. The submissions of a real log have the think times in them. So a job starts too early, by up to
// its think time, only if the preceding job ends later than it did.
//
// The dialect of the log wagap-2013 has three more columns, and memory in bytes on
// each node. Its columns 13 to 18 mean nothing, so its jobs have only the attributes user, hour and day. If the first submit
// time of a file is above 1e9 s, all are Unix seconds, and are counted from the first.
//
// # gwf
//
// gwf is the Grid Workload Format of the Grid Workloads Archive. It has 29 columns, of which the first 16 are read as those of swf, and
// comments that begin with #. A line that names the columns may come first. Users, groups and programs may be words. Further
// attributes are site (where the job was submitted), vo (virtual organisation) and project. The reader ignores the requested memory,
// whose unit is uncertain, and the structure of a job. Submissions are Unix seconds.
//
// # pbs
//
// pbs is the accounting logs of PBS, OpenPBS and Torque, which are in server_priv/accounting: a file, or a directory with one
// for each day. The reader reads records of kind E, of jobs that have ended. [Reader.Skipped] counts the others by kind, and
// jobs that did not start.
//   - A job is a gang of one-core tasks, one for each processor of exec_host, or of Resource_List.ncpus if that is more; of
//     Resource_List.nodes if neither is there. It runs from start to end. Requested is Resource_List.walltime. The tasks share
//     Resource_List.mem evenly.
//   - A job is submitted when it became eligible to run (etime), or else was queued (qtime) or created (ctime): while it was held, it did
//     not wait. Instants count from the submission of the first job in the log, so others may be submitted before 0.
//   - Its attributes are user, group, account, jobname, and hour and day of its submission in UTC.
//
// # lsf
//
// lsf is the log lsb.acct of LSF and OpenLava. The reader reads the records JOB_FINISH. [Reader.Skipped] counts the others, and
// jobs that did not start. A job is a gang of one-core tasks, one for each processor in execHosts, in the long form or the short one
// (16*host). It runs from startTime to the time of the event, stops included. The log has no requested time. Attributes are user,
// project, jobname, program (the first word of the command, unless that is a script), hour and day. Instants count as those of pbs.
//
// # csv
//
// csv is any table. Commas, semicolons, tabs or the character | separate its columns: whichever the first line has most of. Blanks
// around a value do not count. [ReaderConfig].Columns is the name of one of [Presets], or says which columns are read, as
// key=column or key=column:unit, separated by commas. A table without a header has the numbers of its columns, from 1, instead
// of names, and they come first, as in the second line:
//
//	submit=submit_us:us,start=schedule_us:us,end=end_us:us,user=user,?end_event=FINISH
//	1=submit:date,2=runtime,3=user,?4=FINISH
//
// A row is a job. submit is required, and either runtime or both start and end. The keys are:
//
//   - submit, start, end, deadline: instants, in ns, us, ms, s (the default), min or h; or since 1970, in unix (s), unixms,
//     unixus or unixns, or date, written such as 2006-01-02 15:04:05, in UTC unless a zone follows. If submit is since 1970,
//     jobs are submitted from the instant of the first row on, before which others may be, and have the attributes hour (0
//     to 23) and day (Monday) in UTC.
//   - runtime, requested: spans, in ns, us, ms, s (the default), min or h, or clock, written such as 1-02:03:04, of days, hours,
//     minutes and seconds, or 03:04, of minutes and seconds. A runtime may be a sum of columns, each of which is
//     multiplied by a number, as in runtime=0.2*ContextTokens+30*GeneratedTokens:ms, which is what the preset azure_llm takes.
//   - limited: 1 or true if requested is a limit, at which the host ends the job ([policy.Job].Limited); 0, false or blank if
//     not. A row that requests nothing has no limit. A job whose tasks run for longer will be TimedOut.
//   - tasks, or instead gang, if they run together: a number from 1 to 2^20; 1 if not given.
//   - cores of each task: a number of cores (the default), percent or milli; part of one is rounded up, and 1 is the least.
//   - memory of each task: in B (the default), KiB, MiB, GiB, KB, MB or GB.
//   - need.NAME, such as need.gpu: what each task needs of a named resource, in units (the default) or milli. A blank or 0
//     needs none of it. count*amount multiplies two columns, of which count is a natural number. With column/8 a task takes at
//     most 8 units: a row that needs more is a gang of the fewest tasks that share its needs, cores and memory evenly.
//   - priority; queue; utility of meeting the deadline, 1 if not given.
//   - any other key is an attribute, left out where the table is blank. So is a key after @, as in @memory=request, even if
//     it is one of these.
//
// With job=column, rows of the same job are its tasks; job=* makes one job of all rows. They form one stage. With
// stage=column there is a stage for each name, and these do not read each other. With task=column,parents=column each task is a
// stage that reads the stages of its parents, whose names are separated by blanks or commas, in brackets or not. The job is
// submitted with the first of its tasks, requests the longest time of its rows, and is limited if one of them is. A
// stage takes the most cores, memory and named resources of its rows. All else comes from the first row.
// These jobs come after the last row, and until then all are in memory.
//
// A cluster whose nodes offer no named resources cannot run jobs that need some. So the presets philly and alibaba_gpu, which
// the reader recognises by the header, need none; name philly_needs and alibaba_gpu_needs.
//
// A row is skipped unless all of the conditions hold: ?column (it is not blank), ?column=text, ?column!=text,
// ?column>number. A column in quotes may hold commas and doubled quotes, but no end of line. In Columns a name with a comma
// stands in quotes, as in gang="nodes, all", and so does that of a condition with one of =!>, as in ?"end=state"=ok.
//
// # sacct
//
// sacct is what the command sacct of Slurm prints with -P or -p. It has the columns JobID or JobIDRaw, Submit, and Elapsed,
// ElapsedRaw or both Start and End. All others may be left out, and their order is free. This prints all that is of use:
//
//	sacct -P -X -a -S 2026-01-01 -E now -o JobID,Submit,Start,Elapsed,State,Timelimit,NNodes,AllocCPUS,ReqMem,AllocTRES,User,Account,Partition,QOS,JobName
//
// A row is a job, be it of an array or a part of a heterogeneous job. Steps of jobs are skipped.
//   - A job runs for the time Elapsed if its State is COMPLETED, FAILED, TIMEOUT, OUT_OF_MEMORY, DEADLINE or CANCELLED. All
//     others are skipped: those that have not ended, never began, or were ended for the sake of the cluster, such as NODE_FAIL
//     or PREEMPTED. [Reader.Skipped] counts them by State, and a CANCELLED one that did not run as without a start. Without
//     State, a row counts unless its Start or End says nothing, as Unknown and None do.
//   - The time limit is requested, and is a limit ([policy.Job].Limited) unless the job exceeded it and did not end as
//     TIMEOUT. A job that did would have run for longer than its limit, so its runtime is at least 1 s above.
//   - A job is a gang with a task for each node, and without a number of nodes for each CPU. CPUs and memory are shared evenly,
//     and are those allocated, or else requested. So are GPUs if the format is named as sacct_needs; otherwise no job needs any.
//   - Attributes are user, group (Account), qos, jobname, program (jobname without digits and marks at its end), cpu, memory (bytes)
//     and gpus, all three of the whole job. Its queue is the Partition.
//   - Times have no zone, and are read as UTC, so that the attributes hour and day are those of the cluster. Where the clock is put
//     forward or back, arrivals are an hour off.
//
// # swim
//
// swim is the format of SWIM's samples of Facebook's Hadoop workloads. Each line is a job, with columns separated by tabs,
// which give bytes instead of runtimes. A task handles [ReaderConfig].Throughput bytes per second. A job has a map task for
// each 64 MiB of input, at least one. If it shuffles anything, it has a reduce stage that reads the map stage, with a task
// for each 64 MiB of shuffle and output, rounded to the nearest number and at least one. Otherwise the maps write the
// output. The tasks of a stage share its bytes evenly. The path of the input, if there is one, is the attribute input.
//
// # augur
//
// augur is this library's own format. Each line is a JSON object with the fields of [policy.Job], name, runtimes (a list
// for each stage) and luck (a [workload.Luck]). Times are whole numbers of nanoseconds, and IDs increase from line to line. A
// field that is unknown, comes twice or is not in lower case is an error:
//
//	{"id":1,"submitted":0,"stages":[{"tasks":2,"cores":1}],"runtimes":[[5000000000,7000000000]]}
//
// # google2011
//
// google2011 is Google's ClusterData2011_2 as published: job_events, with rows of 8 columns, and task_events, with 13,
// without a header. If a directory has both, each a folder of parts, the reader merges the two by time, so that it holds
// only the live jobs in memory. It ignores other tables. It yields a job when the job and its tasks are over, and the
// remaining jobs at the end of the trace, so jobs are not in order of submission. A job is one stage, with a task of one
// core for each task index that ran:
//   - A task runs for as long as its last attempt that ended with FINISH, FAIL or KILL: a task that failed or was killed
//     used the cluster until then. Attempts before that one, and those that end with EVICT or LOST, are left out.
//   - Tasks that never ran, that began before the trace or still run at its end, or that were only evicted or lost, are left
//     out, and jobs that have no others. [Reader.Skipped] counts all of this.
//   - A job is submitted at its first SUBMIT, or else its first task's, or else when it is first seen; at 0, with no
//     calendar time, if that was before the trace. Instant 0 is 18:50 EDT on 1 May 2011, 600 s before the trace begins.
//   - Its attributes are user, program (the logical job name), jobname, class (scheduling class, 3 is the most
//     latency-sensitive), of its first task cpu and memory (the request, as a fraction of the largest machine), and hour and
//     day of its submission. The first task's priority is the job's, 0 to 11.
//   - The column for missing info is ignored.
//
// Without job_events the end of a job is unknown, so the reader holds all jobs in memory and yields them at the end of the
// trace. Without task_events each job is one task, from its SCHEDULE to its end.
//
// # alibaba2018
//
// alibaba2018 is the batch jobs of Alibaba's cluster-trace-v2018, unpacked or with each file packed by gzip: batch_task,
// with rows of 9 columns, and batch_instance, with 14, without a header, alone or in one directory. The reader ignores other
// tables. Rows of a job need not be together, so the reader holds all of them in memory, about 130 bytes per row of
// batch_task (2 GB for the whole table) and 8 to 16 per row of batch_instance. At the end it yields the jobs in order of
// submission. A row may stand for many tasks, the rows of a job for up to 2^20: a small file may hold large jobs.
//   - A task of the trace is a stage. Its name gives its inputs: R4_2_3 is number 4 and reads 2 and
//     3, if the job has them. Letters have no meaning, nor does a last part such as Stg3. A task
//     with a name of another form, such as task_Nzg3 or MergeTask, reads nothing.
//   - An instance is a task of that stage. It runs from its start to its end in batch_instance; if
//     it was retried, the last attempt counts (seq_no is total_seq_no). If batch_instance has no
//     rows of a task, each of its instances runs as long as the task did.
//   - plan_cpu, in hundredths of a core, is rounded up to cores; it is 1 if unknown.
//   - The trace does not give the submission of a job: it is the first start_time of its tasks.
//   - Its attributes are jobname, and from its first task type (task_type), cpu and memory (plan_cpu
//     and plan_mem unchanged).
//   - Rows that did not end as Terminated, lack a start or an end, or are duplicates are left out,
//     and so are jobs without any other rows. [Reader.Skipped] counts them.
//
// # wfcommons
//
// wfcommons is a workflow of WfCommons in WfFormat 1.0 to 1.5, JSON, one per file. A directory is a workload; files that do not end
// in .json or .json.gz are ignored. A file may have 2^26 bytes and 2^20 objects, arrays and nulls. The reader holds one file
// in memory, and yields jobs in the order of the file names.
//   - A task of a workflow is a task of a stage, which reads the stages of its parents. Tasks with
//     the same name up to a number after _ID, the same parents, children and cores form one stage;
//     this does not change the tasks for which a task waits. The lists of children are ignored. In
//     versions before 1.5 a task without a list of parents reads the tasks that write its input files.
//   - A task runs for its runtimeInSeconds, on its coreCount, rounded up, or one core. The memory
//     of a stage is the most memoryInBytes of its tasks.
//   - A workflow is submitted when it was executed, counted from the executedAt of the first file
//     that has one: instants may be below 0. At is that time.
//   - Its attributes are jobname, the name of the workflow; program, the same without the time of the run that some systems
//     put at its end; hour, 0 to 23, and day, such as Monday, of its submission.
//
// # When not to use it
//
// The arrivals in a trace depend on its scheduler: under another one users would have behaved differently. Runtimes in a trace
// are those on its machines, with its failures. Check [Reader.Skipped] and [Reader.Dropped] before you trust a result.
//
// # Cost
//
// A [Reader] holds one job at a time unless the section on the format says otherwise. [ReaderConfig].Budget bounds the memory of
// all jobs.
//
// # Source
//
// The formats are described by those who publish them: the Parallel Workloads Archive (swf), the Grid Workloads Archive (gwf), the
// manuals of PBS, Torque and LSF, Google and Alibaba with their traces, WfCommons, and SWIM; sacct by its manual page, of Slurm 25.11.
package trace
