import { type Stroops, stroops } from '@quittance/domain'

/**
 * What the network keeps of an account for each entry of it, in stroops of XLM: two for the account, and one for each
 * trustline, signer, offer and data entry. Source: Stellar docs, Lumens, "Minimum balance".
 */
export const BASE_RESERVE: Stroops = stroops(5_000_000n)
