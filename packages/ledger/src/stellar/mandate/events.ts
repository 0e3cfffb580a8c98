import { ContractId } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import * as t from 'io-ts'
import type { MandateCharged, MandateFact } from '../../mandate.ts'
import { vector } from './contract-values.ts'
import { Id, Moment, Party, Reference, readValue, recordOf, StoredMandate } from './stored-values.ts'

type EventFields<Fact> = Fact extends MandateFact
  ? Omit<Fact, 'contract' | 'transactionHash' | 'innerHash' | 'ledger' | 'closedAt' | 'credit'>
  : never

/** The fields of a contract's event, without its place in the ledger. */
export type MandateEvent = EventFields<Exclude<MandateFact, { _tag: 'ChargesAnswered' }>>

export type ChargedEvent = EventFields<MandateCharged>

const Topics = t.tuple([t.string, Id, Party, Party])
const Created = t.type({
  allowance: t.bigint,
  allowance_expiry_ledger: t.number,
  first_amount: t.bigint,
  terms: StoredMandate,
})
const Charged = t.type({ amount: t.bigint, period_start: Moment, reference: Reference, token: ContractId })
const Renewed = t.type({ allowance: t.bigint, allowance_expiry_ledger: t.number })
const Cancelled = t.type({ by: Party })

/**
 * Reads an event of the mandate contract; null for one that it does not emit. Source: contracts/mandate/src/types.rs.
 */
export const readEvent = ({ topics, data }: xdr.ContractEventV0): MandateEvent | null => {
  const told = readValue(Topics, vector(...topics))
  if (told === null) return null
  const [name, mandate, customer, payee] = told
  const of = { mandate, customer, payee }
  switch (name) {
    case 'mandate_created': {
      const created = readValue(Created, data)
      if (created === null) return null
      const { terms, first_amount: firstAmount } = created
      return { _tag: 'MandateCreated', ...of, ...approvalOf(created), firstAmount, record: recordOf(terms) }
    }
    case 'charged': {
      const charged = readValue(Charged, data)
      if (charged === null) return null
      const { amount, period_start: periodStart, reference, token } = charged
      return { _tag: 'MandateCharged', ...of, amount, periodStart, reference, token }
    }
    case 'allowance_renewed': {
      const renewed = readValue(Renewed, data)
      return renewed === null ? null : { _tag: 'AllowanceRenewed', ...of, ...approvalOf(renewed) }
    }
    case 'mandate_cancelled': {
      const cancelled = readValue(Cancelled, data)
      return cancelled === null ? null : { _tag: 'MandateCancelled', ...of, ...cancelled }
    }
    default:
      return null
  }
}

const approvalOf = ({ allowance, allowance_expiry_ledger }: t.TypeOf<typeof Renewed>) => ({
  allowance,
  allowanceExpiryLedger: allowance_expiry_ledger,
})
