/** Lifetimes of contract entries in ledgers, as on Stellar's main network. The ledger that creates an entry counts. */
export const minPersistentTtl = 120_960
export const minTemporaryTtl = 720
export const maxTtl = 3_110_400

/** Limits of a call, since WebAssembly itself is not metered here. */
export const maxDepth = 100
export const maxHostCalls = 100_000
export const maxArguments = 32
