import type { Credit } from '@quittance/domain'

/**
 * Whether the account that a credit names has sent it itself. Of a contract, or a claimable balance, that is whoever
 * brought the transaction to the ledger, or put the money aside: they may hold nothing of it. What was recorded before
 * this was kept counts as sent.
 */
const isSentByAccount = ({ origin }: Credit): boolean =>
  origin === undefined ||
  (['payment', 'path_payment', 'contract_transfer'].includes(origin.kind) && origin.fromContract === null)

/** Whether one account has sent all of it: to a sale of somebody else, a stranger may add the last stroop. */
export const isSentByOneAccount = (credits: ReadonlyArray<Credit>): boolean =>
  credits.every((credit) => credit.from === credits[0]?.from && isSentByAccount(credit))
