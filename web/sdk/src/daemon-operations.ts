// Written by scripts/gen from core/daemonrpc: make gen writes it again.

import type { JSONValue, Shapes } from "./json.js";
import { Operations, type Ask, type CallOptions } from "./operation.js";

/** Numbers of the failures that the daemon service states. */
export const Code = {
  WrongParam: -1,
  TooBigHeight: -2,
  TooBigReserveSize: -3,
  WrongWalletAddress: -4,
  Internal: -5,
  WrongBlockBlob: -6,
  BlockNotAccepted: -7,
  CoreBusy: -9,
  WrongBlockBlobSize: -10,
  UnsupportedRPC: -11,
  MiningToSubaddress: -12,
  RegtestRequired: -13,
  PaymentRequired: -14,
  InvalidClient: -15,
  PaymentTooLow: -16,
  DuplicatePayment: -17,
  StalePayment: -18,
  Restricted: -19,
  UnsupportedBootstrap: -20,
  PaymentsNotEnabled: -21,
  Parse: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  RPCInternal: -32603,
} as const;

/** Adds other chains to a block template. */
export interface AddAuxPowRequest {
  /** hexadecimal */
  blocktemplate_blob?: string;
  /** at most 10 on restricted services */
  aux_pow?: readonly Partial<AuxPow>[];
}

/** Carries the template with the Merkle root of the other chains. */
export interface AddAuxPowResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  blocktemplate_blob: string;
  blockhashing_blob: string;
  merkle_root: string;
  /** with the nonce packed in */
  merkle_tree_depth: number;
  /** in the tree's order */
  aux_pow: AuxPow[];
}

/** A branch off the main chain. */
export interface AlternateChain {
  /** its top */
  block_hash: string;
  /** index of its first block */
  height: bigint;
  /** blocks */
  length: bigint;
  /** cumulative, low half */
  difficulty: bigint;
  wide_difficulty: string;
  difficulty_top64: bigint;
  /** newest first */
  block_hashes: string[];
  main_chain_parent_block: string;
}

/** Another chain's stake in a merge-mined block. */
export interface AuxPow {
  id: string;
  hash: string;
}

/** A pool transaction as a miner sees it. */
export interface BacklogTx {
  id: string;
  /** bytes */
  weight: bigint;
  /** atomic units */
  fee: bigint;
}

/** A ban in force. */
export interface Ban {
  host: string;
  /** IPv4, first byte lowest */
  ip: number;
  /** left */
  seconds: number;
}

/** Bans a peer or lifts its ban. A host wins over an IP. */
export interface BanOrder {
  /** address or, for IPv4, a subnet */
  host?: string;
  /** IPv4, first byte lowest */
  ip?: number;
  ban?: boolean;
  /** how long */
  seconds?: number;
}

/** Names an address. */
export interface BannedRequest {
  address?: string;
}

/** Says whether it is banned. */
export interface BannedResponse {
  status: string;
  banned: boolean;
  /** left */
  seconds: number;
}

/**
 * Describes one block. The wide_ members are 128-bit numbers as hexadecimal with 0x in front; the members of the same name
 * without it hold their low and high halves. Hashes are empty in a header nobody asked for.
 */
export interface BlockHeader {
  major_version: number;
  minor_version: number;
  /** seconds since 1970 */
  timestamp: bigint;
  prev_hash: string;
  nonce: number;
  /** not on the main chain */
  orphan_status: boolean;
  /** index */
  height: bigint;
  /** blocks after this one */
  depth: bigint;
  hash: string;
  difficulty: bigint;
  wide_difficulty: string;
  difficulty_top64: bigint;
  cumulative_difficulty: bigint;
  wide_cumulative_difficulty: string;
  cumulative_difficulty_top64: bigint;
  /** atomic units, fees included */
  reward: bigint;
  /** the weight, under its old name */
  block_size: bigint;
  /** bytes */
  block_weight?: bigint;
  /** without the coinbase */
  num_txes: bigint;
  /** filled when fill_pow_hash asks for it */
  pow_hash: string;
  long_term_weight?: bigint;
  miner_tx_hash: string;
}

/** Carries one header. */
export interface BlockHeaderResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  block_header: BlockHeader;
}

/** Names a block to hash. */
export interface CalcPowRequest {
  major_version?: number;
  /** index */
  height?: bigint;
  /** hexadecimal */
  block_blob?: string;
  seed_hash?: string;
}

/** A link to a peer. */
export interface Connection {
  incoming: boolean;
  localhost: boolean;
  local_ip: boolean;
  address: string;
  host: string;
  ip: string;
  port: string;
  rpc_port: number;
  rpc_credits_per_hash: number;
  peer_id: string;
  /** bytes */
  recv_count: bigint;
  /** seconds */
  recv_idle_time: bigint;
  /** bytes */
  send_count: bigint;
  /** seconds */
  send_idle_time: bigint;
  state: string;
  /** seconds */
  live_time: bigint;
  /** kB a second */
  avg_download: bigint;
  current_download: bigint;
  avg_upload: bigint;
  current_upload: bigint;
  support_flags: number;
  connection_id: string;
  /** count of blocks the peer has */
  height: bigint;
  pruning_seed: number;
  /** 1 IPv4, 2 IPv6, 3 I2P, 4 Tor */
  address_type: number;
}

/**
 * DistributionBin in JSON. Its list is an array of numbers, or with Binary one raw string of 64-bit little-endian numbers,
 * or with Compress a raw string of varints: see QuoteBlob.
 */
export interface Distribution {
  amount: bigint;
  start_height: bigint;
  binary: boolean;
  compress: boolean;
  compressed_data?: JSONValue;
  distribution?: JSONValue;
  base: bigint;
}

/** Names what to forget. BadTxs has no effect since 0.18.1. */
export interface FlushCacheRequest {
  bad_txs?: boolean;
  bad_blocks?: boolean;
}

/** Names transactions; none means all. */
export interface FlushTxPoolRequest {
  txids?: readonly string[];
}

/** Says how many blocks to mine, and to whom. */
export interface GenerateBlocksRequest {
  amount_of_blocks?: bigint;
  wallet_address?: string;
  /** parent of the first, empty for the top */
  prev_block?: string;
  starting_nonce?: number;
}

/** Names the new blocks. */
export interface GenerateBlocksResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** index of the last */
  height: bigint;
  blocks: string[];
}

