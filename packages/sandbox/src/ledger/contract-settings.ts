/**
 * Limits of one contract transaction: the presets of Stellar's test network. Sizes in bytes of XDR.
 * Source: stellar/quickstart, config-settings/p23/testnet.json.
 */
export const transactionLimits = {
  instructions: 100_000_000,
  footprintKeys: 100,
  diskReadEntries: 100,
  diskReadBytes: 200_000,
  writeEntries: 50,
  writeBytes: 132_096,
  eventBytes: 16_384,
  sizeBytes: 132_096,
  keyBytes: 250,
}

/** Limits of all contract transactions in one ledger; the rest waits for the next ledger. */
export const ledgerLimits = { transactions: 200, instructions: 2_000_000_000, writeEntries: 1_000 }

/**
 * Prices of resources in stroops: per 10,000 instructions, per entry, per 1,024 bytes. Rent is priced by
 * `contracts/rent.ts`.
 * Source: soroban-sdk, the snapshot of the public network in testutils/cost_estimate.rs.
 */
export const rates = {
  per10kInstructions: 25n,
  perDiskReadEntry: 6_250n,
  perWriteEntry: 10_000n,
  perDiskRead1Kb: 1_786n,
  perWrite1Kb: 3_500n,
  perHistory1Kb: 16_235n,
  perEvents1Kb: 10_000n,
  perSize1Kb: 1_624n,
}
