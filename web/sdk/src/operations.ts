// Written by scripts/gen from core/walletrpc: make gen writes it again.

import type { JSONValue, Shapes } from "./json.js";
import { Operations, type Ask, type CallOptions } from "./operation.js";

/** Numbers of the failures that the wallet service states. */
export const Code = {
  Unknown: -1,
  WrongAddress: -2,
  DaemonBusy: -3,
  GenericTransfer: -4,
  WrongPaymentID: -5,
  TransferType: -6,
  Denied: -7,
  WrongTxID: -8,
  WrongSignature: -9,
  WrongKeyImage: -10,
  WrongURI: -11,
  WrongIndex: -12,
  NotOpen: -13,
  AccountIndexOutOfBounds: -14,
  AddressIndexOutOfBounds: -15,
  TxNotPossible: -16,
  NotEnoughMoney: -17,
  TxTooLarge: -18,
  NotEnoughOutsToMix: -19,
  ZeroDestination: -20,
  WalletAlreadyExists: -21,
  InvalidPassword: -22,
  NoWalletDir: -23,
  NoTxKey: -24,
  WrongKey: -25,
  BadHex: -26,
  BadTxMetadata: -27,
  AlreadyMultisig: -28,
  WatchOnly: -29,
  BadMultisigInfo: -30,
  NotMultisig: -31,
  WrongLR: -32,
  ThresholdNotReached: -33,
  BadMultisigTxData: -34,
  MultisigSignature: -35,
  MultisigSubmission: -36,
  NotEnoughUnlockedMoney: -37,
  NoDaemonConnection: -38,
  BadUnsignedTxData: -39,
  BadSignedTxData: -40,
  SignedSubmission: -41,
  SignUnsigned: -42,
  NonDeterministic: -43,
  InvalidLogLevel: -44,
  AttributeNotFound: -45,
  ZeroAmount: -46,
  InvalidSignatureType: -47,
  Disabled: -48,
  ProxyAlreadyDefined: -49,
  NonzeroUnlockTime: -50,
  IsBackgroundWallet: -51,
  IsBackgroundSyncing: -52,
  /** from 0.19 on */
  InvalidFeePriority: -53,
  Parse: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  Internal: -32603,
} as const;

/** One account. */
export interface AccountInfo {
  account_index: number;
  base_address: string;
  /** atomic units, locked or not */
  balance: bigint;
  /** atomic units */
  unlocked_balance: bigint;
  label: string;
  tag: string;
}

/** A tag with the accounts that carry it. */
export interface AccountTag {
  tag: string;
  /** its description */
  label: string;
  accounts: number[];
}

/** A new entry. */
export interface AddAddressBookRequest {
  address?: string;
  description?: string;
  /** read and ignored */
  payment_id?: string;
}

/** Where it went. */
export interface AddAddressBookResponse {
  index: bigint;
}

/** An address worth remembering. */
export interface AddressBookEntry {
  /** moves up when an entry before it goes */
  index: bigint;
  address: string;
  description: string;
  /** always empty: integrated addresses carry theirs */
  payment_id: string;
}

/** One address of an account. */
export interface AddressInfo {
  address: string;
  label: string;
  address_index: number;
  /** has received money */
  used: boolean;
}

/** What one transaction pays, in the order of its destinations. */
export interface AmountsList {
  /** atomic units */
  amounts: bigint[];
}

/** Sets the rhythm. */
export interface AutoRefreshRequest {
  /** true when absent */
  enable?: boolean;
  /** seconds; 0 for the default of 20 */
  period?: number;
}

/** The old password and the new. */
export interface ChangeWalletPasswordRequest {
  old_password?: string;
  new_password?: string;
}

/** A proof of money held. */
export interface CheckReserveProofRequest {
  /** the wallet's primary */
  address?: string;
  message?: string;
  signature?: string;
}

/** Judges the proof. */
export interface CheckReserveProofResponse {
  good: boolean;
  /** atomic units the proof covers */
  total: bigint;
  /** atomic units of them spent since */
  spent: bigint;
}

/** A proof of having spent. */
export interface CheckSpendProofRequest {
  txid?: string;
  message?: string;
  signature?: string;
}

/** Judges the proof. */
export interface CheckSpendProofResponse {
  good: boolean;
}

/** Claims that a transaction paid an address. */
export interface CheckTxKeyRequest {
  txid?: string;
  /** with the additional keys */
  tx_key?: string;
  address?: string;
}

/** What the address received. */
export interface CheckTxKeyResponse {
  /** atomic units */
  received: bigint;
  in_pool: boolean;
  confirmations: bigint;
}

/** A proof of payment with what it claims. */
export interface CheckTxProofRequest {
  txid?: string;
  address?: string;
  message?: string;
  signature?: string;
}

/** Judges the proof. */
export interface CheckTxProofResponse {
  good: boolean;
  /** atomic units */
  received: bigint;
  in_pool: boolean;
  confirmations: bigint;
}

/** Says whether to store first. */
export interface CloseWalletRequest {
  /** true when absent */
  autosave_current?: boolean;
}

/** Labels the account to make. */
export interface CreateAccountRequest {
  label?: string;
}

/** The account made. */
export interface CreateAccountResponse {
  account_index: number;
  /** its first */
  address: string;
}

/** Asks for new addresses in an account. */
export interface CreateAddressRequest {
  account_index?: number;
  /** 1 to 65536; 1 when absent */
  count?: number;
  /** given to each */
  label?: string;
}

/** Lists the new addresses. */
export interface CreateAddressResponse {
  /** the first of them */
  address: string;
  /** of the first */
  address_index: number;
  addresses: string[];
  address_indices: number[];
}

/** Describes a new wallet. */
export interface CreateWalletRequest {
  /** a name in the wallet folder, without a slash; empty keeps it in memory */
  filename?: string;
  password?: string;
  /** of the seed, by either name */
  language?: string;
  /** Beyond the reference: polyseed for a seed of sixteen words, in a language of those. */
  seed_type?: string;
}

/** Names an entry. */
export interface DeleteAddressBookRequest {
  index?: bigint;
}

/** One of two kinds of set. */
export interface DescribeTransferRequest {
  unsigned_txset?: string;
  multisig_txset?: string;
}

/** What a set does. */
export interface DescribeTransferResponse {
  summary: TxSetSummary;
  desc: TxDescription[];
}

/** An output the set spends. */
export interface DescribedSource {
  /** atomic units */
  amount: bigint;
  global_index: bigint;
  rct: boolean;
  pubkey: string;
}

/** Money for an address. */
export interface Destination {
  /** atomic units */
  amount: bigint;
  address: string;
}

/** Changes what its set_ members name. */
export interface EditAddressBookRequest {
  index?: bigint;
  set_address?: boolean;
  address?: string;
  set_description?: boolean;
  description?: string;
  /** read and ignored */
  set_payment_id?: boolean;
  /** read and ignored */
  payment_id?: string;
}

/** The request or response of an operation that has no members. */
export type Empty = Record<string, never>;

/** The shape of a transaction. */
export interface EstimateTxSizeAndWeightRequest {
  n_inputs?: number;
  n_outputs?: number;
  /** 0 for the chain's */
  ring_size?: number;
  /** true when absent */
  rct?: boolean;
}

/** How much room it takes. */
export interface EstimateTxSizeAndWeightResponse {
  /** bytes */
  size: bigint;
  weight: bigint;
}

/**
 * Something that happened. Members that do not apply are left out, and numbers that are 0. A transfer is what one
 * transaction brought to one address, or what it took from one account.
 */
export interface Event {
  /**
   * The number of this event, or of the last one before an event without a number. Asked for what is after it, the wallet
   * tells what comes next.
   */
  cursor: bigint;
  type: string;
  /** in or out */
  direction?: string;
  txid?: string;
  /** 16 hex digits, or 64 when long; zeros for none */
  payment_id?: string;
  /** that received; of what was sent, the account's first */
  subaddr_index?: SubaddressIndex;
  address?: string;
  /** atomic units, without fee and change */
  amount?: bigint;
  /** atomic units */
  fee?: bigint;
  /** of transfers the index of the block, of height and sync a number of blocks */
  height?: bigint;
  target_height?: bigint;
  /** POSIX, of the block, or when first seen */
  timestamp?: bigint;
  /** block index, or POSIX time from 500000000 on */
  unlock_time?: bigint;
  /** a mining reward */
  coinbase?: boolean;
  /** of a warning and a takeover, for people */
  text?: string;
}

/** The other signers' messages of a round. */
export interface ExchangeMultisigKeysRequest {
  password?: string;
  multisig_info?: readonly string[];
  /** go on with fewer messages than signers */
  force_update_use_with_caution?: boolean;
}

/** Chooses key images. */
export interface ExportKeyImagesRequest {
  /** not only those since the last export */
  all?: boolean;
}