/** Answers /get_alt_blocks_hashes. */
export interface GetAltBlocksHashesResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  blks_hashes: string[];
}

/** Answers get_alternate_chains. */
export interface GetAlternateChainsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  chains: AlternateChain[];
}

/** Answers get_bans. */
export interface GetBansResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  bans: Ban[];
}

/** Answers get_block_count. */
export interface GetBlockCountResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** blocks, genesis included */
  count: bigint;
}

/** Names one block, several, or both. */
export interface GetBlockHeaderByHashRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  hash?: string;
  /** at most 1,000 on restricted services */
  hashes?: readonly string[];
  fill_pow_hash?: boolean;
}

/** Carries the headers asked for, each list in its order. */
export interface GetBlockHeaderByHashResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  block_header: BlockHeader;
  block_headers: BlockHeader[];
}

/** Names one block of the main chain. */
export interface GetBlockHeaderByHeightRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  /** index */
  height?: bigint;
  fill_pow_hash?: boolean;
}

/** Names a run of blocks, both ends included. */
export interface GetBlockHeadersRangeRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  /** index */
  start_height?: bigint;
  /** index; at most 1,000 blocks on restricted services */
  end_height?: bigint;
  fill_pow_hash?: boolean;
}

/** Carries headers in ascending height. */
export interface GetBlockHeadersRangeResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  headers: BlockHeader[];
}

/** Names a block by Hash or, when that is empty, by Height. */
export interface GetBlockRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  hash?: string;
  /** index */
  height?: bigint;
  fill_pow_hash?: boolean;
}

/** Carries a block in three forms: described, as bytes and as JSON. */
export interface GetBlockResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  block_header: BlockHeader;
  miner_tx_hash: string;
  /** without the coinbase */
  tx_hashes: string[];
  /** hexadecimal */
  blob: string;
  /** a JSON object as text */
  json: string;
}

/** Asks for a block to mine on. */
export interface GetBlockTemplateRequest {
  /** bytes to keep free in the coinbase's extra, at most 255 */
  reserve_size?: bigint;
  /** who receives the reward; no subaddress */
  wallet_address?: string;
  /** parent, empty for the top */
  prev_block?: string;
  /** hexadecimal, instead of ReserveSize */
  extra_nonce?: string;
}

/** Carries the block and what mining it takes. */
export interface GetBlockTemplateResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  difficulty: bigint;
  wide_difficulty: string;
  difficulty_top64: bigint;
  /** index of the block to be */
  height: bigint;
  /** of the free bytes in the blob */
  reserved_offset: bigint;
  /** atomic units */
  expected_reward: bigint;
  prev_hash: string;
  seed_height: bigint;
  /** hexadecimal */
  blocktemplate_blob: string;
  /** hexadecimal */
  blockhashing_blob: string;
  seed_hash: string;
  /** empty unless a change is near */
  next_seed_hash: string;
}

/** Names a run of blocks. */
export interface GetCoinbaseTxSumRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  /** index of the first */
  height?: bigint;
  count?: bigint;
}

/** Carries sums in atomic units; the wide_ members are 128-bit hexadecimal. */
export interface GetCoinbaseTxSumResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** new coins, fees excluded */
  emission_amount: bigint;
  wide_emission_amount: string;
  emission_amount_top64: bigint;
  fee_amount: bigint;
  wide_fee_amount: string;
  fee_amount_top64: bigint;
}

/** Answers get_connections. */
export interface GetConnectionsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  connections: Connection[];
}

/** Says for how many blocks the estimate should hold. */
export interface GetFeeEstimateRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  grace_blocks?: bigint;
}

/** Carries fees in atomic units a byte of weight. */
export interface GetFeeEstimateResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** of the lowest priority */
  fee: bigint;
  /** fees are rounded up to a multiple of it */
  quantization_mask: bigint;
  /** by priority, lowest first: four since hard fork 15 */
  fees: bigint[];
}

/** Answers /get_height. */
export interface GetHeightResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** count of blocks: the top's index plus one */
  height: bigint;
  /** of the top block */
  hash: string;
}

/**
 * Describes the daemon and its chain. The wide_ members are 128-bit hexadecimal. Restricted services zero what would
 * describe the machine.
 */
export interface GetInfoResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** count of blocks */
  height: bigint;
  /** count the network has; 0 or less than Height when synchronised */
  target_height: bigint;
  difficulty: bigint;
  wide_difficulty: string;
  difficulty_top64: bigint;
  /** seconds between blocks */
  target: bigint;
  /** without coinbases */
  tx_count: bigint;
  tx_pool_size: bigint;
  alt_blocks_count: bigint;
  outgoing_connections_count: bigint;
  incoming_connections_count: bigint;
  rpc_connections_count: bigint;
  white_peerlist_size: bigint;
  grey_peerlist_size: bigint;
  mainnet: boolean;
  testnet: boolean;
  stagenet: boolean;
  /** mainnet, testnet, stagenet or fakechain */
  nettype: string;
  top_block_hash: string;
  cumulative_difficulty: bigint;
  wide_cumulative_difficulty: string;
  cumulative_difficulty_top64: bigint;
  /** the weight limit, under its old name */
  block_size_limit: bigint;
  /** bytes */
  block_weight_limit?: bigint;
  block_size_median: bigint;
  block_weight_median?: bigint;
  /** seconds since 1970 */
  adjusted_time: bigint;
  /** seconds since 1970 */
  start_time: bigint;
  /** bytes */
  free_space: bigint;
  offline: boolean;
  bootstrap_daemon_address: string;
  height_without_bootstrap: bigint;
  was_bootstrap_ever_used: boolean;
  /** bytes */
  database_size: bigint;
  update_available: boolean;
  busy_syncing: boolean;
  version: string;
  synchronized: boolean;
  restricted: boolean;
}

/** Asks for the top block. */
export interface GetLastBlockHeaderRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  /** ignored by restricted services: it is costly */
  fill_pow_hash?: boolean;
}

/** Carries limits in kB a second. */
export interface GetLimitResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  limit_up: bigint;
  limit_down: bigint;
}

/** Carries what a pool needs to build its own block. */
export interface GetMinerDataResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  major_version: number;
  /** index of the block to be */
  height: bigint;
  prev_id: string;
  seed_hash: string;
  /** 128-bit hexadecimal */
  difficulty: string;
  median_weight: bigint;
  /** atomic units */
  already_generated_coins: bigint;
  tx_backlog: BacklogTx[];
}

