// Counts the words of standard input and of the files that it is given.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	input, _ := io.ReadAll(os.Stdin)
	fmt.Println(len(strings.Fields(string(input))))
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		fmt.Println(path, len(strings.Fields(string(text))))
	}
}
