package main

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Patterns of downloads. Everything that is fetched to build, test and publish must be pinned by its content, and no
// npm package may run install scripts.
var (
	uses     = regexp.MustCompile(`(?m)^\s*-?\s*uses:\s*(.+)$`)
	byCommit = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+$`)
	from     = regexp.MustCompile(`(?mi)^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?`)
	copyFrom = regexp.MustCompile(`(?mi)^\s*(?:COPY|ADD)\s.*--from=(\S+)`)
	byDigest = regexp.MustCompile(`^[\w./:-]+@sha256:[0-9a-f]{64}$`)
	npmGets  = regexp.MustCompile(`(?m)\b(?:npm[\s",\[]+(?:ci|install|i|add|update|exec)\b|npx\b|yarn\b|pnpm\b).*$`)
	pipGets  = regexp.MustCompile(`(?m)\bpip3?\b.*\b(?:install|download|wheel)\b.*$`)
	goGets   = regexp.MustCompile(`[\w.-]+\.[a-z]+/[\w./-]+@(latest|upgrade|patch|main|master|HEAD)\b`)
	download = regexp.MustCompile(`(?m)^.*\b(?:curl|wget)\b.*-\w*[oO]\b.*$`)
	checked  = regexp.MustCompile(`[0-9a-f]{64}.*sha256sum -c`)
	noScript = regexp.MustCompile(`--ignore-scripts\b|^npx --no-install\b`)
)

// unpinned returns what a file fetches without pinning, or with install scripts.
func unpinned(name, text string) (found []string) {
	name = filepath.ToSlash(name)
	workflow := strings.Contains(name, ".github/workflows/")
	if workflow {
		for _, m := range uses.FindAllStringSubmatch(text, -1) {
			if ref := strings.TrimSpace(m[1]); !byCommit.MatchString(ref) && !strings.HasPrefix(ref, "./") {
				found = append(found, "uses "+ref)
			}
		}
		if strings.Contains(text, "image:") {
			found = append(found, "an image in a workflow")
		}
	}
	if base := path.Base(name); strings.HasPrefix(base, "Dockerfile") && !strings.HasSuffix(base, "ignore") {
		stages := map[string]bool{"scratch": true}
		for _, m := range from.FindAllStringSubmatch(text, -1) {
			if !stages[m[1]] && !byDigest.MatchString(m[1]) {
				found = append(found, "FROM "+m[1])
			}
			stages[m[2]] = true
		}
		for _, m := range copyFrom.FindAllStringSubmatch(text, -1) {
			if !stages[m[1]] && !byDigest.MatchString(m[1]) {
				found = append(found, "COPY --from="+m[1])
			}
		}
	}
	for _, m := range npmGets.FindAllString(text, -1) {
		if !noScript.MatchString(m) {
			found = append(found, m)
		}
	}
	for _, m := range pipGets.FindAllString(text, -1) {
		if !strings.Contains(m, "--require-hashes") {
			found = append(found, m)
		}
	}
	if m := goGets.FindString(text); m != "" {
		found = append(found, m)
	}
	if lines := download.FindAllString(text, -1); workflow && len(lines) != len(checked.FindAllString(text, -1)) {
		found = append(found, lines...)
	}
	return found
}

// fetches reports whether a file may fetch something: workflows, images, scripts and what these run.
func fetches(name string, text []byte) bool {
	base := path.Base(name)
	switch {
	case base == "Makefile", base == "package.json", strings.HasPrefix(base, "Dockerfile"),
		strings.Contains(name, ".github/"):
		return true
	case strings.HasPrefix(string(text), "#!"), path.Ext(base) == ".sh":
		return true
	}
	return path.Ext(base) == ".mjs" ||
		path.Ext(base) == ".go" && !strings.HasSuffix(base, "_test.go") &&
			strings.Contains(string(text), "exec.Command(\"npm\"")
}

func TestEverythingIsPinned(t *testing.T) {
	seen := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "node_modules" || base == "dist" ||
				strings.HasPrefix(base, ".") && base != ".github" && !strings.HasPrefix(base, "..") {
				return filepath.SkipDir
			}
			return nil
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(filepath.ToSlash(name), "../../"))
		if !fetches(rel, text) {
			return nil
		}
		seen[rel] = true
		for _, what := range unpinned(rel, string(text)) {
			t.Errorf("%s: not pinned by its content, or runs install scripts: %s", rel, what)
		}
		return nil
	}))
	for _, name := range []string{".github/workflows/mobile.yml", "scripts/deploy/Dockerfile", "scripts/web",
		"scripts/web-wallet", "scripts/web-extension",
		"scripts/npm-ci", "scripts/worker",
		"scripts/dropin", "scripts/audit", "web/sdk/package.json", "web/sdk/test/packaging.test.mjs"} {
		require.True(t, seen[name], name)
	}
}