/** Counts traffic of the peer-to-peer network since the start. */
export interface GetNetStatsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** seconds since 1970 */
  start_time: bigint;
  total_packets_in: bigint;
  total_bytes_in: bigint;
  total_packets_out: bigint;
  total_bytes_out: bigint;
}

/** Names amounts, on restricted services only 0, and a run of blocks. */
export interface GetOutputDistributionRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  amounts?: readonly bigint[];
  /** index */
  from_height?: bigint;
  /** index, included; 0 for the top */
  to_height?: bigint;
  cumulative?: boolean;
  /** true when absent */
  binary?: boolean;
  compress?: boolean;
}

/** Answers the JSON operation. */
export interface GetOutputDistributionResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  distributions: Distribution[];
}

/** Names amounts and filters. */
export interface GetOutputHistogramRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  /** restricted services demand some */
  amounts?: readonly bigint[];
  min_count?: bigint;
  max_count?: bigint;
  unlocked?: boolean;
  /** seconds since 1970, 0 for none */
  recent_cutoff?: bigint;
}

/** Answers get_output_histogram. */
export interface GetOutputHistogramResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  histogram: HistogramEntry[];
}

/** GetOutsBinRequest in JSON, where get_txid is false unless set. */
export interface GetOutsRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  outputs?: readonly OutputRef[];
  get_txid?: boolean;
}

/** Carries the outputs in the order asked for. */
export interface GetOutsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  outs: OutKey[];
}

/** Filters the list. */
export interface GetPeerListRequest {
  /** no anonymity networks; true when absent */
  public_only?: boolean;
  include_blocked?: boolean;
}

/** Answers /get_peer_list. */
export interface GetPeerListResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** reached */
  white_list: Peer[];
  /** only heard of */
  gray_list: Peer[];
}

/** Says which lists to return. */
export interface GetPublicNodesRequest {
  gray?: boolean;
  /** true when absent */
  white?: boolean;
  include_blocked?: boolean;
}

/** Answers /get_public_nodes. */
export interface GetPublicNodesResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  gray: PublicNode[];
  white: PublicNode[];
}

/** Answers /get_transaction_pool_hashes. */
export interface GetTransactionPoolHashesResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  tx_hashes: string[];
}

/** Answers /get_transaction_pool. */
export interface GetTransactionPoolResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  transactions: PoolTransaction[];
  spent_key_images: SpentKeyImage[];
}

/** Answers /get_transaction_pool_stats. */
export interface GetTransactionPoolStatsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  pool_stats: PoolStats;
}

/** Names transactions, at most 100 on restricted services. */
export interface GetTransactionsRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  txs_hashes?: readonly string[];
  decode_as_json?: boolean;
  /** leave out prunable parts */
  prune?: boolean;
  /** answer in two parts */
  split?: boolean;
}

/** Carries the transactions found, in the order asked for. */
export interface GetTransactionsResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** the as_hex of each of Txs */
  txs_as_hex: string[];
  /** the as_json of each, when asked for */
  txs_as_json: string[];
  txs: TxEntry[];
  missed_tx: string[];
}

/** Carries entries of three 64-bit little-endian numbers in one raw JSON string: see Backlog. */
export interface GetTxPoolBacklogResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  backlog?: JSONValue;
}

/** Describes the daemon's interface; the optional members exist since RPC 3.11. */
export interface GetVersionResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** major · 65536 + minor */
  version: number;
  release: boolean;
  /** count */
  current_height?: bigint;
  target_height?: bigint;
  hard_forks?: HardForkEntry[];
}

/** Says from which block a protocol version holds. */
export interface HardForkEntry {
  hf_version: number;
  /** index */
  height: bigint;
}

/** Names a version; 0 for the current one. */
export interface HardForkInfoRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  version?: number;
}

/** Describes a version of the protocol. */
export interface HardForkInfoResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  version: number;
  enabled: boolean;
  /** blocks whose votes count */
  window: number;
  /** for it, within the window */
  votes: number;
  /** votes needed */
  threshold: number;
  /** version new blocks vote for */
  voting: number;
  /** 0 an update is urgent, 1 needed, 2 all is well */
  state: number;
  earliest_height: bigint;
}

/** Counts the outputs of one amount. */
export interface HistogramEntry {
  amount: bigint;
  total_instances: bigint;
  unlocked_instances: bigint;
  recent_instances: bigint;
}

/** Sets the limit, or asks for it when Set is false. */
export interface InPeersRequest {
  /** true when absent */
  set?: boolean;
  in_peers?: number;
}

/** Carries the limit that now holds. */
export interface InPeersResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  in_peers: number;
}

/** Names key images, at most 5,000 on restricted services. */
export interface IsKeyImageSpentRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  key_images?: readonly string[];
}

/** Carries one status for each key image. */
export interface IsKeyImageSpentResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  spent_status: number[];
}

/** Describes the daemon's own miner. */
export interface MiningStatusResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  active: boolean;
  /** hashes a second */
  speed: bigint;
  threads_count: number;
  address: string;
  pow_algorithm: string;
  is_background_mining_enabled: boolean;
  /** percent */
  bg_idle_threshold: number;
  bg_min_idle_seconds: number;
  bg_ignore_battery: boolean;
  /** percent */
  bg_target: number;
  /** seconds between blocks */
  block_target: number;
  /** atomic units */
  block_reward: bigint;
  difficulty: bigint;
  wide_difficulty: string;
  difficulty_top64: bigint;
}

/** The request of operations that take nothing. */
export type None = Record<string, never>;

/** OutKeyBin in hexadecimal. */
export interface OutKey {
  key: string;
  mask: string;
  unlocked: boolean;
  height: bigint;
  /** empty unless asked for */
  txid: string;
}

/** Sets the limit, or asks for it when Set is false. */
export interface OutPeersRequest {
  /** true when absent */
  set?: boolean;
  out_peers?: number;
}

/** Carries the limit that now holds. */
export interface OutPeersResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  out_peers: number;
}

/** Names an output by amount, 0 for RingCT, and global index. */
export interface OutputRef {
  amount?: bigint;
  index?: bigint;
}

/** The request of operations that take nothing but the payer. */
export interface PayerOnly {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
}

