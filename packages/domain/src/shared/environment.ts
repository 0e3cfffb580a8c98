import * as t from 'io-ts'

/** The network a key, an account or a sale belongs to. Nothing of one is ever visible in the other. */
export const Environment = t.keyof({ testnet: null, mainnet: null }, 'Environment')
export type Environment = t.TypeOf<typeof Environment>