// TestUnpinnedIsFound: every kind of unpinned download is found, and pinned ones pass.
func TestUnpinnedIsFound(t *testing.T) {
	digest, commit := "@sha256:"+strings.Repeat("a", 64), strings.Repeat("b", 40)
	const workflow, image, script = ".github/workflows/a.yml", "scripts/deploy/Dockerfile", "scripts/web"
	for _, c := range []struct{ name, text string }{
		{workflow, "      - uses: actions/checkout@v4\n"},
		{workflow, "      - uses: actions/checkout@v4.4.0 # v4.4.0\n"},
		{workflow, "        uses: actions/checkout@main\n"},
		{workflow, "      - uses: actions/checkout@" + commit[:39] + " # v4.4.0\n"},
		{workflow, "      - uses: actions/checkout@" + commit + "\n"},
		{workflow, "      - uses: docker://alpine:3\n"},
		{workflow, "    container:\n      image: alpine:3\n"},
		{workflow, "      - run: curl -fsSLo a.zip https://example.com/a.zip\n"},
		{workflow, "      - run: npm ci\n"},
		{image, "FROM golang:1.26\n"},
		{image, "FROM golang\n"},
		{image, "FROM --platform=$BUILDPLATFORM golang:1.26 AS build\n"},
		{image, "from golang:1.26@sha256:" + strings.Repeat("a", 63) + "\n"},
		{image, "ARG BASE\nFROM $BASE\n"},
		{image, "FROM scratch\nCOPY --from=alpine:3 /a /a\n"},
		{script, "(cd \"$1\" && npm ci --no-audit)\n"},
		{script, "npm install left-pad\n"},
		{script, "npx wrangler\n"},
		{script, "go run example.com/tool@latest\n"},
		{script, "pip install requests\n"},
		{script, "python3 -m pip --quiet install -r requirements.txt\n"},
		{"web/a.mjs", `await exec("npm", ["install", "--offline"]);`},
	} {
		require.NotEmpty(t, unpinned(c.name, c.text), c.text)
	}
	for _, c := range []struct{ name, text string }{
		{workflow, "      - uses: actions/checkout@" + commit + " # v4.4.0\n      - uses: ./here\n"},
		{
			workflow,
			"curl -fsSLo a.zip https://example.com/a.zip\n" +
				"echo \"" + strings.Repeat("a", 64) + "  a.zip\" | sha256sum -c\n",
		},
		{image, "FROM golang:1.26" + digest + " AS build\nFROM scratch\nCOPY --from=build /a /a\nFROM build\n"},
		{script, "python3 -m pip --quiet install --require-hashes -r requirements.txt\n"},
		{script, "npm ci --ignore-scripts --no-audit\nnpm run build\nnpm test\ngo run example.com/tool@v1.2.3\n"},
	} {
		require.Empty(t, unpinned(c.name, c.text), c.text)
	}
}

// TestLockFilesAreComplete: every npm package has a hash in a lock file and comes from the registry. make audit covers
// each lock file.
func TestLockFilesAreComplete(t *testing.T) {
	audit, err := os.ReadFile("../audit")
	require.NoError(t, err)
	require.NotContains(t, string(audit), "--omit")
	require.NotContains(t, string(audit), "--production")
	list := regexp.MustCompile(`locks="([^"]*)"`).FindStringSubmatch(string(audit))
	require.NotNil(t, list)
	audited := strings.Fields(list[1])
	locks := 0
	require.NoError(t, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil ||
			d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return skipped(err)
		}
		if d.Name() != "package-lock.json" {
			return nil
		}
		locks++
		require.Contains(t, audited, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../"))
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var lock struct {
			Packages map[string]struct {
				Resolved, Integrity string
				Link                bool
			}
		}
		require.NoError(t, json.Unmarshal(text, &lock), name)
		for at, p := range lock.Packages {
			if strings.Contains(at, "node_modules/") && !p.Link {
				require.True(t, strings.HasPrefix(p.Integrity, "sha512-") || strings.HasPrefix(p.Integrity, "sha1-"),
					"%s: %s has no hash", name, at)
				require.True(t, p.Resolved == "" || strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/"),
					"%s: %s comes from %s", name, at, p.Resolved)
			}
		}
		return nil
	}))
	require.Len(t, audited, locks)
}

// TestRequirementsAreComplete: every pip package has a version and a hash, and comes from PyPI.
func TestRequirementsAreComplete(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil ||
			d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return skipped(err)
		}
		if d.IsDir() || path.Ext(d.Name()) != ".txt" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), "--hash=") {
			return err
		}
		files++
		hashed := true
		for line := range strings.Lines(string(text)) {
			switch line = strings.TrimSpace(line); {
			case line == "", strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "--hash="):
				require.Regexp(t, `^--hash=sha256:[0-9a-f]{64}( \\)?$`, line, name)
				hashed = true
			default:
				require.True(t, hashed, "%s: the requirement before %s has no hash", name, line)
				require.Regexp(t, `^[a-z0-9-]+==[0-9.]+ \\$`, line, name)
				hashed = false
			}
		}
		require.True(t, hashed, name)
		return nil
	}))
	require.Equal(t, 2, files)
}

