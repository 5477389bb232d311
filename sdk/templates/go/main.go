// The tool's name is the first argument, its input JSON on standard input. The answer goes to
// standard output; an error to standard error, with an exit code other than 0.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Exit codes that say whose matter an error is.
const (
	failed       = 1
	invalidInput = 2
	notFound     = 4
)

type input struct {
	Text string `json:"text"`
	Path string `json:"path"`
}

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fail(invalidInput, err.Error())
	}
	if len(os.Args) < 2 {
		fail(notFound, "no tool is named")
	}
	switch tool := os.Args[1]; tool {
	case "count":
		answer(given.Text, "the text")
	case "count-file":
		text, err := os.ReadFile(given.Path)
		if errors.Is(err, fs.ErrNotExist) {
			fail(notFound, err.Error())
		} else if err != nil {
			fail(failed, err.Error())
		}
		answer(string(text), given.Path)
	default:
		fail(notFound, "there is no tool "+tool)
	}
}

func answer(text, place string) {
	words := len(strings.Fields(text))
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"content": map[string]any{"words": words},
		"summary": fmt.Sprintf("%d words in %s", words, place),
	})
}

func fail(code int, reason string) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(code)
}