/** Lists key images. */
export interface ExportKeyImagesResponse {
  /** outputs left out at the beginning */
  offset: number;
  signed_key_images: SignedKeyImage[];
}

/** Names the file to make. */
export interface ExportKeysFileRequest {
  /** a name in the wallet folder that no wallet has, without a slash and without .keys */
  filename?: string;
  /** of the file */
  password?: string;
}

/** The file made. */
export interface ExportKeysFileResponse {
  /** with .keys */
  filename: string;
}

/** For the other signers. */
export interface ExportMultisigInfoResponse {
  info: string;
}

/** Chooses outputs by their order in the wallet. */
export interface ExportOutputsRequest {
  /** not only those since the last export */
  all?: boolean;
  start?: number;
  /** 4294967295 when absent */
  count?: number;
}

/** The outputs, encrypted with the view key. */
export interface ExportOutputsResponse {
  outputs_data_hex: string;
}

/** The other signers' messages of the last round. */
export interface FinalizeMultisigRequest {
  password?: string;
  multisig_info?: readonly string[];
}

/** The wallet made. */
export interface FinalizeMultisigResponse {
  address: string;
}

/** Tells whether an output is frozen. */
export interface FrozenResponse {
  frozen: boolean;
}

/** Describes a wallet by its keys. */
export interface GenerateFromKeysRequest {
  /** index of the first block to read */
  restore_height?: bigint;
  /** empty keeps it in memory */
  filename?: string;
  address?: string;
  /** empty for a view-only wallet */
  spendkey?: string;
  viewkey?: string;
  password?: string;
  /** true when absent */
  autosave_current?: boolean;
  /** of the seed, when the keys have one */
  language?: string;
  /** Beyond the reference: YYYY-MM-DD or seconds since 1970 in the place of the height; with both, the earlier counts. */
  restore_date?: JSONValue;
}

/** The wallet made. */
export interface GenerateFromKeysResponse {
  address: string;
  /** a sentence for people */
  info: string;
}

/** Lists tags in sorted order. */
export interface GetAccountTagsResponse {
  account_tags: AccountTag[];
}

/** Filters accounts by tag. */
export interface GetAccountsRequest {
  /** none for all */
  tag?: string;
  /** counts mined transactions only */
  strict_balances?: boolean;
  /** tag is a regular expression for the whole tag */
  regexp?: boolean;
  /** the published name of regexp */
  regex?: boolean;
}

/** Lists accounts with their sum. */
export interface GetAccountsResponse {
  /** atomic units */
  total_balance: bigint;
  /** atomic units */
  total_unlocked_balance: bigint;
  /** by index */
  subaddress_accounts: AccountInfo[];
}

/** Names entries. */
export interface GetAddressBookRequest {
  /** none for all */
  entries?: readonly bigint[];
}

/** Lists entries, in the order asked. */
export interface GetAddressBookResponse {
  entries: AddressBookEntry[];
}

/** Names an address. */
export interface GetAddressIndexRequest {
  address?: string;
}

/** Says where the address is in the wallet. */
export interface GetAddressIndexResponse {
  index: SubaddressIndex;
}

/** Asks for addresses of one account. */
export interface GetAddressRequest {
  account_index?: number;
  /** none for all */
  address_index?: readonly number[];
}

/** Lists addresses of one account. */
export interface GetAddressResponse {
  /** the account's first */
  address: string;
  addresses: AddressInfo[];
}

/** Names an attribute. */
export interface GetAttributeRequest {
  key?: string;
}

/** Its value. */
export interface GetAttributeResponse {
  value: string;
}

/** Asks for the balance of one account or of all. */
export interface GetBalanceRequest {
  account_index?: number;
  /** addresses to list; none for every one that holds money */
  address_indices?: readonly number[];
  /** sums all accounts; the two above are ignored */
  all_accounts?: boolean;
  /** counts mined transactions only */
  strict?: boolean;
}

/** The money of one account or of all. */
export interface GetBalanceResponse {
  /** atomic units, locked or not */
  balance: bigint;
  /** atomic units */
  unlocked_balance: bigint;
  /** true when the other signers' information is out of date */
  multisig_import_needed: boolean;
  /** by account, then address */
  per_subaddress: SubaddressBalance[];
  /** until everything is spendable */
  blocks_to_unlock: bigint;
  /** seconds until everything is spendable */
  time_to_unlock: bigint;
}

/** Names payment IDs and where to begin. */
export interface GetBulkPaymentsRequest {
  /** 16 or 64 hex digits each; none for every payment */
  payment_ids?: readonly string[];
  /** blocks above this index only */
  min_block_height?: bigint;
}

/** The daemon in use, without its login and proxy. */
export interface GetDaemonResponse {
  /** host:port or a URL; empty for none */
  address: string;
  /** some operations need it */
  trusted: boolean;
  /** disabled, enabled, autodetect */
  ssl_support: string;
  /** chosen by set_daemon, for the open wallet alone */
  set_daemon: boolean;
}

/** A fee priority. */
export interface GetDefaultFeePriorityResponse {
  /** 1 to 4 */
  priority: number;
}

/** Says what is known already. */
export interface GetEventsRequest {
  /** of the last event known; 0 for none */
  cursor?: bigint;
  /** events, at most MaxEvents; 1000 when absent */
  limit?: bigint;
}

/** Holds the events after a cursor, oldest first. */
export interface GetEventsResponse {
  events: Event[];
  /** to ask with next */
  cursor: bigint;
  /**
   * Says that events after the cursor asked with are no longer kept, or that the wallet never had it. Then there are no
   * events here: get_transfers, asked now, knows what they told, and Cursor is where to go on.
   */
  lost: boolean;
}

/** How far the wallet has read the chain. */
export interface GetHeightResponse {
  /** blocks, the genesis block included */
  height: bigint;
}

/** Lists the languages of seeds. */
export interface GetLanguagesResponse {
  /** English names */
  languages: string[];
  /** names in the language, in the same order */
  languages_local: string[];
}

/** Names a payment ID. */
export interface GetPaymentsRequest {
  /** 16 or 64 hex digits */
  payment_id?: string;
}

/** Lists payments. */
export interface GetPaymentsResponse {
  payments: Payment[];
}

/** Asks for a proof of money held. */
export interface GetReserveProofRequest {
  /** prove the whole wallet; the two below are ignored */
  all?: boolean;
  account_index?: number;
  /** at least this much, atomic units */
  amount?: bigint;
  /** bound into the proof */
  message?: string;
}

/** Asks for a proof of having spent. */
export interface GetSpendProofRequest {
  txid?: string;
  /** bound into the proof */
  message?: string;
}

/** What a wallet took over from monero-wallet-rpc. Numbers are of what its cache had. */
export interface GetTakeoverResponse {
  /**
   * Cache; or keys when there was no cache, or without-cache when the owner wanted it left out, so that keys and chain are
   * all there is; or empty for a wallet that was not taken over.
   */
  from: string;
  /** POSIX, of the last time */
  timestamp: bigint;
  /** blocks that monero-wallet-rpc had read */
  height: bigint;
  /** with their labels */
  accounts: bigint;
  /** in all accounts */
  addresses: bigint;
  /** those that the wallet did not have */
  new_addresses: bigint;
  /** that are not the ones a new address gets */
  labels: bigint;
  /** accounts with a tag */
  tagged_accounts: bigint;
  /** about transactions */
  notes: bigint;
  attributes: bigint;
  /** entries */
  address_book: bigint;
  /** transactions with their secret keys */
  tx_keys: bigint;
  /** transactions of which it is known whom they paid */
  destinations: bigint;
  /** transactions sent and in no block, failed ones included */
  unconfirmed: bigint;
  /** outputs */
  frozen: bigint;
  /** of a wallet without the spend key */
  key_images: bigint;
  /** entries that are new to the wallet, or another than before */
  changed: bigint;
  /** the chain is read again, for payments to some of the new addresses */
  reread: boolean;
  /** Says what the cache has and the wallet does not take. */
  left: string[];
  /** Texts that gave way to others, because the wallet and monero-wallet-rpc had both changed them. */
  aside: TakeoverAside[];
}

/** Names a transaction. */
export interface GetTransferByTxIDRequest {
  txid?: string;
  account_index?: number;
}

/** What a transaction did to an account. */
export interface GetTransferByTxIDResponse {
  /** the first of the list */
  transfer: TransferEntry;
  /** one a receiving address */
  transfers: TransferEntry[];
}

/** Chooses the lists wanted and filters them. */
export interface GetTransfersRequest {
  in?: boolean;
  out?: boolean;
  pending?: boolean;
  failed?: boolean;
  pool?: boolean;
  /** min_height and max_height hold */
  filter_by_height?: boolean;
  /** blocks above this index */
  min_height?: bigint;
  /** and up to this one; 500000000 when absent */
  max_height?: bigint;
  account_index?: number;
  /** none for all */
  subaddr_indices?: readonly number[];
  /** the two above are ignored */
  all_accounts?: boolean;
}

