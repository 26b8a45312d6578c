// Package evaluation reads docs/evaluation, the tasks for testing an assistant, and scores what an assistant did.
//
// The package talks to no assistant, and it judges no sentence: it compares calls, finds phrases that are worth a look, and
// leaves the rest to a reader.
package evaluation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// File is docs/evaluation/tasks.json.
type File struct {
	Schema  string `json:"$schema"`
	Version int    `json:"version"`
	Signs   []Sign `json:"signs"`
	Tasks   []Task `json:"tasks"`
}

// Task is one conversation, with what is right and what is wrong in it.
type Task struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Context string   `json:"context"`
	Before  *Call    `json:"before"` // made before the conversation, for its lead_id
	Turns   []Turn   `json:"turns"`
	IfAsked []Answer `json:"if_asked"`
	Steps   []Step   `json:"calls"`
	Must    []string `json:"must"`
	Never   []string `json:"never"`
	Wrong   []Wrong  `json:"wrong_calls"`
	Signs   []Sign   `json:"signs"`
	Reply   struct {
		Good string `json:"good"`
		Bad  string `json:"bad"`
	} `json:"reply"`
	Why string `json:"why"`
}

// Call is a call of a tool.
type Call struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

// Turn is what the person says, whatever the assistant said before.
type Turn struct {
	Says     string `json:"says"`
	Consents bool   `json:"consents"` // to being called or texted
}

// Answer is what the person says when asked about something.
type Answer struct {
	About    string `json:"about"`
	Says     string `json:"says"`
	Consents bool   `json:"consents"`
}

// Step is a call that a good assistant makes, in one of the acceptable ways.
type Step struct {
	AnyOf    []Expected `json:"any_of"`
	Optional bool       `json:"optional"`
}

// Expected is one way to make a call, with an example.
type Expected struct {
	Tool      string             `json:"tool"`
	Arguments map[string]Matcher `json:"arguments"`
	Example   map[string]any     `json:"example"`
}

// Wrong is a call that a good assistant does not make, and what the service does with the example.
type Wrong struct {
	Tool      string             `json:"tool"`
	Arguments map[string]Matcher `json:"arguments"`
	Example   map[string]any     `json:"example"`
	Service   string             `json:"service"`
	Error     string             `json:"error"`
	Fields    []string           `json:"fields"`
	Why       string             `json:"why"`
}

// Accepted reports whether the service accepts the call, so that only the assistant can prevent it.
func (w Wrong) Accepted() bool { return w.Service == "accepts" }

// Read reads the tasks, with every blank filled in.
func Read(path string, blanks Blanks) (File, error) {
	var file File
	text, err := os.ReadFile(path)
	if err != nil {
		return file, err
	}
	decoder := json.NewDecoder(bytes.NewReader(blanks.fill(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return file, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// Task finds a task by its id.
func (f File) Task(id string) (Task, bool) {
	for _, task := range f.Tasks {
		if task.ID == id {
			return task, true
		}
	}
	return Task{}, false
}