/** A peer the daemon has heard of. */
export interface Peer {
  id: bigint;
  host: string;
  /** IPv4, first byte lowest */
  ip: number;
  port: number;
  rpc_port?: number;
  rpc_credits_per_hash?: number;
  /** seconds since 1970 */
  last_seen: bigint;
  pruning_seed?: number;
}

/** The answer of operations that only succeed or fail. */
export interface Plain {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
}

/** Plain where a daemon may charge. */
export interface PlainMetered {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
}

/** Counts the transactions of one age. */
export interface PoolHistogramEntry {
  txs: number;
  bytes: bigint;
}

/** Sums up the pool. */
export interface PoolStats {
  bytes_total: bigint;
  bytes_min: number;
  bytes_max: number;
  bytes_med: number;
  /** atomic units */
  fee_total: bigint;
  /** seconds since 1970 */
  oldest: bigint;
  txs_total: number;
  num_failing: number;
  /** older than ten minutes */
  num_10m: number;
  num_not_relayed: number;
  /** seconds that 98 % are younger than */
  histo_98pc: bigint;
  histo: PoolHistogramEntry[];
  num_double_spends: number;
}

/** A transaction of the pool with its story. */
export interface PoolTransaction {
  id_hash: string;
  tx_json: string;
  /** bytes */
  blob_size: bigint;
  /** bytes */
  weight?: bigint;
  /** atomic units */
  fee: bigint;
  max_used_block_id_hash: string;
  /** index of the newest block a ring reaches */
  max_used_block_height: bigint;
  kept_by_block: boolean;
  last_failed_height: bigint;
  last_failed_id_hash: string;
  /** seconds since 1970; 0 on restricted services */
  receive_time: bigint;
  relayed: boolean;
  last_relayed_time: bigint;
  do_not_relay: boolean;
  double_spend_seen: boolean;
  /** hexadecimal */
  tx_blob: string;
}

/** Says how many blocks to drop from the top. */
export interface PopBlocksRequest {
  nblocks?: bigint;
}

/** Answers /pop_blocks. */
export interface PopBlocksResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** count of blocks afterwards */
  height: bigint;
}

/** Says whether to prune or only to look. */
export interface PruneBlockchainRequest {
  check?: boolean;
}

/** Tells the state of pruning. */
export interface PruneBlockchainResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  pruned: boolean;
  /** which eighth is kept; 0 when nothing is pruned */
  pruning_seed: number;
}

/** A peer that offers its RPC to everybody. */
export interface PublicNode {
  host: string;
  /** seconds since 1970 */
  last_seen: bigint;
  rpc_port: number;
  rpc_credits_per_hash: number;
}

/** Changes one caller's balance. */
export interface RPCAccessAccountRequest {
  client?: string;
  delta_balance?: bigint;
}

/** Answers rpc_access_account. */
export interface RPCAccessAccountResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
}

/** Answers rpc_access_data. */
export interface RPCAccessDataResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  entries: RPCAccount[];
  /** hashes a second, all callers together */
  hashrate: number;
}

/** Carries what a caller mines to pay for its calls. */
export interface RPCAccessInfoResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** hexadecimal */
  hashing_blob: string;
  seed_height: bigint;
  seed_hash: string;
  next_seed_hash: string;
  cookie: number;
  diff: bigint;
  credits_per_hash_found: bigint;
  height: bigint;
}

/** Names what is paid for. */
export interface RPCAccessPayRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  paying_for?: string;
  /** credits */
  payment?: bigint;
}

/** Carries a find. */
export interface RPCAccessSubmitNonceRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  nonce?: number;
  cookie?: number;
}

/** Says whether to start counting afresh. */
export interface RPCAccessTrackingRequest {
  clear?: boolean;
}

/** Answers rpc_access_tracking. */
export interface RPCAccessTrackingResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  data: RPCUse[];
}

/** The balance of one caller. */
export interface RPCAccount {
  client: string;
  balance: bigint;
  /** seconds since 1970 */
  last_update_time: bigint;
  credits_total: bigint;
  credits_used: bigint;
  nonces_good: bigint;
  nonces_stale: bigint;
  nonces_bad: bigint;
  nonces_dupe: bigint;
}

/** Counts the calls of one operation. */
export interface RPCUse {
  rpc: string;
  count: bigint;
  /** microseconds */
  time: bigint;
  credits: bigint;
}

/** Names pool transactions. */
export interface RelayTxRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  txids?: readonly string[];
}

/** Carries a signed transaction. */
export interface SendRawTransactionRequest {
  /** signed payment ID of the caller; empty without payments */
  client?: string;
  tx_as_hex?: string;
  do_not_relay?: boolean;
  /** of the ring members' ages; true when absent */
  do_sanity_checks?: boolean;
}

/** Says whether the transaction went in and, if not, why. */
export interface SendRawTransactionResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  reason: string;
  not_relayed: boolean;
  low_mixin: boolean;
  double_spend: boolean;
  invalid_input: boolean;
  invalid_output: boolean;
  too_big: boolean;
  overspend: boolean;
  fee_too_low: boolean;
  too_few_outputs: boolean;
  sanity_check_failed: boolean;
  tx_extra_too_big: boolean;
  nonzero_unlock_time: boolean;
  /** of the contract; newer services never set it */
  not_rct?: boolean;
}

/** Carries orders, done in turn. */
export interface SetBansRequest {
  bans?: readonly BanOrder[];
}

/** Names a daemon to pass calls on to while this one synchronises; an empty address ends it. */
export interface SetBootstrapDaemonRequest {
  /** host:port */
  address?: string;
  username?: string;
  password?: string;
  proxy?: string;
}

/** Says whether it was set. */
export interface SetBootstrapDaemonResponse {
  status: string;
}

/** Carries limits in kB a second; −1 for the default, 0 to leave one as it is. */
export interface SetLimitRequest {
  limit_down?: bigint;
  limit_up?: bigint;
}

/** Carries the limits that now hold. */
export interface SetLimitResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  limit_up: bigint;
  limit_down: bigint;
}

/** Carries a comma-separated list of category:LEVEL. */
export interface SetLogCategoriesRequest {
  categories?: string;
}

/** Carries the list that now holds. */
export interface SetLogCategoriesResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  categories: string;
}

/** Says whether the miner prints its speed. */
export interface SetLogHashRateRequest {
  visible?: boolean;
}