/** Holds the lists asked for. */
export interface GetTransfersResponse {
  in: TransferEntry[];
  out: TransferEntry[];
  pending: TransferEntry[];
  failed: TransferEntry[];
  pool: TransferEntry[];
}

/** Names a transaction. */
export interface GetTxKeyRequest {
  txid?: string;
}

/** Its secret key. */
export interface GetTxKeyResponse {
  /** then the additional keys, 64 digits each */
  tx_key: string;
}

/** Names transactions. */
export interface GetTxNotesRequest {
  txids?: readonly string[];
}

/** Holds a note for each, empty where there is none. */
export interface GetTxNotesResponse {
  notes: string[];
}

/** Asks for a proof of payment. */
export interface GetTxProofRequest {
  txid?: string;
  address?: string;
  /** bound into the proof */
  message?: string;
}

/** The version of this interface. */
export interface GetVersionResponse {
  /** major in the upper 16 bits, minor in the lower */
  version: number;
  /** built from a release */
  release: boolean;
}

/** What ExportKeyImages returned. */
export interface ImportKeyImagesRequest {
  offset?: number;
  signed_key_images?: readonly Partial<SignedKeyImage>[];
}

/** What the wallet then knows of spending. */
export interface ImportKeyImagesResponse {
  /** index of the last output's block */
  height: bigint;
  /** atomic units */
  spent: bigint;
  /** atomic units */
  unspent: bigint;
}

/** What the others exported. */
export interface ImportMultisigInfoRequest {
  info?: readonly string[];
  /** true when absent */
  refresh_after_import?: boolean;
}

/** Counts the outputs. */
export interface ImportMultisigInfoResponse {
  n_outputs: bigint;
}

/** What ExportOutputs packed. */
export interface ImportOutputsRequest {
  outputs_data_hex?: string;
}

/** Counts the outputs. */
export interface ImportOutputsResponse {
  num_imported: bigint;
}

/** One output received. */
export interface IncomingTransfer {
  /** atomic units */
  amount: bigint;
  spent: boolean;
  global_index: bigint;
  tx_hash: string;
  subaddr_index: SubaddressIndex;
  /** empty when the wallet does not know it */
  key_image: string;
  /** one-time public key */
  pubkey: string;
  /** index of the block that holds it */
  block_height: bigint;
  frozen: boolean;
  unlocked: boolean;
}

/** Filters the outputs received. */
export interface IncomingTransfersRequest {
  /** all, available (not spent), unavailable (spent) */
  transfer_type?: string;
  account_index?: number;
  /** none for all */
  subaddr_indices?: readonly number[];
}

/** Lists outputs in the order of the chain. */
export interface IncomingTransfersResponse {
  transfers: IncomingTransfer[];
}

/** Tells how many must sign. */
export interface IsMultisigResponse {
  multisig: boolean;
  /** key exchange is over */
  ready: boolean;
  /** signers needed */
  threshold: number;
  /** signers there are */
  total: number;
}

/** The key images one transaction spends. */
export interface KeyImageList {
  key_images: string[];
}

/** Names an output by its key image. */
export interface KeyImageRequest {
  key_image?: string;
}

/** Names an account and its new label. */
export interface LabelAccountRequest {
  account_index?: number;
  label?: string;
}

/** Names an address and its new label. */
export interface LabelAddressRequest {
  index?: Partial<SubaddressIndex>;
  label?: string;
}

/** Joins an address with a payment ID. */
export interface MakeIntegratedAddressRequest {
  /** empty for the wallet's primary */
  standard_address?: string;
  /** 16 hex digits; empty for a random one */
  payment_id?: string;
}

/** The address made. */
export interface MakeIntegratedAddressResponse {
  integrated_address: string;
  payment_id: string;
}

/** The other signers' first messages. */
export interface MakeMultisigRequest {
  multisig_info?: readonly string[];
  /** signers needed */
  threshold?: number;
  /** the wallet's */
  password?: string;
}

/** The payment request as one text. */
export interface MakeURIResponse {
  uri: string;
}

/** The next message, or the address when none is left. */
export interface MultisigRoundResponse {
  /** empty until the last round */
  address: string;
  /** empty after the last round */
  multisig_info: string;
}

/** Names a wallet. */
export interface OpenWalletRequest {
  /** a name in the wallet folder, without a slash */
  filename?: string;
  password?: string;
  /** store the one open before it closes; true when absent */
  autosave_current?: boolean;
}

/** Empty when all is well. */
export interface OpenWalletResponse {
  /**
   * Says, for people, that the wallet's file is cut short, or may be: it is an older copy, or was not closed and nobody
   * knows its end. Left out when there is nothing to say. Glim's own.
   */
  warning?: string;
}

/** A payment request as one text. */
export interface ParseURIRequest {
  uri?: string;
}

/** What it says. */
export interface ParseURIResponse {
  uri: URISpec;
  /** name=value, as they came */
  unknown_parameters: string[];
}

/** Money received with a payment ID. */
export interface Payment {
  payment_id: string;
  tx_hash: string;
  /** atomic units */
  amount: bigint;
  /** index of the block that holds it */
  block_height: bigint;
  /** block index, or POSIX time from 500000000 on; 0 is not locked */
  unlock_time: bigint;
  locked: boolean;
  subaddr_index: SubaddressIndex;
  address: string;
}

/** Turns multisig on. */
export interface PrepareMultisigRequest {
  enable_multisig_experimental?: boolean;
}

/** For the other signers. */
export interface PrepareMultisigResponse {
  multisig_info: string;
}

/** A proof. */
export interface ProofResponse {
  signature: string;
}

/** Chooses a secret. */
export interface QueryKeyRequest {
  /** mnemonic, view_key, spend_key; beyond the reference seed_language, the name of the words' language */
  key_type?: string;
  /** beyond the reference: the passphrase that the words are to be shown under */
  seed_offset?: string;
}

/** The secret. */
export interface QueryKeyResponse {
  /** hex, or words */
  key: string;
}

/** An address the set pays. */
export interface Recipient {
  address: string;
  /** atomic units */
  amount: bigint;
}

/** Says where to begin. */
export interface RefreshRequest {
  /** block index; what is below the last one read has no effect */
  start_height?: bigint;
}

/** Tells what was read. */
export interface RefreshResponse {
  blocks_fetched: bigint;
  received_money: boolean;
}

/** The metadata of a transaction made with do_not_relay. */
export interface RelayTxRequest {
  hex?: string;
}

/** Names the transaction relayed. */
export interface RelayTxResponse {
  tx_hash: string;
}

/** Says how much to forget. */
export interface RescanBlockchainRequest {
  /** also what the chain cannot give back: destinations, transaction keys, notes */
  hard?: boolean;
}

/** Describes a wallet by its seed. */
export interface RestoreDeterministicWalletRequest {
  /** index of the first block to read */
  restore_height?: bigint;
  /** empty keeps it in memory */
  filename?: string;
  /** words; hex for a multisig seed; sixteen words beyond the reference */
  seed?: string;
  /** passphrase over the seed */
  seed_offset?: string;
  password?: string;
  /** needed for the oldest seeds alone */
  language?: string;
  /** true when absent */
  autosave_current?: boolean;
  enable_multisig_experimental?: boolean;
  /** Beyond the reference, as GenerateFromKeysRequest's. Sixteen words know theirs. */
  restore_date?: JSONValue;
}

/** The wallet made. */
export interface RestoreDeterministicWalletResponse {
  address: string;
  seed: string;
  /** a sentence for people */
  info: string;
  /** the seed was of an old kind, or its checksum word was missing; seed is its replacement */
  was_deprecated: boolean;
}

/** Names transactions. */
export interface ScanTxRequest {
  txids?: readonly string[];
}

/** Describes a tag. */
export interface SetAccountTagDescriptionRequest {
  tag?: string;
  description?: string;
}

/** A free pair. */
export interface SetAttributeRequest {
  key?: string;
  value?: string;
}

/** Names the daemon to use from now on. */
export interface SetDaemonRequest {
  /** host:port or a URL; empty for none */
  address?: string;
  /** of the daemon's login */
  username?: string;
  password?: string;
  /** some operations need it */
  trusted?: boolean;
  /** disabled, enabled, autodetect; "autodetect" when absent */
  ssl_support?: string;
  ssl_private_key_path?: string;
  ssl_certificate_path?: string;
  ssl_ca_file?: string;
  /** SHA-256, hex */
  ssl_allowed_fingerprints?: readonly string[];
  ssl_allow_any_cert?: boolean;
  /** SOCKS host:port for this daemon */
  proxy?: string;
}

/** How much to log of what. */
export interface SetLogCategoriesRequest {
  /** category:LEVEL, comma separated */
  categories?: string;
}

/** What holds now. */
export interface SetLogCategoriesResponse {
  categories: string;
}

/** How much to log. */
export interface SetLogLevelRequest {
  /** 0 to 4 */
  level?: number;
}

