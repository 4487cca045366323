package peers

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// shorterKeys is the source of a library that is preloaded into the reference programs. monero-wallet-rpc generates an
// RSA key of 4096 bits for every wallet that it opens or creates, and monerod at every start, even with SSL disabled.
// That takes seconds, and no test depends on it. Keys of 2048 bits, the minimum that OpenSSL accepts for a server, with
// three primes instead of two take a fiftieth of the time.
const shorterKeys = `
#define _GNU_SOURCE
#include <dlfcn.h>
typedef int generate(void *rsa, int bits, int primes, void *exponent, void *callback);
int RSA_generate_key_ex(void *rsa, int bits, void *exponent, void *callback) {
	generate *real = (generate *)dlsym(RTLD_NEXT, "RSA_generate_multi_prime_key");
	return real(rsa, bits > 2048 ? 2048 : bits, 3, exponent, callback);
}
`

// quick returns an environment that preloads shorterKeys into the reference programs. It returns nil, which means the
// environment of this process, outside tests and on machines without a C compiler.
var quick = sync.OnceValue(func() []string {
	if !testing.Testing() {
		return nil
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil
	}
	cache, err := os.UserCacheDir() // other users cannot write there
	if err != nil || os.MkdirAll(cache, 0o700) != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(shorterKeys))
	name := filepath.Join(cache, "glim-peers-"+hex.EncodeToString(sum[:8])+".so")
	if _, err := os.Stat(name); err != nil {
		dir, err := os.MkdirTemp(cache, "glim-peers")
		if err != nil {
			return nil
		}
		defer os.RemoveAll(dir)
		source, made := filepath.Join(dir, "keys.c"), filepath.Join(dir, "keys.so")
		if os.WriteFile(source, []byte(shorterKeys), 0o600) != nil ||
			exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", made, source, "-ldl").Run() != nil ||
			os.Rename(made, name) != nil {
			return nil
		}
	}
	return append(os.Environ(), "LD_PRELOAD="+name)
})