/** Carries a level, 0 the least talkative to 4. */
export interface SetLogLevelRequest {
  level?: number;
}

/** Says which pool transactions spend one output. */
export interface SpentKeyImage {
  id_hash: string;
  txs_hashes: string[];
}

/** Sets up the daemon's own miner. */
export interface StartMiningRequest {
  miner_address?: string;
  threads_count?: bigint;
  /** only while the machine is idle */
  do_background_mining?: boolean;
  ignore_battery?: boolean;
}

/** Answers submit_block. */
export interface SubmitBlockResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  /** since 0.18.1 */
  block_id?: string;
}

/** Describes synchronisation. */
export interface SyncInfoResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  credits: bigint;
  top_hash: string;
  /** count */
  height: bigint;
  /** count */
  target_height: bigint;
  next_needed_pruning_seed: number;
  peers: SyncPeer[];
  spans: SyncSpan[];
  overview: string;
}

/** A peer the daemon synchronises from. */
export interface SyncPeer {
  info: Connection;
}

/** A run of blocks being fetched. */
export interface SyncSpan {
  /** index */
  start_block_height: bigint;
  nblocks: bigint;
  connection_id: string;
  /** bytes a second */
  rate: number;
  /** percent of the fastest */
  speed: number;
  /** bytes */
  size: bigint;
  remote_address: string;
}

/**
 * One transaction. A pool transaction has Relayed and ReceivedTimestamp, a mined one the other pointers and OutputIndices.
 */
export interface TxEntry {
  /** as written in the request */
  tx_hash: string;
  /** empty when split, pruned or unavailable whole */
  as_hex: string;
  pruned_as_hex: string;
  prunable_as_hex: string;
  prunable_hash: string;
  as_json: string;
  in_pool: boolean;
  double_spend_seen: boolean;
  /** index */
  block_height?: bigint;
  confirmations?: bigint;
  block_timestamp?: bigint;
  /** global */
  output_indices: bigint[];
  relayed?: boolean;
  received_timestamp?: bigint;
}

/** Says whether to check for a release or to download it. */
export interface UpdateRequest {
  /** check, download or update */
  command?: string;
  /** where to put it; empty for the daemon's choice */
  path?: string;
}

/** Describes the release found. */
export interface UpdateResponse {
  status: string;
  /** the answer was passed on from a bootstrap daemon */
  untrusted: boolean;
  update: boolean;
  version: string;
  user_uri: string;
  auto_uri: string;
  hash: string;
  path: string;
}

/**
 * What the text of an answer does not say: the members that are numbers of 64 bits, n, lists, [], and objects that have
 * such.
 */
export const shapes: Shapes = {
  AddAuxPowResponse: { aux_pow: "[]" },
  AlternateChain: { height: "n", length: "n", difficulty: "n", difficulty_top64: "n", block_hashes: "[]" },
  BacklogTx: { weight: "n", fee: "n" },
  BlockHeader: { timestamp: "n", height: "n", depth: "n", difficulty: "n", difficulty_top64: "n", cumulative_difficulty: "n", cumulative_difficulty_top64: "n", reward: "n", block_size: "n", block_weight: "n", num_txes: "n", long_term_weight: "n" },
  BlockHeaderResponse: { credits: "n", block_header: "BlockHeader" },
  Connection: { recv_count: "n", recv_idle_time: "n", send_count: "n", send_idle_time: "n", live_time: "n", avg_download: "n", current_download: "n", avg_upload: "n", current_upload: "n", height: "n" },
  Distribution: { amount: "n", start_height: "n", base: "n" },
  GenerateBlocksResponse: { height: "n", blocks: "[]" },
  GetAltBlocksHashesResponse: { credits: "n", blks_hashes: "[]" },
  GetAlternateChainsResponse: { chains: "AlternateChain[]" },
  GetBansResponse: { bans: "[]" },
  GetBlockCountResponse: { count: "n" },
  GetBlockHeaderByHashResponse: { credits: "n", block_header: "BlockHeader", block_headers: "BlockHeader[]" },
  GetBlockHeadersRangeResponse: { credits: "n", headers: "BlockHeader[]" },
  GetBlockResponse: { credits: "n", block_header: "BlockHeader", tx_hashes: "[]" },
  GetBlockTemplateResponse: { difficulty: "n", difficulty_top64: "n", height: "n", reserved_offset: "n", expected_reward: "n", seed_height: "n" },
  GetCoinbaseTxSumResponse: { credits: "n", emission_amount: "n", emission_amount_top64: "n", fee_amount: "n", fee_amount_top64: "n" },
  GetConnectionsResponse: { connections: "Connection[]" },
  GetFeeEstimateResponse: { credits: "n", fee: "n", quantization_mask: "n", fees: "n[]" },
  GetHeightResponse: { height: "n" },
  GetInfoResponse: { credits: "n", height: "n", target_height: "n", difficulty: "n", difficulty_top64: "n", target: "n", tx_count: "n", tx_pool_size: "n", alt_blocks_count: "n", outgoing_connections_count: "n", incoming_connections_count: "n", rpc_connections_count: "n", white_peerlist_size: "n", grey_peerlist_size: "n", cumulative_difficulty: "n", cumulative_difficulty_top64: "n", block_size_limit: "n", block_weight_limit: "n", block_size_median: "n", block_weight_median: "n", adjusted_time: "n", start_time: "n", free_space: "n", height_without_bootstrap: "n", database_size: "n" },
  GetLimitResponse: { limit_up: "n", limit_down: "n" },
  GetMinerDataResponse: { height: "n", median_weight: "n", already_generated_coins: "n", tx_backlog: "BacklogTx[]" },
  GetNetStatsResponse: { start_time: "n", total_packets_in: "n", total_bytes_in: "n", total_packets_out: "n", total_bytes_out: "n" },
  GetOutputDistributionResponse: { credits: "n", distributions: "Distribution[]" },
  GetOutputHistogramResponse: { credits: "n", histogram: "HistogramEntry[]" },
  GetOutsResponse: { credits: "n", outs: "OutKey[]" },
  GetPeerListResponse: { white_list: "Peer[]", gray_list: "Peer[]" },
  GetPublicNodesResponse: { gray: "PublicNode[]", white: "PublicNode[]" },
  GetTransactionPoolHashesResponse: { credits: "n", tx_hashes: "[]" },
  GetTransactionPoolResponse: { credits: "n", transactions: "PoolTransaction[]", spent_key_images: "SpentKeyImage[]" },
  GetTransactionPoolStatsResponse: { credits: "n", pool_stats: "PoolStats" },
  GetTransactionsResponse: { credits: "n", txs_as_hex: "[]", txs_as_json: "[]", txs: "TxEntry[]", missed_tx: "[]" },
  GetTxPoolBacklogResponse: { credits: "n" },
  GetVersionResponse: { current_height: "n", target_height: "n", hard_forks: "HardForkEntry[]" },
  HardForkEntry: { height: "n" },
  HardForkInfoResponse: { credits: "n", earliest_height: "n" },
  HistogramEntry: { amount: "n", total_instances: "n", unlocked_instances: "n", recent_instances: "n" },
  IsKeyImageSpentResponse: { credits: "n", spent_status: "[]" },
  MiningStatusResponse: { speed: "n", block_reward: "n", difficulty: "n", difficulty_top64: "n" },
  OutKey: { height: "n" },
  Peer: { id: "n", last_seen: "n" },
  PlainMetered: { credits: "n" },
  PoolHistogramEntry: { bytes: "n" },
  PoolStats: { bytes_total: "n", fee_total: "n", oldest: "n", histo_98pc: "n", histo: "PoolHistogramEntry[]" },
  PoolTransaction: { blob_size: "n", weight: "n", fee: "n", max_used_block_height: "n", last_failed_height: "n", receive_time: "n", last_relayed_time: "n" },
  PopBlocksResponse: { height: "n" },
  PublicNode: { last_seen: "n" },
  RPCAccessAccountResponse: { credits: "n" },
  RPCAccessDataResponse: { entries: "RPCAccount[]" },
  RPCAccessInfoResponse: { credits: "n", seed_height: "n", diff: "n", credits_per_hash_found: "n", height: "n" },
  RPCAccessTrackingResponse: { data: "RPCUse[]" },
  RPCAccount: { balance: "n", last_update_time: "n", credits_total: "n", credits_used: "n", nonces_good: "n", nonces_stale: "n", nonces_bad: "n", nonces_dupe: "n" },
  RPCUse: { count: "n", time: "n", credits: "n" },
  SendRawTransactionResponse: { credits: "n" },
  SetLimitResponse: { limit_up: "n", limit_down: "n" },
  SpentKeyImage: { txs_hashes: "[]" },
  SyncInfoResponse: { credits: "n", height: "n", target_height: "n", peers: "SyncPeer[]", spans: "SyncSpan[]" },
  SyncPeer: { info: "Connection" },
  SyncSpan: { start_block_height: "n", nblocks: "n", size: "n" },
  TxEntry: { block_height: "n", confirmations: "n", block_timestamp: "n", output_indices: "n[]", received_timestamp: "n" },
};