/** Sets how far beyond the last used index the wallet looks for its addresses. */
export interface SetSubaddressLookaheadRequest {
  /** the wallet's */
  password?: string;
  /** accounts */
  major_idx?: number;
  /** addresses in each */
  minor_idx?: number;
}

/** Pairs transactions with notes. */
export interface SetTxNotesRequest {
  txids?: readonly string[];
  /** as many */
  notes?: readonly string[];
}

/** Chooses what is kept while syncing in the background. */
export interface SetupBackgroundSyncRequest {
  /** off, reuse-wallet-password, custom-background-password */
  background_sync_type?: string;
  wallet_password?: string;
  /** with the custom type */
  background_cache_password?: string;
}

/** A multisig set. */
export interface SignMultisigRequest {
  tx_data_hex?: string;
}

/** The set with one signature more. */
export interface SignMultisigResponse {
  tx_data_hex: string;
  /** only from the last signer */
  tx_hash_list: string[];
}

/** A text to sign. */
export interface SignRequest {
  data?: string;
  account_index?: number;
  address_index?: number;
  /** spend, view; empty for spend */
  signature_type?: string;
}

/** The signature. */
export interface SignResponse {
  signature: string;
}

/** An unsigned set from a view-only wallet. */
export interface SignTransferRequest {
  unsigned_txset?: string;
  /** return the raw transactions too */
  export_raw?: boolean;
  get_tx_keys?: boolean;
}

/** The set signed. */
export interface SignTransferResponse {
  signed_txset: string;
  tx_hash_list: string[];
  /** when asked */
  tx_raw_list: string[];
  /** when asked */
  tx_key_list: string[];
}

/** A key image with the proof that it is the output's. */
export interface SignedKeyImage {
  key_image: string;
  signature: string;
}

/** An integrated address. */
export interface SplitIntegratedAddressRequest {
  integrated_address?: string;
}

/** Its parts. */
export interface SplitIntegratedAddressResponse {
  standard_address: string;
  payment_id: string;
  is_subaddress: boolean;
}

/**
 * Several transactions; each list has one entry a transaction. A view-only or multisig wallet fills unsigned_txset or
 * multisig_txset and leaves the lists of hashes, blobs and metadata empty.
 */
export interface SplitResponse {
  tx_hash_list: string[];
  /** when asked */
  tx_key_list: string[];
  /** atomic units to the destinations */
  amount_list: bigint[];
  amounts_by_dest_list: AmountsList[];
  /** atomic units */
  fee_list: bigint[];
  weight_list: bigint[];
  /** when asked */
  tx_blob_list: string[];
  /** for relay_tx, when asked */
  tx_metadata_list: string[];
  multisig_txset: string;
  unsigned_txset: string;
  spent_key_images_list: KeyImageList[];
}

/** Says how to mine. */
export interface StartMiningRequest {
  /** at least 1 */
  threads_count?: bigint;
  /** mine when the machine is idle */
  do_background_mining?: boolean;
  ignore_battery?: boolean;
}

/** Opens the spend key again. */
export interface StopBackgroundSyncRequest {
  wallet_password?: string;
  /** in the place of the password */
  seed?: string;
  /** passphrase over the seed */
  seed_offset?: string;
}

/** The money at one address. */
export interface SubaddressBalance {
  account_index: number;
  address_index: number;
  address: string;
  /** atomic units, locked or not */
  balance: bigint;
  /** atomic units */
  unlocked_balance: bigint;
  label: string;
  num_unspent_outputs: bigint;
  /** until everything here is spendable */
  blocks_to_unlock: bigint;
  /** seconds until everything here is spendable */
  time_to_unlock: bigint;
}

/** Names an address of a wallet. */
export interface SubaddressIndex {
  /** account */
  major: number;
  /** address in the account; 0 of account 0 is the primary address */
  minor: number;
}

/** A multisig set with every signature it needs. */
export interface SubmitMultisigRequest {
  tx_data_hex?: string;
}

/** A signed set. */
export interface SubmitTransferRequest {
  tx_data_hex?: string;
}

/** Names the transactions relayed. */
export interface SubmitTransferResponse {
  tx_hash_list: string[];
}

/** Spends everything at some addresses. */
export interface SweepAllRequest {
  /** receives */
  address?: string;
  account_index?: number;
  /** none for one address of the account, chosen by the wallet */
  subaddr_indices?: readonly number[];
  /** every address of the account */
  subaddr_indices_all?: boolean;
  /** 0 default, 1 unimportant to 4 priority */
  priority?: number;
  /** read and ignored: the chain fixes it */
  ring_size?: bigint;
  /** read and ignored */
  mixin?: bigint;
  /** to make, at least 1; 1 when absent */
  outputs?: bigint;
  /** must be 0 */
  unlock_time?: bigint;
  /** must be empty */
  payment_id?: string;
  get_tx_keys?: boolean;
  /** atomic units; 0 for outputs of every amount */
  below_amount?: bigint;
  do_not_relay?: boolean;
  get_tx_hex?: boolean;
  get_tx_metadata?: boolean;
  /**
   * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
   * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
   * output of it; Code.GenericTransfer when nothing can, or when the name was given to another payment. Beyond the
   * reference.
   */
  idempotency_key?: string;
}

/** Spends what no ordinary transaction can. */
export interface SweepDustRequest {
  get_tx_keys?: boolean;
  do_not_relay?: boolean;
  get_tx_hex?: boolean;
  get_tx_metadata?: boolean;
}

/** Spends one output. */
export interface SweepSingleRequest {
  /** receives */
  address?: string;
  /** 0 default, 1 unimportant to 4 priority */
  priority?: number;
  /** read and ignored: the chain fixes it */
  ring_size?: bigint;
  /** read and ignored */
  mixin?: bigint;
  /** to make, at least 1; 1 when absent */
  outputs?: bigint;
  /** must be 0 */
  unlock_time?: bigint;
  /** must be empty */
  payment_id?: string;
  get_tx_key?: boolean;
  /** of the output to spend */
  key_image?: string;
  do_not_relay?: boolean;
  get_tx_hex?: boolean;
  get_tx_metadata?: boolean;
  /**
   * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
   * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
   * output of it; Code.GenericTransfer when nothing can, or when the name was given to another payment. Beyond the
   * reference.
   */
  idempotency_key?: string;
}

/** Gives a tag to accounts. */
export interface TagAccountsRequest {
  tag?: string;
  accounts?: readonly number[];
}

/** A text that is no longer used. */
export interface TakeoverAside {
  /** label, tag, description, note, attribute or address book */
  kind: string;
  /** account/address, account, tag, transaction ID, key or address */
  name: string;
  text: string;
}

/** A transaction as the wallet's owner sees it. */
export interface TransferEntry {
  txid: string;
  /** 16 hex digits, or 64 when long; zeros for none */
  payment_id: string;
  /** index of its block, 0 when not mined */
  height: bigint;
  /** POSIX, of its block, or when first seen */
  timestamp: bigint;
  /** atomic units */
  amount: bigint;
  /** of each output received, atomic units */
  amounts: bigint[];
  /** atomic units */
  fee: bigint;
  note: string;
  /** of what this wallet sent */
  destinations: Destination[];
  /** in, out, pending, failed, pool, block */
  type: string;
  /** block index, or POSIX time from 500000000 on; 0 is not locked */
  unlock_time: bigint;
  locked: boolean;
  subaddr_index: SubaddressIndex;
  subaddr_indices: SubaddressIndex[];
  address: string;
  double_spend_seen: boolean;
  confirmations?: bigint;
  /** How many confirmations are worth waiting for with this amount. */
  suggested_confirmations_threshold?: bigint;
}

/** A payment that must fit in one transaction. */
export interface TransferRequest {
  destinations?: readonly Partial<Destination>[];
  /** pays */
  account_index?: number;
  /** addresses to spend from; none for any */
  subaddr_indices?: readonly number[];
  /** destinations that pay the fee; none for the sender */
  subtract_fee_from_outputs?: readonly number[];
  /** 0 default, 1 unimportant to 4 priority */
  priority?: number;
  /** read and ignored: the chain fixes it */
  ring_size?: bigint;
  /** read and ignored */
  mixin?: bigint;
  /** must be 0 */
  unlock_time?: bigint;
  /** must be empty */
  payment_id?: string;
  get_tx_key?: boolean;
  do_not_relay?: boolean;
  get_tx_hex?: boolean;
  get_tx_metadata?: boolean;
  /**
   * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
   * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
   * output of it; Code.GenericTransfer when nothing can, or when the name was given to another payment. Beyond the
   * reference.
   */
  idempotency_key?: string;
}

/**
 * One transaction. A view-only or multisig wallet fills unsigned_txset or multisig_txset and leaves the transaction's own
 * members empty.
 */
