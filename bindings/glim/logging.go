package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"
)

// logLevel returns the most verbose level in a log level of the reference, 0 to 4, or a list of categories.
func logLevel(s string) (slog.Level, error) {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '4' {
		return levelOfNumber(s[0]), nil
	}
	most, found := slog.LevelError, false
	number, more, listed := strings.Cut(s, ",")
	if listed && len(number) == 1 && number[0] >= '0' && number[0] <= '4' { // a level with exceptions by category
		most, s = levelOfNumber(number[0]), more
	}
	for part := range strings.SplitSeq(s, ",") {
		_, name, _ := strings.Cut(part, ":")
		level, known := levelNames[name]
		if !known {
			return 0, errLogLevel
		}
		most, found = min(most, level), true
	}
	if !found {
		return 0, errLogLevel
	}
	return most, nil
}

var errLogLevel = errors.New("--log-level must be 0 to 4, or a list of categories such as *:WARNING")

// levelOfNumber returns the slog level of the reference's level, a digit from 0 to 4.
func levelOfNumber(digit byte) slog.Level {
	switch digit {
	case '0':
		return slog.LevelWarn
	case '1':
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// levelNames maps the reference's level names to slog levels.
var levelNames = map[string]slog.Level{
	"FATAL": slog.LevelError, "ERROR": slog.LevelError, "WARNING": slog.LevelWarn,
	"INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug, "TRACE": slog.LevelDebug,
}

// newLog returns a log in text or JSON format, whose levels can be changed later.
func newLog(w io.Writer, format string, levels *logSwitch) *slog.Logger {
	all := &slog.HandlerOptions{Level: slog.LevelDebug} // levels filters further
	var lines slog.Handler = slog.NewTextHandler(w, all)
	if format == formatJSON {
		all.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration { // the default is a number without a unit
				a.Value = slog.StringValue(a.Value.Duration().String())
			}
			return a
		}
		lines = slog.NewJSONHandler(w, all)
	}
	return slog.New(&switchedHandler{Handler: lines, levels: levels})
}

// Log formats.
const (
	formatText = "text"
	formatJSON = "json"
)

// Logging configures the log.
type Logging struct {
	LogFormat   string
	LogFile     string // empty for standard error
	MaxFileSize int64  // bytes before rotation; 0 for no limit
	MaxFiles    int    // 0 for no limit

	logLevel string
}

// defaultLogging returns the defaults.
// Source: contrib/epee/include/misc_log_ex.h, MAX_LOG_FILE_SIZE, MAX_LOG_FILES.
func defaultLogging() Logging {
	return Logging{logLevel: "0", LogFormat: formatText, MaxFileSize: 104_850_000, MaxFiles: 50}
}

// loggingFlags returns the flags of monerod and monero-wallet-rpc about logs, for the Logging in a configuration.
func loggingFlags[C any](of func(*C) *Logging) []flag[C] {
	return []flag[C]{
		{"log-level", "0-4", "log level, or levels by category, such as *:WARNING,wallet:DEBUG (default 0)", groupLog,
			text(func(c *C) *string { return &of(c).logLevel })},
		{"log-format", "FORMAT", "text, or json for one JSON object a line (glim only; default text)", groupLog,
			text(func(c *C) *string { return &of(c).LogFormat })},
		{"log-file", "FILE", "log to FILE instead of standard error", groupLog,
			text(func(c *C) *string { return &of(c).LogFile })},
		{"max-log-file-size", "BYTES",
			"rotate the log file when it has this size (default 104850000; 0: never)", groupLog,
			number(func(c *C) *int64 { return &of(c).MaxFileSize }, 63)},
		{"max-log-files", "N", "keep at most N log files (default 50; 0: all)", groupLog,
			number(func(c *C) *int { return &of(c).MaxFiles }, 31)},
	}
}

func (l *Logging) finish() (err error) {
	if l.LogFormat != formatText && l.LogFormat != formatJSON {
		return fmt.Errorf("--log-format must be text or json")
	}
	_, err = logLevel(l.logLevel)
	return err
}

// open opens the log, which goes to the log file if there is one and otherwise to out.
func (l Logging) open(out io.Writer) (log *slog.Logger, levels *logSwitch, closeLog func() error, err error) {
	closeLog = func() error { return nil }
	if l.LogFile != "" {
		f, err := openLogFile(l.LogFile, l.MaxFileSize, l.MaxFiles, time.Now)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		out, closeLog = f, f.Close
	}
	levels = &logSwitch{}
	levels.set(l.logLevel)
	return newLog(out, l.LogFormat, levels), levels, closeLog, nil
}

// messages returns the writer for messages to the operator, such as the start and the end of a service. They go to out,
// and to the log too if that is a file. With JSON logs to standard error they are log lines.
func (l Logging) messages(out io.Writer, log *slog.Logger) io.Writer {
	lines := logLines{log.With(category, "global")}
	switch {
	case l.LogFile != "":
		return tee{out, lines}
	case l.LogFormat == formatJSON:
		return lines
	}
	return out
}

// logStart logs the start of a command, unless the log goes to a terminal as text.
func (l Logging) logStart(log *slog.Logger, command string) {
	if l.LogFile != "" || l.LogFormat == formatJSON {
		log.With(category, "global").Info(command+" starts", "version", version(), "process", os.Getpid())
	}
}

// tee writes to two writers and ignores errors of the first, which may be a closed terminal.
type tee [2]io.Writer

func (b tee) Write(p []byte) (int, error) {
	_, _ = b[0].Write(p)
	return b[1].Write(p)
}

// failed reports the error that ended a command: to out, and to the log if that is a file. With JSON logs to standard
// error it is a log line.
func (l Logging) failed(out io.Writer, command string, err error) {
	if l.LogFile != "" || l.LogFormat != formatJSON {
		fmt.Fprintf(out, "%s: %v\n", command, err)
	}
	if l.LogFile == "" && l.LogFormat != formatJSON {
		return
	}
	log, _, closeLog, openErr := l.open(out)
	if openErr != nil {
		return // the error was printed above
	}
	log.With(category, "global").Error(command+" failed", "error", err)
	_ = closeLog() // likewise
}

// logLines logs every write as a line.
type logLines struct{ log *slog.Logger }

func (l logLines) Write(b []byte) (int, error) {
	l.log.Info(strings.TrimSpace(string(b)))
	return len(b), nil
}

// setValid sets the list, or returns an error if it is invalid.
func (l *logSwitch) setValid(s string) error {
	_, err := logLevel(s)
	if err == nil {
		l.set(s)
	}
	return err
}