/** Every operation of the daemon service. What is left out of params is its default. */
export class DaemonOperations extends Operations {
  constructor(ask: Ask) {
    super(ask, shapes);
  }

  /** Adds merge mining to a block template. */
  addAuxPow(params: AddAuxPowRequest = {}, options?: CallOptions): Promise<AddAuxPowResponse> {
    return this.call("add_aux_pow", params, "AddAuxPowResponse", options);
  }

  /** Tells whether an address is banned. Restricted. */
  banned(params: BannedRequest = {}, options?: CallOptions): Promise<BannedResponse> {
    return this.call("banned", params, "", options);
  }

  /** Returns the proof-of-work hash of a block. Restricted. */
  calcPow(params: CalcPowRequest = {}, options?: CallOptions): Promise<string> {
    return this.call("calc_pow", params, "", options);
  }

  /** Forgets blocks and transactions remembered as invalid. Restricted. */
  flushCache(params: FlushCacheRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("flush_cache", params, "", options);
  }

  /** Drops transactions from the pool. Restricted. */
  flushTxpool(params: FlushTxPoolRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("flush_txpool", params, "", options);
  }

  /** Mines blocks at once; Code.RegtestRequired anywhere but on regtest. Restricted. */
  generateblocks(params: GenerateBlocksRequest = {}, options?: CallOptions): Promise<GenerateBlocksResponse> {
    return this.call("generateblocks", params, "GenerateBlocksResponse", options);
  }

  /** Returns the hashes of all blocks off the main chain. Restricted. */
  getAltBlocksHashes(params: PayerOnly = {}, options?: CallOptions): Promise<GetAltBlocksHashesResponse> {
    return this.call("/get_alt_blocks_hashes", params, "GetAltBlocksHashesResponse", options);
  }

  /** Returns the branches the daemon knows. Restricted. */
  getAlternateChains(params: None = {}, options?: CallOptions): Promise<GetAlternateChainsResponse> {
    return this.call("get_alternate_chains", params, "GetAlternateChainsResponse", options);
  }

  /** Returns the bans in force. Restricted. */
  getBans(params: None = {}, options?: CallOptions): Promise<GetBansResponse> {
    return this.call("get_bans", params, "GetBansResponse", options);
  }

  /**
   * Returns one block without the bytes of its transactions; Code.TooBigHeight above the top.
   * Other names: getblock.
   */
  getBlock(params: GetBlockRequest = {}, options?: CallOptions): Promise<GetBlockResponse> {
    return this.call("get_block", params, "GetBlockResponse", options);
  }

  /**
   * Returns the number of blocks of the main chain. Its parameters are ignored.
   * Other names: getblockcount.
   */
  getBlockCount(params: readonly string[], options?: CallOptions): Promise<GetBlockCountResponse> {
    return this.call("get_block_count", params, "GetBlockCountResponse", options);
  }

  /**
   * Returns headers by block hash, of alternative chains too.
   * Other names: getblockheaderbyhash.
   */
  getBlockHeaderByHash(params: GetBlockHeaderByHashRequest = {}, options?: CallOptions): Promise<GetBlockHeaderByHashResponse> {
    return this.call("get_block_header_by_hash", params, "GetBlockHeaderByHashResponse", options);
  }

  /**
   * Returns the header at an index of the main chain; Code.TooBigHeight above the top.
   * Other names: getblockheaderbyheight.
   */
  getBlockHeaderByHeight(params: GetBlockHeaderByHeightRequest = {}, options?: CallOptions): Promise<BlockHeaderResponse> {
    return this.call("get_block_header_by_height", params, "BlockHeaderResponse", options);
  }