export interface TransferResponse {
  tx_hash: string;
  /** transaction secret key, then the additional ones, when asked */
  tx_key: string;
  /** atomic units to the destinations */
  amount: bigint;
  amounts_by_dest?: AmountsList;
  /** atomic units */
  fee: bigint;
  weight: bigint;
  /** when asked */
  tx_blob: string;
  /** for relay_tx, when asked */
  tx_metadata: string;
  multisig_txset: string;
  unsigned_txset: string;
  spent_key_images: KeyImageList;
}

/** A payment that may take several transactions. */
export interface TransferSplitRequest {
  destinations?: readonly Partial<Destination>[];
  /** pays */
  account_index?: number;
  /** addresses to spend from; none for any */
  subaddr_indices?: readonly number[];
  /** 0 default, 1 unimportant to 4 priority */
  priority?: number;
  /** read and ignored: the chain fixes it */
  ring_size?: bigint;
  /** read and ignored */
  mixin?: bigint;
  /** must be 0 */
  unlock_time?: bigint;
  /** must be empty */
  payment_id?: string;
  get_tx_keys?: boolean;
  do_not_relay?: boolean;
  get_tx_hex?: boolean;
  get_tx_metadata?: boolean;
  /**
   * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
   * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
   * output of it; Code.GenericTransfer when nothing can, or when the name was given to another payment. Beyond the
   * reference.
   */
  idempotency_key?: string;
}

/** One transaction of a set. */
export interface TxDescription {
  /** atomic units */
  amount_in: bigint;
  /** atomic units */
  amount_out: bigint;
  ring_size: number;
  /** 0 is not locked */
  unlock_time: bigint;
  sources: DescribedSource[];
  /** change left out */
  recipients: Recipient[];
  payment_id: string;
  /** atomic units */
  change_amount: bigint;
  change_address: string;
  /** atomic units */
  fee: bigint;
  /** of amount 0, to hide that there is one recipient */
  dummy_outputs: number;
  extra: string;
}

/** The sum of a set's transactions. */
export interface TxSetSummary {
  /** atomic units */
  amount_in: bigint;
  /** atomic units */
  amount_out: bigint;
  recipients: Recipient[];
  /** atomic units */
  change_amount: bigint;
  change_address: string;
  /** atomic units */
  fee: bigint;
}

/** A payment request. */
export interface URISpec {
  address: string;
  /** must be empty in new ones */
  payment_id: string;
  /** atomic units; 0 for none named */
  amount: bigint;
  tx_description: string;
  recipient_name: string;
}

/** Names accounts. */
export interface UntagAccountsRequest {
  accounts?: readonly number[];
}

/** A text that may be an address. */
export interface ValidateAddressRequest {
  address?: string;
  /** accept every network's, not the service's alone */
  any_net_type?: boolean;
  /** look a domain name up */
  allow_openalias?: boolean;
}

/** Says what the text is. */
export interface ValidateAddressResponse {
  valid: boolean;
  integrated: boolean;
  subaddress: boolean;
  /** mainnet, testnet, stagenet; empty when not valid */
  nettype: string;
  /** what the domain name stands for */
  openalias_address: string;
}

/** A text with its signature. */
export interface VerifyRequest {
  data?: string;
  address?: string;
  signature?: string;
}

/** Judges the signature. */
export interface VerifyResponse {
  good: boolean;
  /** 1 or 2 */
  version: number;
  /** made by a release whose signatures were weaker */
  old: boolean;
  /** spend, view */
  signature_type: string;
}

/**
 * What the text of an answer does not say: the members that are numbers of 64 bits, n, lists, [], and objects that have
 * such.
 */
export const shapes: Shapes = {
  AccountInfo: { balance: "n", unlocked_balance: "n" },
  AccountTag: { accounts: "[]" },
  AddAddressBookResponse: { index: "n" },
  AddressBookEntry: { index: "n" },
  AmountsList: { amounts: "n[]" },
  CheckReserveProofResponse: { total: "n", spent: "n" },
  CheckTxKeyResponse: { received: "n", confirmations: "n" },
  CheckTxProofResponse: { received: "n", confirmations: "n" },
  CreateAddressResponse: { addresses: "[]", address_indices: "[]" },
  DescribeTransferResponse: { summary: "TxSetSummary", desc: "TxDescription[]" },
  DescribedSource: { amount: "n", global_index: "n" },
  Destination: { amount: "n" },
  EstimateTxSizeAndWeightResponse: { size: "n", weight: "n" },
  Event: { cursor: "n", amount: "n", fee: "n", height: "n", target_height: "n", timestamp: "n", unlock_time: "n" },
  ExportKeyImagesResponse: { signed_key_images: "[]" },
  GetAccountTagsResponse: { account_tags: "AccountTag[]" },
  GetAccountsResponse: { total_balance: "n", total_unlocked_balance: "n", subaddress_accounts: "AccountInfo[]" },
  GetAddressBookResponse: { entries: "AddressBookEntry[]" },
  GetAddressResponse: { addresses: "[]" },
  GetBalanceResponse: { balance: "n", unlocked_balance: "n", per_subaddress: "SubaddressBalance[]", blocks_to_unlock: "n", time_to_unlock: "n" },
  GetEventsResponse: { events: "Event[]", cursor: "n" },
  GetHeightResponse: { height: "n" },
  GetLanguagesResponse: { languages: "[]", languages_local: "[]" },
  GetPaymentsResponse: { payments: "Payment[]" },
  GetTakeoverResponse: { timestamp: "n", height: "n", accounts: "n", addresses: "n", new_addresses: "n", labels: "n", tagged_accounts: "n", notes: "n", attributes: "n", address_book: "n", tx_keys: "n", destinations: "n", unconfirmed: "n", frozen: "n", key_images: "n", changed: "n", left: "[]", aside: "[]" },
  GetTransferByTxIDResponse: { transfer: "TransferEntry", transfers: "TransferEntry[]" },
  GetTransfersResponse: { in: "TransferEntry[]", out: "TransferEntry[]", pending: "TransferEntry[]", failed: "TransferEntry[]", pool: "TransferEntry[]" },
  GetTxNotesResponse: { notes: "[]" },
  ImportKeyImagesResponse: { height: "n", spent: "n", unspent: "n" },
  ImportMultisigInfoResponse: { n_outputs: "n" },
  ImportOutputsResponse: { num_imported: "n" },
  IncomingTransfer: { amount: "n", global_index: "n", block_height: "n" },
  IncomingTransfersResponse: { transfers: "IncomingTransfer[]" },
  KeyImageList: { key_images: "[]" },
  ParseURIResponse: { uri: "URISpec", unknown_parameters: "[]" },
  Payment: { amount: "n", block_height: "n", unlock_time: "n" },
  Recipient: { amount: "n" },
  RefreshResponse: { blocks_fetched: "n" },
  SignMultisigResponse: { tx_hash_list: "[]" },
  SignTransferResponse: { tx_hash_list: "[]", tx_raw_list: "[]", tx_key_list: "[]" },
  SplitResponse: { tx_hash_list: "[]", tx_key_list: "[]", amount_list: "n[]", amounts_by_dest_list: "AmountsList[]", fee_list: "n[]", weight_list: "n[]", tx_blob_list: "[]", tx_metadata_list: "[]", spent_key_images_list: "KeyImageList[]" },
  SubaddressBalance: { balance: "n", unlocked_balance: "n", num_unspent_outputs: "n", blocks_to_unlock: "n", time_to_unlock: "n" },
  SubmitTransferResponse: { tx_hash_list: "[]" },
  TransferEntry: { height: "n", timestamp: "n", amount: "n", amounts: "n[]", fee: "n", destinations: "Destination[]", unlock_time: "n", subaddr_indices: "[]", confirmations: "n", suggested_confirmations_threshold: "n" },
  TransferResponse: { amount: "n", amounts_by_dest: "AmountsList", fee: "n", weight: "n", spent_key_images: "KeyImageList" },
  TxDescription: { amount_in: "n", amount_out: "n", unlock_time: "n", sources: "DescribedSource[]", recipients: "Recipient[]", change_amount: "n", fee: "n" },
  TxSetSummary: { amount_in: "n", amount_out: "n", recipients: "Recipient[]", change_amount: "n", fee: "n" },
  URISpec: { amount: "n" },
};

/** Every operation of the wallet service. What is left out of params is its default. */
export class WalletOperations extends Operations {
  constructor(ask: Ask) {
    super(ask, shapes);
  }

  /**
   * Returns what an account holds. It does not refuse an account that does not exist: that one holds nothing. Source:
   * src/wallet/wallet_rpc_server.cpp, on_getbalance.
   * Other names: getbalance.
   */
  getBalance(params: GetBalanceRequest = {}, options?: CallOptions): Promise<GetBalanceResponse> {
    return this.call("get_balance", params, "GetBalanceResponse", options);
  }

