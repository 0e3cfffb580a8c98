import { type Stroops, stroops } from '@quittance/domain'

/**
 * The reserve of one entry in stroops of XLM: an account keeps two for itself, and one for each trustline, signer,
 * offer and data entry. Source: Stellar docs, Lumens, "Minimum balance".
 */
export const BASE_RESERVE: Stroops = stroops(5_000_000n)