func skipped(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

// TestGradleVerifies: everything that the Android build takes from Maven Central is in Gradle's verification list with
// its hash, without exceptions.
func TestGradleVerifies(t *testing.T) {
	text, err := os.ReadFile("../../mobile/android/gradle/verification-metadata.xml")
	require.NoError(t, err)
	var list struct {
		Metadata bool `xml:"configuration>verify-metadata"`
		Trust    []struct {
			Group   string `xml:"group,attr"`
			Name    string `xml:"name,attr"`
			Version string `xml:"version,attr"`
			File    string `xml:"file,attr"`
			Regex   bool   `xml:"regex,attr"`
		} `xml:"configuration>trusted-artifacts>trust"`
		Components []struct {
			Group     string `xml:"group,attr"`
			Name      string `xml:"name,attr"`
			Version   string `xml:"version,attr"`
			Artifacts []struct {
				Name   string `xml:"name,attr"`
				SHA256 struct {
					Value string `xml:"value,attr"`
				} `xml:"sha256"`
			} `xml:"artifact"`
		} `xml:"components>component"`
	}
	require.NoError(t, xml.Unmarshal(text, &list))
	require.True(t, list.Metadata)
	have := map[string]bool{}
	for _, c := range list.Components {
		have[c.Group+":"+c.Name+":"+c.Version] = true
		require.NotEmpty(t, c.Artifacts)
		for _, a := range c.Artifacts {
			require.Regexp(t, `^[0-9a-f]{64}$`, a.SHA256.Value)
			require.True(t, strings.HasPrefix(a.Name, c.Name+"-"+c.Version), a.Name)
			exempt := false
			for _, trust := range list.Trust {
				require.True(t, trust.Regex)
				exempt = exempt ||
					matches(t, trust.Group, c.Group) && matches(t, trust.Name, c.Name) &&
						matches(t, trust.Version, c.Version) && matches(t, trust.File, a.Name)
			}
			require.False(t, exempt, "%s is exempt", a.Name)
		}
	}
	asked := 0
	for _, name := range []string{"../../mobile/android/app/build.gradle.kts", "../../mobile/kotlin/build.gradle.kts"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`"([\w.-]+:[\w.-]+:[\w.-]+)"`).FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(m[1], "androidx.") { // from Google's repository
				asked++
				require.True(t, have[m[1]], "%s is not in Gradle's list", m[1])
			}
		}
	}
	require.Positive(t, asked)
	plugins, err := os.ReadFile("../../mobile/android/build.gradle.kts")
	require.NoError(t, err)
	kotlin := regexp.MustCompile(`id\("org.jetbrains.kotlin.android"\) version "([\w.]+)"`).FindSubmatch(plugins)
	require.NotNil(t, kotlin)
	require.True(t, have["org.jetbrains.kotlin:kotlin-stdlib:"+string(kotlin[1])],
		"the plugin adds the standard library of its version")
}

// TestKotlinOfTheTests: the compiler and libraries of the Kotlin tests have the versions of the Android build, and the
// same hashes if both list them.
func TestKotlinOfTheTests(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile("../../mobile/" + name)
		require.NoError(t, err)
		return string(b)
	}
	list, gradle := read("kotlin/jars.sha256"), read("android/gradle/verification-metadata.xml")
	for line := range strings.Lines(list) {
		m := regexp.MustCompile(`^([0-9a-f]{64})  org/jetbrains/(?:[\w.-]+/)*([\w.-]+)/([\w.]+)/([\w.-]+)\.jar\n$`).
			FindStringSubmatch(line)
		require.NotNil(t, m, line)
		require.Equal(t, m[2]+"-"+m[3], m[4])
		if _, after, both := strings.Cut(gradle, `<artifact name="`+m[4]+`.jar">`); both {
			require.Equal(t, m[1], regexp.MustCompile(`[0-9a-f]{64}`).FindString(after), m[4])
		}
	}
	plugin := regexp.MustCompile(`id\("org.jetbrains.kotlin.android"\) version "([\w.]+)"`).
		FindStringSubmatch(read("android/build.gradle.kts"))
	coroutines := regexp.MustCompile(`kotlinx-coroutines-android:([\w.]+)"`).
		FindStringSubmatch(read("kotlin/build.gradle.kts"))
	require.NotNil(t, plugin)
	require.NotNil(t, coroutines)
	require.Contains(t, list, "/kotlin-compiler-embeddable-"+plugin[1]+".jar")
	require.Contains(t, list, "/kotlin-stdlib-"+plugin[1]+".jar")
	require.Contains(t, list, "/kotlinx-coroutines-core-jvm-"+coroutines[1]+".jar")
}

// matches reports whether a pattern of Gradle's list matches a complete text. It supports only the patterns in the
// list, because Go has no lookahead.
func matches(t *testing.T, pattern, text string) bool {
	t.Helper()
	if pattern == "" {
		return true
	}
	if not, ok := strings.CutPrefix(pattern, "^(?!"); ok {
		not, ok = strings.CutSuffix(not, "$).*")
		require.True(t, ok, pattern)
		return !regexp.MustCompile("^(?:" + not + ")$").MatchString(text)
	}
	return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(text)
}
