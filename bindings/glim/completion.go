package main

import (
	"fmt"
	"io"
	"strings"

	"glim/bindings/terminal"
)

// completeCommand is the command that the scripts of completion call with the words of a command line, of which the
// last one is to be completed. It prints the candidates, one a line; without any, the shell completes names of files.
const completeCommand = "__complete"

// completionScripts are the scripts by which shells complete the words of a command line.
// Sources: bash(1), Programmable Completion; zshcompsys(1) and zshcompwid(1); fish's complete and commandline.
var completionScripts = map[string]string{
	"bash": `_glim() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" ` + completeCommand + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _glim glim
`,
	"zsh": `#compdef glim
_glim() {
  local -a found
  found=(${(f)"$($words[1] ` + completeCommand + ` "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then
    compadd -a found
  else
    _files
  fi
}
compdef _glim glim
`,
	"fish": `function __glim_complete
  set -l words (commandline -opc)
  set -l found ($words[1] ` + completeCommand + ` $words[2..] "$(commandline -ct)" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c glim -f -a '(__glim_complete)'
`,
}

const completionUsage = `
Usage: glim completion bash|zsh|fish

Prints a script with which the shell completes the commands and flags of glim, and names of wallets.

  bash   eval "$(glim completion bash)"       in ~/.bashrc
  zsh    eval "$(glim completion zsh)"        in ~/.zshrc, after compinit
  fish   glim completion fish | source        in ~/.config/fish/config.fish
`

// completion prints the script for a shell and returns the exit code.
func completion(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
		fmt.Fprint(stdout, completionUsage)
		return 0
	}
	if len(args) != 1 || completionScripts[args[0]] == "" {
		fmt.Fprint(stderr, "glim completion: the argument must be bash, zsh or fish\n", completionUsage)
		return 2
	}
	fmt.Fprint(stdout, completionScripts[args[0]])
	return 0
}

// printCandidates prints what can complete the last word of a command line.
func printCandidates(line []string, out io.Writer) {
	for _, word := range candidates(line) {
		fmt.Fprintln(out, word)
	}
}

func candidates(line []string) (found []string) {
	if len(line) == 0 {
		return nil
	}
	begin := line[len(line)-1]
	var all []string
	switch {
	case len(line) == 1:
		all = commands
	case line[0] == "wallet":
		return terminal.Complete(line[1:])
	case !strings.HasPrefix(begin, "--"):
		if line[0] == "completion" {
			all = []string{"bash", "fish", "zsh"}
		}
	case line[0] == "wallet-rpc":
		all = namesOf(walletRPCFlags)
	case line[0] == "app":
		all = namesOf(appFlags)
	case line[0] == "daemon":
		all = namesOf(daemonFlags)
	case line[0] == "lws":
		all = namesOf(lwsFlags)
	case line[0] == "export-keys":
		all = namesOf(exportFlags)
	}
	for _, word := range all {
		if strings.HasPrefix(word, begin) {
			found = append(found, word)
		}
	}
	return found
}

// commands are the commands of glim.
var commands = []string{
	"app", "completion", "daemon", "demo", "export-keys", "help", "lws", "version", "wallet", "wallet-rpc",
}

// namesOf returns the flags that have an effect.
func namesOf[C any](flags []flag[C]) (names []string) {
	for _, f := range flags {
		if f.group != "" {
			names = append(names, "--"+f.name)
		}
	}
	return names
}
