import { stroops } from '@quittance/domain'

/** What a wallet may pay for inclusion at most, in stroops: the network takes the going price, not this. */
export const feeCapOfPayer = stroops(10_000n)
