/** The page has loaded the library from its own bundle before. */
export const { StrKey, Transaction } = globalThis.StellarSdk
