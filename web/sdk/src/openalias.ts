/**
 * Looks up OpenAlias names, such as donate.getmonero.org: domain names whose TXT records contain an address of Monero.
 * It is a module of its own, glim/openalias, which nothing else loads.
 *
 * @module glim/openalias
 */
import { askResolver } from "./doh.js";
import { GlimError } from "./errors.js";
import type { CallOptions } from "./operation.js";
import type { WalletOperations } from "./operations.js";
import type { Network } from "./protocol.js";

/** Options of lookUp. */
export interface LookUpOptions extends CallOptions {
  /**
   * The address of a resolver for DNS over HTTPS (RFC 8484), which must allow the page, for example
   * https://dns.quad9.net/dns-query. The resolver sees the name and the IP address of the user. It validates the DNSSEC
   * signatures, so a dishonest resolver can return a false address. http: is accepted only for this machine.
   */
  resolver?: string;
  /** Whether to accept records without valid signatures. Anybody between the resolver and the owner can forge them. */
  acceptUnsigned?: boolean;
}

/** What lookUp uses of a Glim. */
export interface NameChecker {
  /** The network of the addresses. */
  readonly network: Network;
  /** The operation that checks an address. */
  readonly rpc: Pick<WalletOperations, "validateAddress">;
}

/** What a name stands for. Show the address to the user before anything is paid to it. */
export interface LookedUp extends OpenAliasRecord {
  /** The name, in lower case. The address is of the network of the Glim. */
  name: string;
  /** Whether signatures of DNSSEC protect the record. */
  signed: boolean;
}

/** Limits: the longest name and label of a domain, the longest record in bytes, and the most fields of a record. */
const maxName = 253;
const maxLabel = 63;
const maxRecord = 4096;
const maxFields = 64;

/**
 * Looks up the address of a name. Without a resolver, the wallet service of Glim.connect does it, if that is glim
 * wallet-rpc or monero-wallet-rpc, and validates the signatures itself.
 *
 * It fails with the reasons InvalidName, NameNotFound if the name has no address of the network, NameAmbiguous if it
 * has several, NameUnsigned if no valid signatures protect it, ResolverUnreachable and ResolverInvalid.
 */
export async function lookUp(glim: NameChecker, name: string, options: LookUpOptions = {}): Promise<LookedUp> {
  const { resolver, acceptUnsigned = false, signal } = options;
  const domain = parseName(name);
  const call: CallOptions = signal ? { signal } : {};
  if (resolver === undefined) return byService(glim, domain, call);
  const { texts, authentic } = await askResolver(resolver, domain, signal);
  if (!authentic && !acceptUnsigned) {
    throw failed("NameUnsigned", `${domain} has no valid signatures: nobody vouches for its address`);
  }
  let found: OpenAliasRecord | undefined;
  for (const record of texts.flatMap((text) => parseRecord(text) ?? [])) {
    if (record.address === found?.address || !(await accepted(glim, record.address, call))) continue;
    if (found) throw failed("NameAmbiguous", `${domain} has more than one Monero address`);
    found = record;
  }
  if (!found) throw notFound(glim, domain);
  return { name: domain, ...found, signed: authentic };
}

const notFound = (glim: NameChecker, name: string): GlimError =>
  failed("NameNotFound", `${name} has no Monero address of the network ${glim.network}`);

type Problem = "InvalidName" | "NameNotFound" | "NameAmbiguous" | "NameUnsigned";

const failed = (reason: Problem, message: string): GlimError => new GlimError("contract", message, -2, { reason });

async function byService(glim: NameChecker, name: string, call: CallOptions): Promise<LookedUp> {
  const found = await glim.rpc.validateAddress({ address: name, any_net_type: true, allow_openalias: true }, call);
  const address = found.openalias_address;
  if (!found.valid || !address || found.nettype !== addressNetwork(glim)) throw notFound(glim, name);
  return { name, address, recipient: "", description: "", signed: true };
}

/** The network in the addresses of a Glim's network. */
const addressNetwork = ({ network }: NameChecker): string => (network === "regtest" ? "mainnet" : network);

