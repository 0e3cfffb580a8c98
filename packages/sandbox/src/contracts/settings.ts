/** How long what contracts keep lives, in ledgers: Stellar's main network. A new entry's ledger counts as its first. */
export const minPersistentTtl = 120_960
export const minTemporaryTtl = 720
export const maxTtl = 3_110_400

/** Caps on what a call may do, since WebAssembly itself is not metered here. */
export const maxDepth = 100
export const maxHostCalls = 100_000
export const maxArguments = 32