  /**
   * Returns addresses of an account, in the order asked. Errors: Code.AccountIndexOutOfBounds,
   * Code.AddressIndexOutOfBounds.
   * Other names: getaddress.
   */
  getAddress(params: GetAddressRequest = {}, options?: CallOptions): Promise<GetAddressResponse> {
    return this.call("get_address", params, "GetAddressResponse", options);
  }

  /**
   * Returns the index of one of the wallet's addresses. Errors: Code.WrongAddress for what is no address and for what is
   * another wallet's.
   */
  getAddressIndex(params: GetAddressIndexRequest = {}, options?: CallOptions): Promise<GetAddressIndexResponse> {
    return this.call("get_address_index", params, "", options);
  }

  /** Changes the search depth for subaddresses. Errors: Code.InvalidPassword, Code.Unknown. */
  setSubaddressLookahead(params: SetSubaddressLookaheadRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_subaddress_lookahead", params, "", options);
  }

  /**
   * Makes addresses at the end of an account. Errors: Code.Unknown for a count out of range, Code.AccountIndexOutOfBounds.
   */
  createAddress(params: CreateAddressRequest = {}, options?: CallOptions): Promise<CreateAddressResponse> {
    return this.call("create_address", params, "CreateAddressResponse", options);
  }

  /** Labels an address. Errors: Code.AccountIndexOutOfBounds, Code.AddressIndexOutOfBounds. */
  labelAddress(params: LabelAddressRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("label_address", params, "", options);
  }

  /**
   * Returns the accounts with a tag, or all. Errors: Code.Unknown for a tag no account has and for an expression none
   * matches.
   */
  getAccounts(params: GetAccountsRequest = {}, options?: CallOptions): Promise<GetAccountsResponse> {
    return this.call("get_accounts", params, "GetAccountsResponse", options);
  }

  /** Makes an account after the last. */
  createAccount(params: CreateAccountRequest = {}, options?: CallOptions): Promise<CreateAccountResponse> {
    return this.call("create_account", params, "", options);
  }

  /** Labels an account. Errors: Code.AccountIndexOutOfBounds. */
  labelAccount(params: LabelAccountRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("label_account", params, "", options);
  }

