import type { AccountId } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { Counterparty, MovementKind } from '../../movement.ts'
import { type Address, accountOf, addressOf } from '../addresses.ts'
import { asCounterparty, heldBy, type Naming } from './part.ts'
import type { SettledOperation } from './settled-transaction.ts'
import { type AssetContracts, tokenParts } from './token-events.ts'
import { tradeParts } from './trades.ts'

const nothing: Naming = { parts: [], giver: null, taker: null, unnamed: 'other' }

const between = (kind: MovementKind, giver: Address, taker: Address): Naming => ({
  ...nothing,
  giver: { kind, holder: giver, counterparty: asCounterparty(taker) },
  taker: { kind, holder: taker, counterparty: asCounterparty(giver) },
})

const given = (kind: MovementKind, holder: Address, counterparty: Counterparty | null): Naming => ({
  ...nothing,
  giver: { kind, holder, counterparty },
})

const taken = (kind: MovementKind, holder: Address, counterparty: Counterparty | null): Naming => ({
  ...nothing,
  taker: { kind, holder, counterparty },
})

const pool = (id: xdr.PoolId): Counterparty => ({ _tag: 'liquidity_pool', id: id.toString() })

const balanceCreated = ({ result }: SettledOperation): Counterparty | null =>
  result.type === 'createClaimableBalance' && 'balanceId' in result.value
    ? { _tag: 'claimable_balance', id: result.value.balanceId.value.toString(), sponsor: null }
    : null

const balanceClaimed = ({ claimable }: SettledOperation, { value }: xdr.ClaimableBalanceId): Counterparty => ({
  _tag: 'claimable_balance',
  id: value.toString(),
  sponsor: sponsorOf(value.toString(), claimable),
})

const sponsorOf = (id: string, claimable: ReadonlyArray<xdr.LedgerEntry>): AccountId | null => {
  for (const { data, ext } of claimable) {
    if (data.type !== 'claimableBalance' || data.claimableBalance.balanceId.value.toString() !== id) continue
    const sponsor = ext.type === 'v1' ? ext.v1.sponsoringId : null
    return sponsor === null ? null : accountOf(sponsor)
  }
  return null
}

/**
 * Names the balance changes of an operation by its type. Amounts are measured elsewhere: the request only says who
 * gives and who takes.
 */
export const namingOf = (operation: SettledOperation, contracts: AssetContracts): Naming => {
  const { source, body, result } = operation
  switch (body.type) {
    case 'payment':
      return between('payment', source, addressOf(body.paymentOp.destination))
    case 'createAccount': {
      const created = { account: accountOf(body.createAccountOp.destination), muxedId: null }
      return between('account_created', source, created)
    }
    case 'accountMerge':
      return between('account_merged', source, addressOf(body.destination))
    case 'pathPaymentStrictReceive':
    case 'pathPaymentStrictSend': {
      const parts = tradeParts(result, { holder: null, counterparty: asCounterparty(source) })
      return { ...between('path_payment', source, addressOf(body.value.destination)), parts }
    }
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return { ...nothing, parts: tradeParts(result, heldBy(source)) }
    case 'createClaimableBalance':
      return given('claimable_balance_created', source, balanceCreated(operation))
    case 'claimClaimableBalance':
      return taken(
        'claimable_balance_claimed',
        source,
        balanceClaimed(operation, body.claimClaimableBalanceOp.balanceId),
      )
    case 'clawback':
      return given('clawback', addressOf(body.clawbackOp.from), asCounterparty(source))
    case 'liquidityPoolDeposit':
      return given('pool_deposit', source, pool(body.liquidityPoolDepositOp.liquidityPoolId))
    case 'liquidityPoolWithdraw':
      return taken('pool_withdrawal', source, pool(body.liquidityPoolWithdrawOp.liquidityPoolId))
    case 'invokeHostFunction':
      return { ...nothing, parts: tokenParts(operation.events, contracts), unnamed: 'contract_call' }
    case 'setOptions':
    case 'changeTrust':
    case 'allowTrust':
    case 'inflation':
    case 'manageData':
    case 'bumpSequence':
    case 'beginSponsoringFutureReserves':
    case 'endSponsoringFutureReserves':
    case 'revokeSponsorship':
    case 'clawbackClaimableBalance':
    case 'setTrustLineFlags':
    case 'extendFootprintTtl':
    case 'restoreFootprint':
      return nothing
  }
}