  /**
   * Returns the headers of a run of the main chain.
   * Other names: getblockheadersrange.
   */
  getBlockHeadersRange(params: GetBlockHeadersRangeRequest = {}, options?: CallOptions): Promise<GetBlockHeadersRangeResponse> {
    return this.call("get_block_headers_range", params, "GetBlockHeadersRangeResponse", options);
  }

  /**
   * Returns a block to mine on.
   * Other names: getblocktemplate.
   */
  getBlockTemplate(params: GetBlockTemplateRequest = {}, options?: CallOptions): Promise<GetBlockTemplateResponse> {
    return this.call("get_block_template", params, "GetBlockTemplateResponse", options);
  }

  /** Returns what a run of blocks issued and what fees it collected. Restricted. */
  getCoinbaseTxSum(params: GetCoinbaseTxSumRequest = {}, options?: CallOptions): Promise<GetCoinbaseTxSumResponse> {
    return this.call("get_coinbase_tx_sum", params, "GetCoinbaseTxSumResponse", options);
  }

  /** Returns the daemon's peers of the moment. Restricted. */
  getConnections(params: None = {}, options?: CallOptions): Promise<GetConnectionsResponse> {
    return this.call("get_connections", params, "GetConnectionsResponse", options);
  }

  /** Returns the fees that get a transaction mined soon. */
  getFeeEstimate(params: GetFeeEstimateRequest = {}, options?: CallOptions): Promise<GetFeeEstimateResponse> {
    return this.call("get_fee_estimate", params, "GetFeeEstimateResponse", options);
  }

  /**
   * Returns the length of the main chain.
   * Other names: getheight.
   */
  getHeight(params: None = {}, options?: CallOptions): Promise<GetHeightResponse> {
    return this.call("/get_height", params, "GetHeightResponse", options);
  }

  /** Describes the daemon and its chain. */
  getInfo(params: PayerOnly = {}, options?: CallOptions): Promise<GetInfoResponse> {
    return this.call("get_info", params, "GetInfoResponse", options);
  }

  /**
   * Returns the header of the top block.
   * Other names: getlastblockheader.
   */
  getLastBlockHeader(params: GetLastBlockHeaderRequest = {}, options?: CallOptions): Promise<BlockHeaderResponse> {
    return this.call("get_last_block_header", params, "BlockHeaderResponse", options);
  }

  /** Returns the bandwidth limits. */
  getLimit(params: None = {}, options?: CallOptions): Promise<GetLimitResponse> {
    return this.call("/get_limit", params, "GetLimitResponse", options);
  }

  /** Returns what building the next block takes. */
  getMinerData(params: None = {}, options?: CallOptions): Promise<GetMinerDataResponse> {
    return this.call("get_miner_data", params, "GetMinerDataResponse", options);
  }

  /** Counts traffic. Restricted. */
  getNetStats(params: None = {}, options?: CallOptions): Promise<GetNetStatsResponse> {
    return this.call("/get_net_stats", params, "GetNetStatsResponse", options);
  }

  /** Returns distributions in JSON, with raw bytes in strings when asked with Binary. */
  getOutputDistribution(params: GetOutputDistributionRequest = {}, options?: CallOptions): Promise<GetOutputDistributionResponse> {
    return this.call("get_output_distribution", params, "GetOutputDistributionResponse", options);
  }

  /** Counts outputs by amount; RingCT outputs count as amount 0. */
  getOutputHistogram(params: GetOutputHistogramRequest = {}, options?: CallOptions): Promise<GetOutputHistogramResponse> {
    return this.call("get_output_histogram", params, "GetOutputHistogramResponse", options);
  }

  /** Returns outputs by global index, in JSON. */
  getOuts(params: GetOutsRequest = {}, options?: CallOptions): Promise<GetOutsResponse> {
    return this.call("/get_outs", params, "GetOutsResponse", options);
  }

  /** Returns the peers the daemon knows. Restricted. */
  getPeerList(params: GetPeerListRequest = {}, options?: CallOptions): Promise<GetPeerListResponse> {
    return this.call("/get_peer_list", params, "GetPeerListResponse", options);
  }

  /** Returns the peers that offer their RPC. */
  getPublicNodes(params: GetPublicNodesRequest = {}, options?: CallOptions): Promise<GetPublicNodesResponse> {
    return this.call("/get_public_nodes", params, "GetPublicNodesResponse", options);
  }

  /** Returns everything in the pool. */
  getTransactionPool(params: PayerOnly = {}, options?: CallOptions): Promise<GetTransactionPoolResponse> {
    return this.call("/get_transaction_pool", params, "GetTransactionPoolResponse", options);
  }

  /** Returns the hashes in the pool. */
  getTransactionPoolHashes(params: PayerOnly = {}, options?: CallOptions): Promise<GetTransactionPoolHashesResponse> {
    return this.call("/get_transaction_pool_hashes", params, "GetTransactionPoolHashesResponse", options);
  }

  /** Sums up the pool. */
  getTransactionPoolStats(params: PayerOnly = {}, options?: CallOptions): Promise<GetTransactionPoolStatsResponse> {
    return this.call("/get_transaction_pool_stats", params, "GetTransactionPoolStatsResponse", options);
  }

  /**
   * Returns transactions of the chain and the pool.
   * Other names: gettransactions.
   */
  getTransactions(params: GetTransactionsRequest = {}, options?: CallOptions): Promise<GetTransactionsResponse> {
    return this.call("/get_transactions", params, "GetTransactionsResponse", options);
  }

  /** Returns weight, fee and age of what is in the pool. */
  getTxpoolBacklog(params: PayerOnly = {}, options?: CallOptions): Promise<GetTxPoolBacklogResponse> {
    return this.call("get_txpool_backlog", params, "GetTxPoolBacklogResponse", options);
  }

  /** Returns the version of the daemon's interface. */
  getVersion(params: None = {}, options?: CallOptions): Promise<GetVersionResponse> {
    return this.call("get_version", params, "GetVersionResponse", options);
  }

  /** Describes the state of a protocol version. */
  hardForkInfo(params: HardForkInfoRequest = {}, options?: CallOptions): Promise<HardForkInfoResponse> {
    return this.call("hard_fork_info", params, "HardForkInfoResponse", options);
  }

  /** Limits incoming connections. Restricted. */
  inPeers(params: InPeersRequest = {}, options?: CallOptions): Promise<InPeersResponse> {
    return this.call("/in_peers", params, "", options);
  }