  /** Returns every tag in use. */
  getAccountTags(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetAccountTagsResponse> {
    return this.call("get_account_tags", params, "GetAccountTagsResponse", options);
  }

  /** Puts a tag on accounts in the place of the one they had. Errors: Code.Unknown for an unknown account. */
  tagAccounts(params: TagAccountsRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("tag_accounts", params, "", options);
  }

  /** Takes the tags off accounts. Errors: Code.Unknown for an unknown account. */
  untagAccounts(params: UntagAccountsRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("untag_accounts", params, "", options);
  }

  /** Describes a tag in use. Errors: Code.Unknown for a tag no account has. */
  setAccountTagDescription(params: SetAccountTagDescriptionRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_account_tag_description", params, "", options);
  }

  /**
   * Returns how many blocks the wallet knows.
   * Other names: getheight.
   */
  getHeight(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetHeightResponse> {
    return this.call("get_height", params, "GetHeightResponse", options);
  }

  /**
   * Keeps an output from being spent. Errors: Code.Unknown without a key image or with an unknown one, Code.WrongKeyImage
   * for a malformed one.
   */
  freeze(params: KeyImageRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("freeze", params, "", options);
  }

  /** Undoes Freeze. Errors: as Freeze. */
  thaw(params: KeyImageRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("thaw", params, "", options);
  }

  /** Tells whether an output is frozen. Errors: as Freeze. */
  frozen(params: KeyImageRequest = {}, options?: CallOptions): Promise<FrozenResponse> {
    return this.call("frozen", params, "", options);
  }

  /**
   * Pays in one transaction and relays it unless told not to. Errors: Code.WrongAddress, Code.WrongPaymentID,
   * Code.ZeroDestination, Code.ZeroAmount, Code.NotEnoughMoney, Code.NotEnoughUnlockedMoney, Code.TxNotPossible,
   * Code.TxTooLarge, Code.NonzeroUnlockTime, Code.Disabled, Code.NoDaemonConnection, Code.DaemonBusy, Code.GenericTransfer.
   */
  transfer(params: TransferRequest = {}, options?: CallOptions): Promise<TransferResponse> {
    return this.call("transfer", params, "TransferResponse", options);
  }

  /** Pays in as many transactions as it takes and relays them unless told not to. Errors: as Transfer. */
  transferSplit(params: TransferSplitRequest = {}, options?: CallOptions): Promise<SplitResponse> {
    return this.call("transfer_split", params, "SplitResponse", options);
  }

  /**
   * Signs what a view-only wallet prepared. Errors: Code.WatchOnly, Code.BadHex, Code.BadUnsignedTxData, Code.SignUnsigned,
   * Code.Disabled.
   */
  signTransfer(params: SignTransferRequest = {}, options?: CallOptions): Promise<SignTransferResponse> {
    return this.call("sign_transfer", params, "SignTransferResponse", options);
  }

  /**
   * Shows what an unsigned or multisig set would do, for a person to judge before signing. Errors: Code.Unknown without a
   * set, Code.BadHex, Code.BadUnsignedTxData, Code.BadMultisigTxData.
   */
  describeTransfer(params: DescribeTransferRequest = {}, options?: CallOptions): Promise<DescribeTransferResponse> {
    return this.call("describe_transfer", params, "DescribeTransferResponse", options);
  }

  /** Relays a signed set. Errors: Code.BadHex, Code.BadSignedTxData, Code.SignedSubmission. */
  submitTransfer(params: SubmitTransferRequest = {}, options?: CallOptions): Promise<SubmitTransferResponse> {
    return this.call("submit_transfer", params, "SubmitTransferResponse", options);
  }

  /**
   * Sends outputs that cannot be mixed to the wallet itself. With none it answers empty strings. Errors: as Transfer.
   * Other names: sweep_unmixable.
   */
  sweepDust(params: SweepDustRequest = {}, options?: CallOptions): Promise<SplitResponse> {
    return this.call("sweep_dust", params, "SplitResponse", options);
  }

  /** Sends everything spendable to an address. Errors: as Transfer, and Code.TxNotPossible for outputs below 1. */
  sweepAll(params: SweepAllRequest = {}, options?: CallOptions): Promise<SplitResponse> {
    return this.call("sweep_all", params, "SplitResponse", options);
  }

  /** Sends all of one output to an address. Errors: as Transfer, Code.WrongKeyImage, Code.Unknown. */
  sweepSingle(params: SweepSingleRequest = {}, options?: CallOptions): Promise<TransferResponse> {
    return this.call("sweep_single", params, "TransferResponse", options);
  }

  /** Relays a transaction made earlier. Errors: Code.BadHex, Code.BadTxMetadata, Code.GenericTransfer. */
  relayTx(params: RelayTxRequest = {}, options?: CallOptions): Promise<RelayTxResponse> {
    return this.call("relay_tx", params, "", options);
  }

  /** Writes the wallet to its files. */
  store(params: Partial<Empty> = {}, options?: CallOptions): Promise<void> {
    return this.call("store", params, "", options);
  }

  /** Returns what was received with a payment ID. Errors: Code.WrongPaymentID. */
  getPayments(params: GetPaymentsRequest = {}, options?: CallOptions): Promise<GetPaymentsResponse> {
    return this.call("get_payments", params, "GetPaymentsResponse", options);
  }

  /** Returns what was received with any of some payment IDs. Errors: Code.WrongPaymentID. */
  getBulkPayments(params: GetBulkPaymentsRequest = {}, options?: CallOptions): Promise<GetPaymentsResponse> {
    return this.call("get_bulk_payments", params, "GetPaymentsResponse", options);
  }

  /** Returns the outputs an account received. Errors: Code.TransferType. */
  incomingTransfers(params: IncomingTransfersRequest = {}, options?: CallOptions): Promise<IncomingTransfersResponse> {
    return this.call("incoming_transfers", params, "IncomingTransfersResponse", options);
  }

  /** Returns a secret of the wallet. Errors: Code.Unknown for another key type, Code.WatchOnly, Code.NonDeterministic. */
  queryKey(params: QueryKeyRequest = {}, options?: CallOptions): Promise<QueryKeyResponse> {
    return this.call("query_key", params, "", options);
  }

  /** Puts a payment ID into an address. Errors: Code.WrongPaymentID, Code.WrongAddress. */
  makeIntegratedAddress(params: MakeIntegratedAddressRequest = {}, options?: CallOptions): Promise<MakeIntegratedAddressResponse> {
    return this.call("make_integrated_address", params, "", options);
  }

  /** Takes the payment ID out of an address. Errors: Code.WrongAddress. */
  splitIntegratedAddress(params: SplitIntegratedAddressRequest = {}, options?: CallOptions): Promise<SplitIntegratedAddressResponse> {
    return this.call("split_integrated_address", params, "", options);
  }

  /** Stores the wallet and ends the service. */
  stopWallet(params: Partial<Empty> = {}, options?: CallOptions): Promise<void> {
    return this.call("stop_wallet", params, "", options);
  }

  /** Reads the chain again from the restore height. Errors: Code.Unknown. */
  rescanBlockchain(params: RescanBlockchainRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("rescan_blockchain", params, "", options);
  }

  /** Writes notes on transactions. Errors: Code.Unknown for lists of different lengths, Code.WrongTxID. */
  setTxNotes(params: SetTxNotesRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_tx_notes", params, "", options);
  }

  /** Returns the notes on transactions. Errors: Code.WrongTxID. */
  getTxNotes(params: GetTxNotesRequest = {}, options?: CallOptions): Promise<GetTxNotesResponse> {
    return this.call("get_tx_notes", params, "GetTxNotesResponse", options);
  }

  /** Keeps a pair in the wallet. */
  setAttribute(params: SetAttributeRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_attribute", params, "", options);
  }

  /** Returns what SetAttribute kept. Errors: Code.AttributeNotFound. */
  getAttribute(params: GetAttributeRequest = {}, options?: CallOptions): Promise<GetAttributeResponse> {
    return this.call("get_attribute", params, "", options);
  }

  /** Returns the secret key of a transaction this wallet made. Errors: Code.WrongTxID, Code.NoTxKey. */
  getTxKey(params: GetTxKeyRequest = {}, options?: CallOptions): Promise<GetTxKeyResponse> {
    return this.call("get_tx_key", params, "", options);
  }

  /** Tells what a transaction paid to an address. Errors: Code.WrongTxID, Code.WrongKey, Code.WrongAddress. */
  checkTxKey(params: CheckTxKeyRequest = {}, options?: CallOptions): Promise<CheckTxKeyResponse> {
    return this.call("check_tx_key", params, "CheckTxKeyResponse", options);
  }

  /**
   * Proves that a transaction paid an address: the sender for another's, the receiver for its own. Errors: Code.WrongTxID,
   * Code.WrongAddress, Code.Unknown.
   */
  getTxProof(params: GetTxProofRequest = {}, options?: CallOptions): Promise<ProofResponse> {
    return this.call("get_tx_proof", params, "", options);
  }

  /**
   * Checks a proof of payment. A wrong one is good false. Errors: Code.WrongTxID, Code.WrongAddress, Code.Unknown for what
   * does not parse.
   */
  checkTxProof(params: CheckTxProofRequest = {}, options?: CallOptions): Promise<CheckTxProofResponse> {
    return this.call("check_tx_proof", params, "CheckTxProofResponse", options);
  }

  /** Proves that this wallet made a transaction. Errors: Code.WrongTxID, Code.Unknown. */
  getSpendProof(params: GetSpendProofRequest = {}, options?: CallOptions): Promise<ProofResponse> {
    return this.call("get_spend_proof", params, "", options);
  }

  /** Checks who made a transaction. Errors: Code.WrongTxID, Code.Unknown. */
  checkSpendProof(params: CheckSpendProofRequest = {}, options?: CallOptions): Promise<CheckSpendProofResponse> {
    return this.call("check_spend_proof", params, "", options);
  }

  /** Proves that the wallet holds money. Errors: Code.Unknown. */
  getReserveProof(params: GetReserveProofRequest = {}, options?: CallOptions): Promise<ProofResponse> {
    return this.call("get_reserve_proof", params, "", options);
  }

  /** Checks a proof of money held. Errors: Code.WrongAddress, Code.Unknown. */
  checkReserveProof(params: CheckReserveProofRequest = {}, options?: CallOptions): Promise<CheckReserveProofResponse> {
    return this.call("check_reserve_proof", params, "CheckReserveProofResponse", options);
  }

  /** Returns the wallet's history. */
  getTransfers(params: GetTransfersRequest = {}, options?: CallOptions): Promise<GetTransfersResponse> {
    return this.call("get_transfers", params, "GetTransfersResponse", options);
  }

  /**
   * Returns one transaction's part in an account's history. Errors: Code.WrongTxID, also for a transaction the account has
   * no part in; Code.AccountIndexOutOfBounds.
   */
  getTransferByTxid(params: GetTransferByTxIDRequest = {}, options?: CallOptions): Promise<GetTransferByTxIDResponse> {
    return this.call("get_transfer_by_txid", params, "GetTransferByTxIDResponse", options);
  }

  /** Signs a text with the key of one of the wallet's addresses. Errors: Code.InvalidSignatureType, Code.WatchOnly. */
  sign(params: SignRequest = {}, options?: CallOptions): Promise<SignResponse> {
    return this.call("sign", params, "", options);
  }

  /** Checks who signed a text. A wrong signature is an answer, not a failure. Errors: Code.WrongAddress. */
  verify(params: VerifyRequest = {}, options?: CallOptions): Promise<VerifyResponse> {
    return this.call("verify", params, "", options);
  }

  /** Packs outputs for the wallet that holds the spend key. Errors: Code.Unknown. */
  exportOutputs(params: ExportOutputsRequest = {}, options?: CallOptions): Promise<ExportOutputsResponse> {
    return this.call("export_outputs", params, "", options);
  }

  /** Takes outputs from a view-only wallet. Errors: Code.BadHex, Code.Unknown. */
  importOutputs(params: ImportOutputsRequest = {}, options?: CallOptions): Promise<ImportOutputsResponse> {
    return this.call("import_outputs", params, "ImportOutputsResponse", options);
  }

  /** Returns key images for a view-only wallet. Errors: Code.Unknown. */
  exportKeyImages(params: ExportKeyImagesRequest = {}, options?: CallOptions): Promise<ExportKeyImagesResponse> {
    return this.call("export_key_images", params, "ExportKeyImagesResponse", options);
  }

  /**
   * Teaches a view-only wallet what is spent. Errors: Code.Unknown with a daemon not trusted, Code.WrongKeyImage,
   * Code.WrongSignature.
   */
  importKeyImages(params: ImportKeyImagesRequest = {}, options?: CallOptions): Promise<ImportKeyImagesResponse> {
    return this.call("import_key_images", params, "ImportKeyImagesResponse", options);
  }

  /** Writes a payment request. Errors: Code.WrongURI. */
  makeUri(params: Partial<URISpec> = {}, options?: CallOptions): Promise<MakeURIResponse> {
    return this.call("make_uri", params, "", options);
  }

  /** Reads a payment request. Errors: Code.WrongURI. */
  parseUri(params: ParseURIRequest = {}, options?: CallOptions): Promise<ParseURIResponse> {
    return this.call("parse_uri", params, "ParseURIResponse", options);
  }

  /** Returns address book entries. Errors: Code.WrongIndex. */
  getAddressBook(params: GetAddressBookRequest = {}, options?: CallOptions): Promise<GetAddressBookResponse> {
    return this.call("get_address_book", params, "GetAddressBookResponse", options);
  }

  /** Adds an entry at the end. Errors: Code.WrongAddress. */
  addAddressBook(params: AddAddressBookRequest = {}, options?: CallOptions): Promise<AddAddressBookResponse> {
    return this.call("add_address_book", params, "AddAddressBookResponse", options);
  }

  /** Changes an entry. Errors: Code.WrongIndex, Code.WrongAddress. */
  editAddressBook(params: EditAddressBookRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("edit_address_book", params, "", options);
  }

  /** Removes an entry. Errors: Code.WrongIndex. */
  deleteAddressBook(params: DeleteAddressBookRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("delete_address_book", params, "", options);
  }

  /** Reads the chain to its end. Errors: Code.NoDaemonConnection, Code.DaemonBusy, Code.Unknown. */
  refresh(params: RefreshRequest = {}, options?: CallOptions): Promise<RefreshResponse> {
    return this.call("refresh", params, "RefreshResponse", options);
  }

  /** Makes the service read the chain on its own. It needs no wallet. */
  autoRefresh(params: AutoRefreshRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("auto_refresh", params, "", options);
  }

  /**
   * Reads single transactions out of turn. The daemon learns which, and which others of the wallet's came since. Errors:
   * Code.WrongTxID; Code.Unknown, also in a block not read yet, or for those others with a daemon not trusted.
   */
  scanTx(params: ScanTxRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("scan_tx", params, "", options);
  }

  /** Asks the daemon which outputs are spent. Errors: Code.Unknown with a daemon not trusted. */
  rescanSpent(params: Partial<Empty> = {}, options?: CallOptions): Promise<void> {
    return this.call("rescan_spent", params, "", options);
  }

  /** Has the daemon mine to the wallet's primary address. Errors: Code.Unknown. */
  startMining(params: StartMiningRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("start_mining", params, "", options);
  }

  /** Has the daemon stop mining. Errors: Code.Unknown. */
  stopMining(params: Partial<Empty> = {}, options?: CallOptions): Promise<void> {
    return this.call("stop_mining", params, "", options);
  }

  /** Returns the languages seeds can be written in. It needs no wallet. */
  getLanguages(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetLanguagesResponse> {
    return this.call("get_languages", params, "GetLanguagesResponse", options);
  }

  /**
   * Makes a wallet with a random seed and opens it in the place of the one open. It needs no wallet. Errors:
   * Code.NoWalletDir, Code.Unknown for a name or a language that cannot be, Code.WalletAlreadyExists.
   */
  createWallet(params: CreateWalletRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("create_wallet", params, "", options);
  }

  /**
   * Opens a wallet in the place of the one open. It needs no wallet. Errors: Code.NoWalletDir, Code.Unknown for a name, a
   * file or a password that does not open.
   */
  openWallet(params: OpenWalletRequest = {}, options?: CallOptions): Promise<OpenWalletResponse> {
    return this.call("open_wallet", params, "", options);
  }

  /** Closes the wallet. Errors: Code.Unknown when it cannot be stored. */
  closeWallet(params: CloseWalletRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("close_wallet", params, "", options);
  }

  /** Changes the password of the wallet's files. Errors: Code.InvalidPassword. */
  changeWalletPassword(params: ChangeWalletPasswordRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("change_wallet_password", params, "", options);
  }

  /**
   * Makes a wallet from its keys and opens it. It needs no wallet. Errors: Code.NoWalletDir, Code.Unknown,
   * Code.WalletAlreadyExists.
   */
  generateFromKeys(params: GenerateFromKeysRequest = {}, options?: CallOptions): Promise<GenerateFromKeysResponse> {
    return this.call("generate_from_keys", params, "", options);
  }

  /**
   * Makes a wallet from its seed and opens it. It needs no wallet. Errors: Code.NoWalletDir, Code.Unknown,
   * Code.WalletAlreadyExists.
   */
  restoreDeterministicWallet(params: RestoreDeterministicWalletRequest = {}, options?: CallOptions): Promise<RestoreDeterministicWalletResponse> {
    return this.call("restore_deterministic_wallet", params, "", options);
  }

  /** Tells whether the wallet is multisig. */
  isMultisig(params: Partial<Empty> = {}, options?: CallOptions): Promise<IsMultisigResponse> {
    return this.call("is_multisig", params, "", options);
  }

  /** Returns the first message of the key exchange. Errors: Code.AlreadyMultisig, Code.WatchOnly, Code.Disabled. */
  prepareMultisig(params: PrepareMultisigRequest = {}, options?: CallOptions): Promise<PrepareMultisigResponse> {
    return this.call("prepare_multisig", params, "", options);
  }

  /** Makes the wallet multisig. Errors: Code.AlreadyMultisig, Code.WatchOnly, Code.Disabled, Code.Unknown. */
  makeMultisig(params: MakeMultisigRequest = {}, options?: CallOptions): Promise<MultisigRoundResponse> {
    return this.call("make_multisig", params, "", options);
  }

  /** Returns what the others need before spending. Errors: Code.NotMultisig, Code.Disabled. */
  exportMultisigInfo(params: Partial<Empty> = {}, options?: CallOptions): Promise<ExportMultisigInfoResponse> {
    return this.call("export_multisig_info", params, "", options);
  }

  /**
   * Takes what the others exported. Errors: Code.NotMultisig, Code.ThresholdNotReached, Code.BadHex, Code.Disabled,
   * Code.Unknown.
   */
  importMultisigInfo(params: ImportMultisigInfoRequest = {}, options?: CallOptions): Promise<ImportMultisigInfoResponse> {
    return this.call("import_multisig_info", params, "ImportMultisigInfoResponse", options);
  }

  /**
   * The older name of the last ExchangeMultisigKeys. Errors: as there. The reference dropped it in 0.18.5.1; the published
   * interface has it.
   */
  finalizeMultisig(params: FinalizeMultisigRequest = {}, options?: CallOptions): Promise<FinalizeMultisigResponse> {
    return this.call("finalize_multisig", params, "", options);
  }

  /**
   * Takes a round of the key exchange further. Errors: Code.NotMultisig, Code.AlreadyMultisig, Code.Disabled, Code.Unknown.
   */
  exchangeMultisigKeys(params: ExchangeMultisigKeysRequest = {}, options?: CallOptions): Promise<MultisigRoundResponse> {
    return this.call("exchange_multisig_keys", params, "", options);
  }

  /**
   * Signs a multisig set. Errors: Code.NotMultisig, Code.BadHex, Code.BadMultisigTxData, Code.MultisigSignature,
   * Code.Disabled.
   */
  signMultisig(params: SignMultisigRequest = {}, options?: CallOptions): Promise<SignMultisigResponse> {
    return this.call("sign_multisig", params, "SignMultisigResponse", options);
  }

  /**
   * Relays a multisig set. Errors: Code.NotMultisig, Code.BadHex, Code.BadMultisigTxData, Code.ThresholdNotReached,
   * Code.MultisigSubmission, Code.Disabled.
   */
  submitMultisig(params: SubmitMultisigRequest = {}, options?: CallOptions): Promise<SubmitTransferResponse> {
    return this.call("submit_multisig", params, "SubmitTransferResponse", options);
  }

  /** Judges an address. It needs no wallet when the addresses of every network are asked for, and then never fails. */
  validateAddress(params: ValidateAddressRequest = {}, options?: CallOptions): Promise<ValidateAddressResponse> {
    return this.call("validate_address", params, "", options);
  }

  /**
   * Changes the daemon for as long as the wallet is open. The next wallet that is opened or made, this one included, starts
   * with the daemon of the command line. Errors: Code.NoDaemonConnection for settings that cannot be,
   * Code.ProxyAlreadyDefined.
   */
  setDaemon(params: SetDaemonRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_daemon", params, "", options);
  }

  /** Changes how much the service logs. It needs no wallet. Errors: Code.InvalidLogLevel. */
  setLogLevel(params: SetLogLevelRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("set_log_level", params, "", options);
  }

  /** Changes what the service logs. It needs no wallet. */
  setLogCategories(params: SetLogCategoriesRequest = {}, options?: CallOptions): Promise<SetLogCategoriesResponse> {
    return this.call("set_log_categories", params, "", options);
  }

  /** Estimates a transaction's room. Errors: Code.Unknown. */
  estimateTxSizeAndWeight(params: EstimateTxSizeAndWeightRequest = {}, options?: CallOptions): Promise<EstimateTxSizeAndWeightResponse> {
    return this.call("estimate_tx_size_and_weight", params, "EstimateTxSizeAndWeightResponse", options);
  }

  /** Returns what priority 0 means now. Errors: Code.Unknown. */
  getDefaultFeePriority(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetDefaultFeePriorityResponse> {
    return this.call("get_default_fee_priority", params, "", options);
  }

  /** Returns the version of the interface. It needs no wallet. */
  getVersion(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetVersionResponse> {
    return this.call("get_version", params, "", options);
  }

  /**
   * Prepares syncing without the spend key in memory. Errors: Code.InvalidPassword, Code.WatchOnly, Code.Unknown for a
   * multisig wallet.
   */
  setupBackgroundSync(params: SetupBackgroundSyncRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("setup_background_sync", params, "", options);
  }

  /** Wipes the spend key from memory and goes on syncing. Errors: as SetupBackgroundSync. */
  startBackgroundSync(params: Partial<Empty> = {}, options?: CallOptions): Promise<void> {
    return this.call("start_background_sync", params, "", options);
  }

  /** Ends syncing in the background. Errors: Code.InvalidPassword, Code.Unknown. */
  stopBackgroundSync(params: StopBackgroundSyncRequest = {}, options?: CallOptions): Promise<void> {
    return this.call("stop_background_sync", params, "", options);
  }

  /** Returns what happened to transfers since a cursor. Glim's own. */
  getEvents(params: GetEventsRequest = {}, options?: CallOptions): Promise<GetEventsResponse> {
    return this.call("get_events", params, "GetEventsResponse", options);
  }

  /**
   * Writes the wallet's keys, its language and its restore height to a file that monero-wallet-rpc opens, whose history
   * comes from the chain. It is glim's own: the reference has no such operation. Errors: Code.NoWalletDir, Code.Unknown for
   * a name that cannot be, Code.WalletAlreadyExists.
   */
  exportKeysFile(params: ExportKeysFileRequest = {}, options?: CallOptions): Promise<ExportKeysFileResponse> {
    return this.call("export_keys_file", params, "", options);
  }

  /** Returns which daemon the service uses. It needs no wallet. It is glim's own: the reference has no such operation. */
  getDaemon(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetDaemonResponse> {
    return this.call("get_daemon", params, "", options);
  }

  /**
   * Returns what the wallet took over from monero-wallet-rpc's cache: when it was opened here first, or later, after
   * monero-wallet-rpc had changed it. Glim's own.
   */
  getTakeover(params: Partial<Empty> = {}, options?: CallOptions): Promise<GetTakeoverResponse> {
    return this.call("get_takeover", params, "GetTakeoverResponse", options);
  }
}
