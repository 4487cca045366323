// Bytes as letters that QR codes and people can carry: Bytewords in the minimal style, two letters for each byte.
// Source: Blockchain Commons, BCR-2020-012.

/** The 256 words, four letters each, in the order of the bytes. */
const words =
  "ableacidalsoapexaquaarchatomauntawayaxisbackbaldbarnbeltbetabiasbluebodybragbrewbulbbuzzcalmcash" +
  "catschefcityclawcodecolacookcostcruxcurlcuspcyandarkdatadaysdelidicedietdoordowndrawdropdrumdull" +
  "dutyeacheasyechoedgeepicevenexamexiteyesfactfairfernfigsfilmfishfizzflapflewfluxfoxyfreefrogfuel" +
  "fundgalagamegeargemsgiftgirlglowgoodgraygrimgurugushgyrohalfhanghardhawkheathelphighhillholyhope" +
  "hornhutsicedideaidleinchinkyintoirisironitemjadejazzjoinjoltjowljudojugsjumpjunkjurykeepkenokept" +
  "keyskickkilnkingkitekiwiknoblamblavalazyleaflegsliarlimplionlistlogoloudloveluaulucklungmainmany" +
  "mathmazememomenumeowmildmintmissmonknailnavyneednewsnextnoonnotenumbobeyoboeomitonyxopenovalowls" +
  "paidpartpeckplaypluspoempoolposepuffpumapurrquadquizraceramprealredorichroadrockroofrubyruinruns" +
  "rustsafesagascarsetssilkskewslotsoapsolosongstubsurfswantacotasktaxitenttiedtimetinytoiltombtoys" +
  "triptunatwinuglyundouniturgeuservastveryvetovialvibeviewvisavoidvowswallwandwarmwaspwavewaxywebs" +
  "whatwhenwhizwolfworkyankyawnyellyogayurtzapszerozestzinczonezoom";

/** The first and the last letter of each word, and the byte that they encode. */
let table: Map<string, number> | undefined;

/** Returns the table. It is made on demand, so that bundles of pages without URs leave it out. */
function pairs(): Map<string, number> {
  table ??= new Map(Array.from({ length: 256 }, (_, i) => [words.charAt(4 * i) + words.charAt(4 * i + 3), i]));
  return table;
}

/** Returns the CRC-32 of bytes. Source: ISO 3309, with the polynomial reflected. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const b of bytes) {
    crc ^= b;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Encodes bytes and their CRC-32 in minimal Bytewords, in lower case. */
export function toBytewords(bytes: Uint8Array): string {
  const sum = new Uint8Array(4);
  new DataView(sum.buffer).setUint32(0, crc32(bytes));
  const letters = [...pairs().keys()];
  let text = "";
  for (const part of [bytes, sum]) for (const b of part) text += letters[b];
  return text;
}

/** Decodes minimal Bytewords in lower case. undefined if there is another pair of letters, or the checksum is wrong. */
export function fromBytewords(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || text.length < 10) return undefined;
  const values = pairs();
  const all = new Uint8Array(text.length / 2);
  for (let i = 0; i < all.length; i++) {
    const value = values.get(text.slice(2 * i, 2 * i + 2));
    if (value === undefined) return undefined;
    all[i] = value;
  }
  const bytes = all.subarray(0, all.length - 4);
  return new DataView(all.buffer).getUint32(bytes.length) === crc32(bytes) ? bytes : undefined;
}