async function accepted(glim: NameChecker, address: string, call: CallOptions): Promise<boolean> {
  const { valid, nettype } = await glim.rpc.validateAddress({ address, any_net_type: true }, call);
  return valid && nettype === addressNetwork(glim);
}

/**
 * Returns the domain name that text stands for, in lower case and without the last dot; an @ counts as a dot. It fails
 * with InvalidName if text is not a name of at least two labels of letters, digits, hyphens and underscores.
 */
export function parseName(text: string): string {
  const name = text.replace("@", ".").replace(/\.$/, "");
  const labels = name.split(".");
  const label = /^(?!-)[A-Za-z0-9_-]+(?<!-)$/;
  const good =
    name.length <= maxName &&
    labels.length > 1 &&
    labels.every((l) => l.length <= maxLabel && label.test(l)) &&
    !/^[0-9]+$/.test(labels[labels.length - 1] ?? "");
  if (!good) throw failed("InvalidName", "this is not a domain name");
  return name.toLowerCase(); // last, because the lower case of U+212A is the letter k
}

/** What the text of a record says. */
export interface OpenAliasRecord {
  /** The address as written, which may be invalid. */
  address: string;
  /** The recipient as the owner of the name calls it, or "". */
  recipient: string;
  /** A description of the payment, or "". */
  description: string;
}

/** The fields of a record that are known. The signature and the checksum are not verified. */
const known = ["recipient_address", "recipient_name", "tx_description", "address_signature", "checksum"];

/**
 * Parses the text of a TXT record: oa1:xmr, a space, and fields of the form key=value, each ended by a semicolon, which
 * the last may lack. In a value, a backslash takes the meaning from a following semicolon, quotation mark or backslash;
 * a value may be in quotation marks. Fields with other keys are ignored. It returns undefined if the text is not a
 * record of Monero or is malformed: longer than 4096 bytes, not UTF-8, with control characters, more than 64 fields, a
 * known field given twice, or no recipient_address. The address may be invalid. Source: openalias.org.
 */
export function parseRecord(text: string): OpenAliasRecord | undefined {
  const start = /^ *oa1:xmr(?= )/.exec(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const bad = /[\u0000-\u001f\u007f-\u009f\ufffd]/.test(text) || new TextEncoder().encode(text).length > maxRecord;
  if (!start || bad) return undefined;
  const fields = new Map<string, string>();
  let rest = text.slice(start[0].length);
  for (let n = 0; ; n++) {
    rest = rest.replace(/^[ ;]+/, "");
    if (rest === "") break;
    const equals = rest.indexOf("=");
    const value = equals < 0 || n === maxFields ? undefined : cutValue(rest.slice(equals + 1));
    if (!value) return undefined;
    const key = rest.slice(0, equals).trim();
    if (fields.has(key)) return undefined;
    if (known.includes(key)) fields.set(key, value.value);
    rest = value.rest;
  }
  const address = fields.get("recipient_address");
  if (!address) return undefined;
  const recipient = fields.get("recipient_name") ?? "";
  return { address, recipient, description: fields.get("tx_description") ?? "" };
}

/**
 * Returns the value at the start of text, without its quotation marks and backslashes, and what follows its semicolon.
 * It returns undefined if a quotation mark is not closed.
 */
function cutValue(text: string): { value: string; rest: string } | undefined {
  const from = text.replace(/^ +/, "");
  const quoted = from.startsWith('"');
  let value = "";
  for (let i = quoted ? 1 : 0; i < from.length; i++) {
    const c = from.charAt(i);
    const next = from.charAt(i + 1);
    if (c === "\\" && next !== "" && '\\;"'.includes(next)) {
      value += next;
      i++;
    } else if (quoted && c === '"') {
      const rest = from.slice(i + 1).replace(/^ +/, "");
      return rest === "" || rest.startsWith(";") ? { value, rest } : undefined;
    } else if (!quoted && c === ";") {
      return { value: value.replace(/ +$/, ""), rest: from.slice(i + 1) };
    } else {
      value += c;
    }
  }
  return quoted ? undefined : { value: value.replace(/ +$/, ""), rest: "" };
}
