/** The messages of OpenAlias names. */
export const openalias = {
  "openalias.about": "Pay names such as donate.example.org in place of addresses. Off until you choose a resolver.",
  "openalias.accept": "Pay {name} even so. I have compared the address with what the recipient gave me.",
  "openalias.addressOf": "Address of {name}",
  "openalias.ambiguous": "{name} has more than one Monero address. Ask the recipient for an address.",
  "openalias.invalid": "The resolver {resolver} did not give a usable answer for this name.",
  "openalias.lookingUp": "Looking up {name}…",
  "openalias.notFound": "{name} has no Monero address of this network.",
  "openalias.notLookedUp":
    "Names are not looked up. Choose a resolver in Settings, under “OpenAlias names”, or enter an address.",
  "openalias.notSigned": "{name} gives no Monero address of this network that DNSSEC protects.",
  "openalias.off": "Names are not looked up any more",
  "openalias.on": "Names are looked up from now on",
  "openalias.resolver": "Resolver (DNS over HTTPS)",
  "openalias.resolverLike": "Enter it like https://dns.example/dns-query",
  "openalias.sees":
    "The resolver learns the name, the time and your IP address, but not the amount. Choose one you trust: it could give a false address.",
  "openalias.title": "OpenAlias names",
  "openalias.toHint": "Address, payment link or name",
  "openalias.turnOff": "Without a resolver, names are not looked up.",
  "openalias.unreachable": "The resolver {resolver} cannot be reached, or does not allow this page to ask.",
  "openalias.unsigned": "{name} is not protected by DNSSEC",
  "openalias.unsignedAbout": "Nobody vouches for the address: it may have been forged on the way.",
  "openalias.whenLeft": "The name is looked up when you leave this field or press “Review”.",
} as const;