  /** Tells which key images the chain or the pool has. */
  isKeyImageSpent(params: IsKeyImageSpentRequest = {}, options?: CallOptions): Promise<IsKeyImageSpentResponse> {
    return this.call("/is_key_image_spent", params, "IsKeyImageSpentResponse", options);
  }

  /** Describes the daemon's own miner. Restricted. */
  miningStatus(params: None = {}, options?: CallOptions): Promise<MiningStatusResponse> {
    return this.call("/mining_status", params, "MiningStatusResponse", options);
  }

  /**
   * Returns the hash of the block at the index that is the only element of the request.
   * Other names: on_getblockhash.
   */
  onGetBlockHash(params: readonly bigint[], options?: CallOptions): Promise<string> {
    return this.call("on_get_block_hash", params, "", options);
  }

  /** Limits outgoing connections. Restricted. */
  outPeers(params: OutPeersRequest = {}, options?: CallOptions): Promise<OutPeersResponse> {
    return this.call("/out_peers", params, "", options);
  }

  /** Drops blocks from the top, their transactions going back to the pool. Restricted. */
  popBlocks(params: PopBlocksRequest = {}, options?: CallOptions): Promise<PopBlocksResponse> {
    return this.call("/pop_blocks", params, "PopBlocksResponse", options);
  }

  /** Drops most prunable parts from the database, or tells whether that was done. Restricted. */
  pruneBlockchain(params: PruneBlockchainRequest = {}, options?: CallOptions): Promise<PruneBlockchainResponse> {
    return this.call("prune_blockchain", params, "", options);
  }

  /** Passes pool transactions to the network. Restricted. */
  relayTx(params: RelayTxRequest = {}, options?: CallOptions): Promise<PlainMetered> {
    return this.call("relay_tx", params, "PlainMetered", options);
  }

  /** Returns and changes one caller's balance. Restricted. */
  rpcAccessAccount(params: RPCAccessAccountRequest = {}, options?: CallOptions): Promise<RPCAccessAccountResponse> {
    return this.call("rpc_access_account", params, "RPCAccessAccountResponse", options);
  }

  /** Returns the balances of all callers. Restricted. */
  rpcAccessData(params: None = {}, options?: CallOptions): Promise<RPCAccessDataResponse> {
    return this.call("rpc_access_data", params, "RPCAccessDataResponse", options);
  }

  /** Tells what mining for credits takes. */
  rpcAccessInfo(params: PayerOnly = {}, options?: CallOptions): Promise<RPCAccessInfoResponse> {
    return this.call("rpc_access_info", params, "RPCAccessInfoResponse", options);
  }

  /** Spends credits. */
  rpcAccessPay(params: RPCAccessPayRequest = {}, options?: CallOptions): Promise<PlainMetered> {
    return this.call("rpc_access_pay", params, "PlainMetered", options);
  }

  /** Turns a find into credits. */
  rpcAccessSubmitNonce(params: RPCAccessSubmitNonceRequest = {}, options?: CallOptions): Promise<PlainMetered> {
    return this.call("rpc_access_submit_nonce", params, "PlainMetered", options);
  }

  /** Counts calls by operation. Restricted. */
  rpcAccessTracking(params: RPCAccessTrackingRequest = {}, options?: CallOptions): Promise<RPCAccessTrackingResponse> {
    return this.call("rpc_access_tracking", params, "RPCAccessTrackingResponse", options);
  }

  /** Writes the database to disk. Restricted. */
  saveBc(params: None = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/save_bc", params, "", options);
  }

  /**
   * Adds a transaction to the pool and passes it to the network.
   * Other names: sendrawtransaction.
   */
  sendRawTransaction(params: SendRawTransactionRequest = {}, options?: CallOptions): Promise<SendRawTransactionResponse> {
    return this.call("/send_raw_transaction", params, "SendRawTransactionResponse", options);
  }

  /** Bans peers and lifts bans. Restricted. */
  setBans(params: SetBansRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("set_bans", params, "", options);
  }

  /** Sets the daemon that calls are passed on to. Restricted. */
  setBootstrapDaemon(params: SetBootstrapDaemonRequest = {}, options?: CallOptions): Promise<SetBootstrapDaemonResponse> {
    return this.call("/set_bootstrap_daemon", params, "", options);
  }

  /** Sets the bandwidth limits. Restricted. */
  setLimit(params: SetLimitRequest = {}, options?: CallOptions): Promise<SetLimitResponse> {
    return this.call("/set_limit", params, "SetLimitResponse", options);
  }

  /** Sets what the daemon logs. Restricted. */
  setLogCategories(params: SetLogCategoriesRequest = {}, options?: CallOptions): Promise<SetLogCategoriesResponse> {
    return this.call("/set_log_categories", params, "", options);
  }

  /** Shows or hides the miner's speed; StatusNotMining when there is none. Restricted. */
  setLogHashRate(params: SetLogHashRateRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/set_log_hash_rate", params, "", options);
  }

  /** Sets how much the daemon logs. Restricted. */
  setLogLevel(params: SetLogLevelRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/set_log_level", params, "", options);
  }

  /** Starts the daemon's own miner. Restricted. */
  startMining(params: StartMiningRequest = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/start_mining", params, "", options);
  }

  /** Ends the daemon after it has answered. Restricted. */
  stopDaemon(params: None = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/stop_daemon", params, "", options);
  }

  /** Stops it. Restricted. */
  stopMining(params: None = {}, options?: CallOptions): Promise<Plain> {
    return this.call("/stop_mining", params, "", options);
  }

  /**
   * Adds the mined block, hexadecimal, that is the only element of the request; Code.BlockNotAccepted when it is invalid.
   * Other names: submitblock.
   */
  submitBlock(params: readonly string[], options?: CallOptions): Promise<SubmitBlockResponse> {
    return this.call("submit_block", params, "", options);
  }

  /** Describes what the daemon is fetching from whom. Restricted. */
  syncInfo(params: PayerOnly = {}, options?: CallOptions): Promise<SyncInfoResponse> {
    return this.call("sync_info", params, "SyncInfoResponse", options);
  }

  /** Looks for a newer release of the daemon. Restricted. */
  update(params: UpdateRequest = {}, options?: CallOptions): Promise<UpdateResponse> {
    return this.call("/update", params, "", options);
  }
}
