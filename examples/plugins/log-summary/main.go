// Summarises a log file. The tool's name is the first argument, its input JSON on standard input.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"sort"
	"strings"
)

// Exit codes that say whose matter an error is.
const (
	failed       = 1
	invalidInput = 2
	notFound     = 4
)

type input struct {
	Path string `json:"path"`
	Top  int    `json:"top"`
}

type message struct {
	Message string `json:"message"`
	Count   int    `json:"count"`
}

var (
	level    = regexp.MustCompile(`(?i)\b(trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b`)
	instant  = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d`)
	variable = regexp.MustCompile(`0x[0-9a-fA-F]+|[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{12,}\b|\d+`)
)

func main() {
	given := input{Top: 10}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fail(invalidInput, err)
	}
	if len(os.Args) < 2 || os.Args[1] != "summary" {
		fail(notFound, errors.New("there is no such tool"))
	}
	file, err := os.Open(given.Path)
	if errors.Is(err, fs.ErrNotExist) {
		fail(notFound, err)
	} else if err != nil {
		fail(failed, err)
	}
	summarise(file, given)
}

func summarise(file *os.File, given input) {
	levels, counts := map[string]int{}, map[string]int{}
	lines, first, last := 0, "", ""
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		line := strings.TrimSpace(scanner.Text())
		if line == "" {
			continue
		}
		lines++
		if at := instant.FindString(line); at != "" {
			if first == "" {
				first = at
			}
			last = at
			line = strings.Replace(line, at, "", 1)
		}
		if name := strings.ToLower(level.FindString(line)); name != "" {
			levels[strings.TrimSuffix(name, "ing")]++
		}
		counts[strings.TrimSpace(variable.ReplaceAllString(line, "#"))]++
	}
	if err := scanner.Err(); err != nil {
		fail(failed, fmt.Errorf("%s: %w", given.Path, err))
	}
	messages := []message{}
	for text, count := range counts {
		messages = append(messages, message{text, count})
	}
	sort.Slice(messages, func(i, j int) bool {
		if messages[i].Count != messages[j].Count {
			return messages[i].Count > messages[j].Count
		}
		return messages[i].Message < messages[j].Message
	})
	different := len(messages)
	if len(messages) > given.Top {
		messages = messages[:given.Top]
	}
	errorsFound := levels["error"] + levels["fatal"] + levels["critical"]
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"content": map[string]any{
			"lines": lines, "levels": levels, "first": first, "last": last,
			"different": different, "messages": messages,
		},
		"summary": fmt.Sprintf("%d lines, %d errors, %d different messages", lines, errorsFound, different),
	})
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(code)
}
