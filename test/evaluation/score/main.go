// Command score compares an assistant's conversations with the tasks in docs/evaluation, and lists what a reader still has
// to judge. The README there explains transcripts.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"foyer/test/evaluation"
)

func main() {
	tasks := flag.String("tasks", "docs/evaluation/tasks.json", "the tasks")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./test/evaluation/score [-tasks FILE] TRANSCRIPTS.json")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	failed, err := run(os.Stdout, *tasks, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run scores every transcript of a file, and returns how many failed.
func run(out io.Writer, tasks, transcripts string) (failed int, err error) {
	text, err := os.ReadFile(transcripts)
	if err != nil {
		return 0, err
	}
	var all []evaluation.Transcript
	if err := json.Unmarshal(text, &all); err != nil {
		return 0, fmt.Errorf("%s: %w", transcripts, err)
	}
	for _, transcript := range all {
		passed, err := score(out, tasks, transcript)
		if err != nil {
			return failed, err
		}
		if !passed {
			failed++
		}
	}
	fmt.Fprintf(out, "%d of %d conversations made the right calls. What they said is yours to judge.\n", len(all)-failed, len(all))
	return failed, nil
}

// score prints the findings of one conversation, and what is left to judge.
func score(out io.Writer, tasks string, transcript evaluation.Transcript) (passed bool, err error) {
	blanks, err := transcript.Blanks()
	if err != nil {
		return false, err
	}
	file, err := evaluation.Read(tasks, blanks)
	if err != nil {
		return false, err
	}
	task, known := file.Task(transcript.Task)
	if !known {
		return false, fmt.Errorf("there is no task %q", transcript.Task)
	}
	findings := evaluation.Score(file, task, transcript.Events)
	fmt.Fprintf(out, "%s: %s\n", task.ID, task.Title)
	for _, f := range findings {
		fmt.Fprintf(out, "  %s\n", f)
	}
	for _, text := range task.Must {
		fmt.Fprintf(out, "  yes? %s\n", text)
	}
	for _, text := range task.Never {
		fmt.Fprintf(out, "  no?  %s\n", text)
	}
	return !slices.ContainsFunc(findings, func(f evaluation.Finding) bool { return f.Weight == evaluation.Fault }), nil
}
